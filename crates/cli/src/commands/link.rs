//! `mnemic link` and `unlink`: a typed arrow from one memory to another.

use crate::args::{choice, unit};
use crate::invocation::Invocation;
use crate::report::Done;
use crate::view;
use mnemic_engine::Note;
use mnemic_engine::model::{Relation, Unit};
use serde_json::json;

/// Connect two memories
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic link sem-4k2p supports dec-8f3k --strength 0.8")]
pub(crate) struct LinkArgs {
    from: String,
    #[arg(value_parser = choice(Relation::ALL, Relation::as_str))]
    relation: Relation,
    to: String,
    /// How strongly, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = unit, default_value = "1")]
    strength: Unit,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn link(args: LinkArgs, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    let made = call.engine()?.link(&args.from, args.relation, &args.to, args.strength, &note)?;
    call.out.answer(
        || view::link(&made),
        || call.out.line(&format!("{} {} {}", made.from, made.relation, made.to)),
    )
}

/// End a connection; that it was there stays in the history
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic unlink sem-4k2p supports dec-8f3k")]
pub(crate) struct UnlinkArgs {
    from: String,
    #[arg(value_parser = choice(Relation::ALL, Relation::as_str))]
    relation: Relation,
    to: String,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

pub(crate) fn unlink(args: UnlinkArgs, call: &Invocation) -> Done {
    let note = Note { reason: args.reason, ..Note::default() };
    call.engine()?.unlink(&args.from, args.relation, &args.to, &note)?;
    call.out.answer(
        || json!({ "from": args.from, "relation": args.relation, "to": args.to, "unlinked": true }),
        || {
            call.out.note("the link ends now; `mnemic undo` brings it back");
            Ok(())
        },
    )
}
