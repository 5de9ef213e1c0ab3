//! `mnemic replay`: an episode as it went, and what became of the files it touched.

mod files;

use crate::invocation::Invocation;
use crate::output::{ALARM, FAINT, STRONG, counted, one_line, plain};
use crate::report::Done;
use crate::times::LocalClock;
use files::{State, Touched};
use mnemic_engine::model::body::Outcome;
use mnemic_engine::{Replay, Step};
use serde_json::{Value, json};

const TEXT_WIDTH: usize = 100;

/// Show an episode step by step, and its files since
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic replay ep-8f3k
  mnemic replay ep-8f3k --actions --json

A file counts as changed when git has a commit of it since the episode ended, or when it was
written since then.")]
pub(crate) struct Args {
    /// An id, or enough of its beginning
    id: String,
    /// Only what was done, not what was said
    #[arg(long)]
    actions: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut replay = call.engine()?.replay(&args.id)?;
    replay.moments.retain(|step| !args.actions || !step.is_message);
    let root = call.project().dir.parent().unwrap_or(&call.dir).to_owned();
    let touched = files::since(&replay, &root);
    call.out.answer(|| view(&replay, &touched), || tell(&replay, &touched, call))
}

fn view(replay: &Replay, touched: &[Touched]) -> Value {
    let steps = replay.moments.iter().map(|step| {
        json!({
            "t": step.t,
            "action": step.action,
            "target": step.target,
            "result": step.result,
            "error": step.error,
            "is_message": step.is_message,
        })
    });
    let files = touched.iter().map(|file| {
        json!({
            "path": file.path,
            "state": file.state.as_str(),
            "modified_at": file.modified,
            "commit": file.commit,
        })
    });
    json!({
        "id": replay.id,
        "store": replay.store.as_str(),
        "goal": replay.episode.goal,
        "outcome": replay.episode.outcome,
        "began": replay.began,
        "ended": replay.ended,
        "source": replay.source,
        "steps": steps.collect::<Vec<Value>>(),
        "errors": replay.episode.errors,
        "files": files.collect::<Vec<Value>>(),
    })
}

fn tell(replay: &Replay, touched: &[Touched], call: &Invocation) -> Done {
    let episode = &replay.episode;
    call.out.line(&call.out.paint(STRONG, &one_line(&episode.goal, 200)))?;
    let when = LocalClock::new().minute(replay.began);
    let mut about = vec![when];
    about.extend(episode.duration_seconds.map(lasted));
    about.extend(episode.outcome.map(|outcome| Outcome::as_str(outcome).to_owned()));
    about.extend(episode.agent.clone());
    about.extend(replay.source.clone());
    call.out.line(&call.out.paint(FAINT, &plain(&about.join(", "))))?;
    for step in &replay.moments {
        call.out.line(&line(step, call))?;
    }
    if !episode.errors.is_empty() {
        let errors = counted(episode.errors.len() as u64, "error", "errors");
        call.out.line(&call.out.paint(STRONG, &errors))?;
    }
    for failure in &episode.errors {
        call.out.line(&format!("  {}", one_line(&failure.message, 2 * TEXT_WIDTH)))?;
        let resolved = failure.resolution.as_deref().unwrap_or("not resolved");
        call.out.line(&call.out.paint(FAINT, &format!("    {}", one_line(resolved, 200))))?;
    }
    files_since(touched, call)
}

/// `   12.5 s  run  cargo test  failed: 2 tests`.
fn line(step: &Step, call: &Invocation) -> String {
    let t = step.t.map_or_else(|| format!("{:>9}", "-"), |t| format!("{t:>7.1} s"));
    let what = one_line(step.target.as_deref().unwrap_or_default(), TEXT_WIDTH);
    let end = match (&step.error, &step.result) {
        (Some(error), _) => call.out.paint(ALARM, &format!("failed: {}", one_line(error, 80))),
        (None, Some(result)) => call.out.paint(FAINT, &one_line(result, 40)),
        (None, None) => String::new(),
    };
    let action = format!("{:7}", one_line(&step.action, 20));
    let action = if step.is_message { call.out.paint(FAINT, &action) } else { action };
    format!("{t}  {action}  {what}  {end}").trim_end().to_owned()
}

fn lasted(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}

fn files_since(touched: &[Touched], call: &Invocation) -> Done {
    if touched.is_empty() {
        return Ok(());
    }
    let count = counted(touched.len() as u64, "file", "files");
    call.out.line(&call.out.paint(STRONG, &format!("{count} touched")))?;
    let clock = LocalClock::new();
    for file in touched {
        let since = match (&file.state, &file.commit, file.modified) {
            (State::Changed, Some(commit), _) => format!("in {commit}"),
            (State::Changed | State::There, None, Some(at)) => format!("at {}", clock.minute(at)),
            _ => String::new(),
        };
        let text = format!("  {:9}  {}  {since}", file.state.as_str(), plain(&file.path));
        call.out.line(text.trim_end())?;
    }
    Ok(())
}
