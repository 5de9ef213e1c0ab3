//! Made pairs of statements: those that exclude one another, and those that only look like it.

use super::dice::Dice;
use super::wordings::{
    ATTRIBUTES, Attribute, CHANGES, DENIALS, OTHER_TIMES, PEOPLE, SERVICES, Things,
};

/// What a made pair is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    OtherValue,
    Changed,
    Denied,
    OtherThing,
    OtherAttribute,
    SameValue,
    OtherTime,
}

impl Sort {
    pub(super) const ALL: &[Sort] = &[
        Sort::OtherValue,
        Sort::Changed,
        Sort::Denied,
        Sort::OtherThing,
        Sort::OtherAttribute,
        Sort::SameValue,
        Sort::OtherTime,
    ];

    pub(super) fn contradicts(self) -> bool {
        matches!(self, Sort::OtherValue | Sort::Changed | Sort::Denied)
    }
}

#[derive(Debug)]
pub(super) struct Made {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) sort: Sort,
    /// One of its wordings was kept from the rules.
    pub(super) held: bool,
}

pub(super) struct Maker {
    pub(super) dice: Dice,
    /// The second statement is worded as no rule has seen.
    pub(super) fresh: bool,
}

type Way = (&'static str, bool);

impl Maker {
    pub(super) fn make(&mut self, sort: Sort) -> Made {
        let attribute = &ATTRIBUTES[self.dice.below(ATTRIBUTES.len())];
        let (thing, other_thing) = self.dice.two(things(attribute));
        let (value, other) = self.two_values(attribute);
        let (first, mut second) = (self.wording(attribute), self.wording(attribute));
        if self.fresh {
            second = (attribute.fresh, true);
        }
        let noun = |way: &'static str| (way, false);
        let ((a, one), (b, two)) = match sort {
            Sort::OtherValue => (said(first, thing, value), said(second, thing, other)),
            Sort::OtherThing => (said(first, thing, value), said(second, other_thing, other)),
            Sort::SameValue => {
                let value = self.same(attribute, value);
                (said(first, thing, value.0), said(second, thing, value.1))
            }
            Sort::OtherAttribute => self.of_another(attribute, thing, value, first),
            Sort::OtherTime => {
                let way = noun(self.dice.pick(OTHER_TIMES));
                (said(first, thing, value), said(way, thing, other))
            }
            Sort::Changed => {
                let way = noun(self.dice.pick(CHANGES));
                (said(first, thing, value), said(way, thing, other))
            }
            Sort::Denied => {
                let way = noun(self.dice.pick(DENIALS));
                (said(first, thing, value), said(way, thing, value))
            }
        };
        let finish =
            |text: String| capital(&text.replace("{n}", attribute.noun).replace("{o}", value));
        Made { a: finish(a), b: finish(b), sort, held: one || two }
    }

    /// The same wording with two values: the hardest to tell from a repetition.
    pub(super) fn alike(&mut self) -> (String, String, String) {
        let attribute = &ATTRIBUTES[self.dice.below(ATTRIBUTES.len())];
        let thing = self.dice.pick(things(attribute));
        let (value, other) = self.two_values(attribute);
        let way = self.wording(attribute);
        (capital(&said(way, thing, value).0), capital(&said(way, thing, other).0), value.to_owned())
    }

    fn wording(&mut self, attribute: &Attribute) -> Way {
        let place = self.dice.below(attribute.open.len() + attribute.held.len());
        match attribute.open.get(place) {
            Some(open) => (open, false),
            None => (attribute.held[place - attribute.open.len()], true),
        }
    }

    fn two_values(&mut self, attribute: &Attribute) -> (&'static str, &'static str) {
        let values: Vec<&'static str> = attribute.values.iter().map(|(value, _)| *value).collect();
        self.dice.two(&values)
    }

    /// A value and another way to write it.
    fn same(&mut self, attribute: &Attribute, value: &'static str) -> (&'static str, &'static str) {
        let found = attribute.values.iter().find(|(one, _)| *one == value);
        found.copied().unwrap_or((value, value))
    }

    /// Two attributes of one thing.
    fn of_another(
        &mut self,
        attribute: &Attribute,
        thing: &str,
        value: &str,
        way: Way,
    ) -> ((String, bool), (String, bool)) {
        let others: Vec<&Attribute> = ATTRIBUTES
            .iter()
            .filter(|other| other.noun != attribute.noun && other.of == attribute.of)
            .collect();
        let other = others[self.dice.below(others.len())];
        let (theirs, _) = self.two_values(other);
        let second = self.wording(other);
        (said(way, thing, value), said(second, thing, theirs))
    }
}

fn things(attribute: &Attribute) -> &'static [&'static str] {
    match attribute.of {
        Things::Services => SERVICES,
        Things::People => PEOPLE,
    }
}

fn said((way, held): Way, thing: &str, value: &str) -> (String, bool) {
    (way.replace("{e}", thing).replace("{v}", value), held)
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
