//! Phrases that are told from now: `yesterday`, `last week`, `earlier today`.

use super::amount::half_clock_unit;
use super::grammar::{Grammar, Read};
use super::moment::Moment;
use super::stretch::{Part, Stretch, span, whole};
use super::tokens::Kind;
use super::vocabulary::{Daytime, Unit, daytime, unit};

/// How far back `recently` reaches, in days.
const RECENTLY: i32 = 14;

impl Grammar<'_> {
    pub(super) fn relative(&self, at: usize) -> Read<Stretch> {
        self.single(at)
            .or_else(|| self.before_last(at))
            .or_else(|| self.ago(at))
            .or_else(|| self.determined(at))
            .or_else(|| self.so_far(at))
            .or_else(|| self.neighbour(at))
    }

    fn single(&self, at: usize) -> Read<Stretch> {
        let day = |back: i32| whole(Unit::Day, self.today, back);
        let stretch = match self.text(at)? {
            "today" => day(0),
            "tonight" => day(0)?.daytime(Daytime::Evening),
            "yesterday" => day(1),
            "tomorrow" => day(-1),
            "recently" | "lately" => self.rolling(Unit::Day, RECENTLY),
            "the" => {
                let next = self.word(self.word(at + 1, &["other"])?, &["day"])?;
                return Some((Stretch::days(day(7)?.first, day(2)?.last)?, next));
            }
            _ => None,
        };
        Some((stretch?, at + 1))
    }

    /// `the week before last`.
    fn before_last(&self, at: usize) -> Read<Stretch> {
        let at = self.word(at, &["the"]).unwrap_or(at);
        let next = self.word(self.word(at + 1, &["before"])?, &["last"])?;
        // Not `the week before last friday`.
        if self.unit_or_name(next) {
            return None;
        }
        if self.text(at)? == "night" {
            return Some((whole(Unit::Day, self.today, 2)?.daytime(Daytime::Night)?, next));
        }
        Some((whole(unit(self.text(at)?)?, self.today, 2)?, next))
    }

    fn unit_or_name(&self, at: usize) -> bool {
        self.text(at).is_some_and(|word| unit(word).is_some()) || self.name(at, true).is_some()
    }

    /// What another phrase may be told from; never one that is itself told from another, so that
    /// no text can make the grammar recurse deeply.
    pub(super) fn point(&self, at: usize) -> Read<Moment> {
        self.single(at)
            .or_else(|| self.ago(at))
            .or_else(|| self.determined(at))
            .map(fixed)
            .or_else(|| self.day_month(at))
            .or_else(|| self.name(at, true))
            .or_else(|| self.written(at))
            .or_else(|| self.year_alone(at, true))
    }

    /// `last …`, `this …`, `past …`, `next …`.
    pub(super) fn determined(&self, at: usize) -> Read<Stretch> {
        let word = self.text(at)?;
        match word {
            "this" if self.word(at + 1, &["past"]).is_some() => self.past(at + 2),
            "past" => self.past(at + 1),
            "last" | "previous" => self.last(at + 1),
            "this" | "current" => self.this(at + 1),
            "next" => self.next(at + 1),
            _ => None,
        }
    }

    fn last(&self, at: usize) -> Read<Stretch> {
        if let Some((amount, unit, next)) = self.amount_of(at) {
            // The last of something else: `edge_of` knows whether that is a time.
            let is_edge = self.word(next, &["of"]).is_some();
            return Some((self.rolling(unit, amount.most()).filter(|_| !is_edge)?, next));
        }
        if let Some((name, next)) = self.name(at, true) {
            return Some((name.last(self.today)?, next));
        }
        let word = self.text(at)?;
        if let Some(daytime) = daytime(word) {
            return Some((whole(Unit::Day, self.today, 1)?.daytime(daytime)?, at + 1));
        }
        let stretch = match unit(word).filter(|_| !word.ends_with('s'))? {
            // A last-minute change; the last week of something.
            Unit::Second | Unit::Minute => None,
            _ if self.word(at + 1, &["of"]).is_some() => None,
            unit @ (Unit::Hour | Unit::Day | Unit::Fortnight | Unit::Decade) => {
                self.rolling(unit, 1)
            }
            unit => whole(unit, self.today, 1),
        };
        Some((stretch?, at + 1))
    }

    fn past(&self, at: usize) -> Read<Stretch> {
        if let Some((amount, unit, next)) = self.amount_of(at) {
            return Some((self.rolling(unit, amount.most())?, next));
        }
        if let Some((name, next)) = self.name(at, true) {
            return Some((name.before(self.today)?, next));
        }
        let stretch = match unit(self.text(at)?)? {
            Unit::Weekend => whole(Unit::Weekend, self.today, 1),
            unit => self.rolling(unit, 1),
        };
        Some((stretch?, at + 1))
    }

    fn this(&self, at: usize) -> Read<Stretch> {
        if let Some((name, next)) = self.name(at, true) {
            return Some((name.this(self.today)?, next));
        }
        let word = self.text(at)?;
        if let Some(daytime) = daytime(word) {
            return Some((whole(Unit::Day, self.today, 0)?.daytime(daytime)?, at + 1));
        }
        let unit = unit(word).filter(|unit| !matches!(unit, Unit::Day | Unit::Fortnight))?;
        Some((whole(unit, self.today, 0).filter(|_| !word.ends_with('s'))?, at + 1))
    }

    fn next(&self, at: usize) -> Read<Stretch> {
        if let Some((name, next)) = self.name(at, true) {
            return Some((name.next(self.today)?, next));
        }
        let word = self.text(at)?;
        let unit = unit(word).filter(|unit| *unit != Unit::Day && !word.ends_with('s'))?;
        Some((whole(unit, self.today, -1)?, at + 1))
    }

    /// `earlier today`, `earlier this week`, `late last month`, `early in march`.
    fn so_far(&self, at: usize) -> Read<Stretch> {
        let word = self.text(at)?;
        let next = match self.kind(at + 1) {
            Some(Kind::Dash) => at + 2,
            _ => self.word(at + 1, &["in"]).unwrap_or(at + 1),
        };
        if word == "earlier" || word == "later" {
            let (stretch, next) = self.single(next).or_else(|| self.determined(next))?;
            let holds_now = stretch.from < self.now && self.now < stretch.to;
            let stretch = match word {
                _ if !holds_now => stretch,
                "earlier" => Stretch::times(stretch.from, self.now)?,
                _ => Stretch::times(self.now, stretch.to)?,
            };
            return Some((stretch, next));
        }
        let part = match word {
            "early" => Part::Early,
            "mid" => Part::Middle,
            "late" => Part::Late,
            _ => return None,
        };
        let (stretch, next) = self.determined(next)?;
        Some((stretch.part(part)?, next))
    }

    /// `the day before yesterday`, `the week after march 5`.
    fn neighbour(&self, at: usize) -> Read<Stretch> {
        let at = self.word(at, &["the"]).unwrap_or(at);
        let unit = unit(self.text(at)?)?;
        let is_before = self.text(at + 1)? == "before";
        let next = self.word(at + 1, &["before", "after"])?;
        let (moment, next) = self.point(next)?;
        let stretch = self.placed(moment)?;
        let length = span(unit, 1).filter(|_| half_clock_unit(unit).is_none())?;
        let neighbour = if is_before {
            let last = stretch.first.yesterday().ok()?;
            Stretch::days(stretch.first.checked_sub(length).ok()?, last)?
        } else {
            let first = stretch.last.tomorrow().ok()?;
            Stretch::days(first, stretch.last.checked_add(length).ok()?)?
        };
        Some((neighbour, next))
    }
}

/// Everything told from now is fixed.
pub(super) fn fixed(read: (Stretch, usize)) -> (Moment, usize) {
    (Moment::Fixed(read.0), read.1)
}
