//! An answer to a question as JSON: what was found and why, and how the question was taken.

use mnemic_engine::model::{Kind, RecordId, Timestamp};
use mnemic_engine::recall::{
    Bound, Collection, Dispute, Explanation, Factor, Fate, Found, Grounds, Part, Past, Question,
    Recall, Refusal, Twin, Understanding,
};
use mnemic_engine::{HandedOut, Level};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::fmt::Debug;

/// An answer with its question, written out as it is: most of it is explanation, and building all of
/// that up as values first takes longer than writing it.
#[derive(Debug)]
pub struct Reply {
    recall: Recall,
    question: Question,
    /// What each of those found costs to read.
    tokens: Vec<u64>,
}

impl Reply {
    pub fn new(recall: Recall, question: Question) -> Reply {
        let tokens = recall.found.iter().map(tokens).collect();
        Reply { recall, question, tokens }
    }

    pub fn handed_out(&self) -> Vec<HandedOut> {
        let found = self.recall.found.iter().zip(&self.tokens);
        found
            .map(|(one, tokens)| HandedOut { id: one.version.id.clone(), tokens: Some(*tokens) })
            .collect()
    }
}

fn tokens(found: &Found) -> u64 {
    Level::full(&found.version.content).tokens()
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let found = self.recall.found.iter().zip(&self.tokens);
        let found = found.map(|(one, tokens)| FoundView::of(one, *tokens)).collect();
        AnswerView::of(&self.recall, &self.question, found).serialize(to)
    }
}

/// The same as a value.
pub fn answer(recall: &Recall, question: &Question) -> Value {
    let found = recall.found.iter().map(|one| FoundView::of(one, tokens(one))).collect();
    json!(AnswerView::of(recall, question, found))
}

pub fn found(found: &Found) -> Value {
    json!(FoundView::of(found, tokens(found)))
}

pub fn explanation(explanation: &Explanation) -> Value {
    json!(ExplanationView::of(explanation))
}

#[derive(Serialize)]
struct AnswerView<'a> {
    query: &'a str,
    evidence: f64,
    found: Vec<FoundView<'a>>,
    refusal: Option<Value>,
    understanding: Value,
    strategy: Value,
    unread: Option<&'a str>,
    gathered: Value,
}

impl<'a> AnswerView<'a> {
    fn of(recall: &'a Recall, question: &'a Question, found: Vec<FoundView<'a>>) -> AnswerView<'a> {
        let gathered = recall.gathered.iter().map(|(channel, n)| (*channel, json!(n)));
        AnswerView {
            query: &question.text,
            evidence: recall.evidence,
            found,
            refusal: recall.refusal.as_ref().map(refusal),
            understanding: understanding(&recall.understanding, question),
            strategy: strategy(recall, question),
            unread: recall.unread.as_deref(),
            gathered: numbers(gathered),
        }
    }
}

#[derive(Serialize)]
struct FoundView<'a> {
    id: &'a RecordId,
    kind: Kind,
    store: &'a str,
    score: f64,
    evidence: f64,
    title: &'a str,
    text: String,
    summary: String,
    tokens: u64,
    valid_at: Timestamp,
    invalid_at: Option<Timestamp>,
    recorded_at: Timestamp,
    explanation: ExplanationView<'a>,
    history: Vec<PastView<'a>>,
    twins: Vec<TwinView<'a>>,
    disputes: Vec<DisputeView<'a>>,
}

