//! What a store forgets too early: half of the questions are asked over some months of
//! consolidation, and only then the other half.

use super::clock::HandClock;
use super::seeded::Seeded;
use crate::recall::cache;
use crate::recall::data::{Corpus, Query, Set, half_of, time};
use crate::recall::ingest::Ingested;
use crate::report::Figure;
use mnemic_engine::consolidate::served::level_served;
use mnemic_engine::inference::{Embedder, gist};
use mnemic_engine::model::{Actor, At, Author, Clock, RecordId, Tier, Timestamp};
use mnemic_engine::place::Place;
use mnemic_engine::recall::Found;
use mnemic_engine::recall::context::Level;
use mnemic_engine::{Meaning, Note, Settings};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Rounds of ten days.
const ROUNDS: usize = 12;
const DAYS: i64 = 10;

/// Sums over the questions that were kept back.
#[derive(Debug, Default)]
struct Sums {
    questions: u64,
    before: f64,
    after: f64,
    with_archive: f64,
    needed: u64,
    archived: u64,
    tokens: u64,
    served: u64,
}

pub(super) fn measure(
    folder: &Path,
    name: &str,
    kept: Option<&Path>,
    most: Option<usize>,
    seed: u64,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let set = Set::load(&folder.join("retrieval").join(name), name, None)?;
    let embedder = cache::embedder(kept)?;
    let mut sums = Sums::default();
    let mut left_alone = Sums::default();
    let asked = set.corpora.iter().filter(|corpus| !corpus.queries.is_empty());
    for corpus in asked.take(most.unwrap_or(usize::MAX)) {
        live(corpus, &embedder, true, seed, &mut sums)?;
        live(corpus, &embedder, false, seed, &mut left_alone)?;
    }
    let mean = |sum: f64| sum / sums.questions.max(1) as f64;
    let figure =
        |what: &str, value: f64, unit, n| Figure::new(format!("{name}: {what}"), value, unit, n);
    let share = sums.archived as f64 / sums.needed.max(1) as f64;
    Ok(vec![
        figure("recall@10 before", mean(sums.before), "share", sums.questions),
        figure("after 120 days of use", mean(left_alone.after), "share", sums.questions),
        figure("after the same, consolidated", mean(sums.after), "share", sums.questions),
        figure("the same, archive asked too", mean(sums.with_archive), "share", sums.questions),
        figure("needed later and archived", share, "share", sums.needed),
        figure(
            "tokens served of those stored",
            sums.served as f64 / sums.tokens.max(1) as f64,
            "share",
            sums.tokens,
        ),
    ])
}

fn live(
    corpus: &Corpus,
    embedder: &Arc<dyn Embedder>,
    consolidated: bool,
    seed: u64,
    sums: &mut Sums,
) -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let clock = Arc::new(HandClock::at(Timestamp::parse("2026-01-01T00:00:00Z")?));
    let place = Place { dir: dir.path().join(".mnemic"), exists: false };
    // By an agent: what a person wrote is never put away.
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Agent, "bench"));
    settings.meaning = Meaning::by(embedder.clone()).skimmed_by(gist()?);
    settings.clock = clock.clone();
    settings.random = Arc::new(Seeded::new(seed));
    let mut store = Ingested::over(settings)?;
    store.bring_to(&corpus.documents, usize::MAX)?;
    let (asked, later): (Vec<&Query>, Vec<&Query>) =
        corpus.queries.iter().partition(|query| half_of(&query.id) == 0);
    let later: Vec<&Query> = later.into_iter().filter(|query| !query.gold.is_empty()).collect();
    let mut before = Vec::new();
    for query in &later {
        sums.questions += 1;
        let answer = found(&store, corpus, query, false)?;
        sums.before += answer.share;
        before.push(answer);
    }
    for round in 0..ROUNDS {
        clock.pass_days(DAYS);
        for query in asked.iter().skip(round).step_by(ROUNDS) {
            let recall = store.engine.recall(&question(&store, query, 10))?;
            store.engine.note_recalled(&recall.found)?;
        }
        if consolidated {
            store.engine.consolidate(false, &Note::default(), &mut |_, _| {})?;
        }
    }
    for (query, before) in later.iter().zip(before) {
        let after = found(&store, corpus, query, false)?;
        if after.share < before.share {
            let lost = before.golden.difference(&after.golden).cloned().collect::<Vec<_>>();
            eprintln!("lost, consolidated {consolidated}: `{}`: {}", query.text, lost.join(", "));
            eprintln!("  before: {}\n  after: {}", before.told, after.told);
        }
        sums.after += after.share;
        sums.with_archive += found(&store, corpus, query, true)?.share;
    }
    count_tokens(&store, clock.now(), sums)?;
    count_archived(&store, corpus, &later, sums)
}

