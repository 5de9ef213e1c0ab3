//! Names of places in the calendar: `march 5, 2026`, `q2`, `friday`, `summer 2025`.

use jiff::ToSpan;

use super::grammar::{Grammar, Read};
use super::moment::Moment;
use super::stretch::{Stretch, month as month_of, week, year as year_of};
use super::tokens::{Kind, day_word};
use super::vocabulary::{introduces_date, is_counted, month, names_number, season, weekday};
use super::written::Written;

/// Before the name of a weekday these name one day of the year: `black friday`.
const HOLIDAYS: &[&str] = &["black", "good", "ash", "holy", "easter", "palm", "cyber", "whit"];

impl Grammar<'_> {
    /// A weekday, month, quarter or season, with what follows it.
    pub(super) fn name(&self, at: usize, is_introduced: bool) -> Read<Moment> {
        let word = self.text(at)?;
        if let Some((number, is_full)) = month(word) {
            return self.month_date(at, number, is_full, is_introduced);
        }
        if let Some((day, is_full)) = weekday(word) {
            if self.follows(at, HOLIDAYS) {
                return None;
            }
            let fits = is_full || is_introduced || self.follows(at, &["on"]);
            return self
                .weekday_date(at)
                .or_else(|| fits.then_some((Moment::Weekday(day), at + 1)));
        }
        if let Some(first) = season(word) {
            return self.season(at, first, is_introduced);
        }
        let number = match word {
            "q1" => 1,
            "q2" => 2,
            "q3" => 3,
            "q4" => 4,
            _ => return None,
        };
        Some(self.with_year(Moment::Quarter(number), at + 1))
    }

    /// `friday, march 5`; `monday of last week`.
    fn weekday_date(&self, at: usize) -> Read<Moment> {
        let next = if matches!(self.kind(at + 1), Some(Kind::Comma)) { at + 2 } else { at + 1 };
        let (day, _) = weekday(self.text(at)?)?;
        let dated = self.day_month(next).or_else(|| self.name_of_month(next));
        if let Some((date @ (Moment::Days(..) | Moment::Fixed(_)), end)) = dated
            && date.before(self.today).is_some_and(|date| date.is_day())
        {
            return Some((date, end));
        }
        let next = self.word(at + 1, &["of"]).unwrap_or(at + 1);
        self.word(next, &["last", "this", "next"]).and_then(|next| self.word(next, &["week"]))?;
        let (weeks, next) = self.determined(next)?;
        let there = weeks.first.checked_add(day.to_monday_zero_offset().days()).ok()?;
        Some((Moment::Fixed(Stretch::day(there)?), next))
    }

    fn name_of_month(&self, at: usize) -> Read<Moment> {
        let (number, is_full) = month(self.text(at)?)?;
        self.month_date(at, number, is_full, false)
    }

    /// `march`, `march 5`, `march 5-7, 2026`, `march 2026`.
    fn month_date(&self, at: usize, month: i8, is_full: bool, is_introduced: bool) -> Read<Moment> {
        let next = self.word(at + 1, &["the"]).unwrap_or(at + 1);
        if let Some((first, next)) = self.day(next) {
            let second = self.joint_of_days(next).and_then(|next| self.day(next));
            let (last, next) = match second {
                Some((last, end)) if last > first && !self.is_month(end) => (last, end),
                _ => (first, next),
            };
            return Some(self.with_year(Moment::Days(month, first, last), next));
        }
        let (moment, next) = self.with_year(Moment::Month(month), at + 1);
        let fits = moment.is_fixed() || is_introduced || self.is_bare_month(at, month, is_full);
        fits.then_some((moment, next))
    }

    fn joint_of_days(&self, at: usize) -> Option<usize> {
        if matches!(self.kind(at), Some(Kind::Dash)) {
            return Some(at + 1);
        }
        self.word(at, &["to", "through", "thru"])
    }

    fn is_month(&self, at: usize) -> bool {
        self.text(at).is_some_and(|word| month(word).is_some())
    }

    /// Whether a month without a day or a year is one: `may` and `march` are verbs more often, `jan`
    /// and `dec` other things, April and June people.
    fn is_bare_month(&self, at: usize, month: i8, is_full: bool) -> bool {
        if self.is_alone || self.is_introduced(at) {
            return true;
        }
        let speaks = ["said", "says", "is", "has", "asked", "told", "wants", "thinks", "and"];
        let is_capital = self.tokens[at].is_capital;
        let is_inside = at > 0 && !matches!(self.kind(at - 1), Some(Kind::Stop));
        match month {
            5 => false,
            3 => {
                let marches =
                    self.word(at + 1, &["on", "of", "toward", "towards", "into"]).is_some();
                let is_noun = is_capital && is_inside || self.follows(at, &["the"]);
                is_full && is_noun && !marches
            }
            4 | 6 => is_full && !(is_capital && self.word(at + 1, &speaks).is_some()),
            _ => is_full,
        }
    }

    /// `5 march 2026`, `the 3rd of november`, `third of november`.
    pub(super) fn day_month(&self, at: usize) -> Read<Moment> {
        let start = at;
        let at = self.word(at, &["the"]).unwrap_or(at);
        let (first, next) = self.day(at)?;
        let second = self.joint_of_days(next).and_then(|next| self.day(next));
        let (last, next) = second.filter(|(last, _)| *last > first).unwrap_or((first, next));
        let of = match self.kind(next) {
            Some(Kind::Dash) => Some(next + 1),
            _ => self.word(next, &["of"]),
        };
        let next = of.unwrap_or(next);
        let (number, _) = month(self.text(next)?)?;
        let (moment, next) = self.with_year(Moment::Days(number, first, last), next + 1);
        // `option 5 may break`: a bare number does not make `may` a month.
        let is_verb = number == 5
            && of.is_none()
            && !moment.is_fixed()
            && matches!(self.kind(at), Some(Kind::Number(_)))
            && self.text(next).is_some()
            && !self.is_introduced(start)
            && !self.follows(start, &["on", "to", "of"]);
        (!is_verb).then_some((moment, next))
    }

    fn day(&self, at: usize) -> Read<i8> {
        let day = match self.kind(at)? {
            Kind::Number(number) => i8::try_from(*number).ok()?,
            Kind::Ordinal(number) => *number,
            Kind::Word(word) => day_word(word)?,
            _ => return None,
        };
        (1..=31).contains(&day).then_some((day, at + 1))
    }

    /// `on the 5th`, unless it is the 5th of something.
    pub(super) fn day_of_month(&self, at: usize) -> Read<Moment> {
        let next = self.word(at, &["the"])?;
        let Some(Kind::Ordinal(day)) = self.kind(next) else { return None };
        let goes_on =
            ["we", "i", "they", "you", "he", "she", "it", "did", "was", "and", "at", "in"];
        let is_end = self.text(next + 1).is_none_or(|word| goes_on.contains(&word));
        let fits = is_end && self.follows(at, &["on", "since", "until", "before", "after", "by"]);
        (fits && (1..=31).contains(day)).then_some((Moment::DayOfMonth(*day), next + 1))
    }

    fn season(&self, at: usize, first: i8, is_introduced: bool) -> Read<Moment> {
        let (moment, next) = self.with_year(Moment::Season(first), at + 1);
        if moment.is_fixed() {
            return Some((moment, next));
        }
        let named = self.text(at)?;
        // The Spring Market.
        if self.tokens[at].is_capital && self.tokens.get(next).is_some_and(|token| token.is_capital)
        {
            return None;
        }
        // Frameworks and verbs: they need an article or `last`.
        let is_doubtful = matches!(named, "spring" | "fall");
        let has_article = self.follows(at, &["the"]) && at > 1 && {
            let before = self.text(at - 2);
            before.is_some_and(|word| introduces_date(word) || matches!(word, "over" | "of"))
        };
        // In spring, and not in Spring Boot.
        let is_bare =
            self.is_introduced(at) && !self.tokens[at].is_capital && self.text(next).is_none();
        let determined = self.follows(at, &["last", "this", "past", "next"]);
        let fits = determined
            || has_article
            || is_bare
            || (!is_doubtful && (is_introduced || self.is_introduced(at)));
        fits.then_some((moment, next))
    }

    /// The year after a name: `march 2026`, `q2 of 2026`, `march last year`.
    fn with_year(&self, moment: Moment, next: usize) -> (Moment, usize) {
        let comma = matches!(self.kind(next), Some(Kind::Comma | Kind::Dash));
        let at = if comma { next + 1 } else { self.word(next, &["of", "in"]).unwrap_or(next) };
        if let Some((year, end)) = self.year(at)
            && let Some(stretch) = moment.in_year(year)
        {
            return (Moment::Fixed(stretch), end);
        }
        let told = self.word(at, &["last", "this"]).and_then(|at| self.word(at, &["year"]));
        if let Some(end) = told {
            let back = i16::from(self.text(at) == Some("last"));
            let year = self.today.year().checked_sub(back);
            if let Some(stretch) = year.and_then(|year| moment.in_year(year)) {
                return (Moment::Fixed(stretch), end);
            }
        }
        (moment, next)
    }

    fn year(&self, at: usize) -> Read<i16> {
        let Kind::Number(number) = self.kind(at)? else { return None };
        (1900..2100).contains(number).then_some((i16::try_from(*number).ok()?, at + 1))
    }

    pub(super) fn year_alone(&self, at: usize, is_introduced: bool) -> Read<Moment> {
        let (year, next) = self.year(at)?;
        if let Some(name @ ("q1" | "q2" | "q3" | "q4")) = self.text(next) {
            let quarter =
                name.as_bytes().get(1).map(|digit| Moment::Quarter((digit - b'0') as i8))?;
            return Some((Moment::Fixed(quarter.in_year(year)?), next + 1));
        }
        let is_count = self.text(next).is_some_and(is_counted);
        let reads_as_year =
            is_introduced || self.is_alone || self.is_introduced(at) || self.is_of(at);
        (reads_as_year && !is_count).then_some((Moment::Fixed(year_of(year)?), next))
    }

    /// `all of 2025`.
    fn is_of(&self, at: usize) -> bool {
        let amounts = ["all", "most", "half", "rest", "part", "much"];
        self.follows(at, &["of"]) && at > 1 && self.follows(at - 1, &amounts)
    }

    pub(super) fn written(&self, at: usize) -> Read<Moment> {
        let Kind::Written(written) = self.kind(at)? else { return None };
        if at > 0 && self.text(at - 1).is_some_and(names_number) {
            return None;
        }
        let stretch = match written {
            Written::Day(day) => Stretch::day(*day),
            Written::Month(year, month) => month_of(*year, *month),
            Written::Week(monday) => week(*monday),
            Written::Local(from, seconds) => {
                Stretch::times(*from, from.checked_add(seconds.seconds()).ok()?)
            }
            Written::Instant(instant) => {
                let from = instant.to_zoned(self.zone.clone()).datetime();
                Stretch::times(from, from.checked_add(1.second()).ok()?)
            }
        };
        Some((Moment::Fixed(stretch?), at + 1))
    }

    fn follows(&self, at: usize, words: &[&str]) -> bool {
        at > 0 && self.word(at - 1, words).is_some()
    }

    fn is_introduced(&self, at: usize) -> bool {
        at > 0 && self.text(at - 1).is_some_and(introduces_date)
    }
}
