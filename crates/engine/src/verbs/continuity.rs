//! `continuity`: the memories that a working file names, and those that it should.

use crate::{Engine, Levels, Result};
use mnemic_model::{At, Body, Kind, RecordId, Version};
use mnemic_text::continuity::{self, Reference};
use mnemic_text::normalise::defuse;

/// A working file is looked at for what it is about; its first passages say that.
const PASSAGES: usize = 8;

/// What a section says where nothing is known that is worth a line.
const NOTHING_RELEVANT: &str = "nothing is remembered that concerns this";
const NOTHING_TO_AVOID: &str = "no mistake is known that concerns this";

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
        let mut about = continuity::passages(text);
        about.truncate(PASSAGES);
        let known = Kind::ALL.iter().copied().filter(|kind| kind.is_memory() && kind.is_indexed());
        let known: Vec<Kind> = known.filter(|kind| *kind != Kind::AntiPattern).collect();
        let relevant = self.near(&about, &known)?;
        let avoid = self.near(&about, &[Kind::AntiPattern])?;
        let sections = [
            ("Relevant memories", lines(&relevant, NOTHING_RELEVANT)),
            ("Mistakes to avoid", lines(&avoid, NOTHING_TO_AVOID)),
        ];
        let ids = |versions: Vec<Version>| versions.into_iter().map(|one| one.id).collect();
        Ok(Continuity {
            references,
            refreshed: continuity::refreshed(text, &sections),
            relevant: ids(relevant),
            avoid: ids(avoid),
        })
    }

    /// What bears on any passage, best first. Asked one by one: a whole file is covered by no memory,
    /// so that nothing could be told from what is alike by chance.
    fn near(&self, about: &[String], kinds: &[Kind]) -> Result<Vec<Version>> {
        let mut near: Vec<(f64, Version)> = Vec::new();
        for passage in about {
            let mut question = self.question(passage);
            question.filter.kinds = kinds.to_vec();
            question.limit = MOST;
            question.switches.strategy = false;
            for found in self.recall(&question)?.found {
                match near.iter_mut().find(|(_, one)| one.id == found.version.id) {
                    Some((score, _)) => *score = score.max(found.score),
                    None => near.push((found.score, found.version)),
                }
            }
        }
        near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        near.truncate(MOST);
        Ok(near.into_iter().map(|(_, version)| version).collect())
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

fn lines(versions: &[Version], nothing: &str) -> Vec<String> {
    match versions {
        [] => vec![nothing.to_owned()],
        versions => versions.iter().map(line).collect(),
    }
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
