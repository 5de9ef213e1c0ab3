//! Pairs of everyday sentences that people judged (SICK): rules were made with one half of them.

use super::{Score, contradicts};
use crate::report::Figure;
use mnemic_engine::contradict::judge;
use serde::Deserialize;
use std::error::Error;
use std::path::Path;

#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) label: String,
}

impl Pair {
    pub(super) fn contradicts(&self) -> bool {
        self.label == "contradiction"
    }

    /// Half of the pairs, by a hash of both sentences (FNV-1a).
    pub(super) fn is_tuned(&self) -> bool {
        let bytes = self.a.bytes().chain(*b"\t").chain(self.b.bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        (hash >> 32) & 1 == 0
    }
}

pub(super) fn pairs(path: &Path) -> Result<Vec<Pair>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

pub(super) fn run(folder: &Path, wrong: bool) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut tuned = Score::default();
    let mut held = Score::default();
    for pair in pairs(&folder.join("sick.jsonl"))? {
        let judgement = judge(&pair.a, &pair.b);
        let said = contradicts(&judgement);
        let score = if pair.is_tuned() { &mut tuned } else { &mut held };
        score.add(said, pair.contradicts());
        if wrong && pair.is_tuned() && said != pair.contradicts() {
            println!("{} | {} | {} | {:?}", pair.label, pair.a, pair.b, judgement.verdict);
        }
    }
    Ok(vec![
        tuned.precision("SICK, tuned half"),
        tuned.recall("SICK, tuned half"),
        held.precision("SICK, other half"),
        held.recall("SICK, other half"),
    ])
}
