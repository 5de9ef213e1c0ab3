//! `mnemic continuity`: an agent's working file, read, resolved and refreshed.

use crate::install::real;
use crate::invocation::Invocation;
use crate::output::{KEY, one_line, plain};
use crate::report::{self, Done};
use crate::times::LocalClock;
use mnemic_engine::continuity::Reference;
use mnemic_engine::model::{Timestamp, Version};
use mnemic_engine::{Continuity, Level};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const WIDTH: usize = 100;

/// Resolve and refresh an agent's working file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic continuity                     what CONTINUITY.md names, and what it should name
  mnemic continuity --refresh           write both sections anew; the rest stays as it is
  mnemic continuity docs/NOW.md --json")]
pub(crate) struct Args {
    /// The working file
    #[arg(default_value = "CONTINUITY.md", value_hint = clap::ValueHint::FilePath)]
    path: PathBuf,
    /// Write the sections `Relevant memories` and `Mistakes to avoid` anew
    #[arg(long)]
    refresh: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.finding_engine()?;
    let text = match std::fs::read_to_string(&args.path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound && args.refresh => String::new(),
        Err(cause) => return Err(report::file("read", args.path.display(), cause).into()),
    };
    let continuity = engine.continuity(&text)?;
    let changed = continuity.refreshed != text;
    if args.refresh && changed {
        replace(&args.path, &continuity.refreshed)?;
    }
    call.out.answer(
        || view(&continuity, args.refresh && changed, call.now),
        || tell(&continuity, args.refresh, changed, call),
    )
}

/// Whoever reads the file meanwhile sees the old text or the new one, never half of it. A link
/// stays one: what it leads to is replaced.
fn replace(path: &Path, text: &str) -> Done {
    let failed = |cause| report::file("write", path.display(), cause);
    let path = &real(path);
    let beside = path.with_extension(format!("mnemic-{}", std::process::id()));
    std::fs::write(&beside, text).map_err(failed)?;
    if let Ok(old) = std::fs::metadata(path) {
        std::fs::set_permissions(&beside, old.permissions()).map_err(failed)?;
    }
    Ok(std::fs::rename(&beside, path).map_err(failed)?)
}

fn name(reference: &Reference) -> String {
    match reference {
        Reference::Id(id) => id.clone(),
        Reference::Named { kind, name } => format!("{kind}: {name}"),
    }
}

/// When a memory stopped to hold, where it did.
fn ended(version: &Version, now: Timestamp) -> Option<Timestamp> {
    version.content.valid.to().filter(|end| *end <= now)
}

fn view(continuity: &Continuity, written: bool, now: Timestamp) -> Value {
    let reference = |(reference, version): &(Reference, Option<Version>)| {
        json!({
            "name": name(reference),
            "id": version.as_ref().map(|version| version.id.clone()),
            "text": version.as_ref().map(|version| Level::summary(&version.content).text),
            "ended": version.as_ref().and_then(|version| ended(version, now)),
        })
    };
    json!({
        "references": continuity.references.iter().map(reference).collect::<Vec<Value>>(),
        "relevant": continuity.relevant,
        "avoid": continuity.avoid,
        "text": continuity.refreshed,
        "written": written,
    })
}

fn tell(continuity: &Continuity, refresh: bool, changed: bool, call: &Invocation) -> Done {
    for (reference, version) in &continuity.references {
        let name = call.out.paint(KEY, &plain(&name(reference)));
        let text = match version {
            Some(version) => {
                let text = one_line(&Level::summary_line(&version.content), WIDTH);
                match ended(version, call.now) {
                    Some(end) => {
                        format!("{text}  (no longer holds since {})", LocalClock::new().short(end))
                    }
                    None => text,
                }
            }
            None => "there is no such memory".to_owned(),
        };
        call.out.line(&format!("{name}  {text}"))?;
    }
    let found = format!(
        "{} named, {} relevant, {} to avoid",
        continuity.references.len(),
        continuity.relevant.len(),
        continuity.avoid.len()
    );
    let state = match (refresh, changed) {
        (true, true) => "the file is refreshed",
        (_, false) => "the file is up to date",
        (false, true) => "`--refresh` writes them into the file",
    };
    call.out.note(&format!("{found}; {state}"));
    Ok(())
}
