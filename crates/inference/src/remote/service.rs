//! Asking a service over HTTP: with patience where it is busy, and never for longer than agreed.

use std::time::Duration;

use serde::Serialize;
use ureq::Agent;

use super::settings::is_loopback;
use super::{Secret, wire};
use crate::Error;

/// More than the vectors of any batch; keeps a broken service from filling the memory.
const LONGEST_ANSWER: u64 = 64 << 20;

/// One endpoint that takes JSON and answers in JSON.
#[derive(Debug)]
pub(super) struct Service {
    endpoint: String,
    agent: Agent,
    api_key: Option<Secret>,
    timeout: Duration,
    /// Before each further try, unless the service names a shorter one.
    pauses: Vec<Duration>,
}

enum Reply {
    Body(String),
    Refusal {
        status: u16,
        /// What the service asks for itself.
        wait: Option<Duration>,
        said: String,
    },
}

impl Service {
    pub(super) fn new(
        endpoint: String,
        api_key: Option<Secret>,
        timeout: Duration,
        pauses: Vec<Duration>,
    ) -> Service {
        let mut config =
            Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false);
        if is_loopback(&endpoint) {
            // A proxy meant for the outside does not know this machine's own services.
            config = config.proxy(None);
        }
        let agent = config.build().new_agent();
        Service { endpoint, agent, api_key, timeout, pauses }
    }

    /// Tries again when the service is busy or stumbles, not when it refuses.
    pub(super) fn ask(&self, request: &impl Serialize) -> Result<String, Error> {
        for longest in &self.pauses {
            match self.ask_once(request)? {
                Reply::Body(body) => return Ok(body),
                Reply::Refusal { status: 429 | 500..=599, wait, .. } => {
                    std::thread::sleep(wait.map_or(*longest, |wait| wait.min(*longest)));
                }
                refusal @ Reply::Refusal { .. } => return self.last_word(refusal),
            }
        }
        let reply = self.ask_once(request)?;
        self.last_word(reply)
    }

    /// An answer that came and cannot be used.
    pub(super) fn unusable(&self, why: impl Into<String>) -> Error {
        Error::Answer { endpoint: self.endpoint.clone(), why: why.into() }
    }

    fn last_word(&self, reply: Reply) -> Result<String, Error> {
        match reply {
            Reply::Body(body) => Ok(body),
            Reply::Refusal { status, said, .. } => {
                Err(Error::Refused { endpoint: self.endpoint.clone(), status, said })
            }
        }
    }

    fn ask_once(&self, request: &impl Serialize) -> Result<Reply, Error> {
        let mut post = self.agent.post(&self.endpoint);
        if let Some(key) = &self.api_key {
            post = post.header("authorization", format!("Bearer {}", key.reveal()));
        }
        let mut response = post.send_json(request).map_err(|cause| self.failed(&cause))?;
        let status = response.status().as_u16();
        let wait = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let wait = wait.and_then(|value| value.parse().ok()).map(Duration::from_secs);
        let body = response
            .body_mut()
            .with_config()
            .limit(LONGEST_ANSWER)
            .read_to_string()
            .map_err(|cause| self.failed(&cause))?;
        Ok(match status {
            200..=299 => Reply::Body(body),
            _ => Reply::Refusal { status, wait, said: wire::complaint(&body) },
        })
    }

    fn failed(&self, cause: &ureq::Error) -> Error {
        let endpoint = self.endpoint.clone();
        match cause {
            ureq::Error::Timeout(_) => Error::Slow { endpoint, seconds: self.timeout.as_secs() },
            ureq::Error::BodyExceedsLimit(_) => self.unusable("it is longer than 64 MiB"),
            other => Error::Unreachable { endpoint, why: other.to_string() },
        }
    }
}
