//! Failures as programs read them: problem details after RFC 9457, from the one table of kinds.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mnemic_engine::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The media type of every failure.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// What failed, why, and what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The kind of problem as a URI.
    #[serde(rename = "type")]
    #[schema(example = "urn:mnemic:problem:not_found")]
    pub kind_uri: String,
    /// The same in one word.
    #[schema(example = "not_found")]
    pub kind: String,
    /// The kind of problem as a person would say it.
    pub title: String,
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What failed here.
    pub detail: String,
    /// A command to run or a change to make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What lies behind it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    #[serde(skip)]
    #[schema(ignore)]
    pub header: Option<(&'static str, String)>,
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $status:literal, $title:literal;)+) => {
        /// What the door itself refuses, before any verb is asked.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Refusal { $($(#[$doc])* $kind),+ }

        impl Refusal {
            #[cfg(test)]
            pub(crate) const ALL: &'static [Refusal] = &[$(Refusal::$kind),+];
            pub(crate) fn code(self) -> &'static str { match self { $(Refusal::$kind => $code),+ } }
            pub(crate) fn status(self) -> u16 { match self { $(Refusal::$kind => $status),+ } }
            fn title(self) -> &'static str { match self { $(Refusal::$kind => $title),+ } }
        }
    };
}

refusals! {
    Malformed = "malformed", 400, "The request cannot be read";
    NoToken = "unauthorized", 401, "A token is needed";
    Foreign = "foreign", 403, "The request comes from elsewhere";
    NoSuchPlace = "no_such_place", 404, "There is nothing at this address";
    Method = "method_not_allowed", 405, "This cannot be done here";
    Slow = "timeout", 408, "It took too long";
    TooLarge = "too_large", 413, "The request is too large";
    MediaType = "media_type", 415, "The body has the wrong media type";
    WrongHost = "wrong_host", 421, "This host is not served here";
    Unconditional = "precondition_required", 428, "A precondition is needed";
    TooMany = "rate_limited", 429, "Too many requests";
    Overloaded = "overloaded", 503, "The server is busy";
}

impl Problem {
    pub(crate) fn refuse(
        refusal: Refusal,
        detail: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        Problem {
            kind_uri: uri(refusal.code()),
            kind: refusal.code().to_owned(),
            title: refusal.title().to_owned(),
            status: refusal.status(),
            detail: detail.into(),
            hint: Some(hint.into()),
            causes: Vec::new(),
            header: None,
        }
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Problem {
        self.header = Some((name, value.into()));
        self
    }

    /// A mistake of ours, of which the caller learns no more than that.
    pub(crate) fn ours() -> Problem {
        Error::new(ErrorKind::Internal, "the request failed by a mistake of ours")
            .hint("run `mnemic doctor`; if it is clean, report this")
            .into()
    }
}

fn uri(code: &str) -> String {
    format!("urn:mnemic:problem:{code}")
}

fn title(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Invalid => "The input is wrong",
        ErrorKind::NotFound => "There is no such thing",
        ErrorKind::NoStore => "There is no store",
        ErrorKind::Conflict => "The state of the store stands against it",
        ErrorKind::Stale => "It was changed meanwhile",
        ErrorKind::Forgotten => "It was forgotten on request",
        ErrorKind::Denied => "Not allowed",
        ErrorKind::ReadOnly => "The store cannot be written",
        ErrorKind::DiskFull => "The disk is full",
        ErrorKind::Busy => "Another process is writing",
        ErrorKind::Damaged => "The store is damaged",
        ErrorKind::Newer => "The store is of a newer mnemic",
        ErrorKind::Io => "Reading or writing failed",
        ErrorKind::Internal => "A mistake of ours",
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        Problem {
            kind_uri: uri(error.kind.code()),
            kind: error.kind.code().to_owned(),
            title: title(error.kind).to_owned(),
            status: error.kind.http_status(),
            detail: error.message().to_owned(),
            causes: error.chain().into_iter().skip(1).collect(),
            hint: error.hint,
            header: None,
        }
    }
}

impl From<mnemic_engine::model::Invalid> for Problem {
    fn from(invalid: mnemic_engine::model::Invalid) -> Problem {
        Error::from(invalid).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let text = serde_json::to_string(&self).unwrap_or_default();
        let mut response = (status, [(header::CONTENT_TYPE, PROBLEM_JSON)], text).into_response();
        if let Some((name, value)) = &self.header
            && let Ok(value) = HeaderValue::from_str(value)
        {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_becomes_its_own_problem() {
        for kind in ErrorKind::ALL {
            let problem = Problem::from(Error::new(*kind, "it failed").hint("do this"));
            assert_eq!((problem.kind.as_str(), problem.status), (kind.code(), kind.http_status()));
            assert!(!problem.title.is_empty());
        }
        for refusal in Refusal::ALL {
            assert!(ErrorKind::ALL.iter().all(|kind| kind.code() != refusal.code()), "{refusal:?}");
        }
    }
}
