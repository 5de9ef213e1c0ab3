//! Memories: list, remember, show, change, forget, and their past.

use super::{Answered, Because, patch};
use crate::http::answers;
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Commas, Fields, Precondition, etag, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::bounds::brief;
use crate::http::schema::draft::{self, Draft as DraftSchema, MergePatch};
use crate::http::schema::memory::{
    Edited, Forgotten, History, Memory, MemoryInFull, MemoryPage, Remembered,
};
use crate::http::schema::names::{
    AuthorName, Id, KindName, PageCursor, ScopeName, Share, Space, TierName, Time, TrustName,
};
use crate::wire;
use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mnemic_engine::model::{At, Draft, Filter, Kind, Trust, Truth};
use mnemic_engine::{Error, ErrorKind, Note, Outcome};
use serde::Deserialize;
use serde_json::{Value, json};

/// What a plain list shows.
pub(super) fn memory_kinds() -> Vec<Kind> {
    Kind::ALL.iter().copied().filter(|kind| kind.is_memory()).collect()
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListAsk {
    /// Only these kinds.
    #[param(value_type = Option<Vec<KindName>>, style = Form, explode = false)]
    #[serde(default)]
    kind: Commas<KindName>,
    #[param(value_type = Option<Vec<TierName>>, style = Form, explode = false)]
    #[serde(default)]
    tier: Commas<TierName>,
    #[param(value_type = Option<Vec<ScopeName>>, style = Form, explode = false)]
    #[serde(default)]
    scope: Commas<ScopeName>,
    #[param(value_type = Option<Vec<TrustName>>, style = Form, explode = false)]
    #[serde(default)]
    trust: Commas<TrustName>,
    /// What kind of writer it came from.
    #[param(value_type = Option<Vec<AuthorName>>, style = Form, explode = false)]
    #[serde(default)]
    author: Commas<AuthorName>,
    /// With this tag.
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[param(max_length = 200)]
    tag: Option<String>,
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[param(max_length = 200)]
    category: Option<String>,
    pinned: Option<bool>,
    #[param(value_type = Option<Share>)]
    min_importance: Option<f64>,
    /// First recorded at or after, before.
    since: Option<Time>,
    until: Option<Time>,
    /// Words that must all occur.
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[param(max_length = 1000)]
    words: Option<String>,
    /// What was true then.
    as_of: Option<Time>,
    /// As the store believed then.
    known_at: Option<Time>,
    /// Also what is no longer true, or not yet.
    #[serde(default)]
    all: bool,
    namespace: Option<Space>,
    /// How many at most.
    #[param(minimum = 1, maximum = 200, default = 20)]
    limit: Option<u32>,
    /// `next` of the page before.
    cursor: Option<PageCursor>,
}

/// A point on both time lines.
pub(super) fn at(as_of: Option<Time>, known_at: Option<Time>, usual: Truth) -> At {
    At { truth: as_of.map_or(usual, |time| Truth::At(time.0)), known: known_at.map(|time| time.0) }
}

impl ListAsk {
    fn filter(&self) -> Result<Filter, Problem> {
        let usual = if self.all { Truth::Whenever } else { Truth::Now };
        let unit = |value: f64| mnemic_engine::model::Unit::new(value);
        Ok(Filter {
            kinds: self.kind.0.iter().map(|one| one.0).collect(),
            tiers: self.tier.0.iter().map(|one| one.0).collect(),
            levels: self.scope.0.iter().map(|one| one.0).collect(),
            trusts: self.trust.0.iter().map(|one| one.0).collect(),
            authors: self.author.0.iter().map(|one| one.0).collect(),
            tags: self.tag.iter().cloned().collect(),
            category: self.category.clone(),
            pinned: self.pinned,
            min_importance: self.min_importance.map(unit).transpose()?,
            recorded_since: self.since.map(|time| time.0),
            recorded_until: self.until.map(|time| time.0),
            words: self.words.clone(),
            limit: within("limit", self.limit, 20, 200)?,
            ..Filter::new(at(self.as_of, self.known_at, usual))
        })
    }
}

/// List memories
#[utoipa::path(
    get, path = "/v1/memories", tag = "memories", operation_id = "list_memories",
    description = "The project's first, then yours, each the newest first.",
    params(ListAsk), responses((status = 200, body = MemoryPage)),
)]
pub(crate) async fn list(caller: Caller, Ask(ask): Ask<ListAsk>) -> Answered<Value> {
    let mut filter = ask.filter()?;
    if filter.trusts.is_empty() {
        // What is quarantined never surfaces unasked.
        filter.trusts = vec![Trust::Trusted, Trust::Unreviewed];
    }
    let cursor = ask.cursor.map(|cursor| cursor.0);
    let namespace = ask.namespace.map(|space| space.0);
    let page = caller.run_in(Deed::List, namespace, move |engine, sight| {
        sight.narrow(&mut filter, &memory_kinds())?;
        let page = engine.list_from(cursor, &filter)?;
        let items: Vec<Value> = page.items.iter().map(wire::listed).collect();
        Ok(json!({ "items": items, "next": page.next }))
    });
    page.await.map(Json)
}

