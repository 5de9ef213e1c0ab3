//! `mnemic embed`: gives vectors to the memories that wait for them, in steps that may be
//! interrupted at any point.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::{STRONG, counted, plain};
use crate::progress::Progress;
use crate::report::{self, Done};
use mnemic_engine::{Embedded, Engine, StoreName, VectorCensus};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Give vectors to memories that wait for them, so that they are found by meaning
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic embed
  mnemic embed --status

It may be stopped at any point and goes on where it was. Which model is used: `mnemic config`.")]
pub(crate) struct Args {
    /// Only tell which models there are and how many memories wait
    #[arg(long)]
    status: bool,
    /// Stop after about so many, the newest first
    #[arg(long, value_name = "N", conflicts_with = "status", value_parser = whole::<u64>("20"))]
    limit: Option<u64>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    engine.main_store()?;
    if args.status {
        return status(&engine.vectors()?, call);
    }
    if let Some(trouble) = call.meaning_trouble()? {
        let hint = trouble.hint.clone().unwrap_or_else(|| "see `mnemic config`".to_owned());
        let because = trouble.chain().join(": ");
        return Err(mnemic_engine::Error::new(trouble.kind, "nothing can be embedded")
            .because(because)
            .hint(hint)
            .into());
    }
    if !engine.settings().meaning.is_there() {
        return Err(report::invalid(
            "nothing can be embedded: `meaning.model` is `off`",
            "`mnemic config set meaning.model local`",
        )
        .into());
    }
    let embedded = embed(&engine, args.limit.unwrap_or(u64::MAX), Duration::MAX)?;
    call.out.answer(
        || json!({ "done": embedded.done, "waiting": embedded.waiting }),
        || {
            let done = counted(embedded.done, "memory", "memories");
            call.out.line(&format!("{done} embedded, {} left", embedded.waiting))
        },
    )
}

fn embed(engine: &Engine, most: u64, time: Duration) -> mnemic_engine::Result<Embedded> {
    let progress = Progress::of_steps();
    let begun = Instant::now();
    engine.embed_waiting(most, &mut |so_far| {
        progress.come(so_far.done, so_far.done + so_far.waiting);
        begun.elapsed() < time
    })
}

/// After many memories came in at once. They are stored; what fails here can be done later, and what
/// takes minutes is put off as it is when a memory comes alone.
pub(super) fn after_many(engine: &Engine, later: bool, call: &Invocation) {
    if later || !engine.settings().meaning.is_there() {
        return;
    }
    let progress = Progress::of_steps();
    let embedded = engine.embed_all_but_long(&mut |so_far| {
        progress.come(so_far.done, so_far.done + so_far.waiting);
        true
    });
    drop(progress);
    match embedded {
        Ok(Embedded { waiting: 0, .. }) => {}
        Ok(Embedded { waiting, .. }) => {
            let long = counted(waiting, "long memory", "long memories");
            call.out
                .note(&format!("{long}: found by words at once, by meaning after `mnemic embed`"));
        }
        Err(error) => not_yet(&error, call),
    }
}

/// Memories that a run of consolidation makes or changes, at most, and how long they are waited for:
/// behind them may stand whole sessions that were left for later.
const MADE: u64 = 256;
const PATIENCE: Duration = Duration::from_secs(2);

/// After some were made or changed, which are the newest. What was left for later before stays so.
pub(super) fn after_some(engine: &Engine, call: &Invocation) {
    if !engine.settings().meaning.is_there() {
        return;
    }
    match embed(engine, MADE, PATIENCE) {
        Ok(Embedded { waiting: 0, .. }) => {}
        Ok(Embedded { waiting, .. }) => {
            let waiting = counted(waiting, "memory waits", "memories wait");
            call.out.note(&format!("{waiting} for vectors, found by words alone: `mnemic embed`"));
        }
        Err(error) => not_yet(&error, call),
    }
}

fn not_yet(error: &mnemic_engine::Error, call: &Invocation) {
    let why = error.chain().join(": ");
    call.out.warn(&format!("not everything has vectors yet: {why}; try `mnemic embed`"));
}

fn status(stores: &[(StoreName, VectorCensus)], call: &Invocation) -> Done {
    let models = |census: &VectorCensus| -> Vec<Value> {
        let view = census.models.iter().map(|(model, vectors)| {
            json!({
                "name": model.name,
                "generation": model.generation,
                "dimensions": model.dimensions,
                "vectors": vectors,
            })
        });
        view.collect()
    };
    call.out.answer(
        || {
            let view = stores.iter().map(|(store, census)| {
                json!({
                    "store": store.as_str(),
                    "models": models(census),
                    "waiting": census.waiting,
                })
            });
            json!({ "stores": view.collect::<Vec<Value>>() })
        },
        || {
            for (store, census) in stores {
                call.out.line(&call.out.paint(STRONG, &format!("{store} store")))?;
                call.out.table([
                    ("vectors", told(census)),
                    ("waiting", counted(census.waiting, "memory", "memories")),
                ])?;
            }
            Ok(())
        },
    )
}

/// `120 by granite-30m (384 dimensions)`, the present model first.
pub(super) fn told(census: &VectorCensus) -> String {
    let parts: Vec<String> = census
        .models
        .iter()
        .map(|(model, n)| {
            format!("{n} by {} ({} dimensions)", plain(&model.name), model.dimensions)
        })
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
