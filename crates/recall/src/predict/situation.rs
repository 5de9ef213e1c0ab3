//! Where the work stands: what has happened so far in the session that goes on now.

use super::thing::Signal;
use super::traces::PastSession;
use super::weights::SIGNALS;
use mnemic_model::Timestamp;
use mnemic_model::session::Thing;

#[derive(Debug, Clone)]
pub struct Situation<'a> {
    /// The session that goes on: it is not part of the past, even where it has left traces.
    pub session: Option<&'a str>,
    /// All that happened in it. What is here is not predicted again.
    pub signals: &'a [Signal],
    pub now: Timestamp,
}

impl<'a> Situation<'a> {
    /// Each thing once, the latest first; of the same time, what stands last comes first.
    pub(crate) fn latest(&self) -> Vec<&'a Thing> {
        let mut signals: Vec<&Signal> = self.signals.iter().collect();
        signals.sort_by_key(|signal| signal.at);
        let mut latest: Vec<&Thing> = Vec::new();
        for signal in signals.into_iter().rev() {
            if latest.len() < SIGNALS && !latest.contains(&&signal.thing) {
                latest.push(&signal.thing);
            }
        }
        latest
    }

    pub(crate) fn is_past(&self, session: &PastSession) -> bool {
        self.session.is_none_or(|current| *session.id != *current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_signals_are_kept_once_each() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000).expect("a small time");
        let mut signals: Vec<Signal> =
            (0..12).map(|n| Signal::new(Thing::file(format!("{n}")), at(n))).collect();
        signals.push(Signal::new(Thing::file("11"), at(5)));
        signals.push(Signal::new(Thing::file("late"), at(11)));
        let situation = Situation { session: None, signals: &signals, now: at(20) };
        let names: Vec<&str> = situation.latest().iter().map(|thing| &*thing.name).collect();
        assert_eq!(names, ["late", "11", "10", "9", "8", "7", "6", "5"]);
    }
}
