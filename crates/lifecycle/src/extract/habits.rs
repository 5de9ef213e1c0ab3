//! What sessions have in common: commands that work, rounds of them, and those that never do.

use super::pitfalls::Pitfalls;
use super::runs::Event;
use super::workflows::Rounds;
use crate::capture::{Head, Origin, Place, Voice, idempotency_key};
use crate::command::{Purpose, parts, purpose_of_part};
use mnemic_model::body::{Episode, Fact};
use mnemic_model::{Body, Draft, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Different commands that are counted; a store full of sessions has a few thousand.
const MOST_COMMANDS: usize = 20_000;
/// Sessions in which a command must have worked before it is a fact.
const FEWEST_SESSIONS: usize = 2;
const LONGEST: usize = 120;

/// What is known about one command.
#[derive(Debug, Default)]
pub(super) struct Habit {
    pub(super) sessions: BTreeSet<String>,
    pub(super) worked: usize,
    failed: usize,
    last: Option<Seen>,
}

/// Where and when something was seen last.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) source: String,
    pub(super) at: Option<Timestamp>,
}

/// A command that was run, wherever that is told.
#[derive(Debug)]
pub(super) struct Ran<'a> {
    pub(super) command: &'a str,
    pub(super) ok: bool,
    pub(super) output: &'a str,
    pub(super) seen: Seen,
}

/// Counts commands over many sessions: from turns as they are read, or from episodes that are stored.
#[derive(Debug)]
pub struct Habits {
    origin: Origin,
    head: Head,
    commands: BTreeMap<String, Habit>,
    rounds: Rounds,
    pitfalls: Pitfalls,
}

impl Habits {
    pub fn new(origin: Origin) -> Habits {
        Habits {
            origin,
            head: Head::default(),
            commands: BTreeMap::new(),
            rounds: Rounds::default(),
            pitfalls: Pitfalls::default(),
        }
    }

    pub fn open(&mut self, head: &Head) {
        self.head = head.clone();
        self.rounds.pause();
        self.pitfalls.pause();
    }

    pub fn see(&mut self, event: &Event) {
        match event {
            Event::Ran(run) => {
                let source = Place::between(&self.origin.file, run.places.0, run.places.1);
                let seen = Seen { source, at: run.at };
                let (command, output) = (run.command.as_str(), run.output.as_str());
                self.ran(&Ran { command, ok: run.ok, output, seen });
            }
            Event::Began(_) => {}
            Event::Edited { .. } => self.edited(),
            Event::Spoke => {
                self.rounds.pause();
                self.pitfalls.pause();
            }
        }
    }

    /// The same from an episode that was captured before, with the source that it was stored with.
    pub fn see_episode(&mut self, episode: &Episode, source: &str, at: Option<Timestamp>) {
        let id = episode.task_id.clone().unwrap_or_else(|| source.to_owned());
        let host = episode.agent.clone().unwrap_or_default();
        self.open(&Head { host, id, ..Head::default() });
        for action in &episode.actions {
            let ok = action.error.is_none();
            let told = ok == action.result.is_some();
            match (action.action.as_str(), &action.target) {
                ("run", Some(command)) if told => {
                    let output = action.error.as_deref().unwrap_or_default();
                    let seen = Seen { source: source.to_owned(), at };
                    self.ran(&Ran { command, ok, output, seen });
                }
                ("edit", _) => self.edited(),
                _ => {}
            }
        }
    }

    fn edited(&mut self) {
        self.rounds.edited();
        self.pitfalls.pause();
    }

    fn ran(&mut self, ran: &Ran<'_>) {
        self.pitfalls.ran(ran, &self.head.id);
        let parts: Vec<String> = parts(ran.command).into_iter().filter(|p| is_plain(p)).collect();
        for part in &parts {
            self.count(part, ran);
        }
        if ran.ok {
            parts.iter().for_each(|part| self.rounds.step(part, &self.head.id, &ran.seen));
        } else {
            self.rounds.pause();
        }
    }

    fn count(&mut self, part: &str, ran: &Ran<'_>) {
        let known = self.commands.len() < MOST_COMMANDS || self.commands.contains_key(part);
        if !known || purpose_of_part(part) == Purpose::Other {
            return;
        }
        let habit = self.commands.entry(part.to_owned()).or_default();
        if ran.ok {
            habit.worked += 1;
            habit.sessions.insert(self.head.id.clone());
            // Stored episodes come in any order.
            if habit.last.as_ref().is_none_or(|last| last.at <= ran.seen.at) {
                habit.last = Some(ran.seen.clone());
            }
        } else {
            habit.failed += 1;
        }
    }

    /// What has become a habit: one command for each purpose and tool, the rounds that recur, and
    /// the pitfalls.
    pub fn drafts(&self) -> Vec<Draft> {
        let mut best: BTreeMap<(Purpose, &str), (&str, &Habit)> = BTreeMap::new();
        for (command, habit) in &self.commands {
            if habit.sessions.len() < FEWEST_SESSIONS || habit.worked <= habit.failed {
                continue;
            }
            let slot = (purpose_of_part(command), command.split(' ').next().unwrap_or_default());
            let best = best.entry(slot).or_insert((command, habit));
            if habit.sessions.len() > best.1.sessions.len() {
                *best = (command, habit);
            }
        }
        let facts = best.into_iter().filter_map(|((purpose, tool), (command, habit))| {
            self.fact(purpose, tool, command, habit)
        });
        let rounds = self.rounds.drafts(&self.origin, &self.head);
        let pitfalls = self.pitfalls.drafts(&self.origin, &self.head);
        facts.chain(rounds).chain(pitfalls).collect()
    }

    fn fact(&self, purpose: Purpose, tool: &str, command: &str, habit: &Habit) -> Option<Draft> {
        let seen = habit.last.as_ref()?;
        let fact = Fact {
            key: format!("{} command", purpose.as_str()),
            value: command.to_owned(),
            within: BTreeMap::from([("tool".to_owned(), tool.to_owned())]),
        };
        let runs = (habit.worked + habit.failed) as f64;
        let confidence = (habit.worked as f64 / runs).min(0.95);
        let source = seen.source.clone();
        let mut about = self.origin.about(&self.head, Voice::Agent, source, confidence);
        about.summary = Some(format!(
            "`{command}` worked {} times in {} sessions",
            habit.worked,
            habit.sessions.len()
        ));
        about.valid_at = seen.at;
        about.category = Some("command".to_owned());
        about.idempotency_key = Some(idempotency_key("command", &[&fact.key, tool, command]));
        Some(Draft { body: Body::Fact(fact), about })
    }
}

/// Short, without a home directory or anything made for one occasion in it.
fn is_plain(part: &str) -> bool {
    let odd = ["/Users/", "/home/", "/tmp/", "/var/", "$", "<<", "`", "http", "TOKEN", "C:\\"];
    part.len() <= LONGEST && !odd.iter().any(|mark| part.contains(mark))
}
