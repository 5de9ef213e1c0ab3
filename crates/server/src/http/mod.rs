//! The REST door: `/v1` over HTTP, behind one guard, on blocking threads below.

// A problem is made once for a request and leaves at once: its size costs nothing.
#![allow(clippy::result_large_err)]

mod answers;
pub mod document;
mod door;
mod events;
mod extract;
mod guard;
mod lull;
mod metrics;
mod origin;
pub mod policy;
mod pool;
mod problem;
mod rate;
mod routes;
mod run;
pub mod schema;
mod serve;
mod sight;
mod tls;
pub mod token;
mod turns;
mod uses;

pub use door::{Caller, Door, Limits};
pub use origin::Names;
pub use problem::Problem;
pub use run::{Serving, may_bind, run};
pub use serve::{asked_to_stop, serve};
pub use sight::Sight;
pub use tls::Tls;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use routes::{
    context, contradictions, graph, jobs, layers, memories, recall, service, sessions, transfer,
    upkeep,
};
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;

/// Everything that is served, behind the guard. `extra` is mounted beside `/v1` and finds a
/// [`Caller`] among the extensions of every request; it brings no fallback of its own.
pub fn router(door: Arc<Door>, extra: Router) -> Router {
    let extra = extra.layer(RequestBodyLimitLayer::new(door.limits.body));
    memory_routes()
        .merge(work_routes())
        .merge(service_routes(door.limits.import))
        .layer(from_fn(answers::once))
        .layer(DefaultBodyLimit::max(door.limits.body))
        .with_state(door.clone())
        .merge(extra)
        .method_not_allowed_fallback(service::not_so)
        .fallback(service::nothing)
        .layer(from_fn_with_state(door, guard::guard))
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            Problem::ours().into_response()
        }))
}

fn memory_routes() -> Router<Arc<Door>> {
    Router::new()
        .route("/v1/memories", get(memories::list).post(memories::create))
        .route(
            "/v1/memories/{id}",
            get(memories::show).patch(memories::edit).delete(memories::forget),
        )
        .route("/v1/memories/{id}/history", get(memories::history))
        .route("/v1/memories/{id}/versions", get(memories::versions))
        .route("/v1/memories/{id}/versions/{n}", get(memories::version))
        .route("/v1/memories/{id}/confirmation", post(memories::confirm))
        .route("/v1/memories/{id}/similar", get(recall::similar))
        .route("/v1/memories/{id}/links", get(graph::links))
        .route("/v1/memories/{id}/links/{relation}/{to}", delete(graph::unlink))
        .route("/v1/links", post(graph::link))
        .route("/v1/graph/{id}", get(graph::graph))
        .route("/v1/episodes", get(context::episodes).post(context::create_episode))
        .route("/v1/episodes/{id}/replay", get(context::replay))
}

fn work_routes() -> Router<Arc<Door>> {
    Router::new()
        .route("/v1/recall", post(recall::recall))
        .route("/v1/explain", post(recall::explain))
        .route("/v1/feedback", post(recall::feedback))
        .route("/v1/context/assemble", post(context::assemble))
        .route("/v1/context/task", post(context::task))
        .route("/v1/context/predict", post(context::predict))
        .route("/v1/index", get(layers::index))
        .route("/v1/topics", get(layers::topics))
        .route("/v1/timeline", get(layers::timeline))
        .route("/v1/contradictions", get(contradictions::list).post(contradictions::create))
        .route("/v1/contradictions/{id}/resolution", post(contradictions::resolve))
        .route("/v1/review", get(contradictions::review).post(contradictions::judge))
        .route("/v1/sessions", get(sessions::list).post(sessions::start))
        .route("/v1/sessions/{id}", get(sessions::show))
        .route("/v1/sessions/{id}/events", post(sessions::note))
        .route("/v1/sessions/{id}/end", post(sessions::end))
        .route("/v1/economics", get(sessions::economics))
}

fn service_routes(import_bytes: usize) -> Router<Arc<Door>> {
    let import = post(transfer::import).layer(DefaultBodyLimit::max(import_bytes));
    Router::new()
        .route("/v1/consolidate", post(upkeep::consolidate))
        .route("/v1/changes", get(upkeep::changes))
        .route("/v1/changes/{id}/undo", post(upkeep::undo))
        .route("/v1/jobs", get(jobs::list))
        .route("/v1/jobs/run", post(jobs::run))
        .route("/v1/jobs/{number}/retry", post(jobs::retry))
        .route("/v1/redact", post(jobs::redact))
        .route("/v1/stats", get(upkeep::stats))
        .route("/v1/namespaces", get(upkeep::namespaces))
        .route("/v1/import", import)
        .route("/v1/export", get(transfer::export))
        .route("/v1/events", get(events::events))
        .route("/v1/health", get(service::health))
        .route("/v1/metrics", get(service::metrics))
        .route("/v1/openapi.json", get(service::openapi))
        .route("/", get(service::front))
        .route("/docs", get(service::page))
        .route("/docs/page.js", get(service::page_script))
        .route("/docs/page.css", get(service::page_style))
}
