//! Where tools keep what they remember: in a project, and in a person's home directory.

use super::find::below;
use super::{Format, Source, detect};
use std::path::{Path, PathBuf};

/// A place that something was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub format: Format,
    /// The directory or file, as it is looked for.
    pub place: PathBuf,
    pub sources: Vec<Source>,
}

/// Places in a project.
const IN_PROJECT: &[(Format, &str)] = &[
    (Format::Instructions, "CLAUDE.md"),
    (Format::Instructions, "CLAUDE.local.md"),
    (Format::Instructions, ".claude/CLAUDE.md"),
    (Format::Instructions, ".claude/rules"),
    (Format::Instructions, "AGENTS.md"),
    (Format::Instructions, "GEMINI.md"),
    (Format::Instructions, ".cursorrules"),
    (Format::Instructions, ".cursor/rules"),
    (Format::Instructions, ".github/copilot-instructions.md"),
    (Format::Skills, ".claude/skills"),
    (Format::Skills, ".agents/skills"),
    (Format::Automaker, ".automaker/memory"),
    (Format::AutoClaude, ".auto-claude/specs"),
    (Format::GetShitDone, ".planning"),
    (Format::Serena, ".serena/memories"),
    (Format::Beads, ".beads"),
    (Format::OpenClaw, "MEMORY.md"),
    (Format::OpenClaw, "memory"),
];

/// Places in a home directory that hold for the person or for all projects.
const IN_HOME: &[(Format, &str)] = &[
    (Format::Instructions, ".claude/CLAUDE.md"),
    (Format::Instructions, ".codex/AGENTS.md"),
    (Format::Instructions, ".gemini/GEMINI.md"),
    (Format::Skills, ".claude/skills"),
    (Format::Skills, ".codex/memories/skills"),
    (Format::CodexMemory, ".codex/memories"),
    (Format::OpenClaw, ".openclaw/workspace/MEMORY.md"),
    (Format::OpenClaw, ".openclaw/workspace/memory"),
    (Format::ClaudeMem, ".claude-mem/claude-mem.db"),
    (Format::OpenCode, ".local/share/opencode/opencode.db"),
    (Format::Cursor, ".config/Cursor/User/globalStorage/state.vscdb"),
    (Format::Cursor, "Library/Application Support/Cursor/User/globalStorage/state.vscdb"),
    (Format::Transcript, ".codex/sessions"),
];

/// Everything that is there. Of what the home directory holds by project, this project's alone.
pub fn scan(project: Option<&Path>, home: Option<&Path>) -> Vec<Spot> {
    let mut found = Vec::new();
    if let Some(root) = project {
        let places = IN_PROJECT.iter().map(|(format, place)| (*format, root.join(place)));
        found.extend(places.filter_map(|(format, place)| spot(format, place)));
    }
    if let Some(root) = home {
        let places = IN_HOME.iter().map(|(format, place)| (*format, root.join(place)));
        found.extend(places.filter_map(|(format, place)| spot(format, place)));
        for dir in project_dirs(root, project) {
            found.extend(spot(Format::ClaudeMemory, dir.join("memory")));
            found.extend(spot(Format::Transcript, dir));
        }
    }
    found
}

fn spot(format: Format, place: PathBuf) -> Option<Spot> {
    let place = place.canonicalize().ok()?;
    let mut files = Vec::new();
    match place.is_dir() {
        true => below(&place, 0, &mut files),
        false => files.push(place.clone()),
    }
    files.retain(|path| match format {
        Format::Transcript => path.extension().is_some_and(|ending| ending == "jsonl"),
        _ => detect(path) == Some(format),
    });
    let sources: Vec<Source> = files.into_iter().map(|path| Source { path, format }).collect();
    (!sources.is_empty()).then_some(Spot { format, place, sources })
}

/// Claude Code's directories of this project, or of all projects where there is none.
fn project_dirs(home: &Path, project: Option<&Path>) -> Vec<PathBuf> {
    let all = home.join(".claude/projects");
    if let Some(project) = project {
        let mut dirs: Vec<PathBuf> = slugs(project).iter().map(|slug| all.join(slug)).collect();
        dirs.dedup();
        return dirs;
    }
    let entries = std::fs::read_dir(all).into_iter().flatten().filter_map(Result::ok);
    let mut dirs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    dirs.retain(|dir| dir.is_dir());
    dirs.sort();
    dirs
}

/// How Claude Code calls a directory: what parts names is a dash, of late whatever is no letter.
fn slugs(path: &Path) -> [String; 2] {
    let path = path.to_string_lossy();
    let older = path.replace(['/', '.', '\\', ':'], "-");
    [older, path.replace(|c: char| !c.is_ascii_alphanumeric(), "-")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_called_as_the_host_calls_them() {
        let called = slugs(Path::new("/home/ann/my_app.rs"));
        assert_eq!(called, ["-home-ann-my_app-rs", "-home-ann-my-app-rs"]);
    }
}
