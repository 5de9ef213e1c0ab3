//! One task: what was asked, said and done for it, and how it went.

use super::clip::{clipped, clipped_with_marker};
use super::draft::{Origin, Voice, idempotency_key, stable_id};
use super::outcome::{error_line, succeeded};
use super::tone::{Tone, is_request, tone};
use super::tools::Work;
use super::turn::{Answer, Call, Head, Place, Seat, Turn};
use crate::command::{Purpose, directory, normalised, parts, purpose, purpose_of_part};
use crate::remedy;
use mnemic_model::body::{Action, Episode, Failure, Message, Outcome};
use mnemic_model::{Body, Draft, Kind, RecordId, Timestamp};
use std::collections::BTreeSet;

/// Where an episode is closed although its task goes on, so that memory stays bounded.
const MOST_ACTIONS: usize = 300;
const MOST_MESSAGE_BYTES: usize = 256 * 1024;
/// What is kept of one message, and of a goal.
const KEPT_MESSAGE: usize = 16 * 1024;
pub(super) const KEPT_GOAL: usize = 2000;
pub(super) const KEPT_TARGET: usize = 300;
const MOST_FILES: usize = 100;
/// A pause after which the next words begin something new.
const PAUSE_SECONDS: i64 = 3600;

/// One task as far as it has been seen.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) goal: Option<String>,
    keys: (String, String),
    places: (Place, Place),
    began: Option<Timestamp>,
    ended: Option<Timestamp>,
    messages: Vec<Message>,
    message_bytes: usize,
    actions: Vec<Step>,
    files: BTreeSet<String>,
    edited: BTreeSet<String>,
    errors: Vec<Trouble>,
    commit: Option<String>,
    tone: Tone,
    /// The last check, such as a run of the tests, and whether it passed.
    checked: Option<bool>,
    interrupted: bool,
}

#[derive(Debug)]
struct Step {
    action: Action,
    call: Option<String>,
    answered: bool,
    work: Work,
}

#[derive(Debug)]
struct Trouble {
    failure: Failure,
    command: Option<String>,
    /// What was edited since.
    edited: BTreeSet<String>,
    /// Where among the actions it failed last.
    failed_at: usize,
}

impl Trouble {
    fn is_open(&self) -> bool {
        self.failure.resolution.is_none()
    }

    /// What was done between the failure and the success; nothing is only said where nothing was.
    fn resolution(&self, done: &[Step]) -> String {
        let edited: Vec<&str> = self.edited.iter().map(String::as_str).take(5).collect();
        let (files, ran) = (edited.join(", "), remedy::told(&self.remedies(done)));
        match (files.as_str(), ran.as_str()) {
            ("", "") => match self.moved_to(done) {
                Some(dir) => format!("succeeded when run in `{dir}`"),
                None => "succeeded when run again".to_owned(),
            },
            (files, "") => format!("succeeded after editing {files}"),
            ("", ran) => format!("succeeded after running {ran}"),
            (files, ran) => format!("succeeded after editing {files} and running {ran}"),
        }
    }

    /// The directory in which it worked at last, where it failed in another.
    fn moved_to<'s>(&self, done: &'s [Step]) -> Option<&'s str> {
        let dir = |step: &'s Step| step.action.target.as_deref().and_then(directory);
        let there = done.last().and_then(dir)?;
        (done.get(self.failed_at).and_then(dir) != Some(there)).then_some(there)
    }

    /// Whether a line of commands that succeeds does all that failed: the same, or more around it,
    /// or less of what only prepares a check.
    fn is_covered_by(&self, command: &str) -> bool {
        let Some(failed) = self.command.as_deref().filter(|failed| !failed.is_empty()) else {
            return false;
        };
        let now = parts(command);
        let all = parts(failed);
        let is_check = |part: &&String| {
            matches!(purpose_of_part(part), Purpose::Test | Purpose::Build | Purpose::Lint)
        };
        let checks: Vec<&String> = all.iter().filter(is_check).collect();
        let ran = |part: &String| now.contains(part);
        all.iter().all(ran) || (!checks.is_empty() && checks.into_iter().all(ran))
    }

    /// The last commands since the failure that may have changed something. Many that succeed say
    /// nothing, so that only those are left out that are known to have failed.
    fn remedies(&self, done: &[Step]) -> Vec<String> {
        let failed = self.command.as_deref().unwrap_or_default();
        let mut remedies = Vec::new();
        for step in done.iter().skip(self.failed_at + 1) {
            let may_help = step.work == Work::Run && step.action.error.is_none();
            let line = step.action.target.as_deref().filter(|_| may_help).unwrap_or_default();
            if let Some(found) = remedy::remedy(line, failed) {
                remedy::keep(&mut remedies, found);
            }
        }
        remedies
    }
}

