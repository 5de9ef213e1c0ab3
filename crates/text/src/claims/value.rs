//! The value of a claim, and whether two values are one.

use super::choices::choice;
use super::quantity::{Measure, measured, scale};
use super::reading::Word;
use super::shapes::Shape;
use crate::contradict::kin::chosen;
use crate::dates::MONTHS;

/// What an attribute of a thing is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number in the smallest unit of what it measures.
    Quantity { amount: f64, measured: bool },
    /// The parts of a version.
    Version(Vec<String>),
    /// A name, a path, a date: its words, in the form to compare by.
    Words(Vec<String>),
}

/// Whether two values are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Same,
    Differs,
    /// `Ann` and `Ann Smith`, `1.2` and `1.2.3`, `March 5` and `Friday`.
    Unclear,
}

impl Value {
    pub(crate) fn likeness(&self, other: &Value) -> Likeness {
        match (self, other) {
            (Value::Quantity { .. }, Value::Quantity { .. }) => amounts(self, other),
            (Value::Version(one), Value::Version(other)) => versions(one, other),
            (Value::Words(one), Value::Words(other)) => words(one, other),
            _ => Likeness::Unclear,
        }
    }

    /// The number at this place, with the unit after it; how many words that are.
    pub(crate) fn quantity(words: &[Word], at: usize) -> Option<(Value, usize)> {
        let Shape::Number(value, unit) = &words.get(at)?.shape else { return None };
        let next = words.get(at + 1).filter(|word| unit.is_empty() && scale(&word.text).is_some());
        let unit = next.map_or(unit.as_str(), |word| word.text.as_str());
        let (measure, amount): (Option<Measure>, f64) = measured(*value, unit);
        let length = if next.is_some() { 2 } else { 1 };
        Some((Value::Quantity { amount, measured: measure.is_some() }, length))
    }

    /// The version at this place.
    pub(crate) fn version(words: &[Word], at: usize) -> Option<(Value, usize)> {
        let word = words.get(at)?;
        if !matches!(word.shape, Shape::Version | Shape::Number(..)) {
            return None;
        }
        let plain = word.text.trim_start_matches(['v', '^', '~', '=', '>', '<']);
        let mut parts: Vec<String> = plain.split('.').map(str::to_owned).collect();
        while parts.len() > 1 && parts.last().is_some_and(|part| part == "0" || part == "x") {
            parts.pop();
        }
        Some((Value::Version(parts), 1))
    }

    pub(crate) fn of_words(words: &[Word]) -> Value {
        let said = words.iter().filter(|word| !word.is_mark() && !word.is("'s"));
        let form = |word: &Word| match (&word.shape, choice(&word.text)) {
            (_, Some((_, name))) => name.to_owned(),
            (Shape::Plain, None) => chosen(&word.stem).to_owned(),
            (Shape::Path, None) => {
                word.text.trim_end_matches('/').trim_start_matches("./").to_owned()
            }
            _ => word.stem.clone(),
        };
        Value::Words(said.map(form).collect())
    }
}

