//! Writes what is remembered in the formats that other tools read, as files with names and texts.

mod believed;
mod markdown;
mod memories;
mod names;
mod server_memory;
mod skills;

use mnemic_store::{Read, Result};
use std::ops::ControlFlow;

/// The formats that are written, besides our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// One JSONL file.
    ServerMemory,
    /// A note a memory.
    Markdown,
    /// A directory a skill.
    Skills,
    /// Plain files in directories by kind, as the file memory of agents keeps them.
    Memories,
}

impl ExportFormat {
    pub const ALL: &'static [ExportFormat] = &[
        ExportFormat::ServerMemory,
        ExportFormat::Markdown,
        ExportFormat::Skills,
        ExportFormat::Memories,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ExportFormat::ServerMemory => "server-memory",
            ExportFormat::Markdown => "markdown",
            ExportFormat::Skills => "skills",
            ExportFormat::Memories => "memories",
        }
    }

    pub fn named(text: &str) -> Option<ExportFormat> {
        let wanted = text.trim().to_ascii_lowercase().replace('_', "-");
        ExportFormat::ALL.iter().copied().find(|format| format.as_str() == wanted)
    }

    /// Whether it is one file and not a directory of them.
    pub fn is_one_file(self) -> bool {
        self == ExportFormat::ServerMemory
    }
}

/// A file to be written, by its path below the place that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    pub path: String,
    pub text: String,
}

/// What is to be written, and how.
#[derive(Debug, Clone, Copy)]
pub struct ExportAsk {
    pub format: ExportFormat,
    /// Of skills: code patterns as well.
    pub with_patterns: bool,
}

/// Takes files one after the other and may stop.
pub type Files<'a> = dyn FnMut(ExportFile) -> ControlFlow<()> + 'a;

/// What is believed and valid now, without secrets and what is in quarantine. Answers how many
/// memories were written.
pub fn export(read: &dyn Read, ask: ExportAsk, files: &mut Files<'_>) -> Result<u64> {
    match ask.format {
        ExportFormat::ServerMemory => server_memory::write(read, files),
        ExportFormat::Markdown => markdown::write(read, files),
        ExportFormat::Skills => skills::write(read, ask.with_patterns, files),
        ExportFormat::Memories => memories::write(read, files),
    }
}
