//! `--as-of` and `--known-at`, the same on every verb that reads.

use crate::times;
use mnemic_engine::model::{At, Timestamp, Truth};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "As of when")]
pub(crate) struct TimeArgs {
    /// What was true in the world at this time, e.g. 2026-01-15, "3d ago", yesterday
    #[arg(long, value_name = "TIME", value_parser = times::viewpoint, allow_hyphen_values = true)]
    pub(crate) as_of: Option<Timestamp>,
    /// What the store believed at this time
    #[arg(long, value_name = "TIME", value_parser = times::viewpoint, allow_hyphen_values = true)]
    pub(crate) known_at: Option<Timestamp>,
}

impl TimeArgs {
    /// What is true at the named time, or now.
    pub(crate) fn at(&self) -> At {
        // The two lines are independent: what was believed on Monday may be about today.
        At { truth: self.as_of.map_or(Truth::Now, Truth::At), known: self.known_at }
    }

    /// Also what is not true any more, or not yet.
    pub(crate) fn whenever(&self) -> At {
        let truth = self.as_of.map_or(Truth::Whenever, Truth::At);
        At { truth, known: self.known_at }
    }

    /// Where one stands on the time line when one asks: recency is measured from there, and "last
    /// week" is the week before it. A time ahead changes nothing: we have not been there.
    pub(crate) fn stand_at(&self, now: Timestamp) -> Timestamp {
        self.known_at.or(self.as_of).map_or(now, |then| then.min(now))
    }

    pub(crate) fn is_given(&self) -> bool {
        self.as_of.is_some() || self.known_at.is_some()
    }
}
