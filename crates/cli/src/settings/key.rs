//! The settings there are: their names, and what each accepts.

use super::hook::{MOST_DEADLINE_MS, MOST_HOOK_TOKENS, Prompts, Switch};
use super::{LanguageProvider, Model, environment, secrets};
use mnemic_engine::model::body::Block;
use mnemic_engine::model::{Actor, Invalid, Namespace, Visibility};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Actor,
    Namespace,
    Visibility,
    ListLimit,
    BlockLimit,
    ContextModel,
    JobsLimit,
    FilesOnChange,
    FilesDir,
    MeaningModel,
    MeaningWeights,
    MeaningUrl,
    MeaningRemoteModel,
    MeaningApiKeyEnv,
    MeaningDimensions,
    MeaningQueryPrefix,
    MeaningPassagePrefix,
    RerankUrl,
    RerankModel,
    RerankApiKeyEnv,
    SecretsDetect,
    SecretsPersonal,
    SecretsRules,
    HookEnabled,
    HookDeadline,
    HookSessionDeadline,
    HookPrompts,
    HookBudget,
    LanguageProvider,
    LanguageUrl,
    LanguageModel,
    LanguageApiKeyEnv,
    LanguageCommand,
    LanguageTimeout,
    LanguageDailyCalls,
    LanguageDailyTokens,
    LanguageSessionCalls,
    LanguageSessionTokens,
}

/// Longer vectors than any model makes.
const MOST_DIMENSIONS: usize = 65_536;

