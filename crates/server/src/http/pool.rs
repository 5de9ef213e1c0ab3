//! A bounded number of engines: each request has one for itself, on a thread that may block.

use super::problem::{Problem, Refusal};
use super::turns::{Haste, Turns};
use mnemic_engine::{Engine, Settings};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a request waits for an engine before it is told to come again.
const PATIENCE: Duration = Duration::from_secs(10);

/// One engine reads or writes at a time, so that a few of them work side by side.
#[derive(Debug)]
pub(crate) struct Pool {
    settings: Settings,
    idle: Mutex<Vec<Engine>>,
    turns: Arc<Turns>,
}

impl Pool {
    pub(crate) fn new(settings: Settings, most: usize) -> Pool {
        Pool { settings, idle: Mutex::default(), turns: Arc::new(Turns::new(most)) }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Runs one piece of work with an engine of its own. Work that nobody waits for any more goes on
    /// to its end and holds its turn until then.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        haste: Haste,
        work: impl FnOnce(Engine) -> (Engine, Result<T, Problem>) + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.take(haste)).await;
        let turn = turn.map_err(|_| overloaded())?;
        let pool = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let engine = pool.take()?;
            let (engine, answer) = work(engine);
            pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
            drop(turn);
            answer
        });
        // A panic takes its engine with it; the next request opens another.
        done.await.unwrap_or_else(|_| Err(Problem::ours()))
    }

    fn take(&self) -> Result<Engine, Problem> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(engine) => Ok(engine),
            None => Ok(Engine::open(self.settings.clone())?),
        }
    }
}

fn overloaded() -> Problem {
    Problem::refuse(Refusal::Overloaded, "all engines are busy", "try again in a moment")
        .with_header("retry-after", "1")
}
