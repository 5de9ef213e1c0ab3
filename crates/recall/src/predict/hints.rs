//! Looks at the past and notes, for everything that could come next, what speaks for it.

use super::activation::presence;
use super::closeness::{self, Words};
use super::situation::Situation;
use super::traces::PastSession;
use super::weights::DOUBT;
use mnemic_model::Timestamp;
use mnemic_model::session::{Thing, ThingKind};
use std::collections::HashMap;

/// What speaks for one candidate. Everything is between 0 and 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hint {
    /// By signal: its share of the signal's sessions, each split evenly among what it used.
    pub(crate) together: Vec<f64>,
    /// By signal: the share of the signal's sessions that used it.
    pub(crate) often: Vec<f64>,
    /// The share of the latest sessions that used it.
    pub(crate) activation: f64,
    /// One over its place among what was used last.
    pub(crate) recency: f64,
    pub(crate) place: f64,
    pub(crate) name: f64,
}

impl Hint {
    /// Whether it stands near a signal, by its folder or by its name.
    pub(crate) fn is_near(&self) -> bool {
        self.place > 0.0 || self.name > 0.0
    }
}

/// All that was noted.
#[derive(Debug)]
pub(crate) struct Hinted<'a> {
    pub(crate) candidates: Vec<(Thing, Hint)>,
    /// The signals, and how much each has to say.
    pub(crate) voices: Vec<(&'a Thing, f64)>,
    /// How far the session has come: 0 at its first file, towards 1 as it goes on.
    pub(crate) late: f64,
}

#[derive(Debug)]
pub(crate) struct Hints<'a> {
    wanted: &'a [ThingKind],
    now: Timestamp,
    pub(crate) signals: Vec<&'a Thing>,
    voices: Vec<f64>,
    /// How many wanted things the session has used already.
    used: usize,
    /// Where a candidate stands; nowhere for what is in use already.
    places: HashMap<Thing, Option<usize>>,
    candidates: Vec<(Thing, Hint)>,
}

impl<'a> Hints<'a> {
    pub(crate) fn new(situation: &Situation<'a>, wanted: &'a [ThingKind]) -> Hints<'a> {
        let signals = situation.latest();
        let seen = situation.signals.iter().map(|signal| (signal.thing.clone(), None));
        let places: HashMap<Thing, Option<usize>> = seen.collect();
        Hints {
            wanted,
            now: situation.now,
            voices: vec![0.0; signals.len()],
            signals,
            used: places.keys().filter(|thing| wanted.contains(&thing.kind)).count(),
            places,
            candidates: Vec::new(),
        }
    }

    /// What was used together with a signal: each session counts by its presence and is shared
    /// among what it used, so that one that touched everything tells little about each.
    pub(crate) fn together(&mut self, index: usize, sessions: &[PastSession]) {
        let Some(newest) = sessions.first().map(|session| presence(session.at, self.now)) else {
            return;
        };
        // Of two signals the later tells more about what comes.
        self.voices[index] = 1.0 / (1.0 + index as f64).sqrt();
        let shares = self.shares(sessions, DOUBT * newest);
        for (session, share) in sessions.iter().zip(shares) {
            let signal = self.signals[index];
            let others =
                session.things.iter().filter(|thing| self.wants(thing) && *thing != signal);
            let split = share / others.count().max(1) as f64;
            for thing in &session.things {
                if let Some(hint) = self.hint(thing) {
                    hint.together[index] += split;
                    hint.often[index] += share;
                }
            }
        }
    }

    /// What was used lately, whatever the signals; and how common the signals are: one that every
    /// session has, as a person or a lock file, has nothing to say beside a rare one.
    pub(crate) fn lately(&mut self, sessions: &[PastSession]) {
        let mut common = vec![0.0; self.signals.len()];
        let mut place = 1;
        for (session, share) in sessions.iter().zip(self.shares(sessions, 0.0)) {
            let mut fresh = 0;
            for thing in &session.things {
                if let Some(index) = self.signals.iter().position(|signal| *signal == thing) {
                    common[index] += share;
                }
                let Some(hint) = self.hint(thing) else { continue };
                hint.activation += share;
                if hint.recency == 0.0 {
                    hint.recency = 1.0 / f64::from(place);
                    fresh += 1;
                }
            }
            place += fresh;
        }
        for (voice, common) in self.voices.iter_mut().zip(common) {
            *voice *= 1.0 - 0.95 * common.min(1.0);
        }
    }

    /// All candidates, with how near they stand to the nearest signal.
    pub(crate) fn finish(mut self) -> Hinted<'a> {
        let files = self.signals.iter().filter(|signal| signal.kind == ThingKind::File);
        let files: Vec<(&str, Words)> =
            files.map(|signal| (&*signal.name, Words::of(&signal.name))).collect();
        for (thing, hint) in &mut self.candidates {
            if thing.kind == ThingKind::File {
                let words = Words::of(&thing.name);
                for (path, signal) in &files {
                    hint.place = hint.place.max(closeness::place(&thing.name, path));
                    hint.name = hint.name.max(words.like(signal));
                }
            }
        }
        Hinted {
            candidates: self.candidates,
            voices: self.signals.into_iter().zip(self.voices).collect(),
            late: 1.0 - 1.0 / self.used.max(1) as f64,
        }
    }

    fn wants(&self, thing: &Thing) -> bool {
        self.wanted.contains(&thing.kind)
    }

    /// What each session counts for; with the doubt they add up to 1.
    fn shares(&self, sessions: &[PastSession], doubt: f64) -> Vec<f64> {
        let mut shares: Vec<f64> =
            sessions.iter().map(|session| presence(session.at, self.now)).collect();
        let all = shares.iter().sum::<f64>() + doubt;
        shares.iter_mut().for_each(|share| *share /= all);
        shares
    }

    /// Nothing for what is not wanted or in use already.
    fn hint(&mut self, thing: &Thing) -> Option<&mut Hint> {
        if !self.wants(thing) {
            return None;
        }
        let place = match self.places.get(thing) {
            Some(place) => *place,
            None => Some(self.add(thing)),
        };
        place.map(|place| &mut self.candidates[place].1)
    }

    fn add(&mut self, thing: &Thing) -> usize {
        let zeros = vec![0.0; self.signals.len()];
        let hint = Hint { together: zeros.clone(), often: zeros, ..Hint::default() };
        self.candidates.push((thing.clone(), hint));
        self.places.insert(thing.clone(), Some(self.candidates.len() - 1));
        self.candidates.len() - 1
    }
}
