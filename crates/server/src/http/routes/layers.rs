//! The index of what there is, its topics, and the timeline.

use super::Answered;
use super::memories::memory_kinds;
use crate::http::door::Caller;
use crate::http::extract::{Ask, Commas, within};
use crate::http::policy::Deed;
use crate::http::schema::bounds::brief;
use crate::http::schema::layers::{Index, Timeline, Topic, TopicList};
use crate::http::schema::names::{KindName, Space, Time};
use crate::wire;
use axum::Json;
use mnemic_engine::model::{At, Filter, Trust, Truth};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct IndexAsk {
    /// Topics that fit this come first.
    #[serde(default, deserialize_with = "brief::<_, 20000>")]
    #[param(max_length = 20000)]
    question: Option<String>,
    /// The most tokens.
    #[param(minimum = 1, maximum = 100000, default = 500)]
    budget: Option<u32>,
    namespace: Option<Space>,
}

/// The index of what there is
#[utoipa::path(
    get, path = "/v1/index", tag = "layers", operation_id = "index",
    description = "The cheapest layer: topics with their counts, within a budget of tokens.",
    params(IndexAsk), responses((status = 200, body = Index)),
)]
pub(crate) async fn index(caller: Caller, Ask(ask): Ask<IndexAsk>) -> Answered<Index> {
    let budget = within("budget", ask.budget, 500, 100_000)?;
    let namespace = ask.namespace.map(|space| space.0);
    let index = caller.run_in(Deed::Index, namespace, move |engine, _| {
        let question = ask.question.as_deref().filter(|text| !text.trim().is_empty());
        Ok(Index::from(&engine.layers_index(question, budget)?))
    });
    index.await.map(Json)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TopicAsk {
    namespace: Option<Space>,
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u32>,
}

/// The topics that memories are filed under
#[utoipa::path(
    get, path = "/v1/topics", tag = "layers", operation_id = "topics",
    params(TopicAsk), responses((status = 200, body = TopicList)),
)]
pub(crate) async fn topics(caller: Caller, Ask(ask): Ask<TopicAsk>) -> Answered<TopicList> {
    let limit = within("limit", ask.limit, 100, 1_000)?;
    let namespace = ask.namespace.map(|space| space.0);
    let topics = caller.run_in(Deed::Index, namespace, move |engine, _| {
        // So much that every topic finds its place.
        let index = engine.layers_index(None, 1_000_000)?;
        Ok(index.entries.iter().take(limit).map(Topic::from).collect())
    });
    topics.await.map(|items| Json(TopicList { items }))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineAsk {
    /// Around this time [default: now].
    at: Option<Time>,
    /// Around this memory; goes before `at`.
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[param(min_length = 1, max_length = 200, pattern = "^[!-~]+$")]
    id: Option<String>,
    /// How many before and after.
    #[param(minimum = 1, maximum = 100, default = 10)]
    each: Option<u32>,
    #[param(value_type = Option<Vec<KindName>>, style = Form, explode = false)]
    #[serde(default)]
    kind: Commas<KindName>,
    namespace: Option<Space>,
}

/// What happened around a point in time
#[utoipa::path(
    get, path = "/v1/timeline", tag = "layers", operation_id = "timeline",
    params(TimelineAsk), responses((status = 200, body = Timeline)),
)]
pub(crate) async fn timeline(caller: Caller, Ask(ask): Ask<TimelineAsk>) -> Answered<Value> {
    let each = within("each", ask.each, 10, 100)?;
    let now = caller.door.pool.settings().clock.now();
    let mut filter = Filter {
        kinds: ask.kind.0.iter().map(|kind| kind.0).collect(),
        // What is quarantined never surfaces unasked.
        trusts: vec![Trust::Trusted, Trust::Unreviewed],
        ..Filter::new(At { truth: Truth::Whenever, known: None })
    };
    let namespace = ask.namespace.map(|space| space.0);
    let told = caller.run_in(Deed::Timeline, namespace, move |engine, sight| {
        let around = match (&ask.id, ask.at) {
            (Some(id), _) => {
                sight.require(engine, id)?;
                engine.moment_of(id)?
            }
            (None, Some(time)) => time.0,
            (None, None) => now,
        };
        sight.narrow(&mut filter, &memory_kinds())?;
        let moments = engine.timeline(around, each, &filter)?;
        let moments =
            moments.iter().map(|one| Value::Object(wire::stored(one.store, &one.version)));
        Ok(json!({ "around": around, "moments": moments.collect::<Vec<Value>>() }))
    });
    told.await.map(Json)
}
