//! `mnemic continuity`: an agent's working file, read, resolved and refreshed.

use crate::install::real;
use crate::invocation::Invocation;
use crate::output::{KEY, one_line, plain};
use crate::report::{self, Done};
use crate::times::LocalClock;
use mnemic_engine::continuity::Reference;
use mnemic_engine::model::{Timestamp, Version};
use mnemic_engine::{Continuity, Error, ErrorKind, Level};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const WIDTH: usize = 100;

/// As the working file is called where nobody says otherwise.
const USUAL: &str = "CONTINUITY.md";

/// How a working file begins: what is written here is what its memories are looked for by.
const BEGINNING: &str = "# Continuity\n\n## Goal\n\n## Next steps\n\n";

/// Resolve and refresh an agent's working file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic continuity                     what CONTINUITY.md names, and what it should name
  mnemic continuity --refresh           begin it, or write both sections anew; the rest stays
  mnemic continuity docs/NOW.md --json")]
pub(crate) struct Args {
    /// The working file
    #[arg(default_value = USUAL, value_hint = clap::ValueHint::FilePath)]
    path: PathBuf,
    /// Write the sections `Relevant memories` and `Mistakes to avoid` anew
    #[arg(long)]
    refresh: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.finding_engine()?;
    let (text, begins) = match std::fs::read_to_string(&args.path) {
        Ok(text) => (text, false),
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            return Err(report::file("read", args.path.display(), cause).into());
        }
        Err(_) if args.refresh => (BEGINNING.to_owned(), true),
        Err(_) => return Err(missing(&args.path).into()),
    };
    let continuity = engine.continuity(&text)?;
    let changed = begins || continuity.refreshed != text;
    if args.refresh && changed {
        replace(&args.path, &continuity.refreshed)?;
    }
    call.out.answer(
        || view(&continuity, args.refresh && changed, call.now),
        || match begins {
            true => begun(&args.path, call),
            false => tell(&continuity, args.refresh, changed, call),
        },
    )
}

/// That there is no working file yet, and how one begins.
fn missing(path: &Path) -> Error {
    let path = path.display();
    let hint = format!(
        "`mnemic continuity{} --refresh` begins it; write the goal and the next steps into it, and \
         each `--refresh` adds what is remembered of them",
        if path.to_string() == USUAL { String::new() } else { format!(" {path}") }
    );
    Error::new(ErrorKind::NotFound, format!("there is no working file `{path}` yet")).hint(hint)
}

/// Nothing can be found for a file that says nothing yet.
fn begun(path: &Path, call: &Invocation) -> Done {
    let path = path.display();
    call.out
        .note(&format!("begun: {path}; write the goal and the next steps below their headings,"));
    call.out.note("then refresh it again: what is remembered of them is put below");
    Ok(())
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
