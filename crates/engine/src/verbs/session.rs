//! Sessions from start to end: what happens in them, when memory may speak up, what came of it.

use super::predict::by_name;
use crate::{Engine, Error, ErrorKind, Result, StoreName};
use mnemic_model::body::Outcome;
use mnemic_model::session::{
    Due, Economics, EventKind, Focus, Injection, Level, Session, SessionEvent, SessionId, Stir,
    Thing, ThingKind, due,
};
use mnemic_model::topic::TopicAct;
use mnemic_model::{Digest, Kind, RecordId, Timestamp, Use};
use mnemic_recall::Found;
use mnemic_recall::context::UNCITED;
use mnemic_recall::economics::{Finding, Moment, evaluate};
use mnemic_store::sqlite::SqliteStore;
use mnemic_text::failure;
use mnemic_text::stems::query_terms;
use mnemic_text::task::TaskType;
use std::collections::BTreeSet;

/// An error is known when memory is at least this sure to speak of it.
pub const KNOWN: f64 = 0.5;

/// Of what memory knows of an error, so much is named: more is for `recall`.
const MOST_KNOWN: usize = 3;

/// How a session begins.
#[derive(Debug, Clone, Default)]
pub struct SessionStart {
    /// The host's own name for it.
    pub id: Option<SessionId>,
    pub host: Option<String>,
    pub agent: Option<String>,
    /// Tokens that the window holds.
    pub window: Option<u64>,
    /// The first message: what the session is about. It is not kept.
    pub about: Option<String>,
}

/// Something that happened, as a host tells it.
#[derive(Debug, Clone)]
pub struct Signal {
    pub kind: EventKind,
    /// Tokens in the window, or whatever there is to count.
    pub amount: f64,
    /// What was said, to compare with; it is not kept.
    pub text: Option<String>,
    /// What was touched; this is kept, by name.
    pub touched: Option<Thing>,
    /// The host wants to be told on every prompt.
    pub on_every_prompt: bool,
}

impl Signal {
    pub fn new(kind: EventKind) -> Signal {
        Signal { kind, amount: 0.0, text: None, touched: None, on_every_prompt: false }
    }
}

/// A memory that speaks of an error, to be opened by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAnswer {
    pub id: RecordId,
    pub kind: Kind,
    pub text: String,
}

/// What follows from something that happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Noted {
    /// Why memories should be put before the agent now; usually they should not.
    pub due: Option<Due>,
    /// What had been put there and went out with a compaction, in its order.
    pub again: Vec<RecordId>,
    /// What memory knows of an error, the best first.
    pub known: Vec<KnownAnswer>,
    /// Something to tell the agent.
    pub warning: Option<String>,
    /// What maintenance will do about the price of memory.
    pub findings: Vec<Finding>,
}

/// What a session comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionEnded {
    pub economics: Economics,
    pub findings: Vec<Finding>,
    /// Memories that were shown in it, and cited.
    pub shown: usize,
    pub cited: usize,
    /// Maintenance that could not be done yet.
    pub waiting: Vec<String>,
}

/// A session with all that is kept of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionView {
    pub session: Session,
    pub events: Vec<SessionEvent>,
    pub shown: Vec<Injection>,
    pub economics: Economics,
}

