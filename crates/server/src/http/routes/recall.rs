//! Questions: recall, explain, what is alike, and what became of the answers.

use super::Answered;
use super::memories::at;
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::names::Id;
use crate::http::schema::recall::{
    Answer, Counted, ExplainAsk, Fate, Feedback, FeedbackEvent, RecallAsk,
};
use crate::http::sight::Sight;
use crate::wire::{self, recall::Reply};
use axum::Json;
use mnemic_engine::model::{Tier, Truth, Use};
use mnemic_engine::recall::{Question, Recall};
use mnemic_engine::{Engine, Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Value, json};

/// Recall memories
#[utoipa::path(
    post, path = "/v1/recall", tag = "recall", operation_id = "recall",
    description = "The best memories for a question, each with an explanation of its score; silence \
        where nothing speaks of it.",
    request_body = RecallAsk, responses((status = 200, body = Answer)),
)]
pub(crate) async fn recall(caller: Caller, Body(ask): Body<RecallAsk>) -> Answered<Reply> {
    let limit = within("limit", ask.limit, 5, 200)?;
    let namespace = ask.namespace.clone().map(|space| space.0);
    let answer = caller.run_in(Deed::Recall, namespace, move |engine, sight| {
        let question = question(engine, sight, &ask, limit)?;
        let mut recall = engine.recall(&question)?;
        hide(&mut recall, sight);
        let reply = Reply::new(recall, question);
        let used = if ask.no_usage { Vec::new() } else { reply.handed_out() };
        Ok((reply, used))
    });
    let (reply, used) = answer.await?;
    caller.door.uses.note(used);
    Ok(Json(reply))
}

/// Whatever a filter lets pass, nobody is shown more than the token allows.
fn hide(recall: &mut Recall, sight: &Sight) {
    recall.found.retain(|found| sight.sees(&found.version));
    if sight.is_narrow() {
        // Earlier statements and the best of what was refused may be of another kind or place.
        for found in &mut recall.found {
            found.history.clear();
            found.disputes.clear();
        }
        recall.refusal = None;
    }
}

fn question(
    engine: &Engine,
    sight: &Sight,
    ask: &RecallAsk,
    limit: usize,
) -> Result<Question, Problem> {
    let mut question = said(engine, &ask.query)?;
    let usual = question.filter.kinds.clone();
    question.limit = limit;
    question.task = ask.task.map(|task| task.0);
    question.filter.kinds = ask.kinds.iter().map(|kind| kind.0).collect();
    question.filter.described = ask.kinds.is_empty();
    sight.narrow(&mut question.filter, &usual)?;
    if !ask.tiers.is_empty() {
        question.filter.tiers = ask.tiers.iter().map(|tier| tier.0).collect::<Vec<Tier>>();
    }
    question.filter.tags = ask.tags.clone();
    question.filter.at = at(ask.as_of, ask.known_at, Truth::Now);
    question.switches.bounds = !ask.fill;
    Ok(question)
}

/// A question has words.
fn said(engine: &Engine, text: &str) -> Result<Question, Problem> {
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::Invalid, "`query` is empty")
            .hint("ask for something, or list memories with GET /v1/memories")
            .into());
    }
    Ok(engine.question(text))
}

/// Explain what became of one memory
#[utoipa::path(
    post, path = "/v1/explain", tag = "recall", operation_id = "explain",
    description = "Whether a memory answers a question, and if not, which step dropped it and why.",
    request_body = ExplainAsk, responses((status = 200, body = Fate)),
)]
pub(crate) async fn explain(caller: Caller, Body(ask): Body<ExplainAsk>) -> Answered<Value> {
    let limit = within("limit", ask.limit, 5, 200)?;
    let namespace = ask.namespace.clone().map(|space| space.0);
    let fate = caller.run_in(Deed::Explain, namespace, move |engine, sight| {
        sight.require(engine, ask.id.as_str())?;
        let mut question = said(engine, &ask.query)?;
        question.limit = limit;
        let fate = wire::recall::fate(&engine.why_not(&question, ask.id.as_str())?);
        let mut view = json!({ "query": ask.query, "id": ask.id });
        if let (Some(view), Value::Object(fate)) = (view.as_object_mut(), fate) {
            view.extend(fate);
        }
        Ok(view)
    });
    fate.await.map(Json)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SimilarAsk {
    /// How many at most.
    #[param(minimum = 1, maximum = 100, default = 5)]
    limit: Option<u32>,
}

/// Memories that say something like this one
#[utoipa::path(
    get, path = "/v1/memories/{id}/similar", tag = "recall", operation_id = "similar_memories",
    params(("id" = Id, Path), SimilarAsk), responses((status = 200, body = Answer)),
)]
pub(crate) async fn similar(
    caller: Caller,
    Address(id): Address<String>,
    Ask(ask): Ask<SimilarAsk>,
) -> Answered<Reply> {
    let limit = within("limit", ask.limit, 5, 100)?;
    let reply = caller.run(Deed::Similar, move |engine, sight| {
        sight.require(engine, &id)?;
        let mut recall = engine.similar(&id, limit)?;
        hide(&mut recall, sight);
        let mut question = engine.question(id.as_str());
        question.limit = limit;
        Ok(Reply::new(recall, question))
    });
    reply.await.map(Json)
}

/// Say what became of memories
#[utoipa::path(
    post, path = "/v1/feedback", tag = "recall", operation_id = "feedback",
    description = "Counts that memories were retrieved, cited, ignored, or part of a success.",
    request_body = Feedback, responses((status = 200, body = Counted)),
)]
pub(crate) async fn feedback(caller: Caller, Body(ask): Body<Feedback>) -> Answered<Counted> {
    let counted = caller.run(Deed::Feedback, move |engine, sight| {
        let event = match ask.event {
            FeedbackEvent::Retrieved => Use::Loaded,
            FeedbackEvent::Cited => Use::Referenced,
            FeedbackEvent::Ignored => Use::Ignored,
            FeedbackEvent::Outcome => Use::Succeeded,
        };
        if !(1..=200).contains(&ask.ids.len()) {
            return Err(Error::new(ErrorKind::Invalid, format!("there are {} ids", ask.ids.len()))
                .hint("name 1 to 200 memories")
                .into());
        }
        for id in &ask.ids {
            sight.require(engine, id.as_str())?;
        }
        let ids: Vec<&str> = ask.ids.iter().map(Id::as_str).collect();
        engine.record_use(&ids, event, ask.relevance.map(|share| share.0))?;
        Ok(Counted { event: ask.event, counted: ids.len() as u64 })
    });
    counted.await.map(Json)
}
