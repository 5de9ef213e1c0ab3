//! The formats that are read, by the names that people type.

use std::path::PathBuf;

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident = $name:literal, $title:literal;)+) => {
        /// What a file is written in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Format { $($(#[$doc])* $format),+ }

        impl Format {
            pub const ALL: &'static [Format] = &[$(Format::$format),+];

            /// As it is typed.
            pub fn as_str(self) -> &'static str {
                match self { $(Format::$format => $name),+ }
            }

            /// As it is told to a person.
            pub fn title(self) -> &'static str {
                match self { $(Format::$format => $title),+ }
            }
        }
    };
}

formats! {
    /// Our own, without loss.
    Mnemic = "jsonl", "mnemic's own JSONL";
    /// A file that `capture` reads.
    Transcript = "transcript", "transcripts of agent hosts and message arrays";
    ClaudeMem = "claude-mem", "the database of claude-mem";
    ClaudeMemory = "claude-memory", "Claude Code's own memory";
    Instructions = "instructions", "instructions for agents, such as CLAUDE.md and AGENTS.md";
    CodexMemory = "codex-memory", "Codex's own memories";
    OpenClaw = "openclaw", "OpenClaw's memory";
    ServerMemory = "server-memory", "JSONL of the MCP server-memory";
    MemoryService = "memory-service", "exports of mcp-memory-service";
    Notes = "markdown", "Markdown notes as basic-memory and Obsidian keep them";
    Automaker = "automaker", "Automaker's memory";
    AutoClaude = "auto-claude", "Auto-Claude's memory of its specs";
    GetShitDone = "get-shit-done", "the planning of get-shit-done";
    Serena = "serena", "Serena's memories";
    Beads = "beads", "issues of beads";
    Mem0 = "mem0", "exports of mem0";
    Skills = "skills", "directories with a SKILL.md";
    ChatGpt = "chatgpt", "data exports of ChatGPT";
    ClaudeExport = "claude-export", "data exports of Claude";
    RoleLog = "role-log", "plain logs of `role: text`";
    OpenCode = "opencode", "the database of OpenCode";
    Cursor = "cursor", "the database of Cursor";
}

impl Format {
    /// The format with this name; underscores count as dashes.
    pub fn named(text: &str) -> Option<Format> {
        let wanted = text.trim().to_ascii_lowercase().replace('_', "-");
        Format::ALL.iter().copied().find(|format| format.as_str() == wanted)
    }

    /// How files of this format end, for whoever looks through a directory.
    pub(super) fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Mnemic | Format::ServerMemory | Format::Beads => &["jsonl"],
            Format::Transcript => &["jsonl", "json"],
            Format::ClaudeMem | Format::OpenCode => &["db", "sqlite", "sqlite3"],
            Format::Cursor => &["vscdb"],
            Format::MemoryService | Format::Mem0 | Format::ChatGpt | Format::ClaudeExport => {
                &["json"]
            }
            Format::AutoClaude => &["md", "json"],
            Format::RoleLog => &["txt", "log", "md"],
            Format::Instructions => &["md", "mdc", "cursorrules"],
            _ => &["md"],
        }
    }
}

/// A file and what it is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub path: PathBuf,
    pub format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_differ() {
        for format in Format::ALL {
            assert_eq!(Format::named(format.as_str()), Some(*format));
        }
        assert_eq!(Format::named("Claude_Mem"), Some(Format::ClaudeMem));
        assert_eq!(Format::named("memories.jsonl"), None);
    }
}