impl Engine {
    pub fn session_start(&self, start: SessionStart) -> Result<Session> {
        let now = self.now();
        let random = || SessionId::from_random(self.settings.random.bits());
        let session = Session {
            id: start.id.unwrap_or_else(random),
            host: start.host,
            agent: start.agent,
            started_at: now,
            ended_at: None,
            focus: self.focus(start.about.as_deref())?,
            window: start.window,
            filled: 0,
            outcome: None,
        };
        let mut tx = self.session_store()?.write()?;
        if let Some(old) = tx.session(&session.id)?
            && old.ended_at.is_none()
        {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("the session `{}` is open already", session.id),
            )
            .hint(format!("go on with it, or `mnemic session end {}`", session.id)));
        }
        tx.put_session(&session)?;
        tx.note_event(&session.id, &SessionEvent { at: now, kind: EventKind::Start, amount: 0.0 })?;
        tx.commit()?;
        Ok(session)
    }

    /// Notes what happened and says what follows. The text is compared and forgotten.
    pub fn session_note(&self, id: &SessionId, signal: &Signal) -> Result<Noted> {
        let mut session = self.require_open(id)?;
        let focus = self.focus(signal.text.as_deref())?;
        let is_prompt = signal.kind == EventKind::Prompt;
        let distance = if is_prompt { session.focus.distance(&focus) } else { 0.0 };
        let known = match (&signal.text, signal.kind) {
            (Some(text), EventKind::Error) => self.known_answers(text)?,
            _ => Vec::new(),
        };
        let is_known = !known.is_empty();
        let Signal { kind, on_every_prompt, .. } = *signal;
        let due = due(Stir { kind, distance, is_known, on_every_prompt });
        let shifted = due == Some(Due::TopicShift);
        if shifted || (is_prompt && session.focus == Focus::default()) {
            session.focus = focus;
        }
        let warning = fill(&mut session, signal);
        self.write_note(&session, signal, shifted.then_some(distance))?;
        let again = match due {
            Some(Due::Compaction) => self.shown_so_far(id)?,
            _ => Vec::new(),
        };
        let findings = match kind {
            EventKind::TaskDone => self.after_task(id)?,
            _ => Vec::new(),
        };
        Ok(Noted { due, again, known, warning, findings })
    }

    /// What memory knows of an error: it is sure to, or it names the error itself.
    fn known_answers(&self, error: &str) -> Result<Vec<KnownAnswer>> {
        let mut question = self.question(failure::telling(error));
        question.task = Some(TaskType::Debugging);
        let answer = |found: Found| KnownAnswer {
            kind: found.version.kind(),
            text: crate::Level::summary_line(&found.version.content),
            id: found.version.id,
        };
        let is_known = |found: &Found| {
            found.evidence >= KNOWN
                || failure::speaks_of(&found.version.content.body.full_text(), error)
        };
        let known = self.recall(&question)?.found.into_iter().filter(is_known);
        Ok(known.take(MOST_KNOWN).map(answer).collect())
    }

    fn write_note(&self, session: &Session, signal: &Signal, shift: Option<f64>) -> Result<()> {
        let at = self.now();
        let mut tx = self.session_store()?.write()?;
        let event = SessionEvent { at, kind: signal.kind, amount: signal.amount };
        tx.note_event(&session.id, &event)?;
        if let (Some(amount), EventKind::Prompt) = (shift, signal.kind) {
            let shifted = SessionEvent { at, kind: EventKind::TopicShift, amount };
            tx.note_event(&session.id, &shifted)?;
        }
        for thing in signal.touched.iter().flat_map(by_name) {
            tx.note_trace(&session.id, &thing, at)?;
        }
        tx.put_session(session)?;
        Ok(tx.commit()?)
    }

    /// Notes what tools touched, each with its time, all at once.
    pub fn session_touched(&self, id: &SessionId, touched: &[(Thing, Timestamp)]) -> Result<()> {
        self.require_open(id)?;
        let mut tx = self.session_store()?.write()?;
        for (thing, at) in touched {
            let event = SessionEvent { at: *at, kind: EventKind::Tool, amount: 0.0 };
            tx.note_event(id, &event)?;
            tx.note_trace(id, thing, *at)?;
        }
        Ok(tx.commit()?)
    }

    /// What a text is about, as numbers that only tell near from far. Writes nothing.
    pub fn focus_of(&self, text: &str) -> Result<Focus> {
        self.focus(Some(text))
    }

    /// Notes that memories were put before the agent, in one tier of a context.
    pub fn session_shown(
        &self,
        id: &SessionId,
        tier: &str,
        shown: &[(RecordId, Level, usize)],
    ) -> Result<()> {
        self.require_open(id)?;
        self.note_injections(id, tier, shown)?;
        let ids: Vec<&str> = shown.iter().map(|(record, ..)| record.as_str()).collect();
        self.record_use(&ids, Use::Loaded, None)?;
        let all: u64 = self.layers_index(None, 0)?.tokens;
        self.charge(id, |spent| {
            spent.all_tokens = spent.all_tokens.max(all);
            for (_, level, tokens) in shown {
                match level {
                    Level::Full | Level::Summary => spent.read_tokens += *tokens as u64,
                    Level::Compressed | Level::Index => spent.discovery_tokens += *tokens as u64,
                }
            }
        })?;
        Ok(())
    }

    /// Ends a session: counts what was used, evaluates its price and does what follows from that.
    pub fn session_end(
        &self,
        id: &SessionId,
        outcome: Option<Outcome>,
        cited: &[&str],
    ) -> Result<SessionEnded> {
        let session = self.require_open(id)?;
        let mut applied = BTreeSet::new();
        for id in cited {
            applied.insert(self.locate(id)?);
        }
        let (shown, cited) = self.settle_session(id, outcome, &applied)?;
        let now = self.now();
        let mut tx = self.session_store()?.write()?;
        tx.put_session(&Session { ended_at: Some(now), outcome, ..session })?;
        tx.note_event(id, &SessionEvent { at: now, kind: EventKind::End, amount: 0.0 })?;
        let economics = tx.economics(id)?;
        tx.commit()?;
        let findings = self.plan(id, &economics, Moment::SessionEnd)?;
        let waiting = self.maintain()?;
        let economics = self.session_store()?.read()?.economics(id)?;
        Ok(SessionEnded { economics, findings, shown, cited, waiting })
    }

    /// Writes what came of everything shown; how many memories that were, and how many were cited.
    fn settle_session(
        &self,
        id: &SessionId,
        outcome: Option<Outcome>,
        applied: &BTreeSet<(StoreName, RecordId)>,
    ) -> Result<(usize, usize)> {
        let now = self.now();
        let (mut count, mut applied_in_all) = (0, 0);
        for (name, store) in self.stores() {
            let cited: Vec<RecordId> = applied
                .iter()
                .filter(|(place, _)| *place == name)
                .map(|(_, record)| record.clone())
                .collect();
            let mut tx = store.write()?;
            let shown = tx.shown_in(id)?;
            let earlier = shown.iter().filter(|one| one.cited).map(|one| one.record.clone());
            let cited: BTreeSet<RecordId> = cited.into_iter().chain(earlier).collect();
            let cited: Vec<RecordId> = cited.into_iter().collect();
            tx.settle_shown(id, &cited, outcome)?;
            applied_in_all += cited.len();
            for record in &cited {
                tx.note_trace(id, &Thing::new(ThingKind::Memory, record.as_str()), now)?;
            }
            let whole = |one: &&Injection| {
                one.tier != UNCITED && matches!(one.level, Level::Full | Level::Summary)
            };
            let read: BTreeSet<RecordId> =
                shown.iter().filter(whole).map(|one| one.record.clone()).collect();
            count += shown.iter().map(|one| &one.record).collect::<BTreeSet<_>>().len();
            for record in read.iter().chain(cited.iter().filter(|one| !read.contains(one))) {
                let mut usage = tx.usage(record)?;
                let is_cited = cited.contains(record);
                let event = if is_cited { Use::Referenced } else { Use::Ignored };
                usage.record(event, now, None, 0);
                if outcome == Some(Outcome::Success) {
                    usage.record(Use::Succeeded, now, None, 0);
                }
                tx.set_usage(record, &usage)?;
                // Whatever was found useful again stands where it stood.
                if let Some(topic) = tx.topic_of(record)?.filter(|_| is_cited) {
                    let whole = topic.name.rsplit_once('/').map(|(whole, _)| whole);
                    for name in [Some(topic.name.as_str()), whole].into_iter().flatten() {
                        tx.drop_topic_rule(&topic.namespace, name, TopicAct::Sink)?;
                    }
                }
            }
            tx.commit()?;
        }
        Ok((count, applied_in_all))
    }

    pub fn session_show(&self, id: &SessionId) -> Result<SessionView> {
        let session = self.require_session(id)?;
        let mut shown = Vec::new();
        for (_, store) in self.stores() {
            shown.extend(store.read()?.shown_in(id)?);
        }
        shown.sort_by_key(|one| one.at);
        let read = self.session_store()?.read()?;
        let (events, economics) = (read.session_events(id)?, read.economics(id)?);
        Ok(SessionView { session, events, shown, economics })
    }

    /// The latest sessions, newest first.
    pub fn session_list(&self, limit: usize) -> Result<Vec<Session>> {
        Ok(self.session_store()?.read()?.sessions(limit)?)
    }

    /// The session of this name, or the one that it is the unique beginning of.
    pub fn session_named(&self, name: &str) -> Result<SessionId> {
        let id = SessionId::parse(name)?;
        let read = self.session_store()?.read()?;
        if read.session(&id)?.is_some() {
            return Ok(id);
        }
        let some = read.sessions(1_000)?;
        let mut alike = some.into_iter().filter(|one| one.id.as_str().starts_with(name));
        match (alike.next(), alike.next()) {
            (Some(only), None) => Ok(only.id),
            _ => Err(not_found(name)),
        }
    }

    pub(super) fn session_store(&self) -> Result<&SqliteStore> {
        self.store(self.main_store()?)
    }

    fn require_session(&self, id: &SessionId) -> Result<Session> {
        let found = self.session_store()?.read()?.session(id)?;
        found.ok_or_else(|| not_found(id.as_str()))
    }

    pub(super) fn require_open(&self, id: &SessionId) -> Result<Session> {
        let session = self.require_session(id)?;
        match session.ended_at {
            None => Ok(session),
            Some(at) => Err(Error::new(
                ErrorKind::Conflict,
                format!("the session `{id}` has ended at {at}"),
            )
            .hint("begin another with `mnemic session start`")),
        }
    }

    /// What was shown since the start, each memory once, in the order of showing.
    fn shown_so_far(&self, id: &SessionId) -> Result<Vec<RecordId>> {
        let mut seen = BTreeSet::new();
        let shown = self.session_show(id)?.shown.into_iter();
        Ok(shown.map(|one| one.record).filter(|record| seen.insert(record.clone())).collect())
    }

    /// Changes the counters of a session.
    pub(super) fn charge(
        &self,
        id: &SessionId,
        change: impl FnOnce(&mut Economics),
    ) -> Result<Economics> {
        let mut tx = self.session_store()?.write()?;
        let mut economics = tx.economics(id)?;
        change(&mut economics);
        tx.put_economics(id, &economics)?;
        tx.commit()?;
        Ok(economics)
    }

    /// Leaves what should be done about the price to maintenance.
    pub(super) fn plan(
        &self,
        id: &SessionId,
        economics: &Economics,
        moment: Moment,
    ) -> Result<Vec<Finding>> {
        let findings = evaluate(economics, moment);
        if !findings.is_empty() {
            let mut tx = self.session_store()?.write()?;
            for finding in &findings {
                tx.enqueue(finding.action.job(), id.as_str())?;
            }
            tx.commit()?;
        }
        Ok(findings)
    }

    fn after_task(&self, id: &SessionId) -> Result<Vec<Finding>> {
        let economics = self.session_store()?.read()?.economics(id)?;
        let findings = self.plan(id, &economics, Moment::AfterTask)?;
        self.maintain()?;
        self.charge(id, |spent| spent.task_full_loads = 0)?;
        Ok(findings)
    }

    /// What a text is about, without its words.
    fn focus(&self, text: Option<&str>) -> Result<Focus> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Ok(Focus::default());
        };
        let terms = query_terms(text).iter().map(|term| number(term)).collect();
        let mut asked = self.question(text);
        asked.switches.aspects = false;
        let asked = self.with_vectors(&asked)?;
        let vector = asked.vectors.into_iter().next().map(|one| one.vector);
        Ok(Focus { terms, vector: vector.unwrap_or_default() })
    }
}

fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no session `{name}`"))
        .hint("`mnemic session list` shows those there are")
}

fn number(term: &str) -> u32 {
    let Digest(bytes) = Digest::of("focus", [term.as_bytes()]);
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Follows the window; the warning when its quality has become worse.
fn fill(session: &mut Session, signal: &Signal) -> Option<String> {
    let before = session.fill().map(|fill| fill.quality());
    match signal.kind {
        EventKind::WindowFill => session.filled = signal.amount.max(0.0) as u64,
        EventKind::Compaction => session.filled = 0,
        _ => return None,
    }
    let after = session.fill()?;
    after.warning().filter(|_| before < Some(after.quality()))
}
