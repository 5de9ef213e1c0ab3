//! One event on its way: kept before anything else, answered in time, taken in at a pause.

use super::deadline::{Job, Without};
use super::event::{Event, Happened};
use super::inbox::{Inbox, Item};
use super::opt_out::{self, Refusal};
use super::remind::{self, Desk, Reminder};
use super::seat::{self, Seat};
use super::take_in::{self, Taken};
use super::{log, notebook};
use crate::commands::context;
use crate::invocation::Invocation;
use crate::report::Failure;
use crate::settings::HookSettings;
use mnemic_engine::model::policy::Door;
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::tokens::{Counter, Encoding};
use mnemic_engine::{Engine, Error, StoreName};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Taking in, while the host is answered.
#[derive(Debug)]
pub(crate) struct Taking {
    job: Job<Result<Taken, Error>>,
    /// Counts steps, so that one that is stuck is told from one that is busy.
    steps: Arc<AtomicUsize>,
    /// The step at which it was found stuck: it is not waited for twice.
    stuck_at: Cell<Option<usize>>,
}

/// Of the deadline, how long nothing may move before nobody waits for it any more: most likely
/// somebody else writes, and the next pause will do.
const STUCK: u32 = 4;

/// One event on its way.
#[derive(Debug)]
pub(crate) struct Visit {
    name: String,
    event: Event,
    deadline: Instant,
    call: Invocation,
    settings: HookSettings,
    inbox: Inbox,
    seat: Seat,
}

impl Visit {
    /// None when there is nothing to be done: no project, or one that wants no hooks.
    pub(crate) fn of(
        name: &str,
        event: Event,
        call: Invocation,
        started: Instant,
    ) -> Option<Visit> {
        let place = call.project();
        if !place.exists && !place.is_bereft() {
            return None;
        }
        let inbox = Inbox::of(&place, call.personal().as_ref());
        let settings = match opt_out::check(&call) {
            Ok(settings) => settings,
            Err(Refusal::Wanted) => return None,
            Err(Refusal::Unclear(why)) => {
                let why =
                    format!("nothing is captured, since it is unclear whether it may be: {why}");
                log::note(&inbox, call.now, &format!("{} {name}", event.host.as_str()), &why);
                return None;
            }
        };
        let limit = event.happened.deadline(settings.deadline, settings.session_deadline);
        let seat = Seat::take(&inbox, &event);
        let deadline = started + limit;
        Some(Visit { name: name.to_owned(), event, deadline, call, settings, inbox, seat })
    }

    fn complain(&self, message: &str) {
        let during = format!("{} {}", self.event.host.as_str(), self.name);
        log::note(&self.inbox, self.call.now, &during, message);
    }

