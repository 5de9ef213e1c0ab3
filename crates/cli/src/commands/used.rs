//! `mnemic used`: tells what became of memories that were handed to an agent.

use crate::args::{choice, unit};
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::Done;
use mnemic_engine::model::{Unit, Use};
use serde_json::json;

/// Count how memories were used
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  mnemic used fact-8f3k dec-2m9q --as referenced --relevance 0.9"
)]
pub(crate) struct Args {
    /// Ids, or enough of their beginnings
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// What happened to them
    #[arg(long = "as", value_name = "USE", value_parser = choice(Use::ALL, Use::as_str))]
    event: Use,
    /// How well they fitted, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = unit)]
    relevance: Option<Unit>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let ids: Vec<&str> = args.ids.iter().map(String::as_str).collect();
    call.engine()?.record_use(&ids, args.event, args.relevance)?;
    call.out.answer(
        || json!({ "counted": ids.len(), "as": args.event }),
        || {
            let memories = counted(ids.len() as u64, "memory", "memories");
            call.out.note(&format!("{memories} counted as {}", args.event));
            Ok(())
        },
    )
}
