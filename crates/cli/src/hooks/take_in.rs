//! Taking in what waits in the inbox: sessions, what they were shown, and at last their transcripts.

use super::event::{Event, Happened};
use super::inbox::{Inbox, Item, Shown, Waiting, refuse};
use super::notebook;
use super::seat::Seat;
use mnemic_engine::model::session::{EventKind, Level, SessionId, Thing};
use mnemic_engine::model::{RecordId, Timestamp};
use mnemic_engine::{
    CaptureAsk, Engine, Error, ErrorKind, Format, Note, Result, SessionStart, Signal,
};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

/// Versions that get their vectors at once; the others wait for `mnemic embed`.
const EMBEDDED: u64 = 512;

/// What became of what waited.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    pub(crate) done: usize,
    pub(crate) refused: Vec<Error>,
    /// What keeps the rest waiting.
    pub(crate) stopped: Option<Error>,
}

/// Takes in everything, in order, as long as there is time. `go_on` is asked before every step.
pub(crate) fn all(inbox: &Inbox, engine: &Engine, go_on: &dyn Fn() -> bool) -> Taken {
    let mut taken = Taken::default();
    let Some(_lock) = inbox.lock() else { return taken };
    let clerk = Clerk { inbox, engine, go_on };
    let waiting = inbox.waiting();
    let mut captured = false;
    for group in waiting.chunk_by(is_one_go) {
        if !go_on() {
            return taken;
        }
        match clerk.one_go(group) {
            Ok(()) => taken.done += group.len(),
            Err(error) if is_hopeless(&error) => {
                group.iter().for_each(|one| refuse(&one.path));
                taken.refused.push(error);
                continue;
            }
            Err(error) => {
                taken.stopped = Some(error);
                return taken;
            }
        }
        captured |= group.iter().any(|one| is_capturing(&one.item));
        for one in group {
            // Left there, it would be taken in again, which changes little.
            let _ = fs::remove_file(&one.path);
        }
    }
    if captured {
        // They are found by words until then; trouble here is told by `mnemic embed`.
        let _ = engine.embed_waiting(EMBEDDED, &mut |_| go_on());
    }
    taken
}

/// Tools of the same session are written in one transaction.
fn is_one_go(a: &Waiting, b: &Waiting) -> bool {
    match (&a.item, &b.item) {
        (Item::Event(a), Item::Event(b)) => {
            let is_tool = |event: &Event| matches!(event.happened, Happened::Tool { .. });
            is_tool(a) && is_tool(b) && a.session == b.session
        }
        _ => false,
    }
}

fn is_capturing(item: &Item) -> bool {
    let Item::Event(event) = item else { return false };
    matches!(event.happened, Happened::Compaction | Happened::Stop { .. } | Happened::End)
}

/// Whether it would fail in the same way tomorrow.
fn is_hopeless(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Invalid | ErrorKind::NotFound | ErrorKind::Conflict)
}

/// Whoever takes in.
struct Clerk<'a> {
    inbox: &'a Inbox,
    engine: &'a Engine,
    go_on: &'a dyn Fn() -> bool,
}

