//! A word to whoever waits for the write lock of a store, so that they do not take us for dead.

use crate::args::Global;
use crate::report::{labelled, to_stderr};
use anstyle::AnsiColor;
use mnemic_engine::{Wait, tell_of_waiting};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Says it once in a run, to agents as well as to people: their patience is limited, too. Hooks say
/// nothing, and come by another way.
pub(crate) fn is_told_of(global: &Global) {
    let (quiet, json) = (global.quiet, global.json);
    let said = AtomicBool::new(quiet);
    tell_of_waiting(move |wait| {
        if said.swap(true, Ordering::Relaxed) {
            return;
        }
        to_stderr(&match json {
            true => format!("{}\n", view(wait)),
            false => labelled(AnsiColor::Yellow.on_default().bold(), "waiting", &told(wait)),
        });
    });
}

fn told(wait: &Wait) -> String {
    let who = match &wait.holder {
        Some(holder) => match &holder.name {
            Some(name) => format!("process {} ({name})", holder.process),
            None => format!("process {}", holder.process),
        },
        None => "another process".to_owned(),
    };
    let (store, seconds) = (wait.store.display(), wait.most.as_secs());
    format!(
        "{who} is writing to `{store}`; this goes on as soon as it ends, or gives up in {seconds} s"
    )
}

fn view(wait: &Wait) -> Value {
    let holder = wait.holder.as_ref();
    json!({ "waiting": {
        "store": wait.store,
        "process": holder.map(|holder| holder.process),
        "program": holder.and_then(|holder| holder.name.as_deref()),
        "seconds_at_most": wait.most.as_secs(),
    }})
}
