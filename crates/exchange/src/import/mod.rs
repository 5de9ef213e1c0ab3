//! Reads what other tools remember: one file a format, each handing out memories one after the other.

mod arrival;
mod auto_claude;
mod automaker;
mod beads;
mod chatgpt;
mod claude_export;
mod claude_mem;
mod claude_memory;
mod codex;
mod cursor;
mod detect;
mod fields;
mod find;
mod format;
mod front_matter;
mod get_shit_done;
mod instructions;
mod items;
mod keys;
mod markdown;
mod mem0;
mod memory_service;
mod notes;
mod openclaw;
mod opencode;
mod origin;
mod pages;
mod role_log;
mod scan;
mod serena;
pub(crate) mod server_memory;
pub(crate) mod skills;
mod times;

pub use arrival::{Arrival, Bond, Broken, Left, Sink};
pub use detect::detect;
pub use find::{Unfound, find, look};
pub use format::{Format, Source};
pub use origin::Origin;
pub use scan::{Spot, scan};

use std::path::Path;

/// The most of a text file that is read whole; what is longer was not written for people.
const LARGEST_TEXT: u64 = 32 * 1024 * 1024;

/// Hands out what a file holds. A broken one may have handed out something before it shows: whoever
/// wants all or nothing reads it twice.
pub fn read(source: &Source, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let path = source.path.as_path();
    match source.format {
        Format::ClaudeMem => claude_mem::read(path, origin, sink),
        Format::ClaudeMemory => claude_memory::read(path, origin, sink),
        Format::Instructions => instructions::read(path, origin, sink),
        Format::CodexMemory => codex::read(path, origin, sink),
        Format::OpenClaw => openclaw::read(path, origin, sink),
        Format::ServerMemory => server_memory::read(path, origin, sink),
        Format::MemoryService => memory_service::read(path, origin, sink),
        Format::Notes => notes::read(path, origin, sink),
        Format::Automaker => automaker::read(path, origin, sink),
        Format::AutoClaude => auto_claude::read(path, origin, sink),
        Format::GetShitDone => get_shit_done::read(path, origin, sink),
        Format::Serena => serena::read(path, origin, sink),
        Format::Beads => beads::read(path, origin, sink),
        Format::Mem0 => mem0::read(path, origin, sink),
        Format::Skills => skills::read(path, origin, sink),
        Format::ChatGpt => chatgpt::read(path, sink),
        Format::ClaudeExport => claude_export::read(path, sink),
        Format::RoleLog => role_log::read(path, sink),
        Format::OpenCode => opencode::read(path, origin, sink),
        Format::Cursor => cursor::read(path, sink),
        Format::Mnemic | Format::Transcript => {
            Err(Broken::new("is read by `mnemic import` in another way"))
        }
    }
}

/// A text file whole, without the mark that some editors begin with.
fn text_of(path: &Path) -> Result<String, Broken> {
    let size = std::fs::metadata(path)?.len();
    if size > LARGEST_TEXT {
        return Err(Broken::new(format!("{size} bytes are too many for a text")));
    }
    let text = String::from_utf8(std::fs::read(path)?)
        .map_err(|cause| Broken::new(format!("is not UTF-8: {}", cause.utf8_error())))?;
    Ok(text.trim_start_matches('\u{feff}').replace('\0', "\u{fffd}"))
}

/// The name of a file without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
