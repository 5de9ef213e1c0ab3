//! One request to a service, with an end to time and size.

use super::{LanguageError, LanguageSettings};
use serde_json::Value;
use std::time::Duration;

/// No sound answer is longer; keeps a broken service from filling the memory.
const LONGEST_ANSWER: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Post {
    place: String,
    headers: Vec<(&'static str, String)>,
    agent: ureq::Agent,
    seconds: u64,
}

impl Post {
    pub(super) fn new(settings: &LanguageSettings, path: &str) -> Post {
        let place = settings.below(path);
        let seconds = settings.timeout_seconds;
        let mut config = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(seconds)))
            .http_status_as_error(false)
            // A service that sends one elsewhere would be handed the text and the key.
            .max_redirects(0);
        if is_here(&place) {
            config = config.proxy(None);
        }
        Post { place, headers: Vec::new(), agent: config.build().new_agent(), seconds }
    }

    pub(super) fn header(mut self, name: &'static str, value: String) -> Post {
        self.headers.push((name, value));
        self
    }

    /// The service's answer to this body.
    pub(super) fn send(&self, body: &Value) -> Result<Value, LanguageError> {
        let mut request = self.agent.post(&self.place);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let mut response = request.send_json(body).map_err(|cause| self.failed(&cause))?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string();
        let text = text.map_err(|cause| self.failed(&cause))?;
        if !(200..300).contains(&status) {
            let said = crate::remote::complaint(&text);
            return Err(LanguageError::Refused { place: self.place.clone(), status, said });
        }
        serde_json::from_str(&text).map_err(|_| self.useless("it is not JSON"))
    }

    pub(super) fn useless(&self, why: impl Into<String>) -> LanguageError {
        LanguageError::Answer { place: self.place.clone(), why: why.into() }
    }

    fn failed(&self, cause: &ureq::Error) -> LanguageError {
        let place = self.place.clone();
        match cause {
            ureq::Error::Timeout(_) => LanguageError::Slow { place, seconds: self.seconds },
            ureq::Error::BodyExceedsLimit(_) => self.useless("it is longer than 4 MiB"),
            other => LanguageError::Unreachable { place, why: other.to_string() },
        }
    }
}

fn is_here(place: &str) -> bool {
    let rest = place.split_once("://").map_or(place, |(_, rest)| rest);
    rest.starts_with("127.") || rest.starts_with("[::1]") || rest.starts_with("localhost")
}
