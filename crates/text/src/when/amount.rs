//! Amounts of time: `two weeks ago`, `a few days ago`, and what the vague ones mean.

use jiff::{Span, ToSpan};

use super::grammar::{Grammar, Read};
use super::stretch::{Stretch, span, whole};
use super::tokens::Kind;
use super::vocabulary::{Unit, number, unit};

/// How many people mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    Exactly(i32),
    Couple,
    /// From, to.
    Vague(i32, i32),
}

const FEW: Amount = Amount::Vague(2, 5);
const SEVERAL: Amount = Amount::Vague(3, 7);

impl Amount {
    pub(super) fn most(self) -> i32 {
        match self {
            Self::Exactly(count) | Self::Vague(_, count) => count,
            Self::Couple => 2,
        }
    }
}

impl Grammar<'_> {
    pub(super) fn ago(&self, at: usize) -> Read<Stretch> {
        if let Some(read) = self.half_ago(at) {
            return Some(read);
        }
        let (amount, unit, next) = self.amount_of(at)?;
        let next = self.word(next, &["ago", "back"])?;
        Some((self.units_ago(amount, unit)?, next))
    }

    /// `half an hour ago`, `half a year ago`.
    fn half_ago(&self, at: usize) -> Read<Stretch> {
        let at = self.word(self.word(at, &["half"])?, &["a", "an"])?;
        let (unit, count) = match unit(self.text(at)?)? {
            Unit::Hour => (Unit::Minute, 30),
            Unit::Day => (Unit::Hour, 12),
            Unit::Year => (Unit::Month, 6),
            _ => return None,
        };
        Some((self.units_ago(Amount::Exactly(count), unit)?, self.word(at + 1, &["ago"])?))
    }

    fn units_ago(&self, amount: Amount, unit: Unit) -> Option<Stretch> {
        if let Some(half) = half_clock_unit(unit) {
            let (near, far) = match amount {
                Amount::Exactly(count) => (count, count),
                Amount::Couple => (2, 2),
                Amount::Vague(near, far) => (near, far),
            };
            let from = self.now.checked_sub(span(unit, far)?).ok()?.checked_sub(half).ok()?;
            let to = self.now.checked_sub(span(unit, near)?).ok()?.checked_add(half).ok()?;
            return Stretch::times(from, to);
        }
        let whole = |back| whole(unit, self.today, back);
        match amount {
            Amount::Exactly(count) => whole(count),
            Amount::Vague(near, far) => Stretch::days(whole(far)?.first, whole(near)?.last),
            Amount::Couple if unit == Unit::Day => Stretch::days(whole(3)?.first, whole(2)?.last),
            // Less exact than `two`: the day after is still meant.
            Amount::Couple => Stretch::days(whole(2)?.first, whole(2)?.last.tomorrow().ok()?),
        }
    }

    /// From that long ago to now: whole days, or to the moment for hours.
    pub(super) fn rolling(&self, unit: Unit, count: i32) -> Option<Stretch> {
        let back = span(unit, count)?;
        if half_clock_unit(unit).is_some() {
            return Stretch::times(self.now.checked_sub(back).ok()?, self.now);
        }
        Stretch::days(self.today.checked_sub(back).ok()?, self.today)
    }

    /// `two weeks` as a number and a unit, the most that a vague amount means.
    pub(super) fn duration(&self, at: usize) -> Option<(i32, Unit, usize)> {
        let (amount, unit, next) = self.amount_of(at)?;
        Some((amount.most(), unit, next))
    }

    pub(super) fn amount_of(&self, at: usize) -> Option<(Amount, Unit, usize)> {
        if let Some(Kind::Short(count, unit)) = self.kind(at) {
            return Some((Amount::Exactly(*count), *unit, at + 1));
        }
        let (amount, next) = self.amount(at)?;
        Some((amount, unit(self.text(next)?)?, next + 1))
    }

    fn amount(&self, at: usize) -> Read<Amount> {
        if let Some(Kind::Number(count)) = self.kind(at) {
            return Some((Amount::Exactly(*count), at + 1));
        }
        let word = self.text(at)?;
        let (word, next) = match word {
            "a" | "an" => match self.text(at + 1) {
                Some(word @ ("few" | "couple" | "dozen")) => (word, at + 2),
                _ => return Some((Amount::Exactly(1), at + 1)),
            },
            _ => (word, at + 1),
        };
        match word {
            "few" => Some((FEW, next)),
            "several" => Some((SEVERAL, next)),
            "dozen" => Some((Amount::Exactly(12), next)),
            "couple" => Some((Amount::Couple, self.word(next, &["of"]).unwrap_or(next))),
            _ => number(word).map(|count| (Amount::Exactly(count), next)),
        }
    }
}

/// Half of a unit that is shorter than a day: how exact people are about it.
pub(super) fn half_clock_unit(unit: Unit) -> Option<Span> {
    match unit {
        Unit::Second | Unit::Minute => Some(30.seconds()),
        Unit::Hour => Some(30.minutes()),
        _ => None,
    }
}
