//! From the settings of `rerank` to what reads answers again.

use super::Key;
use super::meaning::{api_key, refuse_strangers, told};
use mnemic_engine::Result;
use mnemic_engine::inference::{self, Reranker};
use std::sync::Arc;
use std::time::Duration;

/// Somebody waits for the answer.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(crate) struct RerankSettings {
    /// Empty for none.
    pub(crate) url: String,
    pub(crate) model: String,
    pub(crate) api_key_env: String,
    /// A personal setting that the project's file tries to make.
    pub(crate) said_by_project: Option<Key>,
}

impl RerankSettings {
    /// Checks the settings; the service is not asked yet.
    pub(crate) fn build(&self) -> Result<Option<Arc<dyn Reranker>>> {
        refuse_strangers(self.said_by_project)?;
        if self.url.is_empty() {
            return Ok(None);
        }
        let settings = inference::RerankSettings {
            base_url: self.url.clone(),
            model: self.model.clone(),
            api_key: api_key(Key::RerankApiKeyEnv, &self.api_key_env)?,
            timeout: TIMEOUT,
        };
        inference::remote_reranker(settings).map(Some).map_err(told)
    }
}
