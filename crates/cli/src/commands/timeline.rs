//! `mnemic timeline`: what happened before and after a point in time, oldest first.

use crate::args::{choice, whole};
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, gap, kind_name, one_line, plain};
use crate::report::Done;
use crate::times::{self, LocalClock};
use crate::view;
use mnemic_engine::model::{At, Filter, Kind, Timestamp, Trust};
use mnemic_engine::{Engine, Levels, Moment};
use serde_json::{Value, json};

const TEXT_WIDTH: usize = 72;

/// Spaces between two columns.
const GAP: usize = 2;

/// Show what happened around a time or around a memory
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic timeline --around yesterday
  mnemic timeline --around ep-8f3k --each 3 --kind episode")]
pub(crate) struct Args {
    /// A time, e.g. 2026-01-15 or "3d ago", or the id or key of a memory
    #[arg(long, value_name = "TIME|ID|KEY", default_value = "now", allow_hyphen_values = true)]
    around: String,
    /// How many before it, and how many after it
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<usize>("5"))]
    each: usize,
    /// Only this kind; may be given several times
    #[arg(long = "kind", value_name = "KIND", value_parser = choice(Kind::ALL, Kind::as_str))]
    kinds: Vec<Kind>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let around = point(&args.around, &engine)?;
    let moments = engine.timeline(around, args.each, &filter(args.kinds))?;
    let of = |moment: &Moment| Value::Object(view::stored(moment.store, &moment.version));
    call.out.answer(
        || json!({ "around": around, "moments": moments.iter().map(of).collect::<Vec<Value>>() }),
        || tell(&moments, around, call),
    )
}

/// A time as people write it, or the time of a memory.
fn point(text: &str, engine: &Engine) -> Done<Timestamp> {
    match times::read(text) {
        Ok(time) => Ok(time),
        // The id or the key of a memory begins with a letter and goes on behind a sign.
        Err(_) if text.starts_with(char::is_alphabetic) && text.contains(['-', '.', '_', '/']) => {
            Ok(engine.moment_of(text)?)
        }
        Err(wrong) => Err(wrong.into()),
    }
}

fn filter(kinds: Vec<Kind>) -> Filter {
    let memories = || Kind::ALL.iter().copied().filter(|kind| kind.is_memory()).collect();
    Filter {
        kinds: if kinds.is_empty() { memories() } else { kinds },
        // What is quarantined never surfaces unasked.
        trusts: vec![Trust::Trusted, Trust::Unreviewed],
        ..Filter::new(At::LATEST)
    }
}

fn tell(moments: &[Moment], around: Timestamp, call: &Invocation) -> Done {
    let clock = LocalClock::new();
    let widest = |of: fn(&Moment) -> usize| moments.iter().map(of).max().unwrap_or(0);
    let ids = widest(|moment| moment.version.id.as_str().len());
    let kinds = widest(|moment| moment.version.kind().as_str().len());
    let here = call.out.paint(FAINT, &format!("{:16}  ----", clock.minute(around)));
    let mut passed = false;
    for moment in moments {
        let version = &moment.version;
        let time = version.content.valid.from();
        if !passed && time >= around {
            call.out.line(&here)?;
            passed = true;
        }
        let id = plain(version.id.as_str());
        let gap = gap(&id, ids);
        let id = call.out.paint(KEY, &id);
        let kind = format!("{:kinds$}", kind_name(version.kind()));
        let when = clock.minute(time);
        let beside = when.len() + ids + kinds + 3 * GAP;
        let text = one_line(&Levels::line(&version.content), call.out.room(beside, TEXT_WIDTH));
        call.out.line(&format!("{when}  {id}{gap}  {kind}  {text}"))?;
    }
    if moments.is_empty() {
        call.out.note("nothing happened that is remembered");
    } else if !passed {
        call.out.line(&here)?;
    }
    Ok(())
}
