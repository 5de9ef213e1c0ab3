//! From the settings of `language` to the model that may be asked, or to the reason why there is none.

use super::{Key, Origin, Setting, environment};
use crate::report;
use mnemic_engine::inference::Secret;
use mnemic_engine::inference::language::{self, Budget, Guarded, Provider};
use mnemic_engine::model::Invalid;
use mnemic_engine::{Error, ErrorKind, Result};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LanguageProvider(Option<Provider>);

impl LanguageProvider {
    pub(crate) fn parse(value: &str) -> Result<LanguageProvider, Invalid> {
        Ok(LanguageProvider(match value {
            "off" => None,
            "anthropic" => Some(Provider::Anthropic),
            "openai" => Some(Provider::OpenAi),
            "command" => Some(Provider::Command),
            _ => {
                return Err(Invalid::new(
                    Key::LanguageProvider.as_str(),
                    format!("`{value}` is not one of off, anthropic, openai and command"),
                    "use off, anthropic, openai or command",
                ));
            }
        }))
    }

    /// Where the provider is when nobody says otherwise.
    fn usual_url(self) -> &'static str {
        match self.0 {
            Some(Provider::Anthropic) => "https://api.anthropic.com/v1",
            Some(Provider::OpenAi) => "https://api.openai.com/v1",
            _ => "",
        }
    }
}

/// The settings of `language`, checked one by one but not yet together.
#[derive(Debug)]
pub(crate) struct LanguageSettings {
    provider: LanguageProvider,
    url: String,
    model: String,
    api_key_env: String,
    command: String,
    timeout_seconds: u64,
    budget: Budget,
    /// A setting that the project's file tries to make.
    said_by_project: Option<Key>,
}

impl LanguageSettings {
    pub(super) fn of<'v>(
        settings: &[Setting],
        value: impl Fn(Key) -> Result<&'v str>,
    ) -> Result<LanguageSettings> {
        let number = |key: Key| -> Result<u64> { Ok(key.number(value(key)?, usize::MAX)? as u64) };
        let provider = LanguageProvider::parse(value(Key::LanguageProvider)?)?;
        let url = match value(Key::LanguageUrl)? {
            "" => provider.usual_url(),
            url => url,
        };
        let from_project =
            |one: &&Setting| one.key.is_of_language() && matches!(one.origin, Origin::Project(_));
        Ok(LanguageSettings {
            provider,
            url: url.to_owned(),
            model: value(Key::LanguageModel)?.to_owned(),
            api_key_env: value(Key::LanguageApiKeyEnv)?.to_owned(),
            command: value(Key::LanguageCommand)?.to_owned(),
            timeout_seconds: number(Key::LanguageTimeout)?,
            budget: Budget {
                calls_a_day: number(Key::LanguageDailyCalls)?,
                tokens_a_day: number(Key::LanguageDailyTokens)?,
                calls_a_session: number(Key::LanguageSessionCalls)?,
                tokens_a_session: number(Key::LanguageSessionTokens)?,
            },
            said_by_project: settings.iter().find(from_project).map(|one| one.key),
        })
    }

    /// The model, asked within its budget; none where it is off.
    pub(crate) fn build(&self) -> Result<Option<Arc<Guarded>>> {
        if let Some(key) = self.said_by_project {
            let key = key.as_str();
            return Err(report::invalid(
                format!("the project's file sets `{key}`, which only you may say"),
                format!("say it yourself: `mnemic config set {key} VALUE --user`"),
            ));
        }
        let Some(provider) = self.provider.0 else { return Ok(None) };
        let settings = language::LanguageSettings {
            provider,
            url: self.url.clone(),
            model: self.model.clone(),
            api_key: self.api_key()?,
            command: self.command.clone(),
            timeout_seconds: self.timeout_seconds,
        };
        let model = language::language(&settings).map_err(|cause| {
            let hint = cause.hint();
            Error::new(ErrorKind::Invalid, cause.to_string()).hint(hint)
        })?;
        Ok(Some(Arc::new(Guarded::new(model, self.budget))))
    }

    fn api_key(&self) -> Result<Option<Secret>> {
        if self.api_key_env.is_empty() {
            return Ok(None);
        }
        let key = environment::text(&self.api_key_env).ok_or_else(|| {
            report::invalid(
                format!("`language.api_key_env` names `{}`, which is not set", self.api_key_env),
                format!("put the key into the environment variable {}", self.api_key_env),
            )
        })?;
        Ok(Some(Secret::new(key)))
    }
}
