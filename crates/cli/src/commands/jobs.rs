//! `mnemic jobs`: what waits to be done, what failed, and another try.

use crate::args::whole;
use crate::commands::worker::tell;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, counted, one_line};
use crate::report::Done;
use mnemic_engine::model::job::State;
use mnemic_engine::{Engine, Error, ErrorKind, JobView, Result};
use serde_json::{Value, json};

/// See the jobs that wait, try failed ones again, do them now
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic jobs list
  mnemic jobs retry
  mnemic jobs run")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List all jobs and where they stand
    #[command(after_help = "Example:\n  mnemic jobs list --json")]
    List,
    /// Show one job with its last error
    #[command(after_help = "Example:\n  mnemic jobs show 12")]
    Show {
        #[arg(value_parser = whole::<i64>("12"))]
        number: i64,
    },
    /// Let jobs that failed be tried again at once: one, or all of them
    #[command(after_help = "Examples:\n  mnemic jobs retry\n  mnemic jobs retry 12")]
    Retry {
        #[arg(value_parser = whole::<i64>("12"))]
        number: Option<i64>,
    },
    /// Do what waits now
    #[command(after_help = "Example:\n  mnemic jobs run")]
    Run,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    engine.main_store()?;
    match args.action {
        Action::List => list(&engine.jobs()?, call),
        Action::Show { number } => show(&find(&engine, number)?, call),
        Action::Retry { number } => {
            if let Some(number) = number {
                find(&engine, number)?;
            }
            let has_failed = |view: &JobView| matches!(view.state, State::Resting | State::GivenUp);
            let retried = engine.retry_jobs(&|view| match number {
                Some(number) => view.job.seq == number,
                None => has_failed(view),
            })?;
            call.out.answer(
                || json!({ "retried": retried }),
                || {
                    let jobs = counted(retried, "job", "jobs");
                    call.out.line(&format!("{jobs} will be tried again"))
                },
            )
        }
        Action::Run => tell(&engine.work(&mut || true)?, call),
    }
}

fn find(engine: &Engine, number: i64) -> Result<JobView> {
    let found = engine.jobs()?.into_iter().find(|view| view.job.seq == number);
    found.ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("there is no job `{number}`"))
            .hint("`mnemic jobs list` shows those that are left")
    })
}

fn view(view: &JobView) -> Value {
    let job = &view.job;
    json!({
        "number": job.seq,
        "store": view.store.as_str(),
        "kind": job.kind,
        "about": job.payload,
        "state": view.state.as_str(),
        "queued_at": job.created_at,
        "attempts": job.attempts,
        "not_before": job.leased_until,
        "error": job.last_error,
    })
}

fn list(views: &[JobView], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "jobs": views.iter().map(view).collect::<Vec<Value>>() }),
        || {
            for view in views {
                let number = call.out.paint(KEY, &view.job.seq.to_string());
                let about = one_line(&format!("{} {}", view.job.kind, view.job.payload), 80);
                let line = format!("{number}  {}  {about}  {}", view.store, state(view));
                call.out.line(&line)?;
                if let Some(error) = &view.job.last_error {
                    let error = format!("  {}", one_line(error, 160));
                    call.out.line(&call.out.paint(FAINT, &error))?;
                }
            }
            if views.is_empty() {
                call.out.note("there are none");
            }
            Ok(())
        },
    )
}

fn state(view: &JobView) -> String {
    match view.job.attempts {
        0 => view.state.as_str().replace('_', " "),
        tries => {
            let times = counted(u64::from(tries), "time", "times");
            format!("{}, tried {times}", view.state.as_str().replace('_', " "))
        }
    }
}

fn show(one: &JobView, call: &Invocation) -> Done {
    let job = &one.job;
    call.out.answer(
        || view(one),
        || {
            let until = job.leased_until.map(|until| until.to_string());
            let rows = [
                ("kind", Some(job.kind.to_string())),
                ("store", Some(one.store.to_string())),
                ("about", Some(job.payload.clone()).filter(|text| !text.is_empty())),
                ("state", Some(state(one))),
                ("queued at", Some(job.created_at.to_string())),
                ("not before", until),
                ("error", job.last_error.clone()),
            ];
            call.out.table(rows.into_iter().filter_map(|(name, text)| Some((name, text?))))
        },
    )
}
