//! The work that is replayed: commits of histories and sessions of coding agents, as files used.

use flate2::read::GzDecoder;
use mnemic_engine::model::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A commit or a session: what was used together.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) id: String,
    pub(super) at: Timestamp,
    /// Whether the files stand in the order of their use, or were used at once.
    pub(super) in_order: bool,
    /// Each file once.
    pub(super) files: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Commit {
    commit: String,
    time: i64,
    files: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Session {
    session: String,
    start: String,
    turns: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
struct Turn {
    #[serde(default)]
    tool: String,
    #[serde(default)]
    files: Vec<String>,
}

pub(super) fn history(path: &Path) -> Result<Vec<Work>, Box<dyn Error>> {
    let mut works = Vec::new();
    for Commit { commit, time, mut files } in lines::<Commit>(path)? {
        files.sort();
        files.dedup();
        let at = Timestamp::from_micros(time.saturating_mul(1_000_000))?;
        works.push(Work { id: commit, at, in_order: false, files });
    }
    works.sort_by_key(|work| work.at);
    Ok(works)
}

pub(super) fn sessions(path: &Path) -> Result<Vec<Work>, Box<dyn Error>> {
    let mut works = Vec::new();
    for Session { session, start, turns } in lines::<Session>(path)? {
        let mut files: Vec<String> = Vec::new();
        for file in turns.iter().filter_map(used) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let at = Timestamp::parse(&start.replace(' ', "T"))?;
        works.push(Work { id: session, at, in_order: true, files });
    }
    works.sort_by_key(|work| work.at);
    Ok(works)
}

/// The file that a turn read or wrote. Turns that name several are left out: they list or quote
/// paths, and which of them was opened is unknown.
fn used(turn: &Turn) -> Option<String> {
    let opens = turn.tool.starts_with("read:") || turn.tool.starts_with("write:");
    match turn.files.as_slice() {
        [file] if opens && turn.tool != "read:WebFetch" => Some(rooted(file)),
        _ => None,
    }
}

/// The agents worked in one folder of the repository and named it in several ways.
fn rooted(file: &str) -> String {
    let mut rest = file;
    for root in ["./", "specstory-cli/", "cli/"] {
        rest = rest.strip_prefix(root).unwrap_or(rest);
    }
    rest.to_owned()
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let cannot = |cause| format!("cannot read `{}`: {cause}", path.display());
    let file = File::open(path).map_err(cannot)?;
    let mut values = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        values.push(serde_json::from_str(&line?)?);
    }
    Ok(values)
}
