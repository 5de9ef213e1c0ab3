//! What was measured, as a table for people or JSON for programs.

use serde::Serialize;

/// One figure.
#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    /// What it was measured over.
    pub(crate) n: u64,
}

impl Figure {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str, n: u64) -> Figure {
        Figure { name: name.into(), value, unit, n }
    }
}

pub(crate) fn print(figures: &[Figure], json: bool) {
    if json {
        println!("{}", serde_json::json!({ "results": figures }));
        return;
    }
    println!("| what | figure | unit | n |\n| --- | ---: | --- | ---: |");
    for Figure { name, value, unit, n } in figures {
        println!("| {name} | {value:.3} | {unit} | {n} |");
    }
}

/// The value below which `share` of the samples lie.
pub(crate) fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let index = ((samples.len() as f64 * share).ceil() as usize).clamp(1, samples.len()) - 1;
    samples[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples() {
        let mut samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&mut samples, 0.5), 50.0);
        assert_eq!(percentile(&mut samples, 0.99), 99.0);
        assert_eq!(percentile(&mut [7.0], 0.99), 7.0);
    }
}
