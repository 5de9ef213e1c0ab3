//! Made statements of values: is a second value noticed, and nothing else taken for one?

use super::dice::Dice;
use super::made::{Maker, Sort};
use super::{Score, contradicts, share};
use crate::report::Figure;
use mnemic_engine::contradict::judge;

/// Pairs of each sort.
const EACH: u64 = 1_500;

pub(super) fn run(seed: u64, wrong: bool) -> Vec<Figure> {
    let mut maker = Maker { dice: Dice::new(seed), fresh: false };
    let (mut all, mut open, mut held) = (Score::default(), Score::default(), Score::default());
    let mut figures = Vec::new();
    for sort in Sort::ALL {
        let mut flagged = 0;
        for _ in 0..EACH {
            let made = maker.make(*sort);
            let judgement = judge(&made.a, &made.b);
            let said = contradicts(&judgement);
            flagged += u64::from(said);
            for score in [&mut all, if made.held { &mut held } else { &mut open }] {
                score.add(said, made.sort.contradicts());
            }
            if wrong && !made.held && said != made.sort.contradicts() {
                println!("{:?} | {} | {} | {:?}", made.sort, made.a, made.b, judgement.verdict);
            }
        }
        figures.push(Figure::new(
            format!("slots, {sort:?} flagged"),
            share(flagged, EACH),
            "share",
            EACH,
        ));
    }
    for (name, score) in
        [("slots", &all), ("slots, wordings known", &open), ("slots, wordings held out", &held)]
    {
        figures.push(score.precision(name));
        figures.push(score.recall(name));
    }
    figures.extend(fresh(seed));
    figures
}

/// Against wordings that were written after the last rule.
fn fresh(seed: u64) -> Vec<Figure> {
    let mut maker = Maker { dice: Dice::new(seed), fresh: true };
    let mut score = Score::default();
    for sort in [Sort::OtherValue, Sort::OtherThing, Sort::SameValue] {
        for _ in 0..EACH {
            let made = maker.make(sort);
            score.add(contradicts(&judge(&made.a, &made.b)), sort.contradicts());
        }
    }
    let name = "slots, wordings fresh";
    vec![score.precision(name), score.recall(name)]
}
