//! What became of a memory after it was handed to an agent.

use crate::invalid::named;
use crate::{Timestamp, Unit};

named! {
    /// One thing that can happen to a memory in use.
    Use, "use" {
        /// Put into a context.
        Loaded = "loaded",
        /// Cited by the agent.
        Referenced = "referenced",
        /// Put into a context and not used.
        Ignored = "ignored",
        /// Put into the context of a task that succeeded.
        Succeeded = "succeeded",
    }
}

/// Counters of one memory. They are not versioned: using a memory does not change what it says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    pub loaded: u64,
    pub referenced: u64,
    pub ignored: u64,
    pub succeeded: u64,
    pub last_used: Option<Timestamp>,
    /// Sum and number of the relevances seen, so that the average can be carried on.
    pub relevance_sum: f64,
    pub relevance_count: u64,
    /// What it cost to learn.
    pub discovery_tokens: u64,
    /// What it has cost to read so far.
    pub read_tokens: u64,
}

impl Usage {
    pub fn record(&mut self, event: Use, at: Timestamp, relevance: Option<Unit>, tokens: u64) {
        match event {
            Use::Loaded => self.loaded += 1,
            Use::Referenced => self.referenced += 1,
            Use::Ignored => self.ignored += 1,
            Use::Succeeded => self.succeeded += 1,
        }
        if event != Use::Ignored {
            self.last_used = self.last_used.max(Some(at));
        }
        if let Some(relevance) = relevance {
            self.relevance_sum += relevance.get();
            self.relevance_count += 1;
        }
        self.read_tokens += tokens;
    }

    /// Takes over what another memory was used for, which this one now stands for.
    pub fn join(&mut self, other: &Usage) {
        self.loaded += other.loaded;
        self.referenced += other.referenced;
        self.ignored += other.ignored;
        self.succeeded += other.succeeded;
        self.last_used = self.last_used.max(other.last_used);
        self.relevance_sum += other.relevance_sum;
        self.relevance_count += other.relevance_count;
        self.discovery_tokens += other.discovery_tokens;
        self.read_tokens += other.read_tokens;
    }

    /// Gives back what was taken over. When it was last used stays: that did happen.
    pub fn part(&mut self, other: &Usage) {
        self.loaded = self.loaded.saturating_sub(other.loaded);
        self.referenced = self.referenced.saturating_sub(other.referenced);
        self.ignored = self.ignored.saturating_sub(other.ignored);
        self.succeeded = self.succeeded.saturating_sub(other.succeeded);
        self.relevance_sum = (self.relevance_sum - other.relevance_sum).max(0.0);
        self.relevance_count = self.relevance_count.saturating_sub(other.relevance_count);
        self.discovery_tokens = self.discovery_tokens.saturating_sub(other.discovery_tokens);
        self.read_tokens = self.read_tokens.saturating_sub(other.read_tokens);
    }

    pub fn average_relevance(&self) -> Option<f64> {
        (self.relevance_count > 0).then(|| self.relevance_sum / self.relevance_count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_keeps_the_latest_use_and_the_average() {
        let at = |micros| Timestamp::from_micros(micros).unwrap();
        let mut usage = Usage::default();
        usage.record(Use::Loaded, at(9), Some(Unit::ONE), 40);
        usage.record(Use::Referenced, at(5), Some(Unit::ZERO), 0);
        usage.record(Use::Ignored, at(20), None, 0);
        assert_eq!((usage.loaded, usage.referenced, usage.ignored), (1, 1, 1));
        assert_eq!(usage.last_used, Some(at(9)));
        assert_eq!(usage.average_relevance(), Some(0.5));
        assert_eq!(usage.read_tokens, 40);
    }
}
