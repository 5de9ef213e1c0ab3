//! Of each question's gold documents, how many stand in its context, and how many in the baseline.

use super::COUNTER;
use super::baseline::{self, Against};
use super::inside::Shown;
use crate::recall::data::{Document, Query, Set, time};
use crate::recall::ingest::Ingested;
use mnemic_engine::inference::Embedder;
use mnemic_engine::recall::context::Profiles;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

/// The profile that answers one question.
const PROFILE: &str = "answer";

/// One line of the table: a set and a budget.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) data: String,
    pub(super) budget: usize,
    pub(super) questions: usize,
    pub(super) against: String,
    pub(super) mnemic: Side,
    pub(super) baseline: Side,
}

/// Means over the questions that have gold.
#[derive(Debug, Default)]
pub(super) struct Side {
    /// Questions with all of it inside.
    pub(super) all: f64,
    /// Of the gold, the part inside.
    pub(super) part: f64,
    pub(super) tokens: f64,
    /// Documents shown, however short.
    pub(super) documents: f64,
}

impl Side {
    fn add(&mut self, part: f64) {
        self.all += f64::from(u8::from(part >= 1.0));
        self.part += part;
    }

    fn mean(self, n: usize) -> Side {
        let n = n.max(1) as f64;
        Side {
            all: self.all / n,
            part: self.part / n,
            tokens: self.tokens / n,
            documents: self.documents / n,
        }
    }
}

pub(super) fn measure(
    set: &Set,
    embedder: &Arc<dyn Embedder>,
    against: &Against,
    budgets: &[usize],
    profiles: &Profiles,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut sums: Vec<(Side, Side)> = budgets.iter().map(|_| Default::default()).collect();
    let mut questions = 0;
    for corpus in set.corpora.iter().filter(|corpus| !corpus.queries.is_empty()) {
        let dir = tempfile::tempdir()?;
        let mut store = Ingested::empty(dir.path(), embedder)?;
        for query in corpus.queries.iter().filter(|query| !query.gold.is_empty()) {
            questions += 1;
            store.bring_to(&corpus.documents, query.before.unwrap_or(usize::MAX))?;
            let gold = Gold::of(query, &corpus.documents);
            let ranked = against.ranked(&set.name, &store, &corpus.documents, query)?;
            for (budget, (ours, theirs)) in budgets.iter().zip(&mut sums) {
                assembled(&store, query, *budget, profiles, &gold, ours)?;
                let (shown, tokens, n) = baseline::filled(&corpus.documents, &ranked, *budget);
                theirs.add(gold.part_in(&shown));
                theirs.tokens += tokens as f64;
                theirs.documents += n as f64;
            }
        }
    }
    let row = |(budget, (ours, theirs)): (&usize, (Side, Side))| Row {
        data: set.name.clone(),
        budget: *budget,
        questions,
        against: against.name(),
        mnemic: ours.mean(questions),
        baseline: theirs.mean(questions),
    };
    Ok(budgets.iter().zip(sums).map(row).collect())
}

/// The texts of the documents that answer a question; `None` for one that is not there.
struct Gold<'d>(Vec<Option<&'d str>>);

impl<'d> Gold<'d> {
    fn of(query: &Query, documents: &'d [Document]) -> Gold<'d> {
        let texts: HashMap<&str, &str> =
            documents.iter().map(|one| (one.id.as_str(), one.text.as_str())).collect();
        Gold(query.gold.iter().map(|id| texts.get(id.as_str()).copied()).collect())
    }

    fn part_in(&self, shown: &Shown) -> f64 {
        let inside = self.0.iter().flatten().filter(|text| shown.holds(text)).count();
        inside as f64 / self.0.len() as f64
    }
}

/// Adds what one context holds; fails when it exceeds its budget or is not the same twice.
fn assembled(
    store: &Ingested,
    query: &Query,
    budget: usize,
    profiles: &Profiles,
    gold: &Gold<'_>,
    side: &mut Side,
) -> Result<(), Box<dyn Error>> {
    let mut ask = store.engine.context_ask(query.text.clone(), PROFILE);
    ask.question.now = time(&query.time).unwrap_or(ask.question.now);
    ask.ask.budget = Some(budget);
    ask.fill = true;
    ask.profiles = profiles.clone();
    ask.counter = COUNTER();
    let assembled = store.engine.context(&ask)?.assembled;
    let tokens = COUNTER().count(&assembled.text);
    assert!(tokens <= budget, "`{}` got {tokens} tokens of {budget}", query.id);
    let again = store.engine.context(&ask)?.assembled;
    assert_eq!(assembled.text, again.text, "`{}` is not the same twice", query.id);
    side.add(gold.part_in(&Shown::of(assembled.text.lines())));
    side.tokens += tokens as f64;
    side.documents += assembled.shown.len() as f64;
    Ok(())
}
