//! `mnemic history`: every version of a memory, who made it, when and why.

use crate::args::TimeArgs;
use crate::invocation::Invocation;
use crate::output::{FAINT, STRONG, one_line};
use crate::report::Done;
use crate::times::LocalClock;
use crate::view;
use mnemic_engine::{Event, Levels};
use serde_json::{Value, json};

/// Show every version of a memory: who made it, when and why
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic history fact-8f3k")]
pub(crate) struct Args {
    /// An id, or enough of its beginning
    id: String,
    #[command(flatten)]
    times: TimeArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut events = call.engine()?.history(&args.id, args.times.known_at)?;
    if let Some(point) = args.times.as_of {
        events.retain(|event| event.version.is_valid(point));
    }
    call.out.answer(
        || json!({ "versions": events.iter().map(view::event).collect::<Vec<Value>>() }),
        || {
            let clock = LocalClock::new();
            events.iter().try_for_each(|event| tell(event, &clock, call))
        },
    )
}

fn tell(event: &Event, clock: &LocalClock, call: &Invocation) -> Done {
    let (version, change) = (&event.version, &event.change);
    let number = call.out.paint(STRONG, &format!("{}.", version.n));
    let at = clock.exact(version.recorded.from());
    call.out.line(&format!("{number} {at}  {} by {}", change.verb, change.actor))?;
    let text = one_line(&Levels::of(&version.content).summary.text, 160);
    call.out.line(&format!("   {text}"))?;
    if let Some(reason) = &change.reason {
        call.out.line(&format!("   because: {}", one_line(reason, 160)))?;
    }
    let valid = version.content.valid;
    let until = valid.to().map_or_else(|| "…".to_owned(), |end| clock.exact(end));
    let mut lines = format!("   valid {} to {until}", clock.exact(valid.from()));
    if let Some(end) = version.recorded.to() {
        lines.push_str(&format!(", believed until {}", clock.exact(end)));
    }
    call.out.line(&call.out.paint(FAINT, &format!("{lines}, in {}", change.id)))
}
