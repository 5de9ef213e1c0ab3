//! One moment with what surrounds it: parts (`early march`), times of day (`yesterday at 3pm`).

use jiff::ToSpan;
use jiff::civil::Time;

use super::grammar::{Grammar, Read};
use super::moment::Moment;
use super::relative::fixed;
use super::stretch::{Part, Stretch, span, week, whole};
use super::tokens::{Kind, half_day};
use super::vocabulary::{Unit, daytime, unit};

/// How far `at 3pm` reaches to either side, in minutes; with minutes it is meant more exactly.
const ABOUT_HOUR: i64 = 30;
const ABOUT_MINUTE: i64 = 15;

impl Grammar<'_> {
    /// One moment with its time of day. `is_introduced`: the words before say that it is a time.
    pub(super) fn moment(&self, at: usize, is_introduced: bool) -> Read<Moment> {
        self.at_clock(at).or_else(|| self.daytime_of(at)).or_else(|| {
            let (moment, next) = self.plain(at, is_introduced)?;
            Some(self.with_daytime(moment, next).unwrap_or((moment, next)))
        })
    }

    fn plain(&self, at: usize, is_introduced: bool) -> Read<Moment> {
        self.relative(at)
            .map(fixed)
            .or_else(|| self.edge_of(at))
            .or_else(|| self.part_of(at))
            .or_else(|| self.week_of(at))
            .or_else(|| self.day_month(at))
            .or_else(|| self.name(at, is_introduced))
            .or_else(|| self.day_of_month(at))
            .or_else(|| self.written(at))
            .or_else(|| self.year_alone(at, is_introduced))
    }

    /// `at 3pm yesterday`.
    fn at_clock(&self, at: usize) -> Read<Moment> {
        let next = self.word(at, &["at", "around"]).unwrap_or(at);
        let (time, next) = self.clock(next)?;
        let next = self.word(next, &["on"]).unwrap_or(next);
        let (moment, next) = self.plain(next, true)?;
        let day = self.placed(moment)?;
        Some((Moment::Fixed(day.around(time, exactness(time))?), next))
    }

    /// `the morning of march 5`.
    fn daytime_of(&self, at: usize) -> Read<Moment> {
        let at = self.word(at, &["the"]).unwrap_or(at);
        let daytime = daytime(self.text(at)?)?;
        let (moment, next) = self.plain(self.word(at + 1, &["of"])?, true)?;
        Some((Moment::Fixed(self.placed(moment)?.daytime(daytime)?), next))
    }

    /// `yesterday afternoon`, `friday at 3pm`, `2026-03-05 14:00`.
    fn with_daytime(&self, moment: Moment, next: usize) -> Read<Moment> {
        let day = self.placed(moment)?;
        let named = matches!(moment, Moment::Weekday(_)) || day.first == day.last;
        // `last friday` on a Saturday is two days, but its evening is that of one.
        let short = day.first.checked_add(7.days()).ok()? == day.last;
        if let Some(daytime) = self.text(next).and_then(daytime)
            && (named || short)
        {
            return Some((Moment::Fixed(day.daytime(daytime)?), next + 1));
        }
        let clock = self.word(next, &["at", "around"]).unwrap_or(next);
        let (time, next) = self.clock(clock)?;
        let day = Some(day).filter(|day| day.is_day())?;
        Some((Moment::Fixed(day.around(time, exactness(time))?), next))
    }

    fn clock(&self, at: usize) -> Read<Time> {
        match self.kind(at)? {
            Kind::Clock(time) => Some((*time, at + 1)),
            Kind::Number(hour) => {
                let half = self.text(at + 1).filter(|word| matches!(*word, "am" | "pm"))?;
                Some((half_day(*hour, 0, half)?, at + 2))
            }
            Kind::Word(word) if word == "noon" => Some((Time::constant(12, 0, 0, 0), at + 1)),
            _ => None,
        }
    }

    /// `early march`, `the end of last month`, `the first half of 2025`, `h1 2025`.
    fn part_of(&self, at: usize) -> Read<Moment> {
        let at = self.word(at, &["the"]).unwrap_or(at);
        let (part, next) = match self.text(at)? {
            "early" => (Part::Early, at + 1),
            "mid" => (Part::Middle, at + 1),
            "late" => (Part::Late, at + 1),
            "beginning" | "start" => (Part::Early, self.word(at + 1, &["of"])?),
            "middle" => (Part::Middle, self.word(at + 1, &["of"])?),
            "end" => (Part::Late, self.word(at + 1, &["of"])?),
            "h1" => (Part::FirstHalf, self.word(at + 1, &["of"]).unwrap_or(at + 1)),
            "h2" => (Part::SecondHalf, self.word(at + 1, &["of"]).unwrap_or(at + 1)),
            "second" => (Part::SecondHalf, self.word(self.word(at + 1, &["half"])?, &["of"])?),
            "first" => (Part::FirstHalf, self.word(self.word(at + 1, &["half"])?, &["of"])?),
            _ => return None,
        };
        let next = if matches!(self.kind(next), Some(Kind::Dash)) { next + 1 } else { next };
        if let Some(stretch) = self.word(next, &["the"]).and_then(|next| self.running(next)) {
            return Some((Moment::Fixed(stretch.part(part)?), next + 2));
        }
        let (moment, next) = self
            .relative(next)
            .map(fixed)
            .or_else(|| self.name(next, true))
            .or_else(|| self.year_alone(next, true))?;
        Some((moment.part(part)?, next))
    }

    /// `the first week of march`, `the last two weeks of 2025`.
    fn edge_of(&self, at: usize) -> Read<Moment> {
        let at = self.word(at, &["the"]).unwrap_or(at);
        let is_first = self.text(at)? == "first";
        let at = self.word(at, &["first", "last"])?;
        let single = || Some((1, unit(self.text(at)?)?, at + 1));
        let (count, unit, next) = self.duration(at).or_else(single)?;
        let (moment, next) = self.point(self.word(next, &["of"])?)?;
        let stretch = self.placed(moment)?;
        let length = span(unit, count)?;
        let (first, last) = if is_first {
            let end = stretch.first.checked_add(length).ok()?.yesterday().ok()?;
            (stretch.first, end.min(stretch.last))
        } else {
            let start = stretch.last.tomorrow().ok()?.checked_sub(length).ok()?;
            (start.max(stretch.first), stretch.last)
        };
        Some((Moment::Fixed(Stretch::days(first, last)?), next))
    }

    /// `(the end of the) month`.
    fn running(&self, at: usize) -> Option<Stretch> {
        match unit(self.text(at)?)? {
            unit @ (Unit::Week | Unit::Month | Unit::Quarter | Unit::Year) => {
                whole(unit, self.today, 0)
            }
            _ => None,
        }
    }

    /// `the week of march 5`; `the weekend`.
    fn week_of(&self, at: usize) -> Read<Moment> {
        let at = self.word(at, &["the"])?;
        if let Some(next) = self.word(at, &["weekend"]) {
            let is_weekend = self.today.weekday().to_monday_zero_offset() >= 5;
            let back = i32::from(!is_weekend);
            let stretch = whole(Unit::Weekend, self.today, back)?;
            return Some((Moment::Fixed(stretch), next));
        }
        let next = self.word(self.word(at, &["week"])?, &["of"])?;
        let (moment, next) = self.point(next)?;
        let day = Some(self.placed(moment)?).filter(Stretch::is_day)?;
        Some((Moment::Fixed(week(day.first)?), next))
    }
}

fn exactness(time: Time) -> i64 {
    if time.minute() == 0 { ABOUT_HOUR } else { ABOUT_MINUTE }
}
