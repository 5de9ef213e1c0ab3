//! Dates and states as values: when something is due, whether it is on.

use std::ops::Range;

use super::attributes::{Cue, Kind, Side, cues};
use super::find::{Found, STATUS, Scan};
use super::grammar::CHANGES;
use super::reading::Word;
use super::shapes::Shape;
use super::value::{Value, is_month};

impl Scan<'_> {
    /// Dates first: they are values here, and times everywhere else.
    pub(super) fn dated(&mut self) -> Option<Found> {
        let cues = cues(self.words, &self.taken);
        let cue = cues.into_iter().find(|cue| cue.kind == Kind::Date)?;
        let stated = match cue.side {
            Side::Noun => self.moved_to().or_else(|| self.copula(cue.end..self.words.len())),
            _ => Some(cue.end - 1),
        };
        let place =
            stated.and_then(|before| self.date(before + 1)).or_else(|| self.date_before(&cue))?;
        self.take(cue.start..cue.end);
        self.take(place.clone());
        let old = self.old_date();
        let value = Value::of_words(&self.words[place.clone()]);
        Some(Found { attribute: cue.attribute.to_owned(), value, place, old })
    }

    /// `from Friday` of `from Friday to Monday`.
    fn old_date(&mut self) -> Option<Value> {
        let from = self.words.iter().position(|word| word.is("from"))?;
        let place = self.date(from + 1).filter(|place| !self.taken[place.start])?;
        self.take(from..place.end);
        Some(Value::of_words(&self.words[place]))
    }

    fn moved_to(&self) -> Option<usize> {
        let verb = self.words.iter().position(|word| word.is_any(CHANGES))?;
        (verb..self.words.len()).find(|at| self.words[*at].is("to"))
    }

    /// `Friday is the deadline for X`
    fn date_before(&self, cue: &Cue) -> Option<Range<usize>> {
        let copula = self.copula(0..cue.start)?;
        self.date(0).filter(|place| place.end <= copula)
    }

    fn date(&self, from: usize) -> Option<Range<usize>> {
        let start = (from..self.words.len().min(from + 5)).find(|at| is_dated(&self.words[*at]))?;
        let mut end = start + 1;
        while end < self.words.len() && end < start + 4 {
            let word = &self.words[end];
            let number = matches!(word.shape, Shape::Number(..) | Shape::Identifier);
            if !(number || is_dated(word)) {
                break;
            }
            end += 1;
        }
        // `5 March`, `the 5th of March`, `end of May`
        let leads = |at: usize| {
            let word = &self.words[at];
            word.is_any(&["of", "end", "early", "mid", "late", "next", "this"])
                || matches!(word.shape, Shape::Number(..))
                || word.text.len() <= 4 && word.text.starts_with(|c: char| c.is_ascii_digit())
        };
        let mut begin = start;
        while begin > from && leads(begin - 1) {
            begin -= 1;
        }
        Some(begin..end)
    }

    /// `X is enabled`, `disable X`, `X is turned off`.
    pub(super) fn state(&mut self, denied: bool) -> Option<Found> {
        const ON: &[&str] = &["enabled", "enable", "enables", "activated", "activate", "active"];
        const OFF: &[&str] =
            &["disabled", "disable", "disables", "deactivated", "deactivate", "inactive"];
        // `switched tracing on`: the verb and its particle part around what is switched.
        let parted = |at: usize| {
            let verbs = &["turned", "switched", "turn", "switch", "toggled", "flipped", "put"];
            let near = at.saturating_sub(5)..at;
            self.words[near].iter().any(|word| word.is_any(verbs))
                && self.words.get(at + 1).is_none_or(|next| {
                    next.is_mark() || next.is_any(&["in", "for", "again", "now", "today"])
                })
        };
        let switched = |at: usize| {
            let before = at.checked_sub(1).map(|before| &self.words[before]);
            let last = self.words.get(at + 1).is_none_or(Word::is_mark);
            before.is_some_and(|word| {
                word.is_any(&[
                    "turned", "switched", "turn", "switch", "toggled", "flipped", "stays", "set",
                    "left",
                ]) || last
                    && word.is_any(&[
                        "is",
                        "are",
                        "not",
                        "to",
                        "be",
                        "now",
                        "was",
                        "were",
                        "currently",
                        ":",
                        "=",
                    ])
            })
        };
        let reads = |at: usize| {
            let word = &self.words[at];
            let small = word.is_any(&["on", "off"]) && (switched(at) || parted(at));
            (word.is_any(ON) || word.is_any(OFF) || small).then(|| word.is_any(ON) || word.is("on"))
        };
        let mut states = (0..self.words.len())
            .filter(|at| !self.is_old(*at))
            .filter_map(|at| Some((at, reads(at)?)));
        let (at, on) = states.next()?;
        if states.next().is_some() {
            return None;
        }
        let value = if on != denied { "on" } else { "off" };
        let value = Value::Words(vec![value.to_owned()]);
        for at in 0..self.words.len() {
            let word = &self.words[at];
            self.taken[at] |= word.is_any(&[
                "turned", "switched", "turn", "switch", "toggled", "status", "state", "flag",
                "feature",
            ]);
        }
        Some(Found { attribute: STATUS.to_owned(), value, place: at..at + 1, old: None })
    }
}

fn is_dated(word: &Word) -> bool {
    const DAYS: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "tomorrow",
        "today",
        "q1",
        "q2",
        "q3",
        "q4",
    ];
    word.shape == Shape::Date
        || word.is_any(DAYS)
        || is_month(&word.text) && word.raw.starts_with(char::is_uppercase)
}
