//! Upkeep: consolidation, changes and their undoing, counts, namespaces.

use super::{Answered, Because};
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, within};
use crate::http::policy::Deed;
use crate::http::schema::upkeep::{
    ChangeList, ConsolidateAsk, ConsolidationReport, NamespaceList, Stats, StoreConsolidation,
    StoreStats, UndoneChange,
};
use crate::wire;
use axum::Json;
use mnemic_engine::model::{At, ChangeId};
use mnemic_engine::{Engine, Note, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// Records of a change that a list shows.
const SOME: usize = 20;

/// Tend the stores
#[utoipa::path(
    post, path = "/v1/consolidate", tag = "upkeep", operation_id = "consolidate",
    description = "A dry run says how many memories would be merged, archived and promoted and which \
        contradictions were found, and changes nothing. Without it the scope `admin` is needed; \
        all of a run is one change that can be undone.",
    request_body = ConsolidateAsk, responses((status = 200, body = ConsolidationReport)),
)]
pub(crate) async fn consolidate(
    caller: Caller,
    Body(ask): Body<ConsolidateAsk>,
) -> Answered<ConsolidationReport> {
    let deed = if ask.dry_run { Deed::Plan } else { Deed::Consolidate };
    let report = caller.run(deed, move |engine, _| {
        let note = Note { reason: ask.reason, ..Note::default() };
        let reports = engine.consolidate(ask.dry_run, &note, &mut |_, _| ())?;
        let stores = reports.iter().map(StoreConsolidation::from).collect();
        Ok(ConsolidationReport { dry_run: ask.dry_run, stores })
    });
    report.await.map(Json)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChangesAsk {
    #[param(minimum = 1, maximum = 200, default = 20)]
    limit: Option<u32>,
}

/// The latest changes
#[utoipa::path(
    get, path = "/v1/changes", tag = "upkeep", operation_id = "list_changes",
    params(ChangesAsk), responses((status = 200, body = ChangeList)),
)]
pub(crate) async fn changes(caller: Caller, Ask(ask): Ask<ChangesAsk>) -> Answered<Value> {
    let limit = within("limit", ask.limit, 20, 200)?;
    let changes = caller.run(Deed::Changes, move |engine, _| {
        let mut items = Vec::new();
        for (store, change) in engine.changes(limit)? {
            let records = engine.records_of(store, &change.id, SOME)?;
            let view = wire::change(&change);
            items.push(json!({ "store": store.as_str(), "change": view, "records": records }));
        }
        Ok(json!({ "items": items }))
    });
    changes.await.map(Json)
}

/// Take a change back
#[utoipa::path(
    post, path = "/v1/changes/{id}/undo", tag = "upkeep", operation_id = "undo_change",
    description = "A change of its own, that can be undone in turn. What was changed since is \
        answered with 409.",
    params(("id" = String, Path, max_length = 200), Because), responses((status = 200, body = UndoneChange)),
)]
pub(crate) async fn undo(
    caller: Caller,
    Address(id): Address<String>,
    Ask(because): Ask<Because>,
) -> Answered<UndoneChange> {
    let undone = caller.run(Deed::Undo, move |engine, _| {
        let note = Note { reason: because.reason, ..Note::default() };
        Ok(UndoneChange::from(&engine.undo(Some(&ChangeId(id)), &note)?))
    });
    undone.await.map(Json)
}

/// Counts of every store
#[utoipa::path(
    get, path = "/v1/stats", tag = "upkeep", operation_id = "stats",
    responses((status = 200, body = Stats)),
)]
pub(crate) async fn stats(caller: Caller) -> Answered<Stats> {
    let stores = caller.run(Deed::Stats, |engine, _| Ok(counted(engine)?));
    stores.await.map(|stores| Json(Stats { stores }))
}

pub(super) fn counted(engine: &Engine) -> Result<Vec<StoreStats>> {
    let vectors = engine.vectors()?;
    let mut stores = Vec::new();
    for store in engine.store_names() {
        let here = vectors.iter().find(|(name, _)| *name == store);
        let here = here.map(|(_, census)| census.clone()).unwrap_or_default();
        stores.push(StoreStats::of(store, engine.stats(store, At::LATEST)?, &here));
    }
    Ok(stores)
}

/// The named parts of the stores
#[utoipa::path(
    get, path = "/v1/namespaces", tag = "upkeep", operation_id = "list_namespaces",
    responses((status = 200, body = NamespaceList)),
)]
pub(crate) async fn namespaces(caller: Caller) -> Answered<Value> {
    let views = caller.run(Deed::Namespaces, |engine, _| Ok(engine.namespaces()?));
    let items: Vec<Value> = views.await?.iter().map(wire::namespace).collect();
    Ok(Json(json!({ "items": items })))
}
