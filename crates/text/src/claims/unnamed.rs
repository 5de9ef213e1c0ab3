//! Values whose attribute no word names: the value itself tells, or the sentence does.

use super::choices::choice;
use super::find::{Found, Scan};
use super::grammar::{CHANGES, CHOOSES, COPULAS, FILLERS, is_function_word, is_small_word};
use super::phrase::after;
use super::reading::Word;
use super::shapes::Shape;
use super::value::Value;

impl Scan<'_> {
    /// `we run Node 20`, `the project is on Python 3.11`.
    pub(super) fn product_version(&mut self) -> Option<Found> {
        let at = (1..self.words.len()).find(|at| {
            let product = choice(&self.words[*at - 1].text).is_some();
            let marked = self.words[*at].shape == Shape::Version && self.words[*at - 1].capital;
            let bare = matches!(&self.words[*at].shape, Shape::Number(_, unit) if unit.is_empty());
            let version = self.words[*at].shape == Shape::Version || bare;
            (product && version || marked) && !self.is_old(*at)
        })?;
        let (value, length) = Value::version(self.words, at)?;
        let old = self.old(Value::version);
        Some(Found { attribute: "version".to_owned(), value, place: at..at + length, old })
    }

    /// `we use pnpm`, `tabs over spaces`, `the logo is blue`.
    pub(super) fn by_choice(&mut self) -> Option<Found> {
        let places = (0..self.words.len()).filter(|at| !self.taken[*at] && !self.is_old(*at));
        let mut chosen = places.filter_map(|at| Some((at, choice(&self.words[at].text)?)));
        let (at, (attribute, _)) = chosen.next()?;
        // What was left is none either.
        let is_left = at > 0 && self.words[at - 1].is("from");
        // Two at a time are no choice.
        if is_left || chosen.any(|(_, (other, _))| other == attribute) || !self.is_chosen(at) {
            return None;
        }
        let value = Value::of_words(&self.words[at..=at]);
        let old = self.old_words();
        Some(Found { attribute: attribute.to_owned(), value, place: at..at + 1, old })
    }

    /// Whether the statement chooses this word, and does not only hold it: `use pnpm`, `is blue`,
    /// `pnpm is preferred`, but not `a blue bird sings`.
    fn is_chosen(&self, at: usize) -> bool {
        if self.change.as_ref().is_some_and(|change| change.new.is_none_or(|new| new <= at)) {
            return true;
        }
        let chooses = |word: &Word| word.is_any(CHOOSES) || word.is_any(CHANGES);
        let skipped = |at: &usize| {
            let word = &self.words[*at];
            let grammar =
                is_function_word(&word.text) || is_small_word(&word.text) || word.is_any(FILLERS);
            self.taken[*at] || grammar && !word.is_any(COPULAS) && !chooses(word)
        };
        let ends = self.words.get(at + 1).is_none_or(|next| {
            next.is_mark() || is_small_word(&next.text) || is_function_word(&next.text)
        });
        match (0..at).rev().find(|before| !skipped(before)) {
            Some(before) if chooses(&self.words[before]) => true,
            Some(before) => {
                let word = &self.words[before];
                // `we install atlas with pnpm`
                let by = self.words[at - 1].is_any(&["with", "using", "via", "through"]);
                let verb_first = by && self.words[..before].iter().any(chooses);
                ends && (verb_first
                    || word.is_any(COPULAS)
                    || matches!(word.shape, Shape::Mark(':' | '=' | '—')))
            }
            None => self.words.len() <= 3 || self.words[at + 1..].iter().any(chooses),
        }
    }

    /// `the config moved to src/settings`, `Ann moved to Berlin`.
    pub(super) fn moved(&mut self) -> Option<Found> {
        let change = self.change.as_ref()?;
        let place = after(self.words, change.new?, &self.taken)?;
        let moves = change
            .by
            .iter()
            .any(|at| self.words[*at].is_any(&["moved", "relocated", "moves", "move", "migrated"]));
        let attribute = if moves { "location" } else { "value" };
        let value = match Value::quantity(self.words, place.start) {
            Some((value, _)) => value,
            None => Value::of_words(&self.words[place.clone()]),
        };
        Some(Found { attribute: attribute.to_owned(), value, place, old: self.old_words() })
    }

    /// `the cluster has 3 nodes`
    pub(super) fn counted(&mut self) -> Option<Found> {
        const HAS: &[&str] = &[
            "has", "have", "contains", "contain", "runs", "run", "needs", "need", "requires",
            "require", "are", "uses", "use", "of", "with", "keeps", "keep", "gets", "to",
        ];
        let at = (1..self.words.len()).find(|at| {
            let number =
                matches!(&self.words[*at].shape, Shape::Number(_, unit) if unit.is_empty());
            let counts = self.words.get(*at + 1).is_some_and(|word| word.shape == Shape::Plain);
            number && counts && self.words[*at - 1].is_any(HAS) && !self.taken[*at]
        })?;
        let (value, length) = Value::quantity(self.words, at)?;
        let taken = at.saturating_sub(1)..at;
        self.take(taken);
        let attribute = if length == 1 { "count" } else { "value" };
        Some(Found { attribute: attribute.to_owned(), value, place: at..at + length, old: None })
    }

    /// `X is 5`, `X = path/to`, `X: v2`: the thing names its attribute itself.
    pub(super) fn plain_value(&mut self) -> Option<Found> {
        let copula = self.copula(1..self.words.len())?;
        let at = copula + 1;
        let word = self.words.get(at)?;
        let (value, length) = match word.shape {
            Shape::Number(..) => Value::quantity(self.words, at)?,
            Shape::Version => Value::version(self.words, at)?,
            Shape::Path | Shape::Identifier | Shape::Date => {
                (Value::of_words(&self.words[at..=at]), 1)
            }
            _ => return None,
        };
        // `there are 5 apples` and `X is 5 times faster` give no value of X.
        let last = self.words.get(at + length).is_none_or(|next| {
            next.is_mark() || next.shape != Shape::Plain || is_small_word(&next.text)
        });
        // A path tells where a thing is, whatever the sentence calls that.
        let attribute = if word.shape == Shape::Path { "location" } else { "value" };
        last.then(|| Found {
            attribute: attribute.to_owned(),
            value,
            place: at..at + length,
            old: None,
        })
    }

    /// `we use zod for validation`: the purpose is the thing.
    pub(super) fn for_purpose(&mut self) -> Option<Found> {
        let verb = self.words.iter().position(|word| word.is_any(CHOOSES))?;
        let place = after(self.words, verb + 1, &self.taken)?;
        let purpose = self.words[place.end..].iter().any(|word| word.is("for"))
            || self.words.first().is_some_and(|word| word.is("for"));
        let old = self.old_words();
        let value = Value::of_words(&self.words[place.clone()]);
        purpose.then(|| Found { attribute: "tool".to_owned(), value, place, old })
    }
}
