//! From the settings of `meaning` to the embedder, or to the reason why there is none.

use super::{Key, environment};
use crate::report;
use mnemic_engine::inference::{self, Embedder, RemoteSettings, Secret};
use mnemic_engine::model::Invalid;
use mnemic_engine::{Error, ErrorKind, Meaning, Result};
use std::path::PathBuf;
use std::sync::Arc;

/// For one request with its answer.
const TIMEOUT_SECONDS: u64 = 60;
/// Texts in one request.
const BATCH: usize = 32;

/// What turns text into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Model {
    Local,
    Off,
    Remote,
}

impl Model {
    pub(crate) fn parse(value: &str) -> Result<Model, Invalid> {
        match value {
            "local" => Ok(Model::Local),
            "off" => Ok(Model::Off),
            "remote" => Ok(Model::Remote),
            _ => Err(Invalid::new(
                Key::MeaningModel.as_str(),
                format!("`{value}` is not one of local, off and remote"),
                "use local, off or remote",
            )),
        }
    }
}

/// The settings of `meaning`, checked one by one but not yet together.
#[derive(Debug)]
pub(crate) struct MeaningSettings {
    pub(crate) model: Model,
    /// Empty for the weights built in.
    pub(crate) weights: PathBuf,
    pub(crate) url: String,
    pub(crate) remote_model: String,
    pub(crate) api_key_env: String,
    /// 0 for whatever the model gives.
    pub(crate) dimensions: usize,
    pub(crate) query_prefix: String,
    pub(crate) passage_prefix: String,
    /// A personal setting that the project's file tries to make.
    pub(crate) said_by_project: Option<Key>,
}

impl MeaningSettings {
    /// The embedder. Loads weights, or checks the settings of a service without asking it.
    pub(crate) fn build(&self) -> Result<Meaning> {
        let meaning = match self.model {
            Model::Off => return Ok(Meaning::none()),
            Model::Local => self.local().map(Meaning::by).map_err(told)?,
            // Vectors of the local model serve until the service has read everything.
            Model::Remote => match (self.remote()?, self.local()) {
                (remote, Ok(local)) => remote.after(local),
                (remote, Err(_)) => remote,
            },
        };
        // A second opinion that cannot be had is done without.
        Ok(meaning.skimmed_by(inference::gist().ok().flatten()))
    }

    fn local(&self) -> Result<Arc<dyn Embedder>, inference::Error> {
        let path = Some(self.weights.as_path()).filter(|path| !path.as_os_str().is_empty());
        inference::local_with(path).map(inference::remembering)
    }

    fn remote(&self) -> Result<Meaning> {
        refuse_strangers(self.said_by_project)?;
        for (key, value) in
            [(Key::MeaningUrl, &self.url), (Key::MeaningRemoteModel, &self.remote_model)]
        {
            if value.trim().is_empty() {
                let key = key.as_str();
                return Err(report::invalid(
                    format!("`meaning.model` is `remote`, and `{key}` is not set"),
                    format!("`mnemic config set {key} VALUE --user`"),
                ));
            }
        }
        let settings = RemoteSettings {
            base_url: self.url.clone(),
            model: self.remote_model.clone(),
            api_key: api_key(Key::MeaningApiKeyEnv, &self.api_key_env)?,
            dimensions: Some(self.dimensions).filter(|dimensions| *dimensions > 0),
            query_prefix: self.query_prefix.clone(),
            passage_prefix: self.passage_prefix.clone(),
            timeout_seconds: TIMEOUT_SECONDS,
            batch: BATCH,
        };
        inference::remote(settings).map(inference::remembering).map(Meaning::by).map_err(told)
    }
}

/// A project's file comes with the project, perhaps from a stranger.
pub(super) fn refuse_strangers(said_by_project: Option<Key>) -> Result<()> {
    let Some(key) = said_by_project else { return Ok(()) };
    let key = key.as_str();
    Err(report::invalid(
        format!("the project's file sets `{key}`, which says where memories are sent"),
        format!("say it yourself: `mnemic config set {key} VALUE --user`"),
    ))
}

/// What the variable holds that the setting names.
pub(super) fn api_key(setting: Key, variable: &str) -> Result<Option<Secret>> {
    if variable.is_empty() {
        return Ok(None);
    }
    let key = environment::text(variable).ok_or_else(|| {
        report::invalid(
            format!("`{}` names `{variable}`, which is not set", setting.as_str()),
            format!("put the key into the environment variable {variable}"),
        )
    })?;
    Ok(Some(Secret::new(key)))
}

pub(super) fn told(cause: inference::Error) -> Error {
    let kind = match &cause {
        inference::Error::Setting { .. } => ErrorKind::Invalid,
        _ => ErrorKind::Io,
    };
    let hint = match &cause {
        inference::Error::NoWeights => {
            "run `scripts/weights` and build again, set `meaning.weights` to a packed file, or \
             `mnemic config set meaning.model off`"
        }
        inference::Error::Unreadable { .. } => "check the setting `meaning.weights`",
        other => other.hint().unwrap_or("check the settings of `meaning`: `mnemic config`"),
    }
    .to_owned();
    Error::new(kind, cause.to_string()).because(cause).hint(hint)
}
