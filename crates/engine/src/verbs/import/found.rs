//! Which files there are to take in: those that somebody names, and those in the usual places.

use super::{ImportFormat, ImportSource, Spot};
use crate::Engine;
use mnemic_exchange::import::{find, look, scan};
use mnemic_lifecycle::capture::Transcript;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

pub use mnemic_exchange::import::Unfound;

/// How much of a file tells whether it is a transcript.
const BEGINNING: u64 = 4 * 1024 * 1024;

impl Engine {
    /// The files that a path means, in a named format or in the one that each shows.
    pub fn import_sources(
        path: &Path,
        format: Option<ImportFormat>,
    ) -> Result<Vec<ImportSource>, Unfound> {
        find(path, format, &is_transcript)
    }

    /// Why a path cannot be read, where it cannot.
    pub fn import_look(path: &Path) -> std::io::Result<()> {
        look(path)
    }

    /// What tools keep in this project, and for it in the home directory.
    pub fn import_scan(&self, home: Option<&Path>) -> Vec<Spot> {
        let project = self.project_root();
        let mut spots = scan(project.as_deref(), home);
        if let Some(project) = &project {
            for spot in spots.iter_mut().filter(|spot| spot.format == ImportFormat::Transcript) {
                spot.sources.retain(|source| is_of(&source.path, project));
            }
            spots.retain(|spot| !spot.sources.is_empty());
        }
        spots
    }
}

fn is_transcript(path: &Path) -> Option<ImportFormat> {
    let ending = path.extension()?.to_str()?;
    if !matches!(ending, "jsonl" | "json") {
        return None;
    }
    let file = BufReader::new(File::open(path).ok()?.take(BEGINNING));
    let mut transcript = Transcript::new(file);
    // The first turn may stand behind lines that say nothing.
    transcript.pull().ok()?;
    transcript.format().map(|_| ImportFormat::Transcript)
}

/// A document that is cut off must not come in by half; lines are read one by one anyway.
pub(super) fn whole_document(path: &Path) -> io::Result<()> {
    if path.extension().is_none_or(|ending| ending != "json") {
        return Ok(());
    }
    let mut values = serde_json::Deserializer::from_reader(BufReader::new(File::open(path)?))
        .into_iter::<IgnoredAny>();
    values.try_for_each(|value| value.map(|_| ()).map_err(io::Error::from))
}

/// Whether a transcript says, in its first lines, that it was made in this directory.
fn is_of(path: &Path, project: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let lines = BufReader::new(file.take(BEGINNING)).lines().take(20).map_while(Result::ok);
    let cwd = |line: String| {
        let value: Value = serde_json::from_str(&line).ok()?;
        let cwd = value.get("cwd").or_else(|| value.pointer("/payload/cwd"))?;
        cwd.as_str().map(str::to_owned)
    };
    // Claude Code files them by directory already; Codex files them by day and says where.
    lines.into_iter().find_map(cwd).is_none_or(|cwd| Path::new(&cwd).starts_with(project))
}
