//! What one session paid for its memories, and what it saved.

/// Counters of one session, in tokens and loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Economics {
    /// Spent on finding out what there is: layers 1 and 2.
    pub discovery_tokens: u64,
    /// Of those, on timelines.
    pub timeline_tokens: u64,
    /// Spent on whole memories: layer 3.
    pub read_tokens: u64,
    pub index_loads: u64,
    pub timeline_loads: u64,
    pub full_loads: u64,
    /// Layer-3 loads of the task at hand.
    pub task_full_loads: u64,
    /// What loading everything once would have cost.
    pub all_tokens: u64,
    /// Whether memory was found not to pay here.
    pub doubted: bool,
}

impl Economics {
    pub fn spent(&self) -> u64 {
        self.discovery_tokens.saturating_add(self.read_tokens)
    }

    /// Discovery against reading; `None` where nothing was read whole, which is as good as it gets.
    pub fn ratio(&self) -> Option<f64> {
        (self.read_tokens > 0).then(|| self.discovery_tokens as f64 / self.read_tokens as f64)
    }

    /// Tokens saved against loading everything; below zero when memory cost more than that.
    pub fn saved(&self) -> i64 {
        let number = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        number(self.all_tokens).saturating_sub(number(self.spent()))
    }

    /// The same as a share of loading everything; `None` in an empty store.
    pub fn savings(&self) -> Option<f64> {
        (self.all_tokens > 0).then(|| self.saved() as f64 / self.all_tokens as f64)
    }

    /// What one query scans of timelines, on average.
    pub fn timeline_per_query(&self) -> f64 {
        self.timeline_tokens as f64 / self.timeline_loads.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_and_savings() {
        let nothing = Economics::default();
        assert_eq!((nothing.ratio(), nothing.savings(), nothing.saved()), (None, None, 0));
        let some = Economics {
            discovery_tokens: 100,
            read_tokens: 1_000,
            all_tokens: 4_400,
            timeline_tokens: 60,
            timeline_loads: 2,
            ..nothing
        };
        assert_eq!(some.ratio(), Some(0.1));
        assert_eq!((some.saved(), some.savings()), (3_300, Some(0.75)));
        assert_eq!(some.timeline_per_query(), 30.0);
        let dear = Economics { all_tokens: 100, ..some };
        assert_eq!(dear.saved(), -1_000);
        let huge = Economics { read_tokens: u64::MAX, discovery_tokens: 5, ..nothing };
        assert!(huge.saved() < 0);
    }
}
