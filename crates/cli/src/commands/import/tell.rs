//! What an import tells: every file for programs, what matters for people.

use crate::invocation::Invocation;
use crate::output::{counted, kind_name, plain};
use crate::report::{self, Done};
use mnemic_engine::model::Kind;
use mnemic_engine::{FileImport, Takeover, Unfound};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Reasons of one file that are shown; the others are counted.
const MOST_REASONS: usize = 5;

pub(super) fn told(
    taken: &Takeover,
    unfound: &[Unfound],
    dry_run: bool,
    call: &Invocation,
) -> Done {
    if !call.out.json {
        unfound.iter().for_each(|one| {
            call.out.warn(&format!("`{}` {}", one.path.display(), one.why));
        });
        taken.files.iter().for_each(|file| warn(file, call));
    }
    call.out.answer(|| view(taken, unfound, dry_run), || page(taken, dry_run, call))
}

fn kinds(new: &BTreeMap<Kind, u64>) -> Value {
    let kinds: Map<String, Value> =
        new.iter().map(|(kind, count)| (kind.as_str().to_owned(), json!(count))).collect();
    Value::Object(kinds)
}

pub(super) fn all_kinds<'f>(
    files: impl IntoIterator<Item = &'f FileImport>,
) -> BTreeMap<Kind, u64> {
    let mut all = BTreeMap::new();
    for (kind, count) in files.into_iter().flat_map(|file| &file.new) {
        *all.entry(*kind).or_default() += count;
    }
    all
}

fn sum(taken: &Takeover, of: fn(&FileImport) -> u64) -> u64 {
    taken.files.iter().map(of).sum()
}

fn view(taken: &Takeover, unfound: &[Unfound], dry_run: bool) -> Value {
    let files = taken.files.iter().map(file);
    let missing = unfound.iter().map(|one| {
        let why = &one.why;
        json!({ "file": one.path, "error": { "message": format!("`{}` {why}", one.path.display()) } })
    });
    json!({
        "files": files.chain(missing).collect::<Vec<Value>>(),
        "new": kinds(&all_kinds(&taken.files)),
        "renewed": sum(taken, |file| file.renewed),
        "known": sum(taken, |file| file.known),
        "skipped": sum(taken, |file| file.skipped_count),
        "broken": sum(taken, |file| u64::from(file.broken.is_some())),
        "unchanged": sum(taken, |file| u64::from(file.unchanged)),
        "quarantined": taken.quarantined,
        "links": taken.links,
        "loose_links": taken.loose_links,
        "dry_run": dry_run,
        "changes": taken.changes,
    })
}

fn file(file: &FileImport) -> Value {
    let mut view = json!({
        "file": file.name,
        "format": file.format.as_str(),
        "new": kinds(&file.new),
        "renewed": file.renewed,
        "known": file.known,
        "sessions": file.sessions,
        "skipped": file.skipped,
        "unchanged": file.unchanged,
    });
    if let Some(why) = &file.broken {
        view["error"] = json!({ "message": format!("`{}` {why}", file.name) });
    }
    view
}

fn warn(file: &FileImport, call: &Invocation) {
    if let Some(why) = &file.broken {
        call.out.warn(&format!("not imported: `{}` {why}", file.name));
    }
    for why in file.skipped.iter().take(MOST_REASONS) {
        call.out.warn(&format!("not imported: {}: {why}", file.name));
    }
    let more = file.skipped_count.saturating_sub(MOST_REASONS as u64);
    if more > 0 {
        call.out.warn(&format!("not imported: {more} more of {}", file.name));
    }
}

fn page(taken: &Takeover, dry_run: bool, call: &Invocation) -> Done {
    let unchanged = sum(taken, |file| u64::from(file.unchanged));
    if unchanged > 0 {
        let files = counted(unchanged, "file is", "files are");
        call.out.line(&format!("{files} as before"))?;
    }
    let new = all_kinds(&taken.files);
    let verb = if dry_run { "would import" } else { "imported" };
    if !new.is_empty() {
        call.out.line(&format!("{verb} {}", listed(&new)))?;
    }
    for (count, what) in [
        (sum(taken, |file| file.renewed), "renewed or went on"),
        (sum(taken, |file| file.known), "here already"),
        (taken.links, if dry_run { "links would be made" } else { "linked" }),
        (taken.loose_links, "links lead to what is not here"),
    ] {
        if count > 0 {
            call.out.line(&format!("{count} {what}"))?;
        }
    }
    if new.is_empty() && unchanged == 0 && taken.changes.is_empty() {
        call.out.line("nothing new")?;
    }
    set_apart(taken.quarantined, call);
    for change in &taken.changes {
        call.out.note(&format!("to take it back: mnemic undo {change}"));
    }
    Ok(())
}

/// Says what no agent will be given before a person has looked at it.
pub(in crate::commands) fn set_apart(quarantined: u64, call: &Invocation) {
    if quarantined > 0 {
        let memories = counted(quarantined, "memory was", "memories were");
        let why = "an order to agents, or made from one; `mnemic review` shows it";
        call.out.warn(&format!("{memories} set apart: {why}"));
    }
}

/// `3 facts, 1 episode`
pub(super) fn listed(kinds: &BTreeMap<Kind, u64>) -> String {
    let name = |(kind, count): (&Kind, &u64)| {
        let one = kind_name(*kind);
        let several = match kind {
            Kind::Entity | Kind::Community => format!("{}ies", &one[..one.len() - 1]),
            _ => format!("{one}s"),
        };
        counted(*count, &one, &several)
    };
    plain(&kinds.iter().map(name).collect::<Vec<_>>().join(", "))
}

/// What did not come in was named; the exit code says so, too.
pub(super) fn complaint(taken: &Takeover, unfound: &[Unfound]) -> Done {
    let broken = sum(taken, |file| u64::from(file.broken.is_some())) + unfound.len() as u64;
    if broken == 0 {
        return Ok(());
    }
    let rest =
        if taken.files.iter().any(|file| file.broken.is_none()) { "; the rest was" } else { "" };
    Err(report::invalid(
        format!("{} not imported{rest}", counted(broken, "file was", "files were")),
        "mend what is named above and import again: what is here already stays as it is",
    )
    .into())
}
