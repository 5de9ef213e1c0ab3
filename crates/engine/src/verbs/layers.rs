//! The three layers: an index of what there is, and loading no more of it than a question needs.

use crate::{Engine, Levels, Result, StoreName};
use mnemic_model::session::{Economics, Injection, Level, SessionId};
use mnemic_model::{Content, Namespace, RecordId, Use};
use mnemic_recall::Source;
use mnemic_recall::economics::Moment;
use mnemic_recall::layers::{
    self, Depth, Heading, Hit, Index, Line, Loaded, Loading, Telling, Texts,
};
use mnemic_store::Read;
use mnemic_text::tokens::{Counter, Encoding};
use std::collections::BTreeMap;

/// Memories that a question is answered from when topics are compared with it.
const HITS: usize = 20;

/// The name of this way of handing over memories among the tiers.
const TIER: &str = "layers";

fn texts(content: &Content) -> Texts {
    let levels = Levels::of(content);
    Texts {
        full: levels.full.text,
        summary: levels.summary.text,
        compressed: levels.compressed.text,
    }
}

fn count(text: &str) -> usize {
    Counter::exact(Encoding::O200k).count(text)
}

const TELLING: Telling<'static> = Telling { texts: &texts, tokens: &count };

impl Engine {
    /// The topics of both stores within `budget` tokens: those that fit the question first, else
    /// the most useful.
    pub fn layers_index(&self, question: Option<&str>, budget: usize) -> Result<Index> {
        let hits = match question {
            Some(text) => self.hits(text)?,
            None => Vec::new(),
        };
        let namespaces = self.lineage()?;
        self.asking(|sources| {
            let hits = filed(sources, hits)?;
            let headings = headings(sources, &namespaces, question.unwrap_or_default(), &hits)?;
            Ok(layers::index(sources, &headings, &TELLING, budget)?)
        })
    }

    /// Loads for a question as deep as its answer lies. With a session, what it was shown and what
    /// that cost is written down afterwards.
    pub fn layers_load(&self, loading: &Loading, session: Option<&SessionId>) -> Result<Loaded> {
        if let Some(id) = session {
            self.require_open(id)?;
        }
        let hits = self.hits(&loading.question)?;
        let namespaces = self.lineage()?;
        let loaded = self.asking(|sources| {
            let hits = filed(sources, hits)?;
            let headings = headings(sources, &namespaces, &loading.question, &hits)?;
            Ok(layers::load(sources, &headings, &hits, loading, &TELLING)?)
        })?;
        if let Some(id) = session {
            self.note_loaded(id, &loaded)?;
        }
        Ok(loaded)
    }

    fn hits(&self, text: &str) -> Result<Vec<Hit>> {
        let mut question = self.question(text);
        question.limit = HITS;
        // A topic is met by what it holds, whatever another one repeats.
        question.switches.twins = false;
        let found = self.recall(&question)?.found.into_iter();
        let hits =
            found.map(|one| Hit { version: one.version, topic: None, evidence: one.evidence });
        Ok(hits.collect())
    }

    fn note_loaded(&self, id: &SessionId, loaded: &Loaded) -> Result<()> {
        let ids: Vec<&str> = loaded.full.iter().map(|one| one.version.id.as_str()).collect();
        self.record_use(&ids, Use::Loaded, None)?;
        let mut shown: Vec<(RecordId, Level, usize)> =
            loaded.full.iter().map(|one| (one.version.id.clone(), one.level, one.cost)).collect();
        let lines = loaded.timeline.iter().flat_map(|timeline| timeline.lines());
        let told = |line: &Line| (line.id.clone(), Level::Compressed, count(&line.action));
        shown.extend(lines.map(told));
        self.note_injections(id, TIER, &shown)?;
        let economics = self.charge(id, |spent| add(spent, loaded))?;
        if loaded.depth == Depth::Full {
            self.plan(id, &economics, Moment::MidSession)?;
        }
        Ok(())
    }

    /// Notes what a session was shown, each memory in the store it lies in.
    pub(super) fn note_injections(
        &self,
        id: &SessionId,
        tier: &str,
        shown: &[(RecordId, Level, usize)],
    ) -> Result<()> {
        let now = self.now();
        for store in [StoreName::Project, StoreName::User] {
            let Ok(sqlite) = self.store(store) else { continue };
            let mut here = Vec::new();
            let read = sqlite.read()?;
            for one in shown {
                if read.version(&one.0, None)?.is_some() {
                    here.push(one);
                }
            }
            drop(read);
            if here.is_empty() {
                continue;
            }
            let mut tx = sqlite.write()?;
            for (record, level, tokens) in here {
                tx.note_shown(&Injection {
                    session: id.clone(),
                    record: record.clone(),
                    at: now,
                    level: *level,
                    tier: tier.to_owned(),
                    tokens: *tokens as u64,
                    cited: false,
                    outcome: None,
                })?;
            }
            tx.commit()?;
        }
        Ok(())
    }
}

/// Every topic, each as near to the question as the nearest of its memories.
fn headings(
    sources: &[Source<'_>],
    namespaces: &[Namespace],
    question: &str,
    hits: &[Hit],
) -> Result<Vec<Heading>> {
    let mut similar: BTreeMap<String, f64> = BTreeMap::new();
    for hit in hits {
        if let Some(topic) = &hit.topic {
            let best = similar.entry(topic.clone()).or_default();
            *best = best.max(hit.evidence);
        }
    }
    Ok(layers::headings(sources, namespaces, question, &similar)?)
}

/// Hits with the topics that they are filed under.
fn filed(sources: &[Source<'_>], mut hits: Vec<Hit>) -> Result<Vec<Hit>> {
    for hit in &mut hits {
        for source in sources {
            let read: &dyn Read = source.read;
            if let Some(topic) = read.topic_of(&hit.version.id)? {
                hit.topic = Some(topic.name);
            }
        }
    }
    Ok(hits)
}

fn add(spent: &mut Economics, loaded: &Loaded) {
    let timeline = loaded.timeline.as_ref().map_or(0, |timeline| timeline.cost as u64);
    spent.index_loads += 1;
    spent.discovery_tokens += loaded.index.cost as u64 + timeline;
    spent.timeline_tokens += timeline;
    spent.timeline_loads += u64::from(loaded.timeline.is_some());
    spent.read_tokens += loaded.read_tokens() as u64;
    let full = u64::from(loaded.depth == Depth::Full);
    spent.full_loads += full;
    spent.task_full_loads += full;
    spent.all_tokens = spent.all_tokens.max(loaded.index.tokens);
}
