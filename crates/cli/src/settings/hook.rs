//! The settings of `hook`: how long a host waits for us, and when we speak.

use super::Key;
use mnemic_engine::model::Invalid;
use std::time::Duration;

/// Nobody waits longer than this for a hook.
pub(super) const MOST_DEADLINE_MS: usize = 30_000;
/// More than this beside one prompt is not read.
pub(super) const MOST_HOOK_TOKENS: usize = 8_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Switch {
    On,
    Off,
}

impl Switch {
    pub(super) fn parse(value: &str) -> Result<Switch, Invalid> {
        match value {
            "on" => Ok(Switch::On),
            "off" => Ok(Switch::Off),
            _ => Err(one_of(Key::HookEnabled, value, "on or off")),
        }
    }
}

/// Which prompts memories are put beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prompts {
    First,
    /// The first, and those that turn to something else.
    Shift,
    Every,
    Never,
}

impl Prompts {
    pub(super) fn parse(value: &str) -> Result<Prompts, Invalid> {
        match value {
            "first" => Ok(Prompts::First),
            "shift" => Ok(Prompts::Shift),
            "every" => Ok(Prompts::Every),
            "never" => Ok(Prompts::Never),
            _ => Err(one_of(Key::HookPrompts, value, "first, shift, every or never")),
        }
    }
}

fn one_of(key: Key, value: &str, choices: &str) -> Invalid {
    Invalid::new(key.as_str(), format!("`{value}` is not {choices}"), format!("use {choices}"))
}

pub(super) fn milliseconds(key: Key, value: &str) -> Result<Duration, Invalid> {
    Ok(Duration::from_millis(key.number(value, MOST_DEADLINE_MS)? as u64))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HookSettings {
    pub(crate) is_on: bool,
    /// At prompts and tools.
    pub(crate) deadline: Duration,
    /// At the start and the end of a session, and before a compaction.
    pub(crate) session_deadline: Duration,
    pub(crate) prompts: Prompts,
    /// Tokens beside a prompt.
    pub(crate) budget: usize,
}
