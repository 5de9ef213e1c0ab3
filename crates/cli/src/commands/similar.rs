//! `mnemic similar`: memories that say something like a given one.

use super::recall::tell;
use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::one_line;
use crate::report::{self, Done};
use crate::view;
use mnemic_engine::model::At;
use serde_json::{Value, json};

/// Find memories that say something like this one
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mnemic similar fact-8f3k\n  mnemic similar dec-2m9q -n 10 --json"
)]
pub(crate) struct Args {
    /// An id, enough of its beginning, or the key of a fact
    id: String,
    /// How many at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 5, value_parser = whole::<usize>("20"))]
    limit: usize,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if args.id.trim().contains(char::is_whitespace) {
        return Err(report::invalid(
            format!("`{}` is a text, and no id of a memory", one_line(&args.id, 40)),
            "`mnemic recall \"…\"` finds what is like a text; `mnemic list` shows ids",
        )
        .into());
    }
    let engine = call.finding_engine()?;
    let id = engine.show(&args.id, At::LATEST)?.version.id;
    let recall = engine.similar(id.as_str(), args.limit)?;
    call.out.answer(
        || {
            let found: Vec<Value> = recall.found.iter().map(view::recall::found).collect();
            json!({ "id": id, "found": found })
        },
        || {
            recall.found.iter().try_for_each(|found| tell(found, "", call))?;
            if recall.found.is_empty() {
                call.out.note("nothing is like it");
            }
            Ok(())
        },
    )
}
