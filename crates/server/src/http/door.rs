//! What all requests share, and who makes one: the door, and the caller who came through it.

use super::answers::Answers;
use super::metrics::Metrics;
use super::origin::Names;
use super::policy::{self, Deed};
use super::pool::Pool;
use super::problem::Problem;
use super::rate::Rates;
use super::sight::Sight;
use super::token::{Grant, Reach, Tokens};
use super::turns::Haste;
use super::uses::Uses;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use mnemic_engine::model::Namespace;
use mnemic_engine::model::policy::Door as Through;
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::{Engine, Error, ErrorKind, Settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// What a person may decide about the door.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Engines that work side by side.
    pub engines: usize,
    /// Requests a second for each token; 0 for any number.
    pub per_second: u32,
    /// Bytes of a body, and of one that is imported.
    pub body: usize,
    pub import: usize,
    /// How long a request may take, its body included.
    pub time: Duration,
    /// How long the head of a request may take.
    pub head_time: Duration,
    /// How long running requests have at the end.
    pub farewell: Duration,
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            // More than cores, for some wait for the disk; more than half as many again only stand in
            // each other's way.
            engines: (cores + cores.div_ceil(2)).clamp(3, 16),
            per_second: 1_000,
            body: 16 * 1024 * 1024,
            import: 256 * 1024 * 1024,
            time: Duration::from_secs(60),
            head_time: Duration::from_secs(10),
            farewell: Duration::from_secs(10),
            connections: 512,
        }
    }
}

/// What all requests share.
#[derive(Debug)]
pub struct Door {
    pub(super) pool: Arc<Pool>,
    pub(super) tokens: Tokens,
    pub(super) rates: Rates,
    pub(super) names: Names,
    pub(super) limits: Limits,
    pub(super) metrics: Metrics,
    pub(super) answers: Answers,
    pub(super) uses: Uses,
    /// How many requests came to a verb: as long as it stays, nobody asks for anything.
    pub(super) asked: AtomicU64,
    pub(super) profiles: Profiles,
    /// Turns true when the server is about to stop.
    pub(super) closing: watch::Receiver<bool>,
}

impl Door {
    pub fn new(
        settings: Settings,
        tokens: Tokens,
        names: Names,
        limits: Limits,
        profiles: Profiles,
        closing: watch::Receiver<bool>,
    ) -> Door {
        Door {
            pool: Arc::new(Pool::new(settings, limits.engines)),
            tokens,
            rates: Rates::new(limits.per_second),
            names,
            limits,
            metrics: Metrics::default(),
            answers: Answers::default(),
            uses: Uses::default(),
            asked: AtomicU64::new(0),
            profiles,
            closing,
        }
    }
}

fn haste(deed: Deed) -> Haste {
    match deed.needs() {
        Reach::Read => Haste::Asks,
        Reach::Write | Reach::Admin => Haste::HasTime,
    }
}

/// Who makes a request, as the guard at the door found out.
#[derive(Debug, Clone)]
pub struct Caller {
    pub(super) door: Arc<Door>,
    pub grant: Arc<Grant>,
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Problem> {
        // The guard stands before every route; without it nobody is let through.
        parts.extensions.get::<Caller>().cloned().ok_or_else(Problem::ours)
    }
}

impl Caller {
    /// Does something in the caller's name, if the token allows it.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        deed: Deed,
        work: impl FnOnce(&Engine, &Sight) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.run_in(deed, None, work).await
    }

    /// The same in a namespace that the request names.
    pub(super) async fn run_in<T: Send + 'static>(
        &self,
        deed: Deed,
        namespace: Option<Namespace>,
        work: impl FnOnce(&Engine, &Sight) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        policy::allow(&self.grant, deed)?;
        let namespace = self.namespace(namespace)?;
        let grant = self.grant.clone();
        self.door.asked.fetch_add(1, Ordering::Relaxed);
        self.door
            .pool
            .run(haste(deed), move |engine| {
                let engine =
                    engine.acting_as(grant.actor()).within(namespace).through(Through::Http);
                let answer = Sight::of(&grant, &engine)
                    .map_err(Problem::from)
                    .and_then(|sight| work(&engine, &sight));
                (engine, answer)
            })
            .await
    }

    /// The namespace to work in: what was asked for, else the token's, else the server's.
    fn namespace(&self, asked: Option<Namespace>) -> Result<Namespace, Problem> {
        match (asked, &self.grant.namespace) {
            (Some(asked), Some(own)) if asked != *own => Err(Error::new(
                ErrorKind::Denied,
                format!("the token `{}` is limited to the namespace `{own}`", self.grant.name),
            )
            .hint("leave the namespace out, or use another token")
            .into()),
            (Some(asked), _) => Ok(asked),
            (None, Some(own)) => Ok(own.clone()),
            (None, None) => Ok(self.door.pool.settings().namespace.clone()),
        }
    }
}
