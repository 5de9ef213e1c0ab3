//! In time, whatever happens: work that can be left behind, and an answer that is given once.

use serde_json::Value;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// Work on a thread of its own. Whoever stops waiting leaves it behind; it ends with the process.
#[derive(Debug)]
pub(crate) struct Job<T>(Receiver<T>);

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Without {
    Late,
    /// It panicked, or could not even begin.
    Broken,
}

impl<T: Send + 'static> Job<T> {
    pub(crate) fn start(work: impl FnOnce() -> T + Send + 'static) -> Job<T> {
        let (give, take) = mpsc::channel();
        // Without a thread the sender is dropped, and waiting ends at once.
        let _ = thread::Builder::new().spawn(move || {
            // Nobody may wait any more.
            let _ = give.send(work());
        });
        Job(take)
    }

    pub(crate) fn wait(&self, until: Instant) -> Result<T, Without> {
        let left = until.saturating_duration_since(Instant::now());
        self.0.recv_timeout(left).map_err(|why| match why {
            RecvTimeoutError::Timeout => Without::Late,
            RecvTimeoutError::Disconnected => Without::Broken,
        })
    }
}

/// The one answer that the host gets.
#[derive(Debug, Clone)]
pub(crate) struct Voice {
    said: Arc<AtomicBool>,
    /// What is said when there is nothing to say.
    empty: Arc<str>,
}

impl Voice {
    pub(crate) fn new(empty: &Value) -> Voice {
        Voice { said: Arc::default(), empty: empty.to_string().into() }
    }

    pub(crate) fn say(&self, envelope: &Value) {
        self.once(&envelope.to_string());
    }

    fn once(&self, text: &str) {
        if !self.said.swap(true, Ordering::SeqCst) {
            let mut out = std::io::stdout().lock();
            // A host that does not listen misses nothing that it waits for.
            let _ = writeln!(out, "{text}").and_then(|()| out.flush());
        }
    }

    /// Ends the process at this time even when everything hangs: the host never waits longer.
    pub(crate) fn promise(&self, at: Instant) {
        let voice = self.clone();
        let _ = thread::Builder::new().spawn(move || {
            thread::sleep(at.saturating_duration_since(Instant::now()));
            voice.once(&voice.empty);
            std::process::exit(0);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn work_is_waited_for_and_left_behind() {
        let soon = || Instant::now() + Duration::from_secs(60);
        assert_eq!(Job::start(|| 7).wait(soon()), Ok(7));
        let stuck = Job::start(|| thread::park_timeout(Duration::from_secs(60)));
        assert_eq!(stuck.wait(Instant::now()), Err(Without::Late));
        let broken = Job::start(|| -> u8 { std::panic::resume_unwind(Box::new("a mistake")) });
        assert_eq!(broken.wait(soon()), Err(Without::Broken));
    }
}
