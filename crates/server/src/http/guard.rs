//! What every request passes before it reaches a route: names, token, rate, time, counting.

use super::door::{Caller, Door};
use super::problem::{Problem, Refusal};
use super::token::Unknown;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What anybody on this machine may read: the page, the document behind it, and that we are there.
const OPEN: &[&str] =
    &["/", "/docs", "/docs/page.js", "/docs/page.css", "/v1/openapi.json", "/v1/health"];

pub(crate) async fn guard(
    State(door): State<Arc<Door>>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let method = request.method().as_str().to_owned();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = match admit(&door, &request, start) {
        Err(problem) => problem.into_response(),
        Ok(caller) => {
            if let Some(caller) = caller {
                request.extensions_mut().insert(caller);
            }
            match tokio::time::timeout(door.limits.time, next.run(request)).await {
                Ok(response) => response,
                Err(_) => slow(door.limits.time).into_response(),
            }
        }
    };
    let route = route.as_deref().unwrap_or("none");
    door.metrics.request(&method, route, response.status().as_u16(), start.elapsed());
    hardened(response)
}

fn admit(door: &Arc<Door>, request: &Request, now: Instant) -> Result<Option<Caller>, Problem> {
    door.names.check(request.uri(), request.headers())?;
    if OPEN.contains(&request.uri().path()) {
        return Ok(None);
    }
    let time = door.pool.settings().clock.now();
    let found = match bearer(request.headers()) {
        None => Err(Unknown::Missing),
        Some(token) => door.tokens.find(token, time)?,
    };
    let grant = found.map_err(|why| {
        door.metrics.refused_token();
        unknown(why)
    })?;
    door.rates.take(&grant.id, now).map_err(too_many)?;
    Ok(Some(Caller { door: door.clone(), grant }))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next(), values.next());
    let text = first.filter(|_| second.is_none())?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// One answer for wrong and revoked tokens: it tells nothing about those there are.
fn unknown(why: Unknown) -> Problem {
    let detail = match why {
        Unknown::Missing => "the request carries no token",
        Unknown::Wrong => "the token is not known here",
        Unknown::Expired => "the token has expired",
    };
    Problem::refuse(
        Refusal::NoToken,
        detail,
        "send `Authorization: Bearer TOKEN`; `mnemic token create` makes one",
    )
    .with_header("www-authenticate", "Bearer realm=\"mnemic\"")
}

fn too_many(wait: Duration) -> Problem {
    let seconds = wait.as_secs_f64().ceil().max(1.0);
    Problem::refuse(
        Refusal::TooMany,
        "this token makes more requests than it may",
        format!("wait {seconds} s, or start the server with a larger `--rate`"),
    )
    .with_header("retry-after", format!("{seconds}"))
}

fn slow(limit: Duration) -> Problem {
    Problem::refuse(
        Refusal::Slow,
        format!("the request took longer than {} s", limit.as_secs()),
        "send the body at once and ask for less; what was begun is finished or undone as a whole",
    )
    .with_header("connection", "close")
}

/// Nothing we answer is a page to be framed, sniffed or kept by a cache.
fn hardened(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
