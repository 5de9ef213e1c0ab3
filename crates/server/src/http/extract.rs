//! Reading requests: bodies, questions in the address, preconditions. What cannot be read is named.

use super::problem::{Problem, Refusal};
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use mnemic_engine::{Error, ErrorKind, Note};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::str::FromStr;

/// A JSON object in a shape of its own.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Problem> {
        let Fields(mut fields) = Fields::from_request(request, state).await?;
        fields.values_mut().for_each(in_whole_numbers);
        let read = serde_json::from_value(Value::Object(fields)).map(Body);
        read.map_err(|cause| wrong(cause.to_string()))
    }
}

/// A JSON object as it came.
#[derive(Debug)]
pub(crate) struct Fields(pub(crate) Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Fields, Problem> {
        let allowed = ["application/json", "application/merge-patch+json"];
        require_media_type(request.headers(), &allowed)?;
        let bytes = bytes(request, state).await?;
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(Fields(fields)),
            Ok(_) => Err(wrong("the body is not an object".to_owned())),
            Err(cause) => Err(Problem::refuse(
                Refusal::Malformed,
                format!("the body is not JSON: {cause}"),
                "send one JSON object in UTF-8",
            )),
        }
    }
}

fn wrong(what: String) -> Problem {
    Error::new(ErrorKind::Invalid, what)
        .hint("the document at /v1/openapi.json says what the body may hold")
        .into()
}

/// JSON knows one sort of number: `5.0` is as whole as `5`.
pub(crate) fn in_whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|n| number.is_f64() && n.fract() == 0.0);
            // Beyond this a float does not name one whole number.
            if let Some(n) = whole.filter(|n| n.abs() < 9e15) {
                *value = Value::from(n as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(in_whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(in_whole_numbers),
        _ => {}
    }
}

/// Lines of JSON, as they came.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Lines {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Lines, Problem> {
        require_media_type(request.headers(), &["application/x-ndjson", "application/jsonl"])?;
        bytes(request, state).await.map(Lines)
    }
}

/// A page of another site can send text/plain without asking; nothing here takes that.
fn require_media_type(headers: &HeaderMap, allowed: &[&str]) -> Result<(), Problem> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = given.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if allowed.iter().any(|one| one.eq_ignore_ascii_case(essence)) {
        return Ok(());
    }
    Err(Problem::refuse(
        Refusal::MediaType,
        format!("the body is `{}`", given.unwrap_or("of no said type").escape_debug()),
        format!("send it with `Content-Type: {}`", allowed[0]),
    ))
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state).await.map_err(|rejection: BytesRejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Problem::refuse(Refusal::TooLarge, "the body is too large", "send less at once")
        } else {
            Problem::refuse(Refusal::Malformed, "the body broke off", "send it again")
        }
    })
}

/// What is asked after the question mark.
#[derive(Debug)]
pub(crate) struct Ask<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Ask<T>, Problem> {
        Query::<T>::from_request_parts(parts, state).await.map(|Query(ask)| Ask(ask)).map_err(
            |cause| {
                // Without what it is called inside.
                let told = cause.body_text();
                let told = told.strip_prefix("Failed to deserialize query string: ");
                let told =
                    told.map_or_else(|| cause.body_text(), |told| format!("in the query, {told}"));
                Error::new(ErrorKind::Invalid, told)
                    .hint("the document at /v1/openapi.json says what may be asked")
                    .into()
            },
        )
    }
}

/// Parts of the address.
#[derive(Debug)]
pub(crate) struct At<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<At<T>, Problem> {
        Path::<T>::from_request_parts(parts, state).await.map(|Path(at)| At(at)).map_err(|cause| {
            Problem::refuse(Refusal::Malformed, cause.body_text(), "check the address")
        })
    }
}

/// A list as it stands in an address: `kind=fact,decision`.
#[derive(Debug, Clone)]
pub(crate) struct Commas<T>(pub(crate) Vec<T>);

impl<T> Default for Commas<T> {
    fn default() -> Commas<T> {
        Commas(Vec::new())
    }
}

