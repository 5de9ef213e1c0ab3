//! Whether two texts can both hold: values of one slot first, then rules over their words.

mod align;
mod antonyms;
mod exchanged;
pub(crate) mod kin;
mod leaving;
mod left;
mod pair;
mod rules;
mod sentence;
mod slots;

use crate::characters::lowered;
use crate::normalise::normalised;
use crate::sentences::{sentences, without_marker};
use sentence::Sentence;

/// Why two texts cannot both hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// One thing has two values of an attribute that has one at a time.
    Slot,
    /// One says that what the other states has changed.
    Changed,
    /// One denies what the other affirms.
    Denial,
    /// Words that exclude one another where the rest is the same.
    Opposites,
    /// Numbers, versions or dates that differ where the rest is the same.
    Numbers,
    /// Choices of which only one is made.
    Choice,
    /// Who does it and to whom is exchanged.
    Roles,
}

/// What contradicts what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub rule: Rule,
    /// What both speak of.
    pub about: String,
    /// The words of the first text, and those of the second.
    pub first: String,
    pub second: String,
}

impl Conflict {
    fn turned(self) -> Conflict {
        Conflict { first: self.second, second: self.first, ..self }
    }
}

/// What two texts are to one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Contradicts(Conflict),
    /// They say the same.
    Same,
    /// They speak of the same, and rules cannot tell.
    Unsure,
    Unrelated,
}

/// A verdict and how sure it is, between 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub confidence: f32,
}

impl Judgement {
    /// Whether this says more than another: a contradiction before all else.
    pub fn outweighs(&self, other: &Judgement) -> bool {
        rank(self) > rank(other)
    }
}

/// A text read once, to be judged against many.
#[derive(Debug)]
pub struct Reading {
    /// In lower case and with single spaces: by this equal texts are known.
    plain: String,
    sentences: Vec<Sentence>,
}

/// Sentences and characters of a text that are looked at.
const SENTENCES: usize = 16;
const CHARACTERS: usize = 4_000;

impl Reading {
    pub fn of(text: &str) -> Reading {
        let end = text.char_indices().nth(CHARACTERS).map_or(text.len(), |(at, _)| at);
        let sentences = sentences(&text[..end]).into_iter().take(SENTENCES);
        let sentences = sentences.map(|text| Sentence::of(without_marker(text))).collect();
        let plain = lowered(&normalised(text));
        Reading { plain: plain.trim_end_matches(['.', ' ']).to_owned(), sentences }
    }
}

/// Whether two texts can both hold. What one is to the other, the other is to it.
pub fn judge(a: &str, b: &str) -> Judgement {
    judge_readings(&Reading::of(a), &Reading::of(b))
}

/// As [`judge`], for texts that were read before.
pub fn judge_readings(a: &Reading, b: &Reading) -> Judgement {
    if a.plain == b.plain {
        return Judgement { verdict: Verdict::Same, confidence: 1.0 };
    }
    // One order for both ways of asking, so that both get one answer.
    if a.plain > b.plain {
        return turned(pairwise(b, a));
    }
    pairwise(a, b)
}

fn turned(judgement: Judgement) -> Judgement {
    match judgement.verdict {
        Verdict::Contradicts(conflict) => {
            Judgement { verdict: Verdict::Contradicts(conflict.turned()), ..judgement }
        }
        _ => judgement,
    }
}

fn pairwise(a: &Reading, b: &Reading) -> Judgement {
    let mut best = Judgement { verdict: Verdict::Unrelated, confidence: 0.5 };
    let single = a.sentences.len() == 1 && b.sentences.len() == 1;
    for one in &a.sentences {
        for other in &b.sentences {
            let judgement = pair::judge(one, other);
            // Of long texts only a contradiction is one of the whole.
            let counts = single || !matches!(judgement.verdict, Verdict::Same);
            let judgement = if counts {
                judgement
            } else {
                Judgement { verdict: Verdict::Unsure, confidence: 0.5 }
            };
            if judgement.outweighs(&best) {
                best = judgement;
            }
        }
    }
    best
}

fn rank(judgement: &Judgement) -> (u8, u32) {
    let verdict = match judgement.verdict {
        Verdict::Contradicts(_) => 3,
        Verdict::Same => 2,
        Verdict::Unsure => 1,
        Verdict::Unrelated => 0,
    };
    (verdict, (judgement.confidence * 1000.0) as u32)
}

#[cfg(test)]
mod tests;
