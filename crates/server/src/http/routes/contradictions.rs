//! Contradictions and their resolution, and what waits for a person.

use super::Answered;
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::memory::{Edited, EditedList, MemoryPage};
use crate::http::schema::names::{Id, PageCursor, Space, StatusName};
use crate::http::schema::upkeep::{
    Judgement, Made, NewContradiction, ResolveAsk, ReviewList, Verdict,
};
use crate::http::sight::Sight;
use crate::wire;
use axum::Json;
use axum::http::StatusCode;
use mnemic_engine::model::{At, Body as RecordBody, Filter, Kind, Truth, Version};
use mnemic_engine::{Engine, Error, ErrorKind, Note, Waiting};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ContradictionAsk {
    /// Only those that are open, or resolved.
    status: Option<StatusName>,
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// `next` of the page before.
    cursor: Option<PageCursor>,
}

/// Contradictions, the newest first
#[utoipa::path(
    get, path = "/v1/contradictions", tag = "contradictions", operation_id = "list_contradictions",
    params(ContradictionAsk), responses((status = 200, body = MemoryPage)),
)]
pub(crate) async fn list(caller: Caller, Ask(ask): Ask<ContradictionAsk>) -> Answered<Value> {
    let filter = Filter {
        kinds: vec![Kind::Contradiction],
        limit: within("limit", ask.limit, 50, 200)?,
        ..Filter::new(At { truth: Truth::Whenever, known: None })
    };
    let cursor = ask.cursor.map(|cursor| cursor.0);
    let page = caller.run(Deed::Contradictions, move |engine, sight| {
        let page = engine.list_from(cursor, &filter)?;
        let fits = |version: &Version| match &version.content.body {
            RecordBody::Contradiction(one) => {
                ask.status.is_none_or(|status| status.0 == one.status)
            }
            _ => false,
        };
        let mut items = Vec::new();
        for item in page.items.iter().filter(|item| fits(&item.version)) {
            if sees_both(engine, sight, &item.version) {
                items.push(wire::listed(item));
            }
        }
        Ok(json!({ "items": items, "next": page.next }))
    });
    page.await.map(Json)
}

/// A contradiction tells of two memories; who may not see both may not see it.
fn sees_both(engine: &Engine, sight: &Sight, version: &Version) -> bool {
    let RecordBody::Contradiction(one) = &version.content.body else { return false };
    !sight.is_narrow()
        || [&one.a, &one.b].iter().all(|side| sight.require(engine, side.as_str()).is_ok())
}

/// Note that two memories contradict each other
#[utoipa::path(
    post, path = "/v1/contradictions", tag = "contradictions", operation_id = "contradict",
    description = "The same pair noted twice is one.",
    request_body = NewContradiction, responses((status = 201, body = Made)),
)]
pub(crate) async fn create(
    caller: Caller,
    Body(ask): Body<NewContradiction>,
) -> Result<(StatusCode, Json<Made>), Problem> {
    let by = caller.grant.actor().to_string();
    let made = caller.run(Deed::Contradict, move |engine, sight| {
        sight.require_own(engine, ask.a.as_str())?;
        sight.require_own(engine, ask.b.as_str())?;
        let note = Note { reason: ask.reason, ..Note::default() };
        Ok(Made { id: Id(engine.contradict(ask.a.as_str(), ask.b.as_str(), &by, &note)?) })
    });
    made.await.map(|made| (StatusCode::CREATED, Json(made)))
}

/// Settle a contradiction
#[utoipa::path(
    post, path = "/v1/contradictions/{id}/resolution", tag = "contradictions",
    operation_id = "resolve_contradiction",
    description = "The loser's validity ends now; it is not deleted. One that is settled already \
        is answered with 409.",
    params(("id" = Id, Path)), request_body = ResolveAsk,
    responses((status = 200, body = Edited)),
)]
pub(crate) async fn resolve(
    caller: Caller,
    Address(id): Address<String>,
    Body(ask): Body<ResolveAsk>,
) -> Answered<Value> {
    let edited = caller.run(Deed::Resolve, move |engine, sight| {
        let shown = engine.show(&id, At::LATEST)?;
        let is_it = shown.version.id.as_str() == id;
        if !is_it || sight.is_narrow() && !sees_both(engine, sight, &shown.version) {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("there is no contradiction `{id}`"),
            )
            .hint("`GET /v1/contradictions` lists them")
            .into());
        }
        let note = Note { reason: ask.reason, ..Note::default() };
        Ok(engine.resolve(&id, ask.resolution.0, ask.note, &note)?)
    });
    edited.await.map(|edited| Json(wire::edited(&edited)))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewAsk {
    namespace: Option<Space>,
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
}

/// More than anybody looks through at once.
const MOST_WAITING: usize = 10_000;

/// What waits for a person
#[utoipa::path(
    get, path = "/v1/review", tag = "review", operation_id = "review",
    description = "Claims nobody vouches for; before them, for a token made with `--person`, what \
        is in quarantine.",
    params(ReviewAsk), responses((status = 200, body = ReviewList)),
)]
pub(crate) async fn review(caller: Caller, Ask(ask): Ask<ReviewAsk>) -> Answered<Value> {
    let limit = within("limit", ask.limit, 50, 200)?;
    let namespace = ask.namespace.map(|space| space.0);
    let waiting = caller.run_in(Deed::Review, namespace, move |engine, sight| {
        let mut waiting = engine.review(MOST_WAITING)?;
        waiting.retain(|one| sight.shows(&one.version));
        let more = waiting.len() > limit;
        waiting.truncate(limit);
        Ok(json!({ "items": waiting.iter().map(item).collect::<Vec<Value>>(), "more": more }))
    });
    waiting.await.map(Json)
}

fn item(waiting: &Waiting) -> Value {
    let mut fields = wire::stored(waiting.store, &waiting.version);
    let replaced = waiting.replaced.iter().map(|old| Value::Object(wire::version(old)));
    fields.insert("replaced".into(), replaced.collect());
    Value::Object(fields)
}

/// Accept or reject what waits
#[utoipa::path(
    post, path = "/v1/review", tag = "review", operation_id = "judge",
    description = "All of them in one change. Only a token made with `--person` may.",
    request_body = Judgement, responses((status = 200, body = EditedList)),
)]
pub(crate) async fn judge(caller: Caller, Body(ask): Body<Judgement>) -> Answered<Value> {
    let edited = caller.run(Deed::Judge, move |engine, sight| {
        if !(1..=200).contains(&ask.ids.len()) {
            return Err(Error::new(ErrorKind::Invalid, format!("there are {} ids", ask.ids.len()))
                .hint("name 1 to 200 memories")
                .into());
        }
        for id in &ask.ids {
            sight.require_own(engine, id.as_str())?;
        }
        let ids: Vec<&str> = ask.ids.iter().map(Id::as_str).collect();
        let note = Note { reason: ask.reason, ..Note::default() };
        let edited = match ask.verdict {
            Verdict::Accept => engine.accept(&ids, &note)?,
            Verdict::Reject => engine.reject(&ids, &note)?,
        };
        Ok(json!({ "items": edited.iter().map(wire::edited).collect::<Vec<Value>>() }))
    });
    edited.await.map(Json)
}
