//! The service itself: health, metrics, the document and the page that shows it.

use super::Answered;
use super::upkeep::counted;
use crate::http::document;
use crate::http::door::{Caller, Door};
use crate::http::policy::Deed;
use crate::http::problem::{Problem, Refusal};
use crate::http::schema::upkeep::{Health, HealthStatus};
use crate::http::turns::Haste;
use axum::Json;
use axum::extract::State;
use axum::http::{Method, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::sync::Arc;

/// What the page may load: its own two files and the document, from here and nowhere else.
const ONLY_OURS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Whether the server is there and can read its store
#[utoipa::path(
    get, path = "/v1/health", tag = "service", operation_id = "health", security(()),
    responses((status = 200, body = Health)),
)]
pub(crate) async fn health(State(door): State<Arc<Door>>) -> Answered<Health> {
    let read = door.pool.run(Haste::Asks, |engine| {
        let read = engine.changes(1).map(drop).map_err(Problem::from);
        (engine, read)
    });
    let status = if read.await.is_ok() { HealthStatus::Ok } else { HealthStatus::Degraded };
    Ok(Json(Health { status, version: env!("CARGO_PKG_VERSION").to_owned() }))
}

/// Counts for Prometheus
#[utoipa::path(
    get, path = "/v1/metrics", tag = "service", operation_id = "metrics",
    responses((status = 200, body = String, content_type = "text/plain")),
)]
pub(crate) async fn metrics(caller: Caller) -> Result<Response, Problem> {
    let stores = caller.run(Deed::Metrics, |engine, _| Ok(counted(engine)?)).await?;
    let mut gauges = Vec::new();
    for store in &stores {
        for (kind, n) in &store.kinds {
            let labels = format!("store=\"{}\",kind=\"{kind}\"", store.store);
            gauges.push(("mnemic_records", labels, *n));
        }
    }
    let of = |store: &str| format!("store=\"{store}\"");
    gauges.extend(stores.iter().map(|s| ("mnemic_store_bytes", of(&s.store), s.bytes)));
    gauges.extend(stores.iter().map(|s| ("mnemic_jobs_waiting", of(&s.store), s.jobs_waiting)));
    gauges
        .extend(stores.iter().map(|s| ("mnemic_vectors_waiting", of(&s.store), s.vectors_waiting)));
    let text = caller.door.metrics.text(&gauges);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// This document
#[utoipa::path(
    get, path = "/v1/openapi.json", tag = "service", operation_id = "openapi", security(()),
    responses((status = 200, body = Object, content_type = "application/json")),
)]
pub(crate) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], document::text()).into_response()
}

/// Whoever comes with a browser is led to the page.
pub(crate) async fn front() -> Redirect {
    Redirect::to("/docs")
}

pub(crate) async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, ONLY_OURS),
    ];
    (headers, include_str!("../page/page.html")).into_response()
}

pub(crate) async fn page_script() -> Response {
    let script = include_str!("../page/page.js");
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response()
}

pub(crate) async fn page_style() -> Response {
    let style = include_str!("../page/page.css");
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response()
}

pub(crate) async fn nothing(uri: Uri) -> Problem {
    Problem::refuse(
        Refusal::NoSuchPlace,
        format!("there is nothing at `{}`", uri.path().escape_debug()),
        "the document at /v1/openapi.json lists the addresses",
    )
}

pub(crate) async fn not_so(method: Method, uri: Uri) -> Problem {
    Problem::refuse(
        Refusal::Method,
        format!("`{method}` does nothing at `{}`", uri.path().escape_debug()),
        "the document at /v1/openapi.json lists what can be done there",
    )
}
