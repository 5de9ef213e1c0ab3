//! What one has to say about a language model.

use super::LanguageError;
use crate::remote::Secret;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    Anthropic,
    /// Any service that speaks the protocol of OpenAI, here or far away.
    OpenAi,
    /// A program that reads the prompt and writes the answer.
    Command,
}

#[derive(Debug, Clone)]
pub struct LanguageSettings {
    pub provider: Provider,
    /// Up to and without `/messages` or `/chat/completions`; it usually ends in `/v1`.
    pub url: String,
    pub model: String,
    pub api_key: Option<Secret>,
    /// The program and its arguments, divided by spaces. No shell reads it.
    pub command: String,
    /// For one question with its answer.
    pub timeout_seconds: u64,
}

/// What may be spent: hard limits, none of which an answer can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub calls_a_day: u64,
    pub tokens_a_day: u64,
    /// Within one run of the program.
    pub calls_a_session: u64,
    pub tokens_a_session: u64,
}

impl LanguageSettings {
    pub(super) fn check(&self) -> Result<(), LanguageError> {
        let wrong = |name, value: &str, why| {
            Err(LanguageError::Setting { name, value: value.to_owned(), why })
        };
        if !(1..=600).contains(&self.timeout_seconds) {
            return wrong("timeout", &self.timeout_seconds.to_string(), "use 1 to 600 seconds");
        }
        if self.provider == Provider::Command {
            return match self.command.trim().is_empty() {
                true => wrong("command", &self.command, "name a program"),
                false => Ok(()),
            };
        }
        if self.model.trim().is_empty() {
            return wrong("model", &self.model, "name a model of the service");
        }
        let is_address = self.url.starts_with("https://") || self.url.starts_with("http://");
        match is_address {
            true => Ok(()),
            false => wrong("url", &self.url, "it must begin with https:// or http://"),
        }
    }

    pub(super) fn below(&self, path: &str) -> String {
        format!("{}/{path}", self.url.trim_end_matches('/'))
    }
}
