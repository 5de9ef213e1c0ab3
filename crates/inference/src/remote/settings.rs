//! What one has to say about a remote embedding service.

use std::fmt;

use crate::Error;

/// An OpenAI-compatible service: `POST {base_url}/embeddings`.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    /// Up to and without `/embeddings`; it usually ends in `/v1`.
    pub base_url: String,
    pub model: String,
    pub api_key: Option<Secret>,
    /// Asked for and checked. Without it the first answer decides.
    pub dimensions: Option<usize>,
    /// What goes before a query or a passage; some models were trained so.
    pub query_prefix: String,
    pub passage_prefix: String,
    /// For one request with its answer.
    pub timeout_seconds: u64,
    /// How many texts go into one request.
    pub batch: usize,
}

/// Something to be used and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(secret: impl Into<String>) -> Secret {
        Secret(secret.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl RemoteSettings {
    /// Where requests go.
    pub(super) fn endpoint(&self) -> String {
        format!("{}/embeddings", self.base_url.trim_end_matches('/'))
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let refuse =
            |name, value: &str, why| Err(Error::Setting { name, value: value.to_owned(), why });
        check_url("base_url", &self.base_url)?;
        if self.model.trim().is_empty() {
            return refuse("model", &self.model, "it must name a model");
        }
        if self.dimensions == Some(0) {
            return refuse("dimensions", "0", "a vector has at least one");
        }
        if self.timeout_seconds == 0 {
            return refuse("timeout_seconds", "0", "no service answers at once");
        }
        if self.batch == 0 {
            return refuse("batch", "0", "a request holds at least one text");
        }
        Ok(())
    }

    /// Changes with everything that changes vectors, as far as we can know.
    pub(super) fn generation(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let dimensions = self.dimensions.map(|number| number.to_string()).unwrap_or_default();
        let endpoint = self.endpoint();
        let parts = [&endpoint, &self.model, &dimensions, &self.query_prefix, &self.passage_prefix];
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..12].to_owned()
    }
}

/// Host and port of an address.
fn authority(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    (!authority.is_empty()).then_some(authority)
}

/// True when requests stay on this machine.
pub(super) fn is_loopback(url: &str) -> bool {
    let authority = authority(url).unwrap_or_default();
    authority.starts_with("127.")
        || authority.starts_with("[::1]")
        || authority.split(':').next() == Some("localhost")
}

pub(super) fn check_url(name: &'static str, url: &str) -> Result<(), Error> {
    let refuse = |value: &str, why| Err(Error::Setting { name, value: value.to_owned(), why });
    match authority(url) {
        None => refuse(url, "it must begin with http:// or https://"),
        // Not shown: it may be a password.
        Some(authority) if authority.contains('@') => {
            refuse("…@…", "secrets belong into the API key")
        }
        Some(_) => Ok(()),
    }
}