    /// Writes the event down before anything else: from here on it cannot be lost.
    pub(crate) fn keep(&mut self) {
        if let Err(cause) = notebook::write(&self.inbox, &self.event) {
            self.complain(&format!("what was said could not be written down: {cause}"));
        }
        let mut events = vec![self.event.without_words()];
        match &self.event.happened {
            Happened::SubagentStart { .. } => events.clear(),
            Happened::Start { again } => {
                (self.seat.prompted, self.seat.shown) = (*again, Vec::new());
                self.seat.tried.clear();
                let ends = seat::abandoned(&self.inbox, SystemTime::now());
                events.extend(ends.into_iter().filter(|one| one.session != self.event.session));
            }
            _ => {}
        }
        for event in events {
            if let Err(cause) = self.inbox.keep(self.call.now.micros(), Item::Event(event)) {
                self.complain(&format!("the event is lost: {cause}"));
            }
        }
        if matches!(self.event.happened, Happened::Start { .. }) {
            self.seat.keep(&self.inbox);
        }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Takes in what waits, in the background; only at a pause.
    pub(crate) fn take_in(&self) -> Option<Taking> {
        if !self.event.happened.is_pause() {
            return None;
        }
        let (inbox, deadline) = (self.inbox.clone(), self.deadline);
        let settings = self.call.engine_settings();
        let steps = Arc::<AtomicUsize>::default();
        let counted = steps.clone();
        let job = Job::start(move || {
            let engine = Engine::open(settings?)?.through(Door::Hook);
            engine.wait_for_turn(StoreName::Project)?;
            counted.fetch_add(1, Ordering::Relaxed);
            let go_on = || {
                counted.fetch_add(1, Ordering::Relaxed);
                Instant::now() < deadline
            };
            let taken = take_in::all(&inbox, &engine, &go_on);
            inbox.provide();
            Ok(taken)
        });
        Some(Taking { job, steps, stuck_at: Cell::default() })
    }

    pub(crate) fn wait_for(&self, taking: &Option<Taking>, until: Instant) {
        let Some(taking) = taking else { return };
        match self.moving(taking, until) {
            Ok(Ok(taken)) => {
                for error in taken.refused.iter().chain(&taken.stopped) {
                    self.complain(&log::told(error));
                }
            }
            Ok(Err(error)) => self.complain(&log::told(&error)),
            // What did not fit waits in the inbox, and one that was waited for before has told all.
            Err(_) => {}
        }
    }

    /// Waits as long as something moves.
    fn moving(&self, taking: &Taking, until: Instant) -> Result<Result<Taken, Error>, Without> {
        let is_last_chance = matches!(self.event.happened, Happened::End | Happened::Compaction);
        loop {
            let step = taking.steps.load(Ordering::Relaxed);
            // The last chance of a session gets all the time there is, but not while somebody else
            // writes: what is kept is taken in by whoever comes next.
            let stuck = match is_last_chance && step > 0 {
                true => self.settings.session_deadline,
                false => self.settings.deadline / STUCK,
            };
            let patience = match taking.stuck_at.get() == Some(step) {
                true => Duration::ZERO,
                false => stuck,
            };
            let done = taking.job.wait(until.min(Instant::now() + patience));
            let moved = taking.steps.load(Ordering::Relaxed) > step;
            if !matches!(done, Err(Without::Late)) || Instant::now() >= until {
                return done;
            }
            if !moved {
                taking.stuck_at.set(Some(step));
                return done;
            }
        }
    }

    /// What the agent is reminded of, if it comes in time.
    pub(crate) fn remind(&self) -> Option<Reminder> {
        let due = remind::is_due(&self.event, &self.seat, self.settings.prompts);
        if !due || !self.event.host.takes_text(&self.name) {
            return None;
        }
        let (event, seat, settings) = (self.event.clone(), self.seat.clone(), self.settings);
        let open = self.call.engine_settings();
        if let (Ok(settings), Some(question)) = (&open, remind::question(&self.event)) {
            settings.meaning.read_ahead(&question);
        }
        let profiles = self.profiles();
        let counter = self.counter();
        let job = Job::start(move || {
            let engine = Engine::open(open?)?.through(Door::Hook);
            Desk { engine: &engine, settings, profiles, counter, seat: &seat }.remind(&event)
        });
        let why = match job.wait(self.deadline) {
            Ok(Ok(reminder)) => return reminder,
            Ok(Err(error)) => log::told(&error),
            Err(Without::Late) => "there was not enough time to remind of anything".to_owned(),
            Err(Without::Broken) => "a mistake of ours kept us from reminding".to_owned(),
        };
        self.complain(&why);
        None
    }

    /// What is wrong with somebody's profiles keeps nobody from being reminded.
    fn profiles(&self) -> Profiles {
        context::profiles(&self.call).unwrap_or_else(|failure| {
            if let Failure::Error(error) = failure {
                self.complain(&format!("the built-in profiles are used: {}", log::told(&error)));
            }
            Profiles::built_in()
        })
    }

    /// Counts tokens as the model does that reads them.
    fn counter(&self) -> Counter {
        match self.call.resolved().map(|resolved| resolved.context_model.as_str()) {
            Ok("") | Err(_) => Counter::default(),
            Ok(model) => Encoding::for_model(model),
        }
    }

    /// What was handed over is noted for the session, and the seat keeps it in mind.
    pub(crate) fn note_shown(&mut self, reminder: Option<Reminder>) {
        let is_prompt = match &self.event.happened {
            Happened::Prompt { text } => remind::is_said(text),
            _ => false,
        };
        // A prompt that nothing is known about, such as a greeting, leaves its place to the next.
        let Some(Reminder { shown, topic, .. }) = reminder else { return };
        self.seat.prompted |= is_prompt;
        self.seat.topic = topic.unwrap_or_default();
        let ids = shown.iter().map(|one| one.id.clone());
        if matches!(self.event.happened, Happened::Failure { .. }) {
            self.seat.tried.extend(ids.clone());
        }
        self.seat.shown.extend(ids);
        let item = Item::Shown { session: self.event.session.clone(), shown };
        if let Err(cause) = self.inbox.keep(self.call.now.micros(), item) {
            self.complain(&format!("what was shown is not counted: {cause}"));
        }
        self.seat.keep(&self.inbox);
    }
}
