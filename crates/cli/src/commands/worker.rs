//! `mnemic worker`: does the jobs that wait, now or for as long as it runs.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::progress::Progress;
use crate::report::Done;
use mnemic_engine::{Engine, Worked};
use serde_json::json;
use std::time::{Duration, Instant};

/// Do the jobs that wait: compare, embed, consolidate, put away
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic worker --once
  mnemic worker --idle 300

Without a worker, commands that write do small jobs at their end (`jobs.limit_ms` in the settings).
A worker also consolidates after each night and when nothing was written for a while. It may be
stopped at any time; what it was doing is taken up again.")]
pub(crate) struct Args {
    /// Do what waits and end
    #[arg(long)]
    once: bool,
    /// Seconds without a write after which the store is tended
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = whole::<u32>("600"))]
    idle: u32,
}

/// How often the queue is looked at.
const PAUSE: Duration = Duration::from_secs(2);

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    engine.main_store()?;
    loop {
        engine.queue_due((!args.once).then_some(i64::from(args.idle)))?;
        let worked = {
            let progress = Progress::of_jobs();
            engine.work(&mut || {
                progress.advance(1);
                true
            })?
        };
        if args.once || worked != Worked::default() {
            tell(&worked, call)?;
        }
        if args.once {
            return Ok(());
        }
        call.out.flush()?;
        std::thread::sleep(PAUSE);
    }
}

pub(super) fn tell(worked: &Worked, call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "done": worked.done, "failed": worked.failed, "left": worked.left }),
        || {
            let done = counted(worked.done, "job", "jobs");
            call.out.line(&format!("{done} done, {} left", worked.left))?;
            worked
                .failed
                .iter()
                .try_for_each(|failed| call.out.line(&format!("  failed: {failed}")))
        },
    )
}

/// What a command that writes does after its answer has left: a little of what waits. It has
/// succeeded already, so of all this only contradictions are told: they change what holds.
pub(crate) fn work_briefly(call: &Invocation) {
    let limit = call.resolved().map_or(0, |resolved| resolved.jobs_limit_ms);
    if limit == 0 {
        return;
    }
    let end = Instant::now() + Duration::from_millis(limit);
    let work = |engine: Engine| {
        engine.queue_due(None)?;
        engine.work_briefly(limit, &mut || Instant::now() < end)
    };
    // Whoever looks for what went wrong finds it in `mnemic jobs list`.
    let Ok(worked) = call.quiet_engine().and_then(work) else { return };
    for noticed in &worked.noticed {
        call.out.note(&format!("{noticed} (`mnemic undo` takes this back)"));
    }
}
