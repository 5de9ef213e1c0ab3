//! Connecting hosts: which of their files we edit, what goes into them, and how it comes out again.

mod command;
mod diff;
mod edit;
mod hooks_json;
mod mcp;
pub(crate) mod places;
mod record;

#[cfg(test)]
mod integrations;
#[cfg(test)]
mod tests;

pub(crate) use command::{Program, quoted};
pub(crate) use edit::{Change, Deed, connect, disconnect, real};
pub(crate) use places::{Scope, Target};
pub(crate) use record::Records;

use crate::hooks::Host;
use mnemic_engine::Result;
use serde_json::Value;
use std::path::Path;

/// What we put into a file of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// `hooks` as Claude Code arranges them.
    Hooks(Host),
    /// `hooks` as Cursor arranges them.
    FlatHooks(Host),
    /// The entry of our MCP server, in JSON under this name.
    McpJson { under: &'static str, shape: mcp::Shape },
    /// The same in Codex's TOML.
    McpToml,
    /// A file that is ours from the first to the last letter.
    Plugin,
}

/// The plugin for OpenCode, which is the same file in `integrations`.
const PLUGIN: &str = include_str!("../../../../integrations/opencode/mnemic.js");

impl Part {
    /// The text with our part in it. The same text when it is there already.
    fn add(self, text: &str, program: &Program, path: &Path) -> Result<String> {
        match self {
            Part::Hooks(host) => hooks_json::add(text, host, program, path),
            Part::FlatHooks(host) => hooks_json::add_flat(text, host, program, path),
            Part::McpJson { under, shape } => mcp::add_json(text, under, shape, program, path),
            Part::McpToml => mcp::add_toml(text, program, path),
            Part::Plugin => Ok(plugin(program)),
        }
    }

    /// The text without our part. The same text when it is not there.
    fn remove(self, text: &str, path: &Path) -> Result<String> {
        match self {
            Part::Hooks(_) => hooks_json::remove(text, path),
            Part::FlatHooks(_) => hooks_json::remove_flat(text, path),
            Part::McpJson { under, .. } => mcp::remove_json(text, under, path),
            Part::McpToml => mcp::remove_toml(text, path),
            Part::Plugin => Ok(String::new()),
        }
    }

    /// The programs that our entries in this text name.
    fn programs(self, text: &str) -> Vec<String> {
        match self {
            Part::Hooks(_) | Part::FlatHooks(_) => hooks_json::programs(text),
            Part::McpJson { under, .. } => mcp::program_json(text, under).into_iter().collect(),
            Part::McpToml => mcp::program_toml(text).into_iter().collect(),
            Part::Plugin => plugin_program(text).into_iter().collect(),
        }
    }
}

/// With the program that it starts filled in.
fn plugin(program: &Program) -> String {
    let quoted = Value::String(program.path().to_owned()).to_string();
    PLUGIN.replacen("const MNEMIC = \"mnemic\";", &format!("const MNEMIC = {quoted};"), 1)
}

fn plugin_program(text: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix("const MNEMIC = "))?;
    serde_json::from_str(rest.trim_end().trim_end_matches(';')).ok()
}
