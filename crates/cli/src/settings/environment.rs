//! Every environment variable that mnemic reads, in one list.

use std::path::PathBuf;

/// Who acts; the same as `--actor`.
pub(crate) const MNEMIC_ACTOR: &str = "MNEMIC_ACTOR";
/// The namespace to work in; the same as `--namespace`.
pub(crate) const MNEMIC_NAMESPACE: &str = "MNEMIC_NAMESPACE";
/// `private` or `shared`, for new memories.
pub(crate) const MNEMIC_VISIBILITY: &str = "MNEMIC_VISIBILITY";
/// The model that reads a context, which decides how tokens are counted.
pub(crate) const MNEMIC_CONTEXT_MODEL: &str = "MNEMIC_CONTEXT_MODEL";
/// Milliseconds that a command may go on with waiting jobs after its answer.
pub(crate) const MNEMIC_JOBS_LIMIT_MS: &str = "MNEMIC_JOBS_LIMIT_MS";
/// What turns text into vectors: `local`, `off` or `remote`.
pub(crate) const MNEMIC_MEANING_MODEL: &str = "MNEMIC_MEANING_MODEL";
/// A file of packed weights for the local model, instead of those built in.
pub(crate) const MNEMIC_WEIGHTS: &str = "MNEMIC_WEIGHTS";
/// The remote model: where it is, its name, and the NAME of the variable that holds its key.
pub(crate) const MNEMIC_MEANING_URL: &str = "MNEMIC_MEANING_URL";
pub(crate) const MNEMIC_MEANING_REMOTE_MODEL: &str = "MNEMIC_MEANING_REMOTE_MODEL";
pub(crate) const MNEMIC_MEANING_API_KEY_ENV: &str = "MNEMIC_MEANING_API_KEY_ENV";
/// How long its vectors are, and what goes before a question or a text.
pub(crate) const MNEMIC_MEANING_DIMENSIONS: &str = "MNEMIC_MEANING_DIMENSIONS";
pub(crate) const MNEMIC_MEANING_QUERY_PREFIX: &str = "MNEMIC_MEANING_QUERY_PREFIX";
pub(crate) const MNEMIC_MEANING_PASSAGE_PREFIX: &str = "MNEMIC_MEANING_PASSAGE_PREFIX";
/// What reads answers again: where it is, its name, and the NAME of the variable with its key.
pub(crate) const MNEMIC_RERANK_URL: &str = "MNEMIC_RERANK_URL";
pub(crate) const MNEMIC_RERANK_MODEL: &str = "MNEMIC_RERANK_MODEL";
pub(crate) const MNEMIC_RERANK_API_KEY_ENV: &str = "MNEMIC_RERANK_API_KEY_ENV";
/// Whether secrets are replaced before anything is kept, and which personal data is as well.
pub(crate) const MNEMIC_SECRETS_DETECT: &str = "MNEMIC_SECRETS_DETECT";
pub(crate) const MNEMIC_SECRETS_PERSONAL: &str = "MNEMIC_SECRETS_PERSONAL";
/// Whether hooks remember and remind at all: `on` or `off`.
pub(crate) const MNEMIC_HOOK_ENABLED: &str = "MNEMIC_HOOK_ENABLED";
/// A directory of the person's that goes away with the login; the last resort for a hook's events.
pub(crate) const XDG_RUNTIME_DIR: &str = "XDG_RUNTIME_DIR";
/// Where Claude Code and Codex keep their own files, unless it is in the home directory.
pub(crate) const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
pub(crate) const CODEX_HOME: &str = "CODEX_HOME";
/// The project, as Claude Code, Gemini CLI and Cursor tell their hooks.
pub(crate) const CLAUDE_PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
pub(crate) const GEMINI_PROJECT_DIR: &str = "GEMINI_PROJECT_DIR";
pub(crate) const CURSOR_PROJECT_DIR: &str = "CURSOR_PROJECT_DIR";
/// The language model: which protocol, where, its name, the NAME of the variable with its key, or
/// the program that answers.
pub(crate) const MNEMIC_LANGUAGE_PROVIDER: &str = "MNEMIC_LANGUAGE_PROVIDER";
pub(crate) const MNEMIC_LANGUAGE_URL: &str = "MNEMIC_LANGUAGE_URL";
pub(crate) const MNEMIC_LANGUAGE_MODEL: &str = "MNEMIC_LANGUAGE_MODEL";
pub(crate) const MNEMIC_LANGUAGE_API_KEY_ENV: &str = "MNEMIC_LANGUAGE_API_KEY_ENV";
pub(crate) const MNEMIC_LANGUAGE_COMMAND: &str = "MNEMIC_LANGUAGE_COMMAND";
/// The login name, for the usual actor.
pub(crate) const USER: &str = "USER";
/// Where the person's store and configuration lie, unless the next two say otherwise.
pub(crate) const HOME: &str = "HOME";
/// The directory above the person's store.
pub(crate) const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// The directory above the person's configuration.
pub(crate) const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// The editor of `mnemic edit`, first choice and second.
pub(crate) const VISUAL: &str = "VISUAL";
pub(crate) const EDITOR: &str = "EDITOR";
/// How wide the lines of a list may be, where it is not the terminal that decides.
pub(crate) const COLUMNS: &str = "COLUMNS";
// And `TZ`, which the engine reads for times without a zone, and those which the settings
// `meaning.`, `rerank.` and `language.api_key_env` name.
// Read by the terminal libraries, not by us: NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM, CI.

/// A variable that is set to something. An empty one counts as unset, as in POSIX locales.
pub(crate) fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

pub(crate) fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
