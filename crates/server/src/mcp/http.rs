//! MCP over streamable HTTP, to be mounted beside the other paths of a server.

use super::door::{Door, Manner};
use axum::Router;
use mnemic_engine::Engine;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// Where the door is.
pub const PATH: &str = "/mcp";

/// More than any agent says at once; what is longer is answered with 413.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// From where one may come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Values of `Host` that are accepted, with or without a port.
    pub hosts: Vec<String>,
    /// Values of `Origin` that are accepted, e.g. `http://localhost:*`. A request without one does
    /// not come from a browser and passes.
    pub origins: Vec<String>,
}

impl Default for Reach {
    /// This machine alone: a page of somebody else must not talk to it through a browser.
    fn default() -> Reach {
        let hosts = ["localhost", "127.0.0.1", "::1"];
        let origins = [
            "http://localhost:*",
            "http://127.0.0.1:*",
            "http://[::1]:*",
            "https://localhost:*",
            "https://127.0.0.1:*",
            "https://[::1]:*",
        ];
        Reach { hosts: hosts.map(str::to_owned).into(), origins: origins.map(str::to_owned).into() }
    }
}

/// A router with the path `/mcp`, to merge into a server's. Open streams end when `stop` does.
/// Whether the caller may come in at all, by token, is for the server around it to decide.
pub fn router(
    engine: Arc<Engine>,
    manner: Manner,
    reach: Reach,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Router {
    let manner = Arc::new(manner);
    mounted(move || Door::new(engine.clone(), manner.clone()), reach, stop)
}

/// The same for any server of tools: the conformance suite brings its own.
pub fn mounted<S: rmcp::ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    reach: Reach,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(reach.hosts)
        .with_allowed_origins(reach.origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(MOST_BYTES);
    let ending = config.cancellation_token.clone();
    tokio::spawn(async move {
        stop.await;
        ending.cancel();
    });
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(make()), sessions, config);
    Router::new().route_service(PATH, service)
}
