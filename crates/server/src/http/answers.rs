//! Answers by idempotency key: who asks the same again gets the same answer, and nothing twice.

use super::door::Caller;
use super::problem::{Problem, Refusal};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mnemic_engine::{Error, ErrorKind};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// The header that names a write.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Tells an answer that was given before.
const REPLAYED: &str = "idempotency-replayed";

const LONGEST_KEY: usize = 128;
/// Answers that are kept, the oldest going first. Those of `POST /v1/memories` are in the store besides.
const KEPT: usize = 1_000;
const LARGEST: usize = 256 * 1024;

#[derive(Debug, Clone)]
struct Kept {
    status: StatusCode,
    media_type: Option<HeaderValue>,
    body: Bytes,
}

#[derive(Debug)]
struct Entry {
    request: blake3::Hash,
    /// `None` while the first is still being worked on.
    answer: Option<Kept>,
}

#[derive(Debug, Default)]
struct Shelf {
    entries: HashMap<String, Entry>,
    order: VecDeque<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<Shelf>);

impl Answers {
    /// The answer that was given, or `None` for whoever comes first and must give one.
    fn begin(&self, name: &str, request: blake3::Hash) -> Result<Option<Kept>, Problem> {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match shelf.entries.get(name) {
            Some(entry) if entry.request != request => {
                Err(conflict("this idempotency key was used for another request"))
            }
            Some(Entry { answer: None, .. }) => {
                Err(conflict("a request with this idempotency key is still running"))
            }
            Some(Entry { answer, .. }) => Ok(answer.clone()),
            None => {
                shelf.entries.insert(name.to_owned(), Entry { request, answer: None });
                shelf.order.push_back(name.to_owned());
                if shelf.order.len() > KEPT
                    && let Some(oldest) = shelf.order.pop_front()
                {
                    shelf.entries.remove(&oldest);
                }
                Ok(None)
            }
        }
    }

    /// Keeps an answer, or forgets that there was a question.
    fn end(&self, name: &str, answer: Option<Kept>) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (answer, shelf.entries.get_mut(name)) {
            (Some(answer), Some(entry)) => entry.answer = Some(answer),
            (None, _) => {
                shelf.entries.remove(name);
                shelf.order.retain(|one| one != name);
            }
            (Some(_), None) => {}
        }
    }
}

/// Forgets a question whose answer never came, e.g. because its caller went away.
struct Pending<'a> {
    answers: &'a Answers,
    name: &'a str,
    answer: Option<Kept>,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.answers.end(self.name, self.answer.take());
    }
}

fn conflict(what: &str) -> Problem {
    Error::new(ErrorKind::Conflict, what)
        .hint("use a new key for a new request, or send exactly the same one again later")
        .into()
}

/// The key of a request, checked.
pub(crate) fn key(headers: &axum::http::HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let fits = |text: &&str| {
        (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
    };
    match value.to_str().ok().filter(fits) {
        Some(key) => Ok(Some(key)),
        None => Err(Problem::refuse(
            Refusal::Malformed,
            "the header `Idempotency-Key` is not a key",
            format!("use 1 to {LONGEST_KEY} visible ASCII characters"),
        )),
    }
}

/// Stands before every route: POST requests with a key are answered once.
pub(crate) async fn once(
    caller: Option<axum::Extension<Caller>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(axum::Extension(caller)) = caller else { return next.run(request).await };
    let key = match key(request.headers()) {
        Ok(Some(key)) if request.method() == Method::POST => key.to_owned(),
        Ok(_) => return next.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    answer_once(&caller, &key, request, next).await.unwrap_or_else(IntoResponse::into_response)
}

async fn answer_once(
    caller: &Caller,
    key: &str,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let limit = caller.door.limits.import;
    let body = to_bytes(body, limit).await.map_err(|_| {
        Problem::refuse(Refusal::TooLarge, "the body cannot be read", "send less at once")
    })?;
    let mut hash = blake3::Hasher::new();
    hash.update(parts.uri.to_string().as_bytes()).update(b"\0").update(&body);
    let name = format!("{} {key}", caller.grant.id);
    if let Some(kept) = caller.door.answers.begin(&name, hash.finalize())? {
        return Ok(kept.replay());
    }
    let mut pending = Pending { answers: &caller.door.answers, name: &name, answer: None };
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    if response.status().is_server_error() || is_large(&response) {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(|_| Problem::ours())?;
    pending.answer = Some(Kept {
        status: parts.status,
        media_type: parts.headers.get(header::CONTENT_TYPE).cloned(),
        body: body.clone(),
    });
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// Whether it is too large to keep, or comes as a stream.
fn is_large(response: &Response) -> bool {
    let size = axum::body::HttpBody::size_hint(response.body());
    size.exact().is_none_or(|bytes| bytes > LARGEST as u64)
}

impl Kept {
    fn replay(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_TYPE);
        if let Some(media_type) = self.media_type {
            headers.insert(header::CONTENT_TYPE, media_type);
        }
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &'static str) -> Kept {
        Kept { status: StatusCode::OK, media_type: None, body: Bytes::from_static(text.as_bytes()) }
    }

    #[test]
    fn the_same_is_answered_once_and_another_is_refused() {
        let answers = Answers::default();
        let (one, two) = (blake3::hash(b"1"), blake3::hash(b"2"));
        assert!(answers.begin("k", one).expect("first").is_none());
        assert_eq!(answers.begin("k", one).expect_err("still running").status, 409);
        answers.end("k", Some(kept("a")));
        assert_eq!(answers.begin("k", one).expect("known").expect("answered").body, "a");
        assert_eq!(answers.begin("k", two).expect_err("another request").status, 409);
        assert!(answers.begin("l", one).expect("first").is_none());
        answers.end("l", None);
        assert!(answers.begin("l", two).expect("the first failed").is_none());
    }

    #[test]
    fn the_oldest_answers_go_first() {
        let answers = Answers::default();
        let request = blake3::hash(b"1");
        for n in 0..=KEPT {
            assert!(answers.begin(&n.to_string(), request).expect("first").is_none());
            answers.end(&n.to_string(), Some(kept("a")));
        }
        assert!(answers.begin("0", request).expect("gone").is_none());
        assert!(answers.begin("5", request).expect("known").is_some());
    }
}
