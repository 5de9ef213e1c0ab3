//! What is known at one point of a replay: the traces so far, and two baselines over the same past.

use super::data::Work;
use mnemic_engine::recall::predict::{
    Prediction, Recorded, Signal, Situation, Thing, ThingKind, Trace, predict,
};
use std::cmp::Reverse;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub(super) struct Past {
    traces: Recorded,
    works: usize,
    /// Each file's last work, and its place in it where that is known.
    last: HashMap<String, (usize, usize)>,
    /// How much two files were used together: 1/(n-1) a work of n files, never fading.
    together: HashMap<String, HashMap<String, f64>>,
}

impl Past {
    pub(super) fn add(&mut self, work: &Work) {
        let share = 1.0 / (work.files.len().max(2) - 1) as f64;
        for (place, file) in work.files.iter().enumerate() {
            let (session, thing) = (work.id.as_str().into(), Thing::file(file.as_str()));
            self.traces.add(Trace { session, thing, at: work.at });
            self.last.insert(file.clone(), (self.works, if work.in_order { place } else { 0 }));
            let others = self.together.entry(file.clone()).or_default();
            for other in work.files.iter().filter(|other| *other != file) {
                *others.entry(other.clone()).or_default() += share;
            }
        }
        self.works += 1;
    }

    pub(super) fn knows(&self, file: &str) -> bool {
        self.last.contains_key(file)
    }

    /// Every file that could come, the likeliest first.
    pub(super) fn predict(&self, work: &Work, seen: &[&str]) -> Vec<Prediction> {
        let signals: Vec<Signal> =
            seen.iter().map(|file| Signal::new(Thing::file(*file), work.at)).collect();
        let situation = Situation { session: Some(&work.id), signals: &signals, now: work.at };
        let Ok(found) = predict(&self.traces, &situation, &[ThingKind::File], usize::MAX);
        found
    }

    /// Recency alone: the files used last, whatever was given.
    pub(super) fn last_used(&self, seen: &[&str], count: usize) -> Vec<&str> {
        let mut files: Vec<(Reverse<(usize, usize)>, &str)> = self
            .last
            .iter()
            .filter(|(file, _)| !seen.contains(&file.as_str()))
            .map(|(file, last)| (Reverse(*last), file.as_str()))
            .collect();
        files.sort();
        files.into_iter().take(count).map(|(_, file)| file).collect()
    }

    /// Co-change alone: the files most used together with those given.
    pub(super) fn most_together(&self, seen: &[&str], count: usize) -> Vec<&str> {
        let mut sums: HashMap<&str, f64> = HashMap::new();
        for others in seen.iter().filter_map(|file| self.together.get(*file)) {
            for (other, share) in others.iter().filter(|(other, _)| !seen.contains(&other.as_str()))
            {
                *sums.entry(other).or_default() += share;
            }
        }
        let mut files: Vec<(&str, f64)> = sums.into_iter().collect();
        files.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        files.into_iter().take(count).map(|(file, _)| file).collect()
    }
}
