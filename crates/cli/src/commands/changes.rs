//! `mnemic changes`: what was done last, as the units that `undo` takes back.

use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, one_line};
use crate::report::Done;
use crate::times::age;
use crate::view;
use mnemic_engine::StoreName;
use mnemic_engine::model::Change;
use serde_json::{Value, json};

/// List the last changes, the newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic changes --limit 5")]
pub(crate) struct Args {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let changes = call.engine()?.changes(args.limit)?;
    call.out.answer(
        || json!({ "items": changes.iter().map(of).collect::<Vec<Value>>() }),
        || changes.iter().try_for_each(|(_, change)| tell(change, call)),
    )
}

fn of((store, change): &(StoreName, Change)) -> Value {
    let mut value = view::change(change);
    value["store"] = store.as_str().into();
    value
}

fn tell(change: &Change, call: &Invocation) -> Done {
    let id = call.out.paint(KEY, &change.id.0);
    let mut text = format!("{} by {}", change.verb, one_line(&change.actor.to_string(), 40));
    if let Some(undone) = &change.undoes {
        text.push_str(&format!(", undoes {undone}"));
    }
    if let Some(reason) = &change.reason {
        text.push_str(&format!(": {}", one_line(reason, 80)));
    }
    let when = call.out.paint(FAINT, &age(change.at, call.now));
    call.out.line(&format!("{id}  {text}  {when}"))
}