impl<'de, T: FromStr<Err: std::fmt::Display>> Deserialize<'de> for Commas<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Commas<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split(',').filter(|part| !part.is_empty());
        let parts: Result<Vec<T>, _> = parts.map(|part| part.parse::<T>()).collect();
        parts.map(Commas).map_err(serde::de::Error::custom)
    }
}

/// A number within bounds, with the usual one where nothing is said.
pub(crate) fn within(
    name: &str,
    asked: Option<u32>,
    usual: u32,
    most: u32,
) -> Result<usize, Problem> {
    let number = asked.unwrap_or(usual);
    if (1..=most).contains(&number) {
        return Ok(number as usize);
    }
    Err(Error::new(ErrorKind::Invalid, format!("`{name}` is {number}"))
        .hint(format!("use 1 to {most}"))
        .into())
}

/// The tag of a version, as `ETag` and `If-Match` carry it.
pub(crate) fn etag(version: u32) -> String {
    format!("\"{version}\"")
}

/// What a write that changes or ends a memory must be told: which version it goes on from.
#[derive(Debug)]
pub(crate) struct Precondition(Option<Vec<String>>);

impl<S: Send + Sync> FromRequestParts<S> for Precondition {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Precondition, Problem> {
        let mut tags = Vec::new();
        for value in parts.headers.get_all(header::IF_MATCH) {
            let text = value.to_str().unwrap_or_default();
            tags.extend(text.split(',').map(|tag| tag.trim().to_owned()));
        }
        match tags.as_slice() {
            [] => Err(Problem::refuse(
                Refusal::Unconditional,
                "the request does not say which version it goes on from",
                "read the memory and send its ETag as `If-Match`, or `If-Match: *` for any",
            )),
            [any] if any == "*" => Ok(Precondition(None)),
            _ => Ok(Precondition(Some(tags))),
        }
    }
}

impl Precondition {
    /// A note for the engine, which compares again inside the transaction.
    pub(crate) fn note(&self, current: u32, reason: Option<String>) -> Result<Note, Problem> {
        let base = match &self.0 {
            None => None,
            Some(tags) if tags.contains(&etag(current)) => Some(current),
            Some(tags) => {
                let bare = tags.iter().any(|tag| *tag == current.to_string());
                let hint = match bare {
                    true => format!("an ETag has quotes: send `If-Match: {}`", etag(current)),
                    false => "read it again, then say what to change".to_owned(),
                };
                let told = format!("the memory is at version {current}");
                return Err(Error::new(ErrorKind::Stale, told).hint(hint).into());
            }
        };
        Ok(Note { reason, base, ..Note::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preconditions_name_the_present_version_or_any() {
        let of = |tags: &[&str]| Precondition(Some(tags.iter().map(|t| (*t).to_owned()).collect()));
        assert_eq!(of(&["\"3\""]).note(3, None).expect("it fits").base, Some(3));
        assert_eq!(of(&["\"1\"", "\"3\""]).note(3, None).expect("one fits").base, Some(3));
        assert_eq!(Precondition(None).note(3, None).expect("any").base, None);
        for stale in ["\"2\"", "W/\"3\"", "3", ""] {
            assert_eq!(of(&[stale]).note(3, None).expect_err(stale).status, 412);
        }
    }

    #[test]
    fn whole_numbers_are_whole_however_they_are_written() {
        let mut value = serde_json::json!({ "a": [5.0, 1.5, 7], "b": 1e300, "c": "5.0" });
        in_whole_numbers(&mut value);
        assert_eq!(value.to_string(), r#"{"a":[5,1.5,7],"b":1e+300,"c":"5.0"}"#);
    }

    #[test]
    fn numbers_keep_their_bounds() {
        assert_eq!(within("limit", None, 20, 100).expect("usual"), 20);
        assert_eq!(within("limit", Some(100), 20, 100).expect("the most"), 100);
        assert_eq!(within("limit", Some(0), 20, 100).expect_err("none").status, 422);
        assert_eq!(within("limit", Some(101), 20, 100).expect_err("too many").status, 422);
    }
}
