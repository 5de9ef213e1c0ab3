//! `mnemic undo`: takes one change back as a whole.

use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::Done;
use crate::view;
use mnemic_engine::model::{ChangeId, RecordId};
use mnemic_engine::{Note, Undone};
use serde_json::json;

/// Take the last change back, or the one that is named
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic undo
  mnemic undo chg-8f3k2m9qw4xz --reason \"wrong project\"

What was undone stays in the history. Forgetting and redaction cannot be undone.")]
pub(crate) struct Args {
    /// A change, as `mnemic changes` lists them
    #[arg(value_name = "CHANGE")]
    change: Option<String>,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    let change = args.change.map(ChangeId);
    let undone = call.engine()?.undo(change.as_ref(), &note)?;
    call.out.answer(
        || {
            json!({
                "undone": undone.undone,
                "change": undone.change,
                "store": undone.store.as_str(),
                "restored": undone.restored,
                "retracted": undone.retracted,
                "links": undone.links,
            })
        },
        || tell(&undone, call),
    )
}

fn tell(undone: &Undone, call: &Invocation) -> Done {
    call.out.line(&format!("undid {} in the {} store", undone.undone, undone.store))?;
    if !undone.restored.is_empty() {
        call.out.line(&format!("restored {}", some(&undone.restored)))?;
    }
    if !undone.retracted.is_empty() {
        call.out.line(&format!("took back {}", some(&undone.retracted)))?;
    }
    if undone.links > 0 {
        call.out.line(&counted(undone.links as u64, "link changed", "links changed"))?;
    }
    call.out.note(&format!("to undo the undoing: mnemic undo {}", undone.change));
    Ok(())
}

/// The first few; a batch may have thousands.
fn some(ids: &[RecordId]) -> String {
    match ids.len() {
        0..=8 => view::ids(ids),
        more => format!("{} and {} more", view::ids(&ids[..5]), more - 5),
    }
}
