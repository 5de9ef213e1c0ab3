//! Links between memories, and the neighbourhood of one.

use super::{Answered, Because};
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::memory::{Graph, Link as LinkSchema, LinkList, NewLink};
use crate::http::schema::names::{Id, RelationName};
use crate::http::sight::Sight;
use crate::wire;
use axum::Json;
use axum::http::StatusCode;
use mnemic_engine::model::{At, Link, RecordId, Relation, Truth, Unit, Version};
use mnemic_engine::{Engine, Note};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// What is still believed, whenever it was true.
const LATEST: At = At { truth: Truth::Whenever, known: None };

/// The links of a memory
#[utoipa::path(
    get, path = "/v1/memories/{id}/links", tag = "graph", operation_id = "memory_links",
    params(("id" = Id, Path)), responses((status = 200, body = LinkList)),
)]
pub(crate) async fn links(caller: Caller, Address(id): Address<String>) -> Answered<Value> {
    let shown = caller.run(Deed::Graph, move |engine, sight| {
        let shown = sight.show(engine, &id, LATEST)?;
        Ok(json!({ "items": shown.links.iter().map(wire::link).collect::<Vec<Value>>() }))
    });
    shown.await.map(Json)
}

/// Link two memories
#[utoipa::path(
    post, path = "/v1/links", tag = "graph", operation_id = "link",
    description = "The same link once more is not a change. Links do not cross stores.",
    request_body = NewLink, responses((status = 200, body = LinkSchema)),
)]
pub(crate) async fn link(caller: Caller, Body(ask): Body<NewLink>) -> Answered<Value> {
    let link = caller.run(Deed::Link, move |engine, sight| {
        sight.require_own(engine, ask.from.as_str())?;
        sight.require(engine, ask.to.as_str())?;
        let strength = ask.strength.map_or(Unit::ONE, |share| share.0);
        let note = Note { reason: ask.reason, ..Note::default() };
        Ok(engine.link(ask.from.as_str(), ask.relation.0, ask.to.as_str(), strength, &note)?)
    });
    link.await.map(|link| Json(wire::link(&link)))
}

/// Take a link away
#[utoipa::path(
    delete, path = "/v1/memories/{id}/links/{relation}/{to}", tag = "graph", operation_id = "unlink",
    params(("id" = Id, Path), ("relation" = RelationName, Path), ("to" = Id, Path), Because),
    responses((status = 204, description = "The link is gone")),
)]
pub(crate) async fn unlink(
    caller: Caller,
    Address((id, relation, to)): Address<(String, String, String)>,
    Ask(because): Ask<Because>,
) -> Result<StatusCode, Problem> {
    let relation: Relation = relation.parse()?;
    let done = caller.run(Deed::Link, move |engine, sight| {
        sight.require_own(engine, &id)?;
        sight.require(engine, &to)?;
        let note = Note { reason: because.reason, ..Note::default() };
        Ok(engine.unlink(&id, relation, &to, &note)?)
    });
    done.await.map(|()| StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GraphAsk {
    /// How many links away.
    #[param(minimum = 1, maximum = 5, default = 1)]
    depth: Option<u32>,
    /// How many records at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: Option<u32>,
}

/// The neighbourhood of a memory
#[utoipa::path(
    get, path = "/v1/graph/{id}", tag = "graph", operation_id = "graph",
    description = "Records within some links of one, nearest first, and the links between them.",
    params(("id" = Id, Path), GraphAsk), responses((status = 200, body = Graph)),
)]
pub(crate) async fn graph(
    caller: Caller,
    Address(id): Address<String>,
    Ask(ask): Ask<GraphAsk>,
) -> Answered<Value> {
    let depth = within("depth", ask.depth, 1, 5)?;
    let limit = within("limit", ask.limit, 50, 500)?;
    let found = caller.run(Deed::Graph, move |engine, sight| {
        let start = sight.show(engine, &id, LATEST)?.version.id;
        walk(engine, sight, start, depth, limit).map(|walk| walk.view())
    });
    found.await.map(Json)
}

/// A walk along links, breadth first.
#[derive(Debug, Default)]
struct Walk {
    seen: BTreeMap<RecordId, usize>,
    order: Vec<(Version, usize)>,
    links: Vec<Link>,
    more: bool,
}

fn walk(
    engine: &Engine,
    sight: &Sight,
    start: RecordId,
    depth: usize,
    limit: usize,
) -> Result<Walk, Problem> {
    let mut walk = Walk::default();
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((id, distance)) = queue.pop_front() {
        if walk.seen.contains_key(&id) {
            continue;
        }
        if walk.order.len() == limit {
            walk.more = true;
            break;
        }
        // An end that was taken back or may not be seen is no neighbour.
        let Ok(shown) = sight.show(engine, id.as_str(), LATEST) else { continue };
        walk.seen.insert(id.clone(), distance);
        walk.order.push((shown.version, distance));
        if distance < depth {
            let ends = shown.links.iter();
            queue.extend(ends.map(|link| {
                (if link.from == id { link.to.clone() } else { link.from.clone() }, distance + 1)
            }));
        }
        walk.links.extend(shown.links.into_iter().filter(|link| link.from == id));
    }
    Ok(walk)
}

impl Walk {
    fn view(&self) -> Value {
        let inside = |link: &&Link| self.seen.contains_key(&link.to);
        let node = |(version, distance): &(Version, usize)| {
            json!({
                "id": version.id,
                "kind": version.kind(),
                "title": version.content.body.title(),
                "distance": distance,
            })
        };
        json!({
            "nodes": self.order.iter().map(node).collect::<Vec<Value>>(),
            "links": self.links.iter().filter(inside).map(wire::link).collect::<Vec<Value>>(),
            "more": self.more,
        })
    }
}
