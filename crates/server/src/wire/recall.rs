//! An answer to a question as JSON: what was found and why, and how the question was taken.

use mnemic_engine::Levels;
use mnemic_engine::recall::{
    Collection, Explanation, Fate, Found, Past, Question, Recall, Refusal, Understanding,
};
use serde_json::{Map, Value, json};
use std::fmt::Debug;

pub fn answer(recall: &Recall, question: &Question) -> Value {
    json!({
        "query": question.text,
        "evidence": recall.evidence,
        "found": recall.found.iter().map(found).collect::<Vec<Value>>(),
        "refusal": recall.refusal.as_ref().map(refusal),
        "understanding": understanding(&recall.understanding, question),
        "strategy": strategy(recall, question),
        "unread": recall.unread,
        "gathered": numbers(recall.gathered.iter().map(|(channel, n)| (*channel, json!(n)))),
    })
}

pub fn found(found: &Found) -> Value {
    let content = &found.version.content;
    let levels = Levels::of(content);
    json!({
        "id": found.version.id,
        "kind": found.version.kind(),
        "store": found.source,
        "score": found.score,
        "evidence": found.evidence,
        "title": content.body.title(),
        "text": levels.full.text,
        "summary": levels.summary.text,
        "tokens": levels.full.tokens(),
        "valid_at": content.valid.from(),
        "invalid_at": content.valid.to(),
        "recorded_at": found.version.recorded.from(),
        "explanation": explanation(&found.explanation),
        "history": found.history.iter().map(past).collect::<Vec<Value>>(),
    })
}

fn past(past: &Past) -> Value {
    json!({
        "id": past.id,
        "text": past.text,
        "valid_at": past.valid.from(),
        "invalid_at": past.valid.to(),
        "because": past.because,
    })
}

fn refusal(refusal: &Refusal) -> Value {
    json!({
        "best_id": refusal.best_id,
        "best_score": refusal.best_score,
        "reason": refusal.reason,
    })
}

pub fn explanation(explanation: &Explanation) -> Value {
    let parts = explanation.parts.iter().map(|part| {
        json!({
            "name": part.name,
            "raw": part.raw,
            "value": part.value,
            "weight": part.weight,
            "product": part.product(),
        })
    });
    let factors = explanation.factors.iter();
    let ranks = explanation.ranks.iter().map(|one| (one.channel.as_str(), json!(one.rank)));
    json!({
        "ranks": numbers(ranks),
        "parts": parts.collect::<Vec<Value>>(),
        "factors": factors
            .map(|factor| json!({ "name": factor.name, "value": factor.value }))
            .collect::<Vec<Value>>(),
        "score": explanation.score,
        "passed": explanation.passed,
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
