//! `mnemic changes`: what was done last, as the units that `undo` takes back.

use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, one_line};
use crate::report::Done;
use crate::times::age;
use crate::view;
use mnemic_engine::StoreName;
use mnemic_engine::model::{Change, RecordId};
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
    let engine = call.engine()?;
    let mut changes = Vec::new();
    for (store, change) in engine.changes(args.limit)? {
        // One more than is shown tells that there are more.
        let records = engine.records_of(store, &change.id, SHOWN + 1)?;
        changes.push(Listed { store, change, records });
    }
    call.out.answer(
        || json!({ "items": changes.iter().map(of).collect::<Vec<Value>>() }),
        || {
            if changes.is_empty() {
                call.out.note("there are none");
            }
            changes.iter().try_for_each(|listed| tell(listed, call))
        },
    )
}

/// How many memories a line names.
const SHOWN: usize = 2;

struct Listed {
    store: StoreName,
    change: Change,
    records: Vec<RecordId>,
}

fn of(listed: &Listed) -> Value {
    let mut value = view::change(&listed.change);
    value["store"] = listed.store.as_str().into();
    value["records"] = json!(listed.records);
    value
}

fn tell(Listed { change, records, .. }: &Listed, call: &Invocation) -> Done {
    let id = call.out.paint(KEY, &change.id.0);
    let mut text = format!("{} by {}", change.verb, one_line(&change.actor.to_string(), 40));
    if !records.is_empty() {
        let shown = &records[..records.len().min(SHOWN)];
        text.push_str(&format!(" of {}", view::ids(shown)));
        if records.len() > SHOWN {
            text.push_str(" and more");
        }
    }
    match (&change.undoes, &change.reason) {
        (Some(undone), _) => text.push_str(&format!(", undoes {undone}")),
        (None, Some(reason)) => text.push_str(&format!(": {}", one_line(reason, 80))),
        (None, None) => {}
    }
    let when = call.out.paint(FAINT, &age(change.at, call.now));
    call.out.line(&format!("{id}  {text}  {when}"))
}
