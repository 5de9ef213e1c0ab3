//! Traces held in memory: for tests, for replays, and for whoever has no store at hand.

use super::thing::Trace;
use super::traces::{PastSession, Traces};
use mnemic_model::session::Thing;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Recorded {
    sessions: Vec<PastSession>,
    by_id: HashMap<Arc<str>, usize>,
    by_thing: HashMap<Thing, Vec<usize>>,
}

impl Recorded {
    pub fn new() -> Recorded {
        Recorded::default()
    }

    pub fn add(&mut self, trace: Trace) {
        let Trace { session, thing, at } = trace;
        let place = *self.by_id.entry(session.clone()).or_insert(self.sessions.len());
        if place == self.sessions.len() {
            self.sessions.push(PastSession { id: session, at, things: Vec::new() });
        }
        let session = &mut self.sessions[place];
        session.at = session.at.max(at);
        if !session.things.contains(&thing) {
            self.by_thing.entry(thing.clone()).or_default().push(place);
            session.things.push(thing);
        }
    }

    pub fn knows(&self, thing: &Thing) -> bool {
        self.by_thing.contains_key(thing)
    }

    fn latest(&self, mut places: Vec<usize>, limit: usize) -> Vec<PastSession> {
        let order = |place: &usize| (Reverse(self.sessions[*place].at), &self.sessions[*place].id);
        if places.len() > limit {
            places.select_nth_unstable_by(limit, |a, b| order(a).cmp(&order(b)));
            places.truncate(limit);
        }
        places.sort_by(|a, b| order(a).cmp(&order(b)));
        places.into_iter().map(|place| self.sessions[place].clone()).collect()
    }
}

impl Traces for Recorded {
    type Error = Infallible;

    fn sessions_with(&self, thing: &Thing, limit: usize) -> Result<Vec<PastSession>, Infallible> {
        let places = self.by_thing.get(thing).cloned().unwrap_or_default();
        Ok(self.latest(places, limit))
    }

    fn last_sessions(&self, limit: usize) -> Result<Vec<PastSession>, Infallible> {
        Ok(self.latest((0..self.sessions.len()).collect(), limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::Timestamp;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000).expect("a small time")
    }

    fn recorded(uses: &[(&str, &str, i64)]) -> Recorded {
        let mut recorded = Recorded::new();
        for (session, file, second) in uses {
            let thing = Thing::file(*file);
            recorded.add(Trace { session: (*session).into(), thing, at: at(*second) });
        }
        recorded
    }

    fn ids(sessions: Vec<PastSession>) -> Vec<String> {
        sessions.into_iter().map(|session| session.id.to_string()).collect()
    }

    #[test]
    fn the_latest_sessions_come_first_and_stay_within_the_limit() {
        let past = recorded(&[("a", "x", 1), ("b", "x", 3), ("c", "y", 2), ("a", "y", 9)]);
        let with = |file| ids(past.sessions_with(&Thing::file(file), 9).expect("in memory"));
        assert_eq!(with("x"), ["a", "b"]);
        assert_eq!(with("y"), ["a", "c"]);
        assert_eq!(with("z"), Vec::<String>::new());
        assert_eq!(ids(past.last_sessions(2).expect("in memory")), ["a", "b"]);
        assert_eq!(ids(past.last_sessions(0).expect("in memory")), Vec::<String>::new());
    }

    #[test]
    fn a_thing_used_twice_is_one_thing_of_the_session() {
        let past = recorded(&[("a", "x", 1), ("a", "x", 2)]);
        let sessions = past.last_sessions(9).expect("in memory");
        assert_eq!(sessions[0].things, [Thing::file("x")]);
        assert_eq!(sessions[0].at, at(2));
    }
}
