//! Which format a file is in, told from where it lies, what it is called and how it begins.

use super::keys::keys;
use super::{
    Format, auto_claude, claude_mem, claude_memory, cursor, instructions, notes, openclaw,
    opencode, role_log,
};
use mnemic_store::foreign::Foreign;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much of a file's beginning is looked at.
const BEGINNING: u64 = 64 * 1024;

/// None for a file that is none of ours to read; a transcript is told by whoever captures.
pub fn detect(path: &Path) -> Option<Format> {
    by_place(path).or_else(|| by_content(path))
}

/// Names and directories that only one tool uses.
fn by_place(path: &Path) -> Option<Format> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let dirs = &parts[..parts.len() - 1];
    let within = |names: &[&str]| dirs.windows(names.len()).any(|window| window == names);
    let parent = dirs.last().map_or("", String::as_str);
    let is_md = name.ends_with(".md");
    Some(match () {
        () if name == "SKILL.md" => Format::Skills,
        () if instructions::NAMES.contains(&name.as_str()) => Format::Instructions,
        () if within(&[".claude", "rules"]) && is_md => Format::Instructions,
        () if within(&[".cursor", "rules"]) && name.ends_with(".mdc") => Format::Instructions,
        () if within(&[".automaker", "memory"]) && is_md => Format::Automaker,
        () if within(&[".serena", "memories"]) && is_md => Format::Serena,
        () if within(&[".planning"]) && is_md => Format::GetShitDone,
        () if within(&[".codex", "memories"]) && is_md => Format::CodexMemory,
        () if within(&[".beads"]) && name.ends_with(".jsonl") => Format::Beads,
        () if auto_claude::is_one(path) && (is_md || name.ends_with(".json")) => Format::AutoClaude,
        () if claude_memory::is_one(path) => Format::ClaudeMemory,
        () if parent == "memory" && is_md && openclaw::day(path).is_some() => Format::OpenClaw,
        () if name == "MEMORY.md" => Format::OpenClaw,
        () => return None,
    })
}

fn by_content(path: &Path) -> Option<Format> {
    if Foreign::is_one(path) {
        let tables = Foreign::open(path).and_then(|foreign| foreign.tables()).ok()?;
        return match () {
            () if claude_mem::is_one(&tables) => Some(Format::ClaudeMem),
            () if opencode::is_one(&tables) => Some(Format::OpenCode),
            () if cursor::is_one(&tables) => Some(Format::Cursor),
            () => None,
        };
    }
    let text = beginning(path)?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match text.trim_start().chars().next() {
        Some('{' | '[') => by_keys(&text),
        _ if role_log::is_one(&text) => Some(Format::RoleLog),
        _ if matches!(ending, "md" | "markdown") && notes::is_one(&text) => Some(Format::Notes),
        _ => None,
    }
}

fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(BEGINNING).read_to_end(&mut bytes).ok()?;
    if bytes.contains(&0) {
        return None;
    }
    Some(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

fn by_keys(text: &str) -> Option<Format> {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let first_keys = keys(first);
    let in_first = |name: &str| first_keys.contains(name);
    if in_first("type") && in_first("made_by") && in_first("format") {
        return Some(Format::Mnemic);
    }
    let is_type = |name: &str| first.contains(&format!("\"{name}\""));
    if in_first("entityType") && is_type("entity") || in_first("relationType") {
        return Some(Format::ServerMemory);
    }
    let names = keys(text);
    let has = |name: &str| names.contains(name);
    match () {
        () if has("mapping") && (has("current_node") || has("create_time")) => {
            Some(Format::ChatGpt)
        }
        () if has("chat_messages") => Some(Format::ClaudeExport),
        () if has("memories") && (has("export_metadata") || has("content_hash")) => {
            Some(Format::MemoryService)
        }
        () if has("memory") && ["hash", "user_id", "agent_id"].iter().any(|name| has(name)) => {
            Some(Format::Mem0)
        }
        () if in_first("issue_type") && in_first("title") && in_first("id") => Some(Format::Beads),
        () => None,
    }
}