/// Remember something
#[utoipa::path(
    post, path = "/v1/memories", tag = "memories", operation_id = "remember",
    description = "Takes a memory in. With the header `Idempotency-Key`, the same write twice is \
        one. What is there already is answered with 200 and `known`.",
    params(Because, ("Idempotency-Key" = Option<String>, Header, max_length = 128, pattern = "^[!-~]+$")),
    request_body = DraftSchema,
    responses(
        (status = 201, body = Remembered, headers(("Location" = String), ("ETag" = String))),
        (status = 200, body = Remembered, headers(("Location" = String))),
    ),
)]
pub(crate) async fn create(
    caller: Caller,
    headers: HeaderMap,
    Ask(because): Ask<Because>,
    Fields(fields): Fields,
) -> Result<Response, Problem> {
    let mut draft = Draft::sent(draft::in_whole_numbers(fields))?;
    if let Some(key) = answers::key(&headers)? {
        // Tokens do not know each other's keys.
        draft.about.idempotency_key = Some(format!("{}:{key}", caller.grant.id));
    }
    remember(caller, draft, because.reason).await
}

/// Takes a draft in and says where it lies.
pub(super) async fn remember(
    caller: Caller,
    draft: Draft,
    reason: Option<String>,
) -> Result<Response, Problem> {
    let done = caller.run(Deed::Remember, move |engine, sight| {
        sight.admit(&draft)?;
        Ok(engine.remember(draft, &Note { reason, ..Note::default() })?)
    });
    let done = done.await?;
    let status = match done.outcome {
        Outcome::Created => StatusCode::CREATED,
        Outcome::Known | Outcome::Replayed => StatusCode::OK,
    };
    let place = format!("/v1/memories/{}", encoded(done.id.as_str()));
    let mut response = (status, Json(wire::remembered(&done))).into_response();
    if let Ok(place) = place.parse() {
        response.headers_mut().insert(header::LOCATION, place);
    }
    if done.outcome == Outcome::Created
        && let Ok(tag) = etag(1).parse()
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

/// An id as a part of an address.
fn encoded(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let code = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    id.bytes().map(code).collect()
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct WhenAsk {
    /// Whether it was true then.
    as_of: Option<Time>,
    /// As the store believed then.
    known_at: Option<Time>,
}

/// Show a memory
#[utoipa::path(
    get, path = "/v1/memories/{id}", tag = "memories", operation_id = "show_memory",
    description = "Its ETag names the version; send it as `If-Match` to change or forget it.",
    params(("id" = Id, Path), WhenAsk, ("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, body = MemoryInFull, headers(("ETag" = String))),
        (status = 304, description = "Still the same version", headers(("ETag" = String))),
    ),
)]
pub(crate) async fn show(
    caller: Caller,
    Address(id): Address<String>,
    Ask(ask): Ask<WhenAsk>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let when = at(ask.as_of, ask.known_at, Truth::Now);
    let shown = caller.run(Deed::Show, move |engine, sight| sight.show(engine, &id, when)).await?;
    let tag = etag(shown.version.n);
    let same = |value: &header::HeaderValue| {
        value.to_str().is_ok_and(|text| text.split(',').any(|one| one.trim() == tag))
    };
    let is_known = headers.get_all(header::IF_NONE_MATCH).iter().any(same);
    let answer = [(header::ETAG, tag.clone())];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, answer).into_response());
    }
    Ok((answer, Json(wire::shown(&shown))).into_response())
}

/// Change a memory
#[utoipa::path(
    patch, path = "/v1/memories/{id}", tag = "memories", operation_id = "edit_memory",
    description = "Makes a new version. Without `If-Match` the answer is 428; where the memory was \
        changed since, 412. What happened is never edited: bodies of episodes stay.",
    params(("id" = Id, Path), Because, ("If-Match" = String, Header, description = "The ETag of the memory, or `*`")),
    request_body(content = MergePatch, content_type = "application/merge-patch+json"),
    responses((status = 200, body = Edited, headers(("ETag" = String)))),
)]
pub(crate) async fn edit(
    caller: Caller,
    Address(id): Address<String>,
    Ask(because): Ask<Because>,
    precondition: Precondition,
    Fields(fields): Fields,
) -> Result<Response, Problem> {
    let edited = caller.run(Deed::Edit, move |engine, sight| {
        sight.require_own(engine, &id)?;
        let shown = engine.show(&id, At::LATEST)?;
        let note = precondition.note(shown.version.n, because.reason)?;
        let patch = patch::read(fields, &shown.version.content.tags)?;
        sight.admit_patch(&patch)?;
        Ok(engine.edit(&id, &patch, &note)?)
    });
    let edited = edited.await?;
    let tag = [(header::ETAG, etag(edited.version.n))];
    Ok((tag, Json(wire::edited(&edited))).into_response())
}

