//! `import` and `export` of the JSON directory layout.

use super::{Again, tell};
use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::{self, Done};
use mnemic_engine::{Engine, LayoutImported, Note, StoreName};
use serde_json::json;
use std::path::Path;

/// What it is called where formats are named.
pub(crate) const NAME: &str = "layout";

/// Whether a directory is kept in the layout.
pub(crate) fn is_kept(dir: &Path) -> bool {
    ["episodic", "semantic"].iter().any(|part| dir.join(part).is_dir())
}

pub(crate) fn import(
    engine: &Engine,
    store: StoreName,
    dir: &Path,
    dry_run: bool,
    note: &Note,
    call: &Invocation,
) -> Done {
    let imported = engine.import_layout(store, dir, dry_run, note)?;
    for (place, why) in &imported.skipped {
        call.out.warn(&format!("not imported: `{place}`: {why}"));
    }
    call.out.answer(
        || {
            let skipped: Vec<_> = imported
                .skipped
                .iter()
                .map(|(place, why)| json!({ "file": place, "why": why }))
                .collect();
            json!({
                "store": store.as_str(),
                "files": imported.files,
                "created": imported.created,
                "kinds": imported.kinds,
                "known": imported.known,
                "links": imported.links,
                "skipped": skipped,
                "change": imported.change,
                "dry_run": dry_run,
            })
        },
        || plain(&imported, dry_run, call),
    )?;
    match imported.skipped.len() {
        0 => Ok(()),
        skipped => Err(report::invalid(
            format!("{} not imported", counted(skipped as u64, "entry was", "entries were")),
            "mend what is named above and import again: what is here already stays as it is",
        )
        .into()),
    }
}

fn plain(imported: &LayoutImported, dry_run: bool, call: &Invocation) -> Done {
    let would = if dry_run { "would import" } else { "imported" };
    call.out.line(&format!(
        "{would} {} from {}, {}",
        counted(imported.created, "memory", "memories"),
        counted(imported.files as u64, "file", "files"),
        counted(imported.links, "link", "links"),
    ))?;
    for (kind, count) in &imported.kinds {
        call.out.line(&format!("  {count} {kind}"))?;
    }
    if imported.known > 0 {
        let known = counted(imported.known, "memory was", "memories were");
        call.out.line(&format!("{known} here already"))?;
    }
    if let Some(change) = &imported.change {
        call.out.note(&format!("to take it back: mnemic undo {change}"));
    }
    Ok(())
}

pub(crate) fn export(engine: &Engine, store: StoreName, dir: &Path, call: &Invocation) -> Done {
    std::fs::create_dir_all(dir).map_err(|cause| report::file("create", dir.display(), cause))?;
    let written = engine.export_layout(store, dir)?;
    let again = Again::new(Some(dir), &StoreArgs { store: Some(store) });
    tell::written(&written, dir, &again, call)
}
