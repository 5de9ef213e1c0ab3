//! A progress bar on stderr for long work; nothing at all where nobody watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// Counts memories of which nobody knows how many will come.
    pub(crate) fn of_memories() -> Progress {
        Progress::begin(None, "{spinner} {human_pos} memories, {per_sec}")
    }

    /// Counts bytes of a file of known or unknown size.
    pub(crate) fn of_bytes(total: Option<u64>) -> Progress {
        let template = match total {
            Some(_) => "{bar:30} {bytes}/{total_bytes}, {eta} left",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        Progress::begin(total, template)
    }

    /// Counts work of which a little more may turn up on the way.
    pub(crate) fn of_steps() -> Progress {
        Progress::begin(Some(0), "{bar:30} {human_pos}/{human_len} memories embedded, {eta} left")
    }

    /// Counts the steps of one piece of work.
    pub(crate) fn of_work() -> Progress {
        Progress::begin(Some(0), "{bar:30} step {human_pos} of {human_len}")
    }

    /// Counts jobs and their parts.
    pub(crate) fn of_jobs() -> Progress {
        Progress::begin(Some(0), "{spinner} {human_pos} steps of jobs done")
    }

    fn begin(total: Option<u64>, template: &str) -> Progress {
        // With a terminal on both sides a person is typing, and a bar would fall into their line.
        if !io::stderr().is_terminal() || (total.is_none() && io::stdin().is_terminal()) {
            return Progress(None);
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress(Some(bar))
    }

    pub(crate) fn advance(&self, by: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(by);
        }
    }

    pub(crate) fn reach(&self, position: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(position);
        }
    }

    pub(crate) fn come(&self, position: u64, of: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(of);
            bar.set_position(position);
        }
    }

    /// Prints without tearing the bar.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
