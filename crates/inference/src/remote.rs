//! Embeddings from a service that speaks the OpenAI protocol, here or far away.

mod rerank;
mod service;
mod settings;
mod wire;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub use rerank::{RerankSettings, remote_reranker};
pub use settings::{RemoteSettings, Secret};
pub(crate) use wire::complaint;

use crate::{Embedder, Error, ModelId, Role, Vector};
use service::Service;

/// Pauses before the second and third try, unless the service names a shorter one.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// No service tells its window. This is what practically every model reads.
const WINDOW: usize = 512;

/// Settings are checked, the service is not asked yet. Unless they name the dimensions, the
/// model's are zero until the first text was embedded.
pub fn remote(settings: RemoteSettings) -> Result<Arc<dyn Embedder>, Error> {
    Ok(Arc::new(Remote::new(settings, PAUSES)?))
}

#[derive(Debug)]
struct Remote {
    service: Service,
    /// With the dimensions of the settings, or zero.
    announced: ModelId,
    /// With the dimensions of the first answer.
    seen: OnceLock<ModelId>,
    settings: RemoteSettings,
}

impl Remote {
    fn new(settings: RemoteSettings, pauses: [Duration; 2]) -> Result<Remote, Error> {
        settings.check()?;
        let timeout = Duration::from_secs(settings.timeout_seconds);
        let key = settings.api_key.clone();
        Ok(Remote {
            service: Service::new(settings.endpoint(), key, timeout, pauses.to_vec()),
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
        let body = self.service.ask(&wire::Request {
            model: &self.settings.model,
            input: texts,
            encoding_format: "float",
            dimensions: self.settings.dimensions,
        })?;
        let due = Some(self.model().dimensions).filter(|&dimensions| dimensions > 0);
        let unusable = |why| self.service.unusable(why);
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