impl Clerk<'_> {
    fn one_go(&self, group: &[Waiting]) -> Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        match &first.item {
            Item::Shown { session, shown } => {
                note_shown(self.engine, &SessionId::parse(session)?, shown)
            }
            Item::Event(event) => match &event.happened {
                Happened::Tool { .. } => touched(self.engine, event, group),
                _ => self.happened(event, group),
            },
        }
    }

    fn happened(&self, event: &Event, group: &[Waiting]) -> Result<()> {
        let engine = self.engine;
        let id = SessionId::parse(&event.session)?;
        let note = |kind: EventKind| -> Result<()> {
            open(engine, event, &id)?;
            engine.session_note(&id, &Signal::new(kind)).map(drop)
        };
        match &event.happened {
            Happened::Start { again: true } => note(EventKind::Compaction),
            Happened::Start { again: false } => open(engine, event, &id),
            Happened::Prompt { .. } => note(EventKind::Prompt),
            Happened::Failure { .. } => {
                note(EventKind::Error)?;
                touched(engine, event, group)
            }
            Happened::Stop { said } => {
                open(engine, event, &id)?;
                engine.cite(&id, said)?;
                if event.host.has_transcript() { Ok(()) } else { self.capture(event) }
            }
            Happened::Compaction => self.capture(event),
            Happened::End => self.end(event, &id),
            Happened::Tool { .. } | Happened::SubagentStart { .. } => Ok(()),
        }
    }

    fn end(&self, event: &Event, id: &SessionId) -> Result<()> {
        if is_open(self.engine, id) {
            self.engine.session_end(id, None, &[])?;
        }
        self.capture(event)?;
        notebook::throw_away(self.inbox, event);
        Seat::take(self.inbox, event).leave(self.inbox);
        Ok(())
    }

    /// Captures the transcript of a conversation, or the notebook that stands for it.
    fn capture(&self, event: &Event) -> Result<()> {
        let (path, format) = match event.host.has_transcript() {
            true => (event.transcript.clone(), None),
            false => (notebook::path(self.inbox, event), Some(Format::Messages)),
        };
        let Some(path) = path else { return Ok(()) };
        // A conversation in which nothing was said has no transcript.
        let Ok(path) = path.canonicalize() else { return Ok(()) };
        let file = File::open(&path).map_err(|cause| unreadable(&path, cause))?;
        let name = path.to_string_lossy().into_owned();
        let ask = CaptureAsk { name, format, extract: true, dry_run: false };
        let note = Note::because(format!("a session of {}", event.host.as_str()));
        // Reading cannot be stopped in the middle, but it shows that something moves.
        let mut moved = |_| {
            (self.go_on)();
        };
        self.engine.capture_file(file, &ask, &note, &mut moved).map(drop)
    }
}

fn is_open(engine: &Engine, id: &SessionId) -> bool {
    engine.session_show(id).is_ok_and(|view| view.session.ended_at.is_none())
}

/// Begins the session unless it is open: not every host tells of every start.
fn open(engine: &Engine, event: &Event, id: &SessionId) -> Result<()> {
    if is_open(engine, id) {
        return Ok(());
    }
    let start = SessionStart {
        id: Some(id.clone()),
        host: Some(event.host.as_str().to_owned()),
        agent: event.agent.clone(),
        ..SessionStart::default()
    };
    engine.session_start(start).map(drop)
}

fn touched(engine: &Engine, event: &Event, group: &[Waiting]) -> Result<()> {
    let id = SessionId::parse(&event.session)?;
    let mut things = Vec::new();
    for one in group {
        let Item::Event(event) = &one.item else { continue };
        let (Happened::Tool { files, .. } | Happened::Failure { files, .. }) = &event.happened
        else {
            continue;
        };
        let at = Timestamp::from_micros(one.at)?;
        things.extend(files.iter().map(|file| (Thing::file(file.as_str()), at)));
    }
    if things.is_empty() {
        return Ok(());
    }
    open(engine, event, &id)?;
    engine.session_touched(&id, &things)
}

fn note_shown(engine: &Engine, id: &SessionId, shown: &[Shown]) -> Result<()> {
    if !is_open(engine, id) {
        return Ok(());
    }
    let mut tiers: BTreeMap<&str, Vec<(RecordId, Level, usize)>> = BTreeMap::new();
    for one in shown {
        let level: Level = one.level.parse()?;
        let row = (RecordId::parse(&one.id)?, level, one.tokens);
        tiers.entry(&one.tier).or_default().push(row);
    }
    for (tier, rows) in tiers {
        engine.session_shown(id, tier, &rows)?;
    }
    Ok(())
}

fn unreadable(path: &Path, cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Invalid, format!("cannot read the transcript `{}`", path.display()))
        .because(cause)
        .hint("make it readable, then `mnemic capture` it")
}
