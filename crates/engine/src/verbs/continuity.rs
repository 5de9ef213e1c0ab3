//! `continuity`: the memories that a working file names, and those that it should.

use crate::{Engine, Levels, Result};
use mnemic_model::{At, Body, Kind, RecordId, Version};
use mnemic_text::continuity::{self, Reference};
use mnemic_text::normalise::defuse;

/// A working file is looked at for what it is about; its first words say that.
const WORDS: usize = 120;

/// Lines in a refreshed section at most: the file is read every turn.
const MOST: usize = 8;

/// A working file, read and refreshed.
#[derive(Debug, Clone)]
pub struct Continuity {
    /// What the file names, and the memory behind each where there is one.
    pub references: Vec<(Reference, Option<Version>)>,
    /// The file with its two sections as they should be now.
    pub refreshed: String,
    pub relevant: Vec<RecordId>,
    pub avoid: Vec<RecordId>,
}

impl Engine {
    /// Reads a working file. What the agent wrote in it stays as it is, to the byte.
    pub fn continuity(&self, text: &str) -> Result<Continuity> {
        let mut references = Vec::new();
        for reference in continuity::references(text) {
            let version = self.referred(&reference)?;
            references.push((reference, version));
        }
        let written = continuity::written_by_others(text);
        let about: Vec<&str> = written.split_whitespace().take(WORDS).collect();
        let about = about.join(" ");
        let known = Kind::ALL.iter().copied().filter(|kind| kind.is_memory() && kind.is_indexed());
        let relevant = self.near(&about, known.filter(|kind| *kind != Kind::AntiPattern))?;
        let avoid = self.near(&about, [Kind::AntiPattern].into_iter())?;
        let lines = |versions: &[Version]| versions.iter().map(line).collect::<Vec<String>>();
        let sections =
            [("Relevant memories", lines(&relevant)), ("Mistakes to avoid", lines(&avoid))];
        let ids = |versions: Vec<Version>| versions.into_iter().map(|one| one.id).collect();
        Ok(Continuity {
            references,
            refreshed: continuity::refreshed(text, &sections),
            relevant: ids(relevant),
            avoid: ids(avoid),
        })
    }

    fn near(&self, about: &str, kinds: impl Iterator<Item = Kind>) -> Result<Vec<Version>> {
        if about.is_empty() {
            return Ok(Vec::new());
        }
        let mut question = self.question(about);
        question.filter.kinds = kinds.collect();
        question.limit = MOST;
        question.switches.strategy = false;
        // A whole file is asked, of which no memory covers much; the score must do.
        question.weights.least_evidence = 0.0;
        Ok(self.recall(&question)?.found.into_iter().map(|found| found.version).collect())
    }

    fn referred(&self, reference: &Reference) -> Result<Option<Version>> {
        match reference {
            Reference::Id(id) => Ok(self.show(id, At::LATEST).ok().map(|shown| shown.version)),
            Reference::Named { kind, name } => {
                let Ok(kind) = kind.parse::<Kind>() else { return Ok(None) };
                let mut question = self.question(name);
                question.filter.kinds = vec![kind];
                question.switches.bounds = false;
                let found = self.recall(&question)?.found.into_iter().map(|found| found.version);
                let is_called = |version: &Version| is_called(&version.content.body, name);
                Ok(found.into_iter().find(is_called))
            }
        }
    }
}

/// Names are compared as people write them in addresses: `api-implementation` is `API implementation`.
fn is_called(body: &Body, name: &str) -> bool {
    let plain = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<String>>()
    };
    plain(body.title()) == plain(name)
}

/// The id, and enough to see whether one wants more.
fn line(version: &Version) -> String {
    let text = match &version.content.body {
        Body::AntiPattern(anti) => match &anti.prevention {
            Some(instead) => format!("{}; instead: {instead}", anti.what_fails),
            None => anti.what_fails.clone(),
        },
        _ => Levels::of(&version.content).compressed.text,
    };
    format!("- [{}] {}", version.id, defuse(&text))
}
