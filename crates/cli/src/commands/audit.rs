//! `mnemic audit`: the chained log of all writes and of every reading of a secret.

use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::one_line;
use crate::report::Done;
use crate::times::LocalClock;
use crate::view;
use serde_json::{Value, json};

/// Show the audit log: who did what to what, in order
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic audit --limit 50
  mnemic audit --after 1200 --json")]
pub(crate) struct Args {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Begin after this entry
    #[arg(long, value_name = "SEQ")]
    after: Option<u64>,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    // Without a beginning the latest entries are meant. The chain has no gaps: its length is known.
    let after = match args.after {
        Some(after) => after,
        None => {
            let entries = engine.stats(store, mnemic_engine::model::At::LATEST)?.audit_entries;
            entries.saturating_sub(args.limit as u64)
        }
    };
    let entries = engine.audit(store, after, args.limit)?;
    call.out.answer(
        || json!({ "store": store.as_str(), "items": entries.iter().map(view::audit).collect::<Vec<Value>>() }),
        || {
            let clock = LocalClock::new();
            for entry in &entries {
                let at = clock.exact(entry.at);
                let actor = one_line(&entry.actor.to_string(), 40);
                let subject = one_line(&entry.subject, 80);
                call.out.line(&format!("{}  {at}  {actor}  {}  {subject}", entry.seq, entry.verb))?;
            }
            Ok(())
        },
    )
}
