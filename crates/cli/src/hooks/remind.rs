//! What an agent is reminded of at an event, if of anything. Only reads.

use super::event::{Event, Happened};
use super::inbox::Shown;
use super::seat::{Seat, Topic};
use crate::settings::{HookSettings, Prompts};
use mnemic_engine::failure::{speaks_of, telling};
use mnemic_engine::model::RecordId;
use mnemic_engine::model::session::SessionId;
use mnemic_engine::recall::context::{Assembled, Profiles, Segment};
use mnemic_engine::tokens::Counter;
use mnemic_engine::{ContextAsk, Engine, KNOWN, Result, TaskType};

/// Tokens for what is known about an error.
const FIX_BUDGET: usize = 500;
/// A prompt has turned to something else when it lies farther than this from the session's topic. The
/// built-in model puts prompts on different things at a cosine of .4 to .6, and those on one thing
/// at .5 to .95; of a short one that goes on and is taken for another topic, nothing comes where
/// nothing answers it.
const SHIFT: f64 = 0.38;
/// Of a prompt, this much is looked for; the rest is pasted material more often than not.
const LONGEST_QUESTION: usize = 4_000;

/// A text for the agent and what it shows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reminder {
    pub(crate) text: String,
    pub(crate) shown: Vec<Shown>,
    /// What the conversation is about from here on.
    pub(crate) topic: Option<Topic>,
}

/// What decides on a reminder beside the event itself.
#[derive(Debug)]
pub(crate) struct Desk<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) settings: HookSettings,
    pub(crate) profiles: Profiles,
    pub(crate) counter: Counter,
    pub(crate) seat: &'a Seat,
}

/// Whether there is anything to ask the store at all. Most events need no store.
pub(crate) fn is_due(event: &Event, seat: &Seat, prompts: Prompts) -> bool {
    match &event.happened {
        Happened::Start { .. } | Happened::SubagentStart { .. } => true,
        Happened::Prompt { text } => {
            let speaks = match prompts {
                Prompts::First => !seat.prompted,
                Prompts::Shift | Prompts::Every => true,
                Prompts::Never => false,
            };
            speaks && is_said(text)
        }
        Happened::Failure { error, .. } => !error.trim().is_empty(),
        _ => false,
    }
}

/// What the store will be asked, where that is known beforehand.
pub(super) fn question(event: &Event) -> Option<String> {
    match &event.happened {
        Happened::Prompt { text } => Some(clipped(text)),
        Happened::Failure { error, .. } => Some(telling(error)),
        Happened::SubagentStart { task } => Some(clipped(task)),
        _ => None,
    }
}

/// What people say to go on with what they are at. There is nothing in it to be reminded of.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "a", "again", "ahead", "all", "alright", "and", "bit", "continue", "correct", "cool", "do", "done", "exactly", "fine",
    "go", "good", "great", "hello", "hey", "hi", "hm", "hmm", "i", "is", "it", "keep", "looks", "me", "more", "much",
    "next", "nice", "no", "nope", "not", "now", "ok", "okay", "on", "once", "one", "perfect", "please", "proceed",
    "retry", "right", "so", "sounds", "stop", "sure", "thank", "thanks", "that", "that's", "thats", "the", "then",
    "this", "thx", "to", "try", "very", "wait", "well", "what", "why", "work", "works", "y", "yeah", "yep", "yes",
    "you",
];

/// Whether a prompt says anything: a bare command such as `/clear` is for the host, and `ok, go on`
/// for whatever is under way.
pub(crate) fn is_said(text: &str) -> bool {
    let text = text.trim();
    let is_command = text.starts_with('/') && !text.contains(char::is_whitespace);
    let low = text.to_lowercase().replace('\u{2019}', "'");
    let mut words =
        low.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty());
    !is_command && words.any(|word| !FILLERS.contains(&word))
}

