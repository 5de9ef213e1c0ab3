//! Every environment variable that mnemic reads, in one list.

use std::path::PathBuf;

/// Who acts; the same as `--actor`.
pub(crate) const MNEMIC_ACTOR: &str = "MNEMIC_ACTOR";
/// The namespace to work in; the same as `--namespace`.
pub(crate) const MNEMIC_NAMESPACE: &str = "MNEMIC_NAMESPACE";
/// `private` or `shared`, for new memories.
pub(crate) const MNEMIC_VISIBILITY: &str = "MNEMIC_VISIBILITY";
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
/// The time zone, for times without one.
pub(crate) const TZ: &str = "TZ";
// Read by the terminal libraries, not by us: NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM, CI.

/// A variable that is set to something. An empty one counts as unset, as in POSIX locales.
pub(crate) fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

pub(crate) fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