/// Forget a memory
#[utoipa::path(
    delete, path = "/v1/memories/{id}", tag = "memories", operation_id = "forget_memory",
    description = "Erases it from rows, words, journal, free pages and backups; a tombstone stays. \
        This cannot be undone and needs the scope `admin`. Preconditions as for changing it.",
    params(("id" = Id, Path), Because, ("If-Match" = String, Header, description = "The ETag of the memory, or `*`")),
    responses((status = 200, body = Forgotten)),
)]
pub(crate) async fn forget(
    caller: Caller,
    Address(id): Address<String>,
    Ask(because): Ask<Because>,
    precondition: Precondition,
) -> Answered<Forgotten> {
    let forgotten = caller.run(Deed::Forget, move |engine, sight| {
        sight.require_own(engine, &id)?;
        let current = engine.history(&id, None)?.last().map_or(0, |event| event.version.n);
        let note = precondition.note(current, because.reason)?;
        Ok(engine.forget(&[&id], &note)?)
    });
    forgotten.await.map(|done| Json(Forgotten::from(done)))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct KnownAsk {
    /// As the store believed then.
    known_at: Option<Time>,
}

/// Every version of a memory and why it came to be
#[utoipa::path(
    get, path = "/v1/memories/{id}/history", tag = "memories", operation_id = "memory_history",
    params(("id" = Id, Path), KnownAsk), responses((status = 200, body = History)),
)]
pub(crate) async fn history(
    caller: Caller,
    Address(id): Address<String>,
    Ask(ask): Ask<KnownAsk>,
) -> Answered<Value> {
    let events = caller.run(Deed::History, move |engine, sight| {
        sight.require(engine, &id)?;
        let events = engine.history(&id, ask.known_at.map(|time| time.0))?;
        Ok(json!({ "items": events.iter().map(wire::event).collect::<Vec<Value>>() }))
    });
    events.await.map(Json)
}

/// The versions of a memory without their changes
#[utoipa::path(
    get, path = "/v1/memories/{id}/versions", tag = "memories", operation_id = "memory_versions",
    params(("id" = Id, Path)), responses((status = 200, body = MemoryPage)),
)]
pub(crate) async fn versions(caller: Caller, Address(id): Address<String>) -> Answered<Value> {
    let events = caller.run(Deed::History, move |engine, sight| {
        sight.require(engine, &id)?;
        let events = engine.history(&id, None)?;
        let items = events.iter().map(|event| wire::stored(event.store, &event.version));
        Ok(json!({ "items": items.map(Value::Object).collect::<Vec<Value>>(), "next": null }))
    });
    events.await.map(Json)
}

/// One version of a memory
#[utoipa::path(
    get, path = "/v1/memories/{id}/versions/{n}", tag = "memories", operation_id = "memory_version",
    params(("id" = Id, Path), ("n" = u32, Path, minimum = 1)),
    responses((status = 200, body = Memory)),
)]
pub(crate) async fn version(
    caller: Caller,
    Address((id, n)): Address<(String, u32)>,
) -> Answered<Value> {
    let found = caller.run(Deed::History, move |engine, sight| {
        sight.require(engine, &id)?;
        let mut events = engine.history(&id, None)?.into_iter();
        let event = events.find(|event| event.version.n == n).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("`{id}` has no version {n}"))
                .hint(format!("`mnemic history {id}` shows them"))
        })?;
        Ok(Value::Object(wire::stored(event.store, &event.version)))
    });
    found.await.map(Json)
}

/// Vouch for a memory
#[utoipa::path(
    post, path = "/v1/memories/{id}/confirmation", tag = "memories", operation_id = "confirm_memory",
    description = "From then on it is trusted. Only a token made with `--person` may.",
    params(("id" = Id, Path), Because), responses((status = 200, body = Edited)),
)]
pub(crate) async fn confirm(
    caller: Caller,
    Address(id): Address<String>,
    Ask(because): Ask<Because>,
) -> Answered<Value> {
    let edited = caller.run(Deed::Judge, move |engine, sight| {
        sight.require_own(engine, &id)?;
        Ok(engine.confirm(&id, &Note { reason: because.reason, ..Note::default() })?)
    });
    edited.await.map(|edited| Json(wire::edited(&edited)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_parts_of_addresses() {
        assert_eq!(encoded("fact-1"), "fact-1");
        assert_eq!(encoded("../a b/ä"), "..%2Fa%20b%2F%C3%A4");
    }
}
