//! Embeddings from a service that speaks the OpenAI protocol, here or far away.

mod settings;
mod wire;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ureq::Agent;

pub use settings::{RemoteSettings, Secret};
pub(crate) use wire::complaint;

use crate::{Embedder, Error, ModelId, Role, Vector};

/// Pauses before the second and third try, unless the service names a shorter one.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// More than the vectors of any batch; keeps a broken service from filling the memory.
const LONGEST_ANSWER: u64 = 64 << 20;

/// No service tells its window. This is what practically every model reads.
const WINDOW: usize = 512;

/// Settings are checked, the service is not asked yet. Unless they name the dimensions, the
/// model's are zero until the first text was embedded.
pub fn remote(settings: RemoteSettings) -> Result<Arc<dyn Embedder>, Error> {
    Ok(Arc::new(Remote::new(settings, PAUSES)?))
}

#[derive(Debug)]
struct Remote {
    endpoint: String,
    agent: Agent,
    pauses: [Duration; 2],
    /// With the dimensions of the settings, or zero.
    announced: ModelId,
    /// With the dimensions of the first answer.
    seen: OnceLock<ModelId>,
    settings: RemoteSettings,
}

impl Remote {
    fn new(settings: RemoteSettings, pauses: [Duration; 2]) -> Result<Remote, Error> {
        settings.check()?;
        let mut config = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(settings.timeout_seconds)))
            .http_status_as_error(false);
        if settings.is_loopback() {
            // A proxy meant for the outside does not know this machine's own services.
            config = config.proxy(None);
        }
        Ok(Remote {
            endpoint: settings.endpoint(),
            agent: config.build().new_agent(),
            pauses,
            announced: ModelId {
                name: settings.model.clone(),
                generation: settings.generation(),
                dimensions: settings.dimensions.unwrap_or(0),
            },
            seen: OnceLock::new(),
            settings,
        })
    }

    fn embed_batch(&self, texts: &[String]) -> Result<Vec<Vector>, Error> {
        let body = self.ask_patiently(texts)?;
        let due = Some(self.model().dimensions).filter(|&dimensions| dimensions > 0);
        let unusable = |why| Error::Answer { endpoint: self.endpoint.clone(), why };
        let vectors = wire::vectors(&body, texts.len(), due).map_err(unusable)?;
        if let (None, Some(vector)) = (due, vectors.first()) {
            let model = ModelId { dimensions: vector.len(), ..self.announced.clone() };
            // When two calls come first at once, both must have seen the same.
            let seen = self.seen.get_or_init(|| model);
            if seen.dimensions != vector.len() {
                return Err(unusable("its vectors change in length".to_owned()));
            }
        }
        Ok(vectors)
    }

    /// Tries again when the service is busy or stumbles, not when it refuses.
    fn ask_patiently(&self, texts: &[String]) -> Result<String, Error> {
        for longest in self.pauses {
            match self.ask(texts)? {
                Reply::Body(body) => return Ok(body),
                Reply::Refusal { status: 429 | 500..=599, wait, .. } => {
                    std::thread::sleep(wait.map_or(longest, |wait| wait.min(longest)));
                }
                refusal @ Reply::Refusal { .. } => return self.last_word(refusal),
            }
        }
        let reply = self.ask(texts)?;
        self.last_word(reply)
    }

    fn last_word(&self, reply: Reply) -> Result<String, Error> {
        match reply {
            Reply::Body(body) => Ok(body),
            Reply::Refusal { status, said, .. } => {
                Err(Error::Refused { endpoint: self.endpoint.clone(), status, said })
            }
        }
    }

    fn ask(&self, texts: &[String]) -> Result<Reply, Error> {
        let mut request = self.agent.post(&self.endpoint);
        if let Some(key) = &self.settings.api_key {
            request = request.header("authorization", format!("Bearer {}", key.reveal()));
        }
        let mut response = request
            .send_json(wire::Request {
                model: &self.settings.model,
                input: texts,
                encoding_format: "float",
                dimensions: self.settings.dimensions,
            })
            .map_err(|cause| self.failed(&cause))?;
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
            ureq::Error::Timeout(_) => {
                Error::Slow { endpoint, seconds: self.settings.timeout_seconds }
            }
            ureq::Error::BodyExceedsLimit(_) => {
                Error::Answer { endpoint, why: "it is longer than 64 MiB".to_owned() }
            }
            other => Error::Unreachable { endpoint, why: other.to_string() },
        }
    }
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

impl Embedder for Remote {
    fn model(&self) -> &ModelId {
        self.seen.get().unwrap_or(&self.announced)
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, Error> {
        let prefix = match role {
            Role::Query => &self.settings.query_prefix,
            Role::Passage => &self.settings.passage_prefix,
        };
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch) {
            let texts: Vec<String> = batch.iter().map(|text| prefixed(prefix, text)).collect();
            vectors.extend(self.embed_batch(&texts)?);
        }
        Ok(vectors)
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn is_remote(&self) -> bool {
        true
    }
}

/// Services refuse empty texts, so those become a space.
fn prefixed(prefix: &str, text: &str) -> String {
    let whole = format!("{prefix}{text}");
    if whole.is_empty() { " ".to_owned() } else { whole }
}

#[cfg(test)]
mod tests;
