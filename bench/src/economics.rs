//! Token economics: real sessions are replayed, each with the memory of those before it, and what
//! memory cost them is compared with loading everything.

use crate::recall::cache;
use crate::recall::ingest::Ingested;
use crate::report::{self, Figure, percentile};
use flate2::read::GzDecoder;
use mnemic_engine::model::body::{Body, Episode, Message};
use mnemic_engine::model::session::{Economics, EventKind};
use mnemic_engine::model::{Draft, Timestamp};
use mnemic_engine::recall::layers::{Depth, Loading};
use mnemic_engine::{Engine, Note, SessionStart, Signal};
use serde::Deserialize;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Sessions that are stored before the first one is measured.
const WARM_UP: usize = 20;

/// Prompts of one session that are asked at most.
const PROMPTS: usize = 5;

/// Of one prompt, in words: people paste whole files.
const WORDS: usize = 60;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Keep vectors here between runs
    #[arg(long)]
    cache: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct Session {
    session: String,
    start: String,
    turns: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
struct Turn {
    role: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    files: Vec<String>,
}

/// What one session spent, and how deep its questions went.
struct Replayed {
    spent: Economics,
    depths: Vec<Depth>,
}

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let Some(dir) = std::env::var_os("MNEMIC_BENCH_DATA") else {
        eprintln!("skipped: MNEMIC_BENCH_DATA is not set, and only real sessions tell anything");
        return Ok(());
    };
    let sessions = sessions(&Path::new(&dir).join("sessions/coding.jsonl.gz"))?;
    let place = tempfile::tempdir()?;
    let engine = Ingested::empty(place.path(), &cache::embedder(options.cache.as_deref())?)?.engine;
    let mut replayed = Vec::new();
    for (index, session) in sessions.iter().enumerate() {
        if index >= WARM_UP {
            replayed.push(replay(&engine, session)?);
        }
        store(&engine, session)?;
    }
    report::print(&figures(&replayed), options.json);
    Ok(())
}

fn sessions(path: &Path) -> Result<Vec<Session>, Box<dyn Error>> {
    let lines = BufReader::new(GzDecoder::new(File::open(path)?)).lines();
    let mut sessions: Vec<Session> = lines
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<Result<_, Box<dyn Error>>>()?;
    sessions.sort_by(|a, b| a.start.cmp(&b.start));
    Ok(sessions)
}

impl Session {
    /// What the person said, shortened.
    fn prompts(&self) -> impl Iterator<Item = String> {
        let said = self.turns.iter().filter(|turn| turn.role == "user" && turn.kind == "text");
        said.map(|turn| turn.text.split_whitespace().take(WORDS).collect::<Vec<&str>>().join(" "))
            .filter(|text| !text.is_empty())
    }
}

/// The first prompt asks; later ones only when the session says that memory is due.
fn replay(engine: &Engine, session: &Session) -> Result<Replayed, Box<dyn Error>> {
    let mut depths = Vec::new();
    let about = session.prompts().next();
    let id = engine.session_start(SessionStart { about, ..SessionStart::default() })?.id;
    for (index, prompt) in session.prompts().take(PROMPTS).enumerate() {
        let said = Signal { text: Some(prompt.clone()), ..Signal::new(EventKind::Prompt) };
        let due = engine.session_note(&id, &said)?.due.is_some();
        if index == 0 || due {
            let loading = Loading::new(prompt, now()?);
            depths.push(engine.layers_load(&loading, Some(&id))?.depth);
        }
    }
    let spent = engine.session_end(&id, None, &[])?.economics;
    Ok(Replayed { spent, depths })
}

fn now() -> Result<Timestamp, Box<dyn Error>> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    Ok(Timestamp::from_micros(i64::try_from(since.as_micros())?)?)
}

fn store(engine: &Engine, session: &Session) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = session.turns.iter().flat_map(|turn| turn.files.clone()).collect();
    files.sort();
    files.dedup();
    files.truncate(50);
    let message = |text: String| Message { role: "user".to_owned(), text, at: None };
    let episode = Episode {
        goal: session.prompts().next().unwrap_or_else(|| session.session.clone()),
        task_id: Some(session.session.clone()),
        files,
        messages: session.prompts().skip(1).map(message).collect(),
        ..Episode::default()
    };
    let mut draft = Draft::new(Body::Episode(episode));
    draft.about.valid_at = Timestamp::parse(&session.start.replace(' ', "T")).ok();
    for answer in engine.remember_each(vec![draft], &Note::default())? {
        answer?;
    }
    Ok(())
}

fn figures(replayed: &[Replayed]) -> Vec<Figure> {
    let n = replayed.len() as u64;
    let sum = |of: fn(&Economics) -> u64| replayed.iter().map(|one| of(&one.spent)).sum::<u64>();
    let discovery = sum(|spent| spent.discovery_tokens) as f64;
    let read = sum(|spent| spent.read_tokens) as f64;
    let all = sum(|spent| spent.all_tokens) as f64;
    let mut savings: Vec<f64> = replayed.iter().filter_map(|one| one.spent.savings()).collect();
    let paid = savings.iter().filter(|share| **share > 0.6).count() as f64;
    let asked: usize = replayed.iter().map(|one| one.depths.len()).sum();
    let deep = replayed.iter().flat_map(|one| &one.depths);
    let deep = deep.filter(|depth| **depth == Depth::Full).count();
    let mut figures = vec![
        Figure::new(
            "discovery to read tokens, all sessions",
            discovery / read.max(1.0),
            "ratio",
            n,
        ),
        Figure::new(
            "saved against loading everything",
            1.0 - (discovery + read) / all.max(1.0),
            "share",
            n,
        ),
        Figure::new(
            "  sessions that saved more than 60 %",
            paid / savings.len().max(1) as f64,
            "share",
            n,
        ),
        Figure::new("tokens a session: discovery", discovery / n.max(1) as f64, "tokens", n),
        Figure::new("  read", read / n.max(1) as f64, "tokens", n),
        Figure::new("  loading everything", all / n.max(1) as f64, "tokens", n),
        Figure::new("questions asked", asked as f64, "questions", asked as u64),
        Figure::new(
            "  that went to whole memories",
            deep as f64 / asked.max(1) as f64,
            "share",
            asked as u64,
        ),
    ];
    if !savings.is_empty() {
        let median = percentile(&mut savings, 0.5);
        figures.push(Figure::new("  median share saved", median, "share", n));
    }
    figures
}