impl Task {
    pub(super) fn begin(turn: &Turn) -> Task {
        Task {
            goal: None,
            keys: (turn.key.clone(), turn.key.clone()),
            places: (turn.place, turn.place),
            began: turn.at,
            ended: turn.at,
            messages: Vec::new(),
            message_bytes: 0,
            actions: Vec::new(),
            files: BTreeSet::new(),
            edited: BTreeSet::new(),
            errors: Vec::new(),
            commit: None,
            tone: Tone::Neutral,
            checked: None,
            interrupted: false,
        }
    }

    /// A person's new request after work was done, or any words after a long pause.
    pub(super) fn is_over(&self, turn: &Turn) -> bool {
        if turn.seat != Seat::Person || self.actions.is_empty() {
            return false;
        }
        let pause = match (self.ended, turn.at) {
            (Some(last), Some(now)) => now.micros() - last.micros() > PAUSE_SECONDS * 1_000_000,
            _ => false,
        };
        let worked = !self.edited.is_empty() || self.actions.len() >= 5;
        pause || (worked && is_request(&turn.text))
    }

    pub(super) fn is_full(&self) -> bool {
        self.actions.len() >= MOST_ACTIONS || self.message_bytes >= MOST_MESSAGE_BYTES
    }

    pub(super) fn has_worked(&self) -> bool {
        !self.actions.is_empty()
    }

    /// What a person says about the work so far, even while asking for the next thing.
    pub(super) fn hear(&mut self, turn: &Turn) {
        let tone = tone(&turn.text);
        if tone != Tone::Neutral {
            self.tone = tone;
        }
        if tone == Tone::Complaint {
            // It ran, but this is not how they want it mended.
            self.errors.iter_mut().for_each(|trouble| trouble.failure.resolution = None);
        }
    }

    pub(super) fn add(&mut self, turn: &Turn) {
        self.keys.1.clone_from(&turn.key);
        self.places.1 = turn.place;
        self.began = self.began.or(turn.at);
        self.ended = turn.at.or(self.ended);
        match &turn.seat {
            Seat::Person => {
                if !self.actions.is_empty() {
                    self.hear(turn);
                }
                let goal = || clipped_with_marker(turn.text.trim(), KEPT_GOAL);
                self.goal.get_or_insert_with(goal);
                self.interrupted = false;
                self.message("person", turn);
            }
            Seat::Agent => self.message("agent", turn),
            Seat::Call(call) => self.call(call, turn),
            Seat::Result(answer) => self.answer(answer, turn),
            Seat::System => {
                self.interrupted |= turn.text.trim().starts_with("[Request interrupted")
            }
            Seat::Thought | Seat::Injected => {}
        }
    }

    fn message(&mut self, role: &str, turn: &Turn) {
        let text = clipped_with_marker(turn.text.trim(), KEPT_MESSAGE);
        self.message_bytes += text.len();
        self.messages.push(Message { role: role.to_owned(), text, at: turn.at });
    }

    fn call(&mut self, call: &Call, turn: &Turn) {
        let t = match (self.began, turn.at) {
            (Some(began), Some(at)) => (at.micros() - began.micros()).max(0) as f64 / 1e6,
            _ => 0.0,
        };
        let target = call.command.as_deref().or(turn.files.first().map(String::as_str));
        let target = target.unwrap_or(&call.tool);
        let action = Action {
            t,
            action: call.work.as_str().to_owned(),
            target: Some(clipped(target, KEPT_TARGET).to_owned()),
            ..Action::default()
        };
        let step = Step { action, call: call.id.clone(), answered: false, work: call.work };
        self.actions.push(step);
        let room = MOST_FILES.saturating_sub(self.files.len());
        self.files.extend(turn.files.iter().take(room).cloned());
        if call.work == Work::Edit {
            self.edited.extend(turn.files.iter().take(room).cloned());
            for trouble in &mut self.errors {
                trouble.edited.extend(turn.files.iter().take(10).cloned());
            }
        }
    }

    fn answer(&mut self, answer: &Answer, turn: &Turn) {
        let fits = |step: &Step| !step.answered && (answer.id.is_none() || step.call == answer.id);
        let Some(at) = self.actions.iter().rposition(fits) else { return };
        let step = &mut self.actions[at];
        step.answered = true;
        let (work, target) = (step.work, step.action.target.clone().unwrap_or_default());
        let went = match work {
            Work::Run => succeeded(answer.ok, &turn.text),
            _ => answer.ok,
        };
        match went {
            Some(true) => step.action.result = Some("ok".to_owned()),
            Some(false) => {
                let line = error_line(&turn.text).unwrap_or("failed");
                step.action.error = Some(clipped(line, KEPT_TARGET).to_owned());
            }
            None => {}
        }
        if work == Work::Run {
            self.ran(at, &target, went, &turn.text);
        }
    }

