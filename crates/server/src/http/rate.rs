//! How many requests a token may make: a bucket that fills as time goes by.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A bucket holds what this many seconds bring.
const BURST_SECONDS: f64 = 2.0;

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// Takes one out; otherwise how long until there is one.
    fn take(&mut self, per_second: f64, now: Instant) -> Result<(), Duration> {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * per_second;
        self.left = (self.left + gained).min(per_second * BURST_SECONDS);
        self.at = now;
        if self.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.left) / per_second));
        }
        self.left -= 1.0;
        Ok(())
    }
}

/// One bucket for each token.
#[derive(Debug)]
pub(crate) struct Rates {
    per_second: Option<f64>,
    buckets: Mutex<HashMap<String, Bucket>>,
}

impl Rates {
    /// 0 is no limit.
    pub(crate) fn new(per_second: u32) -> Rates {
        let per_second = (per_second > 0).then_some(f64::from(per_second));
        Rates { per_second, buckets: Mutex::default() }
    }

    pub(crate) fn take(&self, token: &str, now: Instant) -> Result<(), Duration> {
        let Some(per_second) = self.per_second else { return Ok(()) };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full = Bucket { left: per_second * BURST_SECONDS, at: now };
        buckets.entry(token.to_owned()).or_insert(full).take(per_second, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_a_steady_flow_for_each_token() {
        let rates = Rates::new(10);
        let start = Instant::now();
        let taken = (0..100).filter(|_| rates.take("a", start).is_ok()).count();
        assert_eq!(taken, 20);
        assert!(rates.take("b", start).is_ok(), "another token has its own bucket");
        let wait = rates.take("a", start).expect_err("empty");
        assert!(wait <= Duration::from_millis(101), "{wait:?}");
        assert!(rates.take("a", start + Duration::from_millis(150)).is_ok());
        assert!(rates.take("a", start + Duration::from_millis(150)).is_err());
        let later = start + Duration::from_secs(3_600);
        assert_eq!((0..100).filter(|_| rates.take("a", later).is_ok()).count(), 20);
    }

    #[test]
    fn zero_is_no_limit() {
        let rates = Rates::new(0);
        assert!((0..10_000).all(|_| rates.take("a", Instant::now()).is_ok()));
    }
}