impl Desk<'_> {
    pub(crate) fn remind(&self, event: &Event) -> Result<Option<Reminder>> {
        let mut topic = None;
        let assembled = match &event.happened {
            Happened::Start { again: true } => self.again(event)?,
            Happened::Start { again: false } => self.brief(event)?,
            Happened::Prompt { text } => {
                topic = self.topic_of(text)?;
                if topic.as_ref().is_some_and(|topic| self.goes_on(topic)) {
                    return Ok(None);
                }
                self.synthesis(event, text)?
            }
            Happened::Failure { error, files, .. } => self.fix(event, error, files)?,
            // Most hosts do not say what it is for: then what binds everybody must do.
            Happened::SubagentStart { task } if task.trim().is_empty() => self.brief(event)?,
            Happened::SubagentStart { task } => self.pack(event, task)?,
            _ => None,
        };
        Ok(assembled.filter(|one| one.empty.is_none()).map(|one| reminder(one, topic)))
    }

    /// Only where it matters: the model needs its time.
    fn topic_of(&self, text: &str) -> Result<Option<Topic>> {
        match self.settings.prompts {
            Prompts::Shift => Ok(Some(self.engine.focus_of(&clipped(text))?.into())),
            _ => Ok(None),
        }
    }

    /// Whether a prompt stays with what the conversation was reminded of.
    fn goes_on(&self, topic: &Topic) -> bool {
        self.seat.prompted && self.seat.topic.distance(topic) <= SHIFT
    }

    fn brief(&self, event: &Event) -> Result<Option<Assembled>> {
        let ask = self.ask("", "brief");
        self.within(ask, event, None, |ask| Ok(self.engine.context(ask)?.assembled))
    }

    /// What the session had in its window before that was thrown away.
    fn again(&self, event: &Event) -> Result<Option<Assembled>> {
        let session = SessionId::parse(&event.session)?;
        let had = match self.engine.session_show(&session) {
            Ok(view) => view.shown.into_iter().map(|one| one.record).collect(),
            Err(_) => self.seat_ids(),
        };
        if had.is_empty() {
            return self.brief(event);
        }
        let budget = Some(self.settings.budget);
        self.within(self.ask("", "brief"), event, budget, |ask| self.engine.context_of(ask, &had))
    }

    fn synthesis(&self, event: &Event, text: &str) -> Result<Option<Assembled>> {
        let ask = self.fresh_only(self.ask(text, "working"));
        let budget = Some(self.settings.budget);
        let mut answers = 0;
        let assembled = self.within(ask, event, budget, |ask| {
            let context = self.engine.context(ask)?;
            answers = context.answers;
            Ok(context.assembled)
        })?;
        // What matters whatever is asked was said when the session began: a prompt that nothing
        // answers, such as a greeting, is no reason to say it.
        Ok(assembled.filter(|_| answers > 0))
    }

    fn fix(&self, event: &Event, error: &str, files: &[String]) -> Result<Option<Assembled>> {
        // In full, also what was mentioned before: an error is asked about to be mended now.
        let mut ask = self.ask(&telling(error), "answer");
        ask.question.task = Some(TaskType::Debugging);
        ask.files = files.to_vec();
        let mut evidence = 0.0;
        let assembled = self.within(ask, event, Some(FIX_BUDGET), |ask| {
            let context = self.engine.context(ask)?;
            evidence = context.evidence;
            Ok(context.assembled)
        })?;
        // Whoever fails a second time has read it, and it did not help.
        let is_news = |one: &Assembled| {
            one.shown.iter().any(|one| !self.seat.tried.iter().any(|id| *id == one.id.as_str()))
        };
        let is_known = |one: &Assembled| evidence >= KNOWN || speaks_of(&one.text, error);
        Ok(assembled.filter(|one| is_known(one) && is_news(one)))
    }

    fn pack(&self, event: &Event, task: &str) -> Result<Option<Assembled>> {
        let segment = Segment { task: clipped(task), ..Segment::default() };
        let budget = Some(self.settings.budget);
        self.within(self.ask(task, "fresh"), event, budget, |ask| {
            Ok(self.engine.hand_out(ask, &segment)?.pack)
        })
    }

    fn ask(&self, text: &str, profile: &str) -> ContextAsk {
        let mut ask = self.engine.context_ask(clipped(text), profile);
        ask.profiles = self.profiles.clone();
        ask.counter = self.counter;
        ask
    }

    /// Leaves out what stands in the window already. Of an episode only a line does.
    fn fresh_only(&self, mut ask: ContextAsk) -> ContextAsk {
        let whole = self.seat_ids().into_iter().filter(|id| !id.as_str().starts_with("ep-"));
        ask.ask.trimmed.extend(whole.map(|id| (id, None)));
        ask
    }

    fn seat_ids(&self) -> Vec<RecordId> {
        self.seat.shown.iter().filter_map(|id| RecordId::parse(id).ok()).collect()
    }

    /// Assembles within the budget and within what the host takes as one text. A text that is too
    /// long is assembled anew with less, so that its fence stays whole.
    fn within(
        &self,
        mut ask: ContextAsk,
        event: &Event,
        budget: Option<usize>,
        mut assemble: impl FnMut(&ContextAsk) -> Result<Assembled>,
    ) -> Result<Option<Assembled>> {
        let longest = event.host.longest();
        ask.ask.budget = budget;
        for _ in 0..4 {
            let assembled = assemble(&ask)?;
            let length = assembled.text.chars().count();
            if length <= longest {
                return Ok(Some(assembled));
            }
            ask.ask.budget = Some(assembled.tokens * longest * 9 / (length * 10));
        }
        Ok(None)
    }
}

fn clipped(text: &str) -> String {
    text.chars().take(LONGEST_QUESTION).collect()
}

fn reminder(assembled: Assembled, topic: Option<Topic>) -> Reminder {
    let shown = assembled.shown.iter().map(|one| Shown {
        id: one.id.to_string(),
        tier: one.tier.clone(),
        level: one.level.as_str().to_owned(),
        tokens: one.tokens,
    });
    Reminder { shown: shown.collect(), text: assembled.text, topic }
}