/// What is stored against what is served of it unasked, in tokens.
fn count_tokens(store: &Ingested, now: Timestamp, sums: &mut Sums) -> Result<(), Box<dyn Error>> {
    for id in store.documents.keys() {
        let shown = store.engine.show(id.as_str(), At::LATEST)?;
        let levels = &shown.levels;
        let served = match level_served(&shown.version.content, now) {
            Level::Full => &levels.full,
            Level::Summary => &levels.summary,
            _ => &levels.compressed,
        };
        sums.tokens += levels.full.tokens();
        sums.served += served.tokens();
    }
    Ok(())
}

fn question(store: &Ingested, query: &Query, limit: usize) -> mnemic_engine::recall::Question {
    let mut question = store.engine.question(query.text.clone());
    question.limit = limit;
    question.now = time(&query.time).unwrap_or(question.now);
    // Each document is followed, whatever another one repeats.
    question.switches.twins = false;
    question
}

/// What came of one question.
struct Answer {
    /// The share of what answers it that is among the first ten, and which.
    share: f64,
    golden: BTreeSet<String>,
    /// Where the first that answers it stands, and why; and what stands tenth.
    told: String,
}

fn found(
    store: &Ingested,
    corpus: &Corpus,
    query: &Query,
    archive: bool,
) -> Result<Answer, Box<dyn Error>> {
    let mut question = question(store, query, 100);
    if archive {
        question.filter.tiers.push(Tier::Archive);
    }
    let recall = store.engine.recall(&question)?;
    let name = |id: &RecordId| store.documents.get(id).map(|at| corpus.documents[*at].id.as_str());
    let top: BTreeSet<&str> =
        recall.found.iter().take(10).filter_map(|found| name(&found.version.id)).collect();
    let golden: BTreeSet<String> =
        query.gold.iter().filter(|gold| top.contains(gold.as_str())).cloned().collect();
    let is_gold = |found: &Found| {
        name(&found.version.id).is_some_and(|name| query.gold.iter().any(|gold| gold == name))
    };
    let first = recall.found.iter().position(is_gold);
    let reasons = |at: usize| {
        let parts = recall.found[at].explanation.parts.iter();
        let parts = parts.map(|part| format!("{} {:.2}×{}", part.name, part.value, part.weight));
        format!("place {}: {}", at + 1, parts.collect::<Vec<_>>().join(", "))
    };
    let told = match first {
        Some(at) => match at.cmp(&9) {
            Ordering::Greater => format!("{}; tenth, {}", reasons(at), reasons(9)),
            _ => reasons(at),
        },
        None => format!("not among {}", recall.found.len()),
    };
    let share = golden.len() as f64 / query.gold.len() as f64;
    Ok(Answer { share, golden, told })
}

fn count_archived(
    store: &Ingested,
    corpus: &Corpus,
    later: &[&Query],
    sums: &mut Sums,
) -> Result<(), Box<dyn Error>> {
    let needed: BTreeSet<&str> =
        later.iter().flat_map(|query| &query.gold).map(String::as_str).collect();
    for (id, at) in &store.documents {
        if needed.contains(corpus.documents[*at].id.as_str()) {
            sums.needed += 1;
            let tier = store.engine.show(id.as_str(), At::LATEST)?.version.content.tier;
            sums.archived += u64::from(tier == Tier::Archive);
        }
    }
    Ok(())
}
