//! `mnemic diff`: what the store came to believe, or ceased to, between two times.

use crate::invocation::Invocation;
use crate::output::{ALARM, FAINT, KEY, counted, one_line, plain};
use crate::report::{self, Done};
use crate::{times, view};
use mnemic_engine::Difference;
use mnemic_engine::model::body::Fields;
use mnemic_engine::model::{Timestamp, Version};
use serde_json::{Value, json};

/// Show what changed between two times
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic diff yesterday now
  mnemic diff 2026-01-01 2026-02-01 --json")]
pub(crate) struct Args {
    /// The earlier time, e.g. 2026-01-15, 3d, yesterday
    #[arg(value_parser = times::argument)]
    from: Timestamp,
    /// The later time
    #[arg(value_parser = times::argument, default_value = "now")]
    to: Timestamp,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    if args.to < args.from {
        let hint = "write the earlier time first";
        return Err(report::invalid("the second time is before the first", hint).into());
    }
    let differences = call.engine()?.diff(args.from, args.to)?;
    call.out.answer(
        || {
            json!({
                "from": args.from,
                "to": args.to,
                "differences": differences.iter().map(view::difference).collect::<Vec<Value>>(),
            })
        },
        || {
            differences.iter().try_for_each(|difference| tell(difference, call))?;
            let n = differences.len() as u64;
            call.out.note(&counted(n, "memory differs", "memories differ"));
            Ok(())
        },
    )
}

fn tell(difference: &Difference, call: &Invocation) -> Done {
    let id = plain(difference.id.as_str());
    let title = |version: &Version| one_line(&version.content.body.full_text(), 100);
    match (&difference.before, &difference.after) {
        (None, Some(after)) => {
            call.out.line(&format!("{} {}", call.out.paint(KEY, &format!("+ {id}")), title(after)))
        }
        (Some(before), None) => call.out.line(&format!(
            "{} {}",
            call.out.paint(ALARM, &format!("- {id}")),
            title(before)
        )),
        (Some(before), Some(after)) => {
            call.out.line(&format!("~ {id} {}", title(after)))?;
            fields(&before.content.to_fields(), &after.content.to_fields(), call)
        }
        (None, None) => Ok(()),
    }
}

/// The fields that differ, old value and new.
fn fields(before: &Fields, after: &Fields, call: &Invocation) -> Done {
    let added = after.keys().filter(|name| !before.contains_key(*name));
    for name in before.keys().chain(added) {
        let (old, new) = (before.get(name), after.get(name));
        if old != new {
            let arrow = call.out.paint(FAINT, "→");
            call.out.line(&format!("    {name}: {} {arrow} {}", said(old), said(new)))?;
        }
    }
    Ok(())
}

fn said(value: Option<&Value>) -> String {
    match value {
        None => "nothing".into(),
        Some(Value::String(text)) => one_line(text, 60),
        Some(other) => one_line(&other.to_string(), 60),
    }
}