impl Key {
    pub(crate) const ALL: &'static [Key] = &[
        Key::Actor,
        Key::Namespace,
        Key::Visibility,
        Key::ListLimit,
        Key::BlockLimit,
        Key::ContextModel,
        Key::JobsLimit,
        Key::FilesOnChange,
        Key::FilesDir,
        Key::MeaningModel,
        Key::MeaningWeights,
        Key::MeaningUrl,
        Key::MeaningRemoteModel,
        Key::MeaningApiKeyEnv,
        Key::MeaningDimensions,
        Key::MeaningQueryPrefix,
        Key::MeaningPassagePrefix,
        Key::RerankUrl,
        Key::RerankModel,
        Key::RerankApiKeyEnv,
        Key::SecretsDetect,
        Key::SecretsPersonal,
        Key::SecretsRules,
        Key::HookEnabled,
        Key::HookDeadline,
        Key::HookSessionDeadline,
        Key::HookPrompts,
        Key::HookBudget,
        Key::LanguageProvider,
        Key::LanguageUrl,
        Key::LanguageModel,
        Key::LanguageApiKeyEnv,
        Key::LanguageCommand,
        Key::LanguageTimeout,
        Key::LanguageDailyCalls,
        Key::LanguageDailyTokens,
        Key::LanguageSessionCalls,
        Key::LanguageSessionTokens,
    ];

    /// As it is written in a file, with a dot for the table.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Key::Actor => "actor",
            Key::Namespace => "namespace",
            Key::Visibility => "visibility",
            Key::ListLimit => "list.limit",
            Key::BlockLimit => "block.limit",
            Key::ContextModel => "context.model",
            Key::JobsLimit => "jobs.limit_ms",
            Key::FilesOnChange => "files.on_change",
            Key::FilesDir => "files.dir",
            Key::MeaningModel => "meaning.model",
            Key::MeaningWeights => "meaning.weights",
            Key::MeaningUrl => "meaning.url",
            Key::MeaningRemoteModel => "meaning.remote_model",
            Key::MeaningApiKeyEnv => "meaning.api_key_env",
            Key::MeaningDimensions => "meaning.dimensions",
            Key::MeaningQueryPrefix => "meaning.query_prefix",
            Key::MeaningPassagePrefix => "meaning.passage_prefix",
            Key::RerankUrl => "rerank.url",
            Key::RerankModel => "rerank.model",
            Key::RerankApiKeyEnv => "rerank.api_key_env",
            Key::SecretsDetect => "secrets.detect",
            Key::SecretsPersonal => "secrets.personal",
            Key::SecretsRules => "secrets.rules",
            Key::HookEnabled => "hook.enabled",
            Key::HookDeadline => "hook.deadline",
            Key::HookSessionDeadline => "hook.session_deadline",
            Key::HookPrompts => "hook.prompts",
            Key::HookBudget => "hook.budget",
            Key::LanguageProvider => "language.provider",
            Key::LanguageUrl => "language.url",
            Key::LanguageModel => "language.model",
            Key::LanguageApiKeyEnv => "language.api_key_env",
            Key::LanguageCommand => "language.command",
            Key::LanguageTimeout => "language.timeout",
            Key::LanguageDailyCalls => "language.daily_calls",
            Key::LanguageDailyTokens => "language.daily_tokens",
            Key::LanguageSessionCalls => "language.session_calls",
            Key::LanguageSessionTokens => "language.session_tokens",
        }
    }

    pub(crate) fn variable(self) -> Option<&'static str> {
        match self {
            Key::Actor => Some(environment::MNEMIC_ACTOR),
            Key::Namespace => Some(environment::MNEMIC_NAMESPACE),
            Key::Visibility => Some(environment::MNEMIC_VISIBILITY),
            Key::ListLimit | Key::BlockLimit | Key::FilesOnChange | Key::FilesDir => None,
            Key::ContextModel => Some(environment::MNEMIC_CONTEXT_MODEL),
            Key::JobsLimit => Some(environment::MNEMIC_JOBS_LIMIT_MS),
            Key::MeaningModel => Some(environment::MNEMIC_MEANING_MODEL),
            Key::MeaningWeights => Some(environment::MNEMIC_WEIGHTS),
            Key::MeaningUrl => Some(environment::MNEMIC_MEANING_URL),
            Key::MeaningRemoteModel => Some(environment::MNEMIC_MEANING_REMOTE_MODEL),
            Key::MeaningApiKeyEnv => Some(environment::MNEMIC_MEANING_API_KEY_ENV),
            Key::MeaningDimensions => Some(environment::MNEMIC_MEANING_DIMENSIONS),
            Key::MeaningQueryPrefix => Some(environment::MNEMIC_MEANING_QUERY_PREFIX),
            Key::MeaningPassagePrefix => Some(environment::MNEMIC_MEANING_PASSAGE_PREFIX),
            Key::RerankUrl => Some(environment::MNEMIC_RERANK_URL),
            Key::RerankModel => Some(environment::MNEMIC_RERANK_MODEL),
            Key::RerankApiKeyEnv => Some(environment::MNEMIC_RERANK_API_KEY_ENV),
            Key::SecretsDetect => Some(environment::MNEMIC_SECRETS_DETECT),
            Key::SecretsPersonal => Some(environment::MNEMIC_SECRETS_PERSONAL),
            Key::SecretsRules => None,
            Key::HookEnabled => Some(environment::MNEMIC_HOOK_ENABLED),
            Key::HookDeadline | Key::HookSessionDeadline | Key::HookPrompts | Key::HookBudget => {
                None
            }
            Key::LanguageProvider => Some(environment::MNEMIC_LANGUAGE_PROVIDER),
            Key::LanguageUrl => Some(environment::MNEMIC_LANGUAGE_URL),
            Key::LanguageModel => Some(environment::MNEMIC_LANGUAGE_MODEL),
            Key::LanguageApiKeyEnv => Some(environment::MNEMIC_LANGUAGE_API_KEY_ENV),
            Key::LanguageCommand => Some(environment::MNEMIC_LANGUAGE_COMMAND),
            Key::LanguageTimeout
            | Key::LanguageDailyCalls
            | Key::LanguageDailyTokens
            | Key::LanguageSessionCalls
            | Key::LanguageSessionTokens => None,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        const COUNTS: [Key; 7] = [
            Key::ListLimit,
            Key::BlockLimit,
            Key::JobsLimit,
            Key::MeaningDimensions,
            Key::HookDeadline,
            Key::HookSessionDeadline,
            Key::HookBudget,
        ];
        COUNTS.contains(&self) || self.language_limit().is_some()
    }

    /// Whether it decides where memories or secrets are sent. A project's file comes with the
    /// project, perhaps from a stranger, and must not decide that.
    pub(crate) fn is_personal(self) -> bool {
        let sends = [Key::MeaningUrl, Key::MeaningApiKeyEnv, Key::RerankUrl, Key::RerankApiKeyEnv];
        sends.contains(&self) || self.is_of_language()
    }

    /// A language model costs money, a command runs: all of it is for the person to say.
    pub(crate) fn is_of_language(self) -> bool {
        self.as_str().starts_with("language.")
    }

    /// The most that a limit of the language model can be.
    fn language_limit(self) -> Option<usize> {
        match self {
            Key::LanguageTimeout => Some(600),
            Key::LanguageDailyCalls | Key::LanguageSessionCalls => Some(100_000),
            Key::LanguageDailyTokens | Key::LanguageSessionTokens => Some(1_000_000_000),
            _ => None,
        }
    }

    /// Whether the value may stand under this key.
    pub(crate) fn check(self, value: &str) -> Result<(), Invalid> {
        match self {
            Key::Actor => Actor::parse(value).map(drop),
            Key::Namespace => Namespace::parse(value).map(drop),
            Key::Visibility => value.parse::<Visibility>().map(drop),
            Key::ListLimit => self.number(value, 100_000).map(drop),
            Key::BlockLimit => self.number(value, Block::MAX_LIMIT).map(drop),
            Key::FilesOnChange => self.flag(value).map(drop),
            Key::MeaningModel => Model::parse(value).map(drop),
            Key::SecretsDetect => secrets::is_on(value).map(drop),
            Key::SecretsPersonal => secrets::personal(value).map(drop),
            Key::SecretsRules => secrets::rules(value).map(drop),
            Key::MeaningDimensions | Key::JobsLimit if value == "0" => Ok(()),
            Key::JobsLimit => self.number(value, 600_000).map(drop),
            Key::MeaningApiKeyEnv | Key::RerankApiKeyEnv | Key::LanguageApiKeyEnv => {
                self.variable_name(value)
            }
            Key::LanguageProvider => LanguageProvider::parse(value).map(drop),
            Key::LanguageTimeout
            | Key::LanguageDailyCalls
            | Key::LanguageDailyTokens
            | Key::LanguageSessionCalls
            | Key::LanguageSessionTokens => {
                self.number(value, self.language_limit().unwrap_or_default()).map(drop)
            }
            Key::MeaningDimensions if value == "0" => Ok(()),
            Key::MeaningDimensions => self.number(value, MOST_DIMENSIONS).map(drop),
            Key::HookEnabled => Switch::parse(value).map(drop),
            Key::HookDeadline | Key::HookSessionDeadline => {
                self.number(value, MOST_DEADLINE_MS).map(drop)
            }
            Key::HookPrompts => Prompts::parse(value).map(drop),
            Key::HookBudget => self.number(value, MOST_HOOK_TOKENS).map(drop),
            Key::ContextModel
            | Key::FilesDir
            | Key::MeaningWeights
            | Key::MeaningUrl
            | Key::MeaningRemoteModel
            | Key::MeaningQueryPrefix
            | Key::MeaningPassagePrefix
            | Key::RerankUrl
            | Key::RerankModel
            | Key::LanguageUrl
            | Key::LanguageModel
            | Key::LanguageCommand => Ok(()),
        }
    }

    /// Refuses what looks like the key itself; without repeating it, since messages are kept.
    fn variable_name(self, value: &str) -> Result<(), Invalid> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_name = value.chars().all(fits) && !value.starts_with(|c: char| c.is_ascii_digit());
        if is_name {
            return Ok(());
        }
        Err(Invalid::new(
            self.as_str(),
            "it is not the name of an environment variable",
            "put the key into a variable such as EMBEDDING_API_KEY, and its name here",
        ))
    }

    /// On or off, in the words that people use.
    pub(crate) fn flag(self, value: &str) -> Result<bool, Invalid> {
        match value {
            "true" | "on" | "yes" => Ok(true),
            "false" | "off" | "no" => Ok(false),
            other => Err(Invalid::new(
                self.as_str(),
                format!("`{other}` is neither on nor off"),
                "use `on` or `off`",
            )),
        }
    }

    pub(crate) fn number(self, value: &str, most: usize) -> Result<usize, Invalid> {
        value.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
            Invalid::new(
                self.as_str(),
                format!("`{value}` is not a number from 1 to {most}"),
                format!("use 1 to {most}"),
            )
        })
    }
}
