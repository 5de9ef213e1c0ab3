//! What became of files since an episode ended: by git where it knows, else by when they were written.

use mnemic_engine::Replay;
use mnemic_engine::model::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

/// Commits that are looked through at most.
const MOST_COMMITS: &str = "--max-count=2000";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Missing,
    Changed,
    Unchanged,
    /// It is there; when the episode ended is not known.
    There,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            State::Missing => "missing",
            State::Changed => "changed",
            State::Unchanged => "unchanged",
            State::There => "there",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) path: String,
    pub(super) state: State,
    pub(super) modified: Option<Timestamp>,
    /// The latest commit since that changed it.
    pub(super) commit: Option<String>,
}

pub(super) fn since(replay: &Replay, root: &Path) -> Vec<Touched> {
    let episode = &replay.episode;
    let paths = distinct(episode.files.iter().chain(&episode.artifacts));
    if paths.is_empty() {
        return Vec::new();
    }
    let commits = replay.ended.map(|ended| commits(root, ended)).unwrap_or_default();
    let look = |path: String| {
        let whole = root.join(&path);
        let commit = commits.get(&whole).cloned();
        let modified = modified(&whole);
        let state = state(whole.exists(), modified, replay.ended, commit.is_some());
        Touched { path, state, modified, commit }
    };
    paths.into_iter().map(look).collect()
}

/// Each file once: agents name the same one as `a/b.rs`, `./a/b.rs` and `b.rs`.
fn distinct<'a>(paths: impl Iterator<Item = &'a String>) -> Vec<String> {
    let plain: BTreeSet<&str> = paths.map(|path| path.trim_start_matches("./")).collect();
    let is_end_of_another =
        |path: &str| plain.iter().any(|other| *other != path && Path::new(other).ends_with(path));
    plain.iter().filter(|path| !is_end_of_another(path)).map(|path| (*path).to_owned()).collect()
}

fn state(
    exists: bool,
    modified: Option<Timestamp>,
    ended: Option<Timestamp>,
    committed: bool,
) -> State {
    match (exists, modified.zip(ended)) {
        (false, _) => State::Missing,
        (true, _) if committed => State::Changed,
        (true, None) => State::There,
        // File systems keep times to the second or two.
        (true, Some((modified, ended))) if modified.micros() > ended.micros() + 2_000_000 => {
            State::Changed
        }
        (true, Some(_)) => State::Unchanged,
    }
}

fn modified(path: &Path) -> Option<Timestamp> {
    let time = path.metadata().ok()?.modified().ok()?;
    let micros = time.duration_since(UNIX_EPOCH).ok()?.as_micros();
    Timestamp::from_micros(i64::try_from(micros).ok()?).ok()
}

/// The latest commit of each file since then. Nothing where there is no git.
fn commits(root: &Path, since: Timestamp) -> BTreeMap<PathBuf, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["log", MOST_COMMITS, "--relative", "--name-only", "--format=%x01%h"])
        // Whole seconds: a commit in the second of the end belongs to the episode.
        .arg(format!("--since={}", since.micros() / 1_000_000 + 1))
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else { return BTreeMap::new() };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = BTreeMap::new();
    let mut commit = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix('\u{1}') {
            Some(hash) => hash.clone_into(&mut commit),
            None => {
                found.entry(root.join(line)).or_insert_with(|| commit.clone());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_once() {
        let given = ["./a/b.rs", "a/b.rs", "b.rs", "c.rs", "xb.rs", "/w/c.rs"].map(str::to_owned);
        assert_eq!(distinct(given.iter()), ["/w/c.rs", "a/b.rs", "xb.rs"]);
    }

    #[test]
    fn a_file_is_judged_by_commits_then_by_its_time() {
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000).ok();
        for (exists, modified, ended, committed, expected) in [
            (false, None, at(10), true, State::Missing),
            (true, at(5), at(10), true, State::Changed),
            (true, at(5), at(10), false, State::Unchanged),
            (true, at(11), at(10), false, State::Unchanged),
            (true, at(20), at(10), false, State::Changed),
            (true, at(20), None, false, State::There),
        ] {
            assert_eq!(state(exists, modified, ended, committed), expected);
        }
    }
}
