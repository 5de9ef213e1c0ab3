//! Counts for Prometheus: requests by route and status, and how long they took.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram, in seconds: a quick read to a slow consolidation.
const BOUNDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0];

#[derive(Debug, Clone, Default)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

#[derive(Debug, Default)]
struct Counts {
    requests: BTreeMap<(String, String, u16), u64>,
    durations: BTreeMap<String, Histogram>,
    refused_tokens: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<Counts>);

impl Metrics {
    pub(crate) fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.requests.entry((method.into(), route.into(), status)).or_default() += 1;
        let histogram = counts.durations.entry(route.to_owned()).or_default();
        let seconds = took.as_secs_f64();
        histogram.seconds += seconds;
        histogram.count += 1;
        for (bound, bucket) in BOUNDS.iter().zip(&mut histogram.buckets) {
            *bucket += u64::from(seconds <= *bound);
        }
    }

    pub(crate) fn refused_token(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).refused_tokens += 1;
    }

    /// The text that Prometheus reads; `gauges` are (name, labels, value) of the store.
    pub(crate) fn text(&self, gauges: &[(&str, String, u64)]) -> String {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        write_all(&mut text, &counts, gauges).expect("a string takes all text");
        text
    }
}

fn write_all(
    out: &mut String,
    counts: &Counts,
    gauges: &[(&str, String, u64)],
) -> std::fmt::Result {
    writeln!(out, "# TYPE mnemic_http_requests_total counter")?;
    for ((method, route, status), n) in &counts.requests {
        let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
        writeln!(out, "mnemic_http_requests_total{{{labels}}} {n}")?;
    }
    writeln!(out, "# TYPE mnemic_http_request_seconds histogram")?;
    for (route, histogram) in &counts.durations {
        for (bound, n) in BOUNDS.iter().zip(&histogram.buckets) {
            let labels = format!("route=\"{route}\",le=\"{bound}\"");
            writeln!(out, "mnemic_http_request_seconds_bucket{{{labels}}} {n}")?;
        }
        let (count, seconds) = (histogram.count, histogram.seconds);
        writeln!(
            out,
            "mnemic_http_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}\n\
             mnemic_http_request_seconds_sum{{route=\"{route}\"}} {seconds}\n\
             mnemic_http_request_seconds_count{{route=\"{route}\"}} {count}"
        )?;
    }
    writeln!(out, "# TYPE mnemic_refused_tokens_total counter")?;
    writeln!(out, "mnemic_refused_tokens_total {}", counts.refused_tokens)?;
    let mut last = "";
    for (name, labels, value) in gauges {
        if *name != last {
            writeln!(out, "# TYPE {name} gauge")?;
            last = name;
        }
        writeln!(out, "{name}{{{labels}}} {value}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up() {
        let metrics = Metrics::default();
        for millis in [1, 7, 40] {
            metrics.request("GET", "/v1/recall", 200, Duration::from_millis(millis));
        }
        metrics.refused_token();
        let text = metrics.text(&[("mnemic_records", "kind=\"fact\"".into(), 3)]);
        for line in [
            "mnemic_http_requests_total{method=\"GET\",route=\"/v1/recall\",status=\"200\"} 3",
            "mnemic_http_request_seconds_bucket{route=\"/v1/recall\",le=\"0.01\"} 2",
            "mnemic_http_request_seconds_bucket{route=\"/v1/recall\",le=\"+Inf\"} 3",
            "mnemic_refused_tokens_total 1",
            "# TYPE mnemic_records gauge",
            "mnemic_records{kind=\"fact\"} 3",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }
}
