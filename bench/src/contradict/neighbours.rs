//! End to end: is the contradicting sentence among the nearest, and is it judged?

use super::sick::{Pair, pairs};
use super::{contradicts, share};
use crate::report::Figure;
use mnemic_engine::contradict::{Reading, judge_readings};
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

/// As many as a new memory is compared with.
const NEAREST: usize = 20;

pub(super) fn run(folder: &Path) -> Result<Vec<Figure>, Box<dyn Error>> {
    let pairs = pairs(&folder.join("sick.jsonl"))?;
    let sentences = Sentences::of(&pairs);
    let nearest: Vec<Vec<usize>> =
        (0..sentences.texts.len()).map(|at| sentences.near(at)).collect();
    let readings: Vec<Reading> = sentences.texts.iter().map(|text| Reading::of(text)).collect();
    let (mut all, mut found, mut judged) = (0, 0, 0);
    for pair in pairs.iter().filter(|pair| pair.contradicts()) {
        let (a, b) = (sentences.numbers[pair.a.as_str()], sentences.numbers[pair.b.as_str()]);
        let near = nearest[a].contains(&b) || nearest[b].contains(&a);
        all += 1;
        found += u64::from(near);
        judged += u64::from(near && contradicts(&judge_readings(&readings[a], &readings[b])));
    }
    let mut flagged = 0;
    for (at, near) in nearest.iter().enumerate() {
        let flags = near
            .iter()
            .filter(|other| contradicts(&judge_readings(&readings[at], &readings[**other])));
        flagged += flags.count() as u64;
    }
    let compared = (nearest.len() * NEAREST) as u64;
    Ok(vec![
        Figure::new(
            "SICK, contradicting pairs among the 20 nearest",
            share(found, all),
            "share",
            all,
        ),
        Figure::new("SICK, found and judged, end to end", share(judged, all), "share", all),
        Figure::new("SICK, neighbours flagged", share(flagged, compared), "share", compared),
    ])
}

/// All sentences, found by their words.
struct Sentences<'a> {
    texts: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
    words: Vec<Vec<String>>,
    holders: HashMap<String, Vec<usize>>,
}

impl<'a> Sentences<'a> {
    fn of(pairs: &'a [Pair]) -> Sentences<'a> {
        let mut sentences = Sentences {
            texts: Vec::new(),
            numbers: HashMap::new(),
            words: Vec::new(),
            holders: HashMap::new(),
        };
        for text in pairs.iter().flat_map(|pair| [pair.a.as_str(), pair.b.as_str()]) {
            sentences.add(text);
        }
        sentences
    }

    fn add(&mut self, text: &'a str) {
        let number = self.texts.len();
        if self.numbers.contains_key(text) {
            return;
        }
        let mut words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        words.sort();
        words.dedup();
        for word in &words {
            self.holders.entry(word.clone()).or_default().push(number);
        }
        self.numbers.insert(text, number);
        self.texts.push(text);
        self.words.push(words);
    }

    /// The nearest by shared words, rare ones counting more.
    fn near(&self, at: usize) -> Vec<usize> {
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for word in &self.words[at] {
            let holders = &self.holders[word];
            let weight = (self.texts.len() as f64 / holders.len() as f64).ln();
            for holder in holders.iter().filter(|holder| **holder != at) {
                *scores.entry(*holder).or_default() += weight;
            }
        }
        let length = |at: usize| self.words[at].len() as f64;
        let mut ranked: Vec<(f64, usize)> = scores
            .into_iter()
            .map(|(other, score)| (score / (8.0 + length(other)), other))
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        ranked.into_iter().take(NEAREST).map(|(_, other)| other).collect()
    }
}