    fn ran(&mut self, at: usize, target: &str, went: Option<bool>, output: &str) {
        let Some(went) = went else { return };
        let command = normalised(target);
        if matches!(purpose(target), Purpose::Test | Purpose::Build | Purpose::Lint) {
            self.checked = Some(went);
        }
        if went {
            if target.contains("git commit") {
                self.commit = committed(output).or(self.commit.take());
            }
            self.resolve(&command);
        } else if let Some(line) = error_line(output) {
            let failure = Failure {
                error_type: "command".to_owned(),
                message: format!("`{}`: {}", clipped(target, 120), clipped(line, KEPT_TARGET)),
                resolution: None,
            };
            // What was run since the same failure did not help.
            let same = |t: &&mut Trouble| t.is_open() && t.failure.message == failure.message;
            self.errors.iter_mut().filter(same).for_each(|trouble| trouble.failed_at = at);
            let (command, edited) = (Some(command), BTreeSet::new());
            self.errors.push(Trouble { failure, command, edited, failed_at: at });
        }
    }

    /// The same succeeds: whatever failed about it is resolved.
    fn resolve(&mut self, command: &str) {
        let fits = |t: &&mut Trouble| t.is_open() && t.is_covered_by(command);
        for trouble in self.errors.iter_mut().filter(fits) {
            trouble.failure.resolution = Some(trouble.resolution(&self.actions));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.tone, self.checked) {
            (Tone::Complaint, Some(true)) => Some(Outcome::Partial),
            (Tone::Complaint, _) => Some(Outcome::Failure),
            (Tone::Praise, _) => Some(Outcome::Success),
            (_, Some(false)) => Some(Outcome::Failure),
            _ if self.interrupted => Some(Outcome::Partial),
            (_, Some(true)) => Some(Outcome::Success),
            _ => self.actions.last().filter(|s| s.action.error.is_some()).map(|_| Outcome::Partial),
        }
    }

    pub(super) fn into_draft(self, origin: &Origin, head: &Head) -> Option<Draft> {
        let outcome = self.outcome();
        let said = self.messages.first().map(|m| clipped_with_marker(&m.text, KEPT_GOAL));
        let done = self.actions.first().map(|step| {
            format!("{} {}", step.action.action, step.action.target.as_deref().unwrap_or_default())
        });
        let goal = self.goal.or(said).or(done).filter(|goal| !goal.trim().is_empty())?;
        let seconds = match (self.began, self.ended) {
            (Some(from), Some(to)) => Some((to.micros() - from.micros()).max(0) as f64 / 1e6),
            _ => None,
        };
        let episode = Episode {
            goal,
            task_id: Some(head.id.clone()),
            agent: Some(head.host.clone()),
            files: self.files.into_iter().collect(),
            duration_seconds: seconds,
            actions: self.actions.into_iter().map(|step| step.action).collect(),
            messages: self.messages,
            outcome,
            errors: self.errors.into_iter().map(|trouble| trouble.failure).collect(),
            artifacts: self.edited.into_iter().collect(),
            git_commit: self.commit.or(head.commit.clone()),
            git_branch: head.branch.clone(),
            ..Episode::default()
        };
        // An episode mixes voices: it is worth what the least of them is.
        let source = Place::between(&origin.file, self.places.0, self.places.1);
        let mut about = origin.about(head, Voice::Agent, source, 1.0);
        about.valid_at = self.began;
        let key = idempotency_key("episode", &[&head.id, &self.keys.0, &self.keys.1]);
        about.idempotency_key = Some(key);
        about.id = Some(episode_id(&head.id, &self.keys.0));
        Some(Draft { body: Body::Episode(episode), about })
    }
}

/// The same however far the task has come: it depends on where the task begins alone.
fn episode_id(session: &str, first: &str) -> RecordId {
    stable_id(Kind::Episode, &[session, first])
}

/// The commit that git names when it has made one: `[main abc1234] message`.
fn committed(output: &str) -> Option<String> {
    output.lines().find_map(|line| {
        let inside = line.strip_prefix('[')?.split(']').next()?;
        let hash = inside.split_whitespace().next_back()?;
        let is_hash = hash.len() >= 7 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| hash.to_owned())
    })
}
