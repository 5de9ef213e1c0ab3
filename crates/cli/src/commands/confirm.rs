//! `mnemic confirm`: a person vouches for a memory.

use crate::invocation::Invocation;
use crate::report::Done;
use crate::view;
use mnemic_engine::Note;

/// Vouch for a memory: it becomes trusted
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic confirm sem-4k2p --reason \"checked in production\"")]
pub(crate) struct Args {
    /// An id, or enough of its beginning
    id: String,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    let edited = call.engine()?.confirm(&args.id, &note)?;
    let content = &edited.version.content;
    let by = content.confirmed_by.as_deref().unwrap_or("you");
    call.out.answer(
        || view::edited(&edited),
        || {
            let text = format!("{} is {}, confirmed by {by}", edited.version.id, content.trust());
            call.out.line(&crate::output::plain(&text))
        },
    )
}
