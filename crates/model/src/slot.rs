//! One slot holds one value at a time: who gives way to whom, as pure arithmetic on intervals.

use crate::{Interval, Invalid, Kind, Timestamp};

/// A place that only one value may hold at a time within one level and namespace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(String);

impl Slot {
    /// Parts are joined by a character that no text of ours contains, so that they cannot run
    /// into each other.
    pub fn of<'a>(kind: Kind, parts: impl IntoIterator<Item = &'a str>) -> Slot {
        let mut name = kind.as_str().to_owned();
        for part in parts {
            name.push('\u{1f}');
            name.push_str(part.trim());
        }
        Slot(name)
    }

    pub fn from_stored(name: String) -> Slot {
        Slot(name)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What happens when a second value comes for a slot that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Succession {
    /// The world changed: the older value's validity ends where the newer one's begins.
    Supersede,
    /// The thing exists already and is to be edited, not replaced.
    Unique,
}

pub fn succession(kind: Kind) -> Succession {
    match kind {
        Kind::Fact | Kind::Ledger => Succession::Supersede,
        _ => Succession::Unique,
    }
}

/// What becomes of a value that was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It does not overlap and stays as it is.
    Stays,
    /// Its validity now ends here.
    EndsAt(Timestamp),
    /// Its validity now begins here.
    BeginsAt(Timestamp),
    /// It is interrupted: valid until the first point and again from the second.
    Split(Timestamp, Timestamp),
    /// Nothing of its interval is left: it is no longer believed.
    Displaced,
}

/// How a new value settles among those that hold the slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub newcomer: Interval,
    /// One fate per value that was there, in the same order.
    pub fates: Vec<Fate>,
}

/// Makes room for a newcomer. One with an end of its own is believed for the whole of its interval;
/// an open-ended one holds until the next value that is already known to begin later.
pub fn settle(held: &[Interval], newcomer: Interval) -> Result<Settlement, Invalid> {
    let begin = newcomer.from();
    let end = newcomer
        .to()
        .or_else(|| held.iter().map(Interval::from).filter(|&later| later > begin).min());
    let newcomer = Interval::new(begin, end)?;
    let fates = held.iter().map(|old| fate(old, &newcomer)).collect();
    Ok(Settlement { newcomer, fates })
}

fn fate(old: &Interval, newcomer: &Interval) -> Fate {
    if !old.overlaps(newcomer) {
        return Fate::Stays;
    }
    let begins_earlier = old.from() < newcomer.from();
    let goes_on_after = match (old.to(), newcomer.to()) {
        (_, None) => None,
        (None, Some(end)) => Some(end),
        (Some(old_end), Some(end)) => (old_end > end).then_some(end),
    };
    match (begins_earlier, goes_on_after) {
        (true, None) => Fate::EndsAt(newcomer.from()),
        (true, Some(again)) => Fate::Split(newcomer.from(), again),
        (false, Some(again)) => Fate::BeginsAt(again),
        (false, None) => Fate::Displaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    fn span(from: i64, to: Option<i64>) -> Interval {
        Interval::new(at(from), to.map(at)).unwrap()
    }

    #[test]
    fn the_newer_value_ends_the_older() {
        let settled = settle(&[span(10, None)], span(20, None)).unwrap();
        assert_eq!(settled.fates, [Fate::EndsAt(at(20))]);
        assert_eq!(settled.newcomer, span(20, None));
    }

    #[test]
    fn a_value_told_late_fits_in_before_the_next() {
        let held = [span(10, Some(30)), span(30, None)];
        let settled = settle(&held, span(20, None)).unwrap();
        assert_eq!(settled.newcomer, span(20, Some(30)));
        assert_eq!(settled.fates, [Fate::EndsAt(at(20)), Fate::Stays]);
    }

    #[test]
    fn an_interval_of_its_own_interrupts() {
        let settled = settle(&[span(10, None)], span(20, Some(30))).unwrap();
        assert_eq!(settled.fates, [Fate::Split(at(20), at(30))]);
    }

    #[test]
    fn the_same_beginning_displaces() {
        let settled = settle(&[span(10, None)], span(10, None)).unwrap();
        assert_eq!(settled.fates, [Fate::Displaced]);
    }

    /// Applies the fates as the engine does.
    fn apply(held: &[Interval], settled: &Settlement) -> Vec<Interval> {
        let mut after = vec![settled.newcomer];
        for (old, fate) in held.iter().zip(&settled.fates) {
            match *fate {
                Fate::Stays => after.push(*old),
                Fate::EndsAt(end) => after.push(Interval::new(old.from(), Some(end)).unwrap()),
                Fate::BeginsAt(begin) => after.push(Interval::new(begin, old.to()).unwrap()),
                Fate::Split(end, begin) => {
                    after.push(Interval::new(old.from(), Some(end)).unwrap());
                    after.push(Interval::new(begin, old.to()).unwrap());
                }
                Fate::Displaced => {}
            }
        }
        after
    }

    proptest::proptest! {
        #[test]
        fn never_two_values_at_once(steps in proptest::collection::vec((0i64..50, proptest::option::of(1i64..50)), 1..12)) {
            let mut held: Vec<Interval> = Vec::new();
            for (from, length) in steps {
                let settled = settle(&held, span(from, length.map(|l| from + l))).unwrap();
                held = apply(&held, &settled);
                for (i, a) in held.iter().enumerate() {
                    for b in &held[i + 1..] {
                        proptest::prop_assert!(!a.overlaps(b), "{a:?} and {b:?}");
                    }
                }
                proptest::prop_assert!(held.iter().any(|i| i.contains(at(from))));
            }
        }
    }
}
