//! `mnemic pin`: keeps a memory in sight, or lets it go.

use crate::invocation::Invocation;
use crate::report::Done;
use crate::view;
use mnemic_engine::Note;

/// Keep a memory in sight
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic pin dec-8f3k\n  mnemic pin dec-8f3k --off")]
pub(crate) struct Args {
    /// An id, or enough of its beginning
    id: String,
    /// No longer
    #[arg(long)]
    off: bool,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    let edited = call.engine()?.pin(&args.id, !args.off, &note)?;
    let state = if edited.version.content.pinned { "pinned" } else { "not pinned" };
    call.out.answer(
        || view::edited(&edited),
        || call.out.line(&format!("{} is {state}", edited.version.id)),
    )
}
