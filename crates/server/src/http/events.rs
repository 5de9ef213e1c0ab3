//! Live changes: each connection follows the audit chain, so that the writes of other processes come
//! too, and goes on where it stopped.

use super::door::{Caller, Door};
use super::policy::{self, Deed};
use super::problem::Problem;
use super::serve::closed;
use super::turns::Haste;
use crate::wire;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mnemic_engine::model::audit::AuditEntry;
use mnemic_engine::{Engine, StoreName};
use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How often the chain is looked at: soon enough for eyes, seldom enough for a laptop.
const PERIOD: Duration = Duration::from_millis(300);
/// Looks without news after which a comment shows that we are still there.
const QUIET: u32 = 50;
/// Entries taken at once.
const BATCH: usize = 500;

/// How far a listener has come in each store.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Place {
    project: u64,
    user: u64,
}

impl Place {
    fn of(&mut self, store: StoreName) -> &mut u64 {
        match store {
            StoreName::Project => &mut self.project,
            StoreName::User => &mut self.user,
        }
    }

    /// The id of an event names the place after it, in all stores.
    fn id(self) -> String {
        format!("{}.{}", self.project, self.user)
    }

    fn min(self, other: Place) -> Place {
        let (project, user) = (self.project.min(other.project), self.user.min(other.user));
        Place { project, user }
    }

    fn parse(text: &str) -> Option<Place> {
        let (project, user) = text.trim().split_once('.')?;
        Some(Place { project: project.parse().ok()?, user: user.parse().ok()? })
    }
}

/// Changes as they happen
#[utoipa::path(
    get, path = "/v1/events", tag = "service", operation_id = "events",
    description = "Server-sent events. Each `change` event holds a `ChangeEvent`; its id goes into \
        `Last-Event-ID` to go on after it. Writes of other processes come too.",
    params(("Last-Event-ID" = Option<String>, Header, description = "Go on after this event")),
    responses((status = 200, content_type = "text/event-stream", body = String)),
)]
pub(crate) async fn events(caller: Caller, headers: HeaderMap) -> Result<Response, Problem> {
    policy::allow(&caller.grant, Deed::Events)?;
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let newest = caller.run(Deed::Events, |engine, _| Ok(newest(engine)?)).await?;
    // A place that is yet to come is of a store that was restored since: it would wait for ever.
    let place = last.and_then(Place::parse).map_or(newest, |place| place.min(newest));
    let listener = Listener {
        closing: caller.door.closing.clone(),
        door: caller.door,
        place,
        waiting: VecDeque::from([": here\n\n".to_owned()]),
        quiet: 0,
    };
    let body = axum::body::Body::from_stream(stream::unfold(listener, |mut listener| async {
        let text = listener.next().await?;
        Some((Ok::<_, std::convert::Infallible>(text), listener))
    }));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

fn newest(engine: &Engine) -> mnemic_engine::Result<Place> {
    let mut place = Place::default();
    for store in engine.store_names() {
        *place.of(store) = engine.last_audit(store)?;
    }
    Ok(place)
}

#[derive(Debug)]
struct Listener {
    door: Arc<Door>,
    closing: watch::Receiver<bool>,
    place: Place,
    waiting: VecDeque<String>,
    quiet: u32,
}

impl Listener {
    /// The next piece of text; `None` when the server ends or the store cannot be read.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some(text) = self.waiting.pop_front() {
                return Some(text);
            }
            tokio::select! {
                () = closed(&mut self.closing) => return None,
                () = tokio::time::sleep(PERIOD) => {}
            }
            self.look().await?;
        }
    }

    async fn look(&mut self) -> Option<()> {
        let place = self.place;
        let found = self.door.pool.run(Haste::HasTime, move |engine| {
            let found = entries(&engine, place).map_err(Problem::from);
            (engine, found)
        });
        let found = found.await.ok()?;
        for (store, entry) in found {
            *self.place.of(store) = entry.seq;
            self.waiting.push_back(told(store, &entry, self.place));
        }
        self.quiet = if self.waiting.is_empty() { self.quiet + 1 } else { 0 };
        if self.quiet >= QUIET {
            self.quiet = 0;
            self.waiting.push_back(": still here\n\n".to_owned());
        }
        Some(())
    }
}

fn entries(
    engine: &Engine,
    mut place: Place,
) -> mnemic_engine::Result<Vec<(StoreName, AuditEntry)>> {
    let mut found = Vec::new();
    for store in engine.store_names() {
        let after = *place.of(store);
        found.extend(engine.audit(store, after, BATCH)?.into_iter().map(|entry| (store, entry)));
    }
    found.sort_by_key(|(_, entry)| entry.at);
    Ok(found)
}

fn told(store: StoreName, entry: &AuditEntry, place: Place) -> String {
    let mut view = wire::audit(entry);
    view["store"] = store.as_str().into();
    let mut text = String::new();
    write!(text, "id: {}\nevent: change\ndata: {view}\n\n", place.id())
        .expect("a string takes all text");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_back_and_broken_ones_begin_anew() {
        let place = Place { project: 12, user: 3 };
        assert_eq!(Place::parse(&place.id()), Some(place));
        for broken in ["", "12", "a.b", "-1.2", "1.2.3"] {
            assert_eq!(Place::parse(broken), None, "{broken}");
        }
    }
}
