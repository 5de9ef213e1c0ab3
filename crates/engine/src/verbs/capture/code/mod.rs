//! What recurs in code becomes patterns that wait for a person, each with the lines it was seen in.

mod files;

use super::keep::{Keeper, Kept};
use crate::engine::no_project;
use crate::{Engine, Note, Result, StoreName};
use files::{Budget, sources};
use mnemic_model::body::{Body, Pattern, Template};
use mnemic_model::{Actor, At, Author, ChangeId, Draft, Filter, Kind, Trust, Unit};
use mnemic_syntax::{CodePattern, Limits, recurring};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// What shall be looked at.
#[derive(Debug, Clone)]
pub struct LearnAsk {
    /// Files or directories of the project; none for all of it.
    pub paths: Vec<PathBuf>,
    /// Patterns at most, the most telling first.
    pub patterns: usize,
    pub dry_run: bool,
}

impl Default for LearnAsk {
    fn default() -> LearnAsk {
        LearnAsk { paths: Vec::new(), patterns: 20, dry_run: false }
    }
}

/// What was found in code.
#[derive(Debug, Clone, Default)]
pub struct Learnt {
    pub files: usize,
    /// More was there than is read at once.
    pub is_cut: bool,
    /// Each pattern, and whether it is new here.
    pub patterns: Vec<(CodePattern, bool)>,
    pub change: Option<ChangeId>,
}

/// For a whole project: nobody waits for long.
const WHOLE: Budget = Budget { files: 3_000, bytes: 32 * 1024 * 1024, seconds: 60 };

/// After a task: nobody should notice.
const TOUCHED: Budget = Budget { files: 80, bytes: 1024 * 1024, seconds: 1 };
const TOUCHED_PATTERNS: usize = 10;

/// Episodes whose files count as touched lately.
const LATE_EPISODES: usize = 20;

impl Engine {
    /// Looks through code for what recurs and keeps it as unreviewed.
    pub fn learn_code(&self, ask: &LearnAsk, note: &Note) -> Result<Learnt> {
        let root = self.project_root().ok_or_else(no_project)?;
        let paths = match ask.paths.as_slice() {
            [] => vec![root.clone()],
            paths => paths.to_vec(),
        };
        let read = sources(&root, &paths, WHOLE)?;
        let limits = Limits { patterns: ask.patterns, ..Limits::default() };
        let end = self.now().plus_seconds(WHOLE.seconds);
        let found = recurring(&read.sources, &limits, &mut || self.now() < end);
        let store = Engine::home_of(self.usual_scope().level);
        let mut keeper = Keeper::new(self, store, note, ask.dry_run)?;
        found.iter().for_each(|pattern| keeper.add(draft(pattern)));
        let mut kept = Vec::new();
        while kept.len() < found.len() {
            kept.extend(keeper.flush()?);
        }
        let is_new = |(_, kept): &(Kind, Kept)| *kept == Kept::New;
        let patterns = found.into_iter().zip(kept.iter().map(is_new)).collect();
        let (files, is_cut) = (read.sources.len(), read.is_cut);
        Ok(Learnt { files, is_cut, patterns, change: keeper.change() })
    }

    /// Patterns of the files that the last episodes touched, among their neighbours.
    pub(in crate::verbs) fn patterns_of_touched(&self) -> Result<Vec<Draft>> {
        let Some(root) = self.project_root() else { return Ok(Vec::new()) };
        let touched = self.touched(&root)?;
        if touched.is_empty() {
            return Ok(Vec::new());
        }
        let beside: BTreeSet<&Path> = touched.iter().filter_map(|path| path.parent()).collect();
        let near = beside.into_iter().map(Path::to_owned);
        let paths: Vec<PathBuf> = touched.iter().cloned().chain(near).collect();
        let read = sources(&root, &paths, TOUCHED)?;
        let end = self.now().plus_seconds(TOUCHED.seconds);
        let limits = Limits { patterns: TOUCHED_PATTERNS, ..Limits::default() };
        let found = recurring(&read.sources, &limits, &mut || self.now() < end);
        let is_touched = |pattern: &&CodePattern| {
            pattern.places.iter().any(|place| touched.contains(&root.join(&place.path)))
        };
        Ok(found.iter().filter(is_touched).map(draft).collect())
    }

    /// The same, stored; whatever hinders it must not hinder the end of an episode.
    pub(in crate::verbs) fn learn_touched(&self, store: StoreName, note: &Note) {
        let learnt = self.patterns_of_touched().and_then(|drafts| {
            let mut keeper = Keeper::new(self, store, note, false)?;
            drafts.into_iter().for_each(|draft| keeper.add(draft));
            keeper.flush()
        });
        drop(learnt);
    }

    fn touched(&self, root: &Path) -> Result<BTreeSet<PathBuf>> {
        let store = Engine::home_of(self.usual_scope().level);
        let kinds = vec![Kind::Episode];
        let filter = Filter { kinds, limit: LATE_EPISODES, ..Filter::new(At::LATEST) };
        let mut touched = BTreeSet::new();
        for version in self.store(store)?.read()?.list(&filter)? {
            let Body::Episode(episode) = version.content.body else { continue };
            touched.extend(episode.files.iter().map(|file| root.join(file)));
        }
        // `a/../../b` begins in the root and leads out of it.
        let is_plain = |path: &Path| path.components().all(|part| part != Component::ParentDir);
        touched.retain(|path| path.starts_with(root) && is_plain(path) && path.is_file());
        Ok(touched)
    }
}

fn draft(pattern: &CodePattern) -> Draft {
    let place = match pattern.directory.as_str() {
        "" => "this project".to_owned(),
        directory => directory.to_owned(),
    };
    let mut draft = Draft::new(Body::Pattern(Pattern {
        statement: format!("In {place}: {}", pattern.hint),
        template: Some(Template {
            language: pattern.language.as_str().to_owned(),
            code: pattern.code.clone(),
            placeholders: pattern.placeholders.clone(),
            hint: pattern.hint.clone(),
        }),
        ..Pattern::default()
    }));
    let about = &mut draft.about;
    about.category = Some("code".to_owned());
    about.source = pattern.places.first().map(ToString::to_string);
    about.confidence = Unit::new(sure(pattern.files)).ok();
    about.trust = Some(Trust::Unreviewed);
    // Counted in files; nobody said it.
    about.writer = Some(Actor::new(Author::Tool, "mnemic"));
    about.idempotency_key = Some(format!("code:{}:{:016x}", pattern.language, pattern.key));
    let places: Vec<String> = pattern.places.iter().map(ToString::to_string).collect();
    about.extra.insert("places".to_owned(), json!(places));
    draft
}

/// The more files, the surer; never as sure as a person.
fn sure(files: usize) -> f64 {
    (0.5 + 0.04 * files as f64).min(0.9)
}
