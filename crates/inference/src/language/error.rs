//! What can go wrong with a language model, told apart by what a person can do about it.

/// The text of an error never repeats what was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    #[error("the setting `language.{name}` cannot be `{value}`: {why}")]
    Setting { name: &'static str, value: String, why: &'static str },
    #[error("cannot reach the language model at `{place}`: {why}")]
    Unreachable { place: String, why: String },
    #[error("the language model at `{place}` did not answer within {seconds} s")]
    Slow { place: String, seconds: u64 },
    #[error("the language model at `{place}` refused with status {status}: {said}")]
    Refused { place: String, status: u16, said: String },
    #[error("the language model at `{place}` gave an answer of no use: {why}")]
    Answer { place: String, why: String },
}

impl LanguageError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            LanguageError::Setting { .. } => "correct the setting: `mnemic config`",
            LanguageError::Unreachable { .. } => "check the address or the program",
            LanguageError::Slow { .. } => "raise `language.timeout`, or name a faster model",
            LanguageError::Refused { status: 401 | 403, .. } => "check the API key",
            LanguageError::Refused { status: 404, .. } => "check `language.url` and the model",
            LanguageError::Refused { .. } => "see what the service says of itself",
            LanguageError::Answer { .. } => "check that the model answers in plain text",
        }
    }
}