impl<'a> FoundView<'a> {
    fn of(found: &'a Found, tokens: u64) -> FoundView<'a> {
        let content = &found.version.content;
        FoundView {
            id: &found.version.id,
            kind: found.version.kind(),
            store: &found.source,
            score: found.score,
            evidence: found.evidence,
            title: content.body.title(),
            tokens,
            text: content.body.full_text(),
            summary: Level::summary(content).text,
            valid_at: content.valid.from(),
            invalid_at: content.valid.to(),
            recorded_at: found.version.recorded.from(),
            explanation: ExplanationView::of(&found.explanation),
            history: found.history.iter().map(PastView::of).collect(),
            twins: found.twins.iter().map(TwinView::of).collect(),
            disputes: found.disputes.iter().map(DisputeView::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct DisputeView<'a> {
    contradiction: &'a RecordId,
    id: &'a RecordId,
    text: &'a str,
}

impl<'a> DisputeView<'a> {
    fn of(dispute: &'a Dispute) -> DisputeView<'a> {
        let Dispute { contradiction, id, text } = dispute;
        DisputeView { contradiction, id, text }
    }
}

#[derive(Serialize)]
struct TwinView<'a> {
    id: &'a RecordId,
    store: &'a str,
    valid_at: Timestamp,
    invalid_at: Option<Timestamp>,
}

impl<'a> TwinView<'a> {
    fn of(twin: &'a Twin) -> TwinView<'a> {
        let Twin { id, source, valid } = twin;
        TwinView { id, store: source, valid_at: valid.from(), invalid_at: valid.to() }
    }
}

#[derive(Serialize)]
struct PastView<'a> {
    id: &'a RecordId,
    text: &'a str,
    valid_at: Timestamp,
    invalid_at: Option<Timestamp>,
    because: &'a str,
}

impl<'a> PastView<'a> {
    fn of(past: &'a Past) -> PastView<'a> {
        PastView {
            id: &past.id,
            text: &past.text,
            valid_at: past.valid.from(),
            invalid_at: past.valid.to(),
            because: past.because,
        }
    }
}

#[derive(Serialize)]
struct ExplanationView<'a> {
    ranks: Value,
    parts: Vec<PartView<'a>>,
    factors: Vec<FactorView<'a>>,
    score: f64,
    grounds: Value,
    passed: Vec<String>,
}

impl<'a> ExplanationView<'a> {
    fn of(explanation: &'a Explanation) -> ExplanationView<'a> {
        let ranks = explanation.ranks.iter().map(|one| (one.channel.as_str(), json!(one.rank)));
        ExplanationView {
            ranks: numbers(ranks),
            parts: explanation.parts.iter().map(PartView::of).collect(),
            factors: explanation.factors.iter().map(FactorView::of).collect(),
            score: explanation.score,
            grounds: grounds(&explanation.grounds),
            passed: explanation.passed.iter().map(Bound::to_string).collect(),
        }
    }
}

fn grounds(grounds: &Grounds) -> Value {
    let Grounds { cosine, coverage, is_called } = *grounds;
    json!({ "cosine": cosine, "coverage": coverage, "is_called": is_called })
}

#[derive(Serialize)]
struct PartView<'a> {
    name: &'a str,
    raw: f64,
    value: f64,
    weight: f64,
    product: f64,
}

impl<'a> PartView<'a> {
    fn of(part: &'a Part) -> PartView<'a> {
        let Part { name, raw, value, weight } = *part;
        PartView { name, raw, value, weight, product: part.product() }
    }
}

#[derive(Serialize)]
struct FactorView<'a> {
    name: &'a str,
    value: f64,
}

impl<'a> FactorView<'a> {
    fn of(factor: &'a Factor) -> FactorView<'a> {
        FactorView { name: factor.name, value: factor.value }
    }
}

fn refusal(refusal: &Refusal) -> Value {
    json!({
        "best_id": refusal.best_id,
        "best_score": refusal.best_score,
        "reason": refusal.reason,
    })
}

/// What became of one memory.
pub fn fate(fate: &Fate) -> Value {
    json!({
        "step": fate.step,
        "reason": fate.reason,
        "rank": fate.rank,
        "explanation": fate.explanation.as_ref().map(explanation),
    })
}

fn understanding(understood: &Understanding, question: &Question) -> Value {
    let detected = &understood.detected;
    let signals = detected.signals.iter().map(|signal| {
        json!({
            "task": signal.task.as_str(),
            "kind": name(&signal.kind),
            "what": signal.what,
            "weight": signal.weight,
        })
    });
    let times = understood.times.iter().map(|time| json!({ "from": time.from, "to": time.to }));
    let mentions = understood
        .mentions
        .iter()
        .map(|mention| json!({ "kind": name(&mention.kind), "text": mention.text }));
    let terms =
        understood.terms.iter().map(|(term, weight)| json!({ "term": term, "weight": weight }));
    let corrected =
        understood.corrected.iter().map(|one| json!({ "from": one.from, "to": one.to }));
    json!({
        "task": understood.task.map(|task| task.as_str()),
        "decided_by": match question.task {
            Some(_) => "caller".to_owned(),
            None => name(&detected.decided_by),
        },
        "signals": signals.collect::<Vec<Value>>(),
        "times": times.collect::<Vec<Value>>(),
        "intent": understood.wanted.intent.as_str(),
        "mentions": mentions.collect::<Vec<Value>>(),
        "terms": terms.collect::<Vec<Value>>(),
        "corrected": corrected.collect::<Vec<Value>>(),
    })
}

fn strategy(recall: &Recall, question: &Question) -> Value {
    let strategy = &recall.strategy;
    let weights = Collection::ALL.iter().zip(strategy.weights);
    let weights = weights.map(|(collection, weight)| (collection.as_str(), json!(weight)));
    let places = Collection::ALL.iter().map(|collection| {
        (collection.as_str(), json!(strategy.places(*collection, question.limit)))
    });
    json!({
        "task": strategy.task.map(|task| task.as_str()),
        "weights": numbers(weights),
        "places": numbers(places),
    })
}

fn numbers<'a>(pairs: impl Iterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(pairs.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

/// The name of a variant in our spelling: `ErrorCode` is `error_code`.
fn name(variant: &impl Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_named_as_everything_else() {
        #[derive(Debug)]
        enum Thing {
            ErrorCode,
            Url,
        }
        assert_eq!(name(&Thing::ErrorCode), "error_code");
        assert_eq!(name(&Thing::Url), "url");
    }
}
