//! Language models that may be asked to read: off unless a person names one.
//!
//! Everything that leaves the machine for a language model leaves through [`Guarded::ask`], which
//! holds the budget and the breaker. What comes back is a stranger's text: whoever asks must check
//! it against what was sent.

mod anthropic;
mod command;
mod error;
mod guard;
mod http;
mod openai;
mod settings;

pub use error::LanguageError;
pub use guard::{Guarded, Keep, Refusal, Spending};
pub use settings::{Budget, LanguageSettings, Provider};

use std::sync::Arc;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What it should do.
    pub task: String,
    /// What it should read.
    pub text: String,
    /// Tokens that the answer may have.
    pub longest_answer: u32,
}

impl Prompt {
    /// Tokens that this may cost at most: one a byte is more than any model counts for text, a third
    /// of it is what they do count, and the answer comes on top.
    pub fn most_tokens(&self) -> u64 {
        let bytes = (self.task.len() + self.text.len()) as u64;
        bytes.div_ceil(3) + u64::from(self.longest_answer)
    }
}

/// What it answered, and what that cost as far as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    pub tokens: Option<u64>,
}

pub trait LanguageModel: Send + Sync + std::fmt::Debug {
    /// As it is called in provenance.
    fn name(&self) -> &str;

    /// One question, one answer, no retries: whoever asks decides whether it is worth another.
    fn ask(&self, prompt: &Prompt) -> Result<Reply, LanguageError>;
}

/// The model that the settings name. They are checked; the model is not asked yet.
pub fn language(settings: &LanguageSettings) -> Result<Arc<dyn LanguageModel>, LanguageError> {
    settings.check()?;
    Ok(match settings.provider {
        Provider::Anthropic => Arc::new(anthropic::Anthropic::new(settings)),
        Provider::OpenAi => Arc::new(openai::OpenAi::new(settings)),
        Provider::Command => Arc::new(command::Command::new(settings)),
    })
}

#[cfg(test)]
mod tests;
