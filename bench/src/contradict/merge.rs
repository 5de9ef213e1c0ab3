//! Merging: what becomes one memory must have said the same.

use super::dice::Dice;
use super::made::Maker;
use super::share;
use super::sick::pairs;
use crate::report::Figure;
use mnemic_engine::alike::{jaccard, may_merge};
use std::error::Error;
use std::path::Path;

/// Made pairs of each sort.
const TRIALS: u64 = 10_000;

/// Merges that were right, those that were wrong, and how many would have been right.
#[derive(Debug, Default)]
struct Merges {
    right: u64,
    wrong: u64,
    same: u64,
}

impl Merges {
    fn add(&mut self, a: &str, b: &str, same: bool, show: bool) {
        self.same += u64::from(same);
        if may_merge(a, b).is_ok() {
            self.right += u64::from(same);
            self.wrong += u64::from(!same);
            if show && !same {
                println!("merged | {a} | {b}");
            }
        }
    }

    fn join(&mut self, other: &Merges) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.same += other.same;
    }

    fn figures(&self, name: &str) -> [Figure; 2] {
        let made = self.right + self.wrong;
        [
            Figure::new(
                format!("merge, {name}, precision"),
                share(self.right, made),
                "share",
                made,
            ),
            Figure::new(
                format!("merge, {name}, recall"),
                share(self.right, self.same),
                "share",
                self.same,
            ),
        ]
    }
}

pub(super) fn run(
    data: Option<&Path>,
    seed: u64,
    show: bool,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    let mut all = Merges::default();
    for name in ["sick", "paraphrase"] {
        let Some(folder) = data else { continue };
        let mut merges = Merges::default();
        for pair in pairs(&folder.join(format!("{name}.jsonl")))? {
            let same = pair.label == "entailment" || pair.label == "same";
            merges.add(&pair.a, &pair.b, same, show);
        }
        figures.extend(merges.figures(name));
        all.join(&merges);
    }
    let mut maker = Maker { dice: Dice::new(seed), fresh: false };
    let again = said_again(&mut maker, show);
    figures.extend(again.figures("made near-duplicates"));
    all.join(&again);
    let (contradicting, near) = contradicting(&mut maker, show);
    figures.push(Figure::new(
        "merge, contradicting pairs merged",
        contradicting.wrong as f64,
        "pairs",
        TRIALS,
    ));
    figures.push(Figure::new(
        "merge, contradicting pairs that look alike (Jaccard ≥ 0.9)",
        near as f64,
        "pairs",
        TRIALS,
    ));
    all.join(&contradicting);
    figures.extend(all.figures("all"));
    Ok(figures)
}

/// What a memory says around the value.
const AROUND: &[&str] = &[
    "Agreed in the planning meeting with the platform group after a long discussion about cost and safety.",
    "Ask in the channel of the platform group before you touch any of this, and leave a note in the runbook.",
    "This came up while we were looking at the outage and nobody could say for sure how it was meant to be.",
    "The reasons are written down in the design notes and have not changed since they were first collected.",
];

/// The same statement with other case, spacing, articles or punctuation.
fn said_again(maker: &mut Maker, show: bool) -> Merges {
    let mut merges = Merges::default();
    for _ in 0..TRIALS / 5 {
        let (statement, _, _) = maker.alike();
        let around = maker.dice.pick(AROUND);
        let text = format!("{statement}. {around}");
        let again = match maker.dice.below(5) {
            0 => text.trim_end_matches('.').to_owned(),
            1 => text.replace(". ", ".\n"),
            2 => text.replacen("the platform", "platform", 1),
            3 => text.replace(',', ""),
            _ => format!("{text}!"),
        };
        merges.add(&text, &again, true, show);
    }
    merges
}

/// Two values of one slot, within the same words; how many of these look alike.
fn contradicting(maker: &mut Maker, show: bool) -> (Merges, u64) {
    let mut merges = Merges::default();
    let mut near = 0;
    for _ in 0..TRIALS {
        let (one, other, _) = maker.alike();
        let (first, second) = maker.dice.two(AROUND);
        let within = |statement: &str, first: &str| match statement.len() % 2 {
            0 => format!("{first} {statement}. {second}"),
            _ => format!("{statement}. {first} {second}"),
        };
        let denied = one.replacen(" is ", " is not ", 1);
        let other = if denied != one && maker.dice.below(4) == 0 { denied } else { other };
        let (a, b) = (within(&one, first), within(&one, first).replacen(&one, &other, 1));
        near += u64::from(jaccard(&a, &b) >= 0.9);
        merges.add(&a, &b, false, show);
    }
    (merges, near)
}