fn amounts(one: &Value, other: &Value) -> Likeness {
    let (
        Value::Quantity { amount: a, measured: one },
        Value::Quantity { amount: b, measured: other },
    ) = (one, other)
    else {
        return Likeness::Unclear;
    };
    let near = (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    match (one == other, near) {
        (_, true) => Likeness::Same,
        // `1.5 GB` and `1,500 MB` are one to whoever counts in thousands.
        (true, false) if *one && is_other_thousand(*a, *b) => Likeness::Unclear,
        (true, false) => Likeness::Differs,
        // `30` may be meant in the unit of the other.
        (false, false) => Likeness::Unclear,
    }
}

/// Whether two amounts differ as a thousand does from 1,024, once or a few times.
fn is_other_thousand(a: f64, b: f64) -> bool {
    let ratio = a.max(b) / a.min(b);
    (1..=3).any(|steps| (ratio - 1.024_f64.powi(steps)).abs() < 1e-6)
}

fn versions(one: &[String], other: &[String]) -> Likeness {
    let shorter = one.len().min(other.len());
    match (one == other, one[..shorter] == other[..shorter]) {
        (true, _) => Likeness::Same,
        (false, true) => Likeness::Unclear,
        (false, false) => Likeness::Differs,
    }
}

fn words(one: &[String], other: &[String]) -> Likeness {
    if one == other {
        return Likeness::Same;
    }
    let within = |small: &[String], large: &[String]| small.iter().all(|word| large.contains(word));
    let by_number = |words: &[String]| words.len() == 1 && is_address(&words[0]);
    let other_name = by_number(one) != by_number(other);
    if within(one, other) || within(other, one) || is_other_calendar(one, other) || other_name {
        return Likeness::Unclear;
    }
    Likeness::Differs
}

/// `10.0.0.12` may be the host that others call by its name.
fn is_address(word: &str) -> bool {
    word.parse::<std::net::IpAddr>().is_ok()
}

/// `Friday` and `March 5` may be one day.
fn is_other_calendar(one: &[String], other: &[String]) -> bool {
    let calendar = |words: &[String]| words.iter().find_map(|word| calendar(word));
    matches!((calendar(one), calendar(other)), (Some(one), Some(other)) if one != other)
}

#[derive(PartialEq)]
enum Calendar {
    Weekday,
    Month,
    Written,
    Relative,
}

fn calendar(word: &str) -> Option<Calendar> {
    const WEEKDAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const MONTHS: &[&str] =
        &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let begins = |names: &[&str]| names.iter().any(|name| word.starts_with(name));
    if word.contains(['-', '/']) && word.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(Calendar::Written);
    }
    if begins(WEEKDAYS) && (word.len() == 3 || word.contains("day")) {
        return Some(Calendar::Weekday);
    }
    if word.starts_with('q') && word.len() == 2 || matches!(word, "tomorrow" | "week" | "month") {
        return Some(Calendar::Relative);
    }
    (begins(MONTHS) && is_month(word)).then_some(Calendar::Month)
}

/// Whether a word is the name of a month, in its form to compare by or as it is written.
pub(crate) fn is_month(word: &str) -> bool {
    let is = |month: &&str| crate::stems::stem(month) == word || *month == word;
    let is_short = word.len() == 3 && MONTHS.iter().any(|month| month.starts_with(word));
    is_short || word == "sept" || MONTHS.iter().any(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_in_thousands_is_no_other_value() {
        let bytes = |amount: f64| Value::Quantity { amount, measured: true };
        let (gb, mb) = (1_073_741_824.0, 1_048_576.0);
        assert_eq!(bytes(1.5 * gb).likeness(&bytes(1500.0 * mb)), Likeness::Unclear);
        assert_eq!(bytes(0.5 * gb).likeness(&bytes(512.0 * mb)), Likeness::Same);
        assert_eq!(bytes(1.5 * gb).likeness(&bytes(1600.0 * mb)), Likeness::Differs);
    }
    use crate::claims::reading::read;

    #[test]
    fn values_that_may_be_one_are_unclear() {
        use Likeness::{Differs, Same, Unclear};
        let words = |text: &str| Value::of_words(&read(text));
        for (one, other, expected) in [
            ("Ann", "Ann", Same),
            ("Ann", "Bob", Differs),
            ("Ann", "Ann Smith", Unclear),
            ("postgres", "PostgreSQL", Same),
            ("src/a", "./src/a/", Same),
            ("Friday", "March 5", Unclear),
            ("Friday", "Monday", Differs),
            ("2026-01-02", "2026-01-03", Differs),
        ] {
            assert_eq!(words(one).likeness(&words(other)), expected, "{one} {other}");
        }
        let version = |text: &str| Value::version(&read(text), 0).expect("it is a version").0;
        assert_eq!(version("v1.2.0").likeness(&version("1.2")), Same);
        assert_eq!(version("1.2").likeness(&version("1.2.3")), Unclear);
        assert_eq!(version("1.2").likeness(&version("1.3")), Differs);
        let amount = |text: &str| Value::quantity(&read(text), 0).expect("it is a quantity").0;
        assert_eq!(amount("30 s").likeness(&amount("30,000 ms")), Same);
        assert_eq!(amount("30 s").likeness(&amount("1 minute")), Differs);
        assert_eq!(amount("30").likeness(&amount("60 s")), Unclear);
    }
}
