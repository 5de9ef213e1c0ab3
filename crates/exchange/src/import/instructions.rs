//! CLAUDE.md, rules, AGENTS.md and the like: what a person tells agents, a memory a section.

use super::arrival::{Broken, Sink};
use super::fields::{Taken, tags};
use super::origin::{Origin, clipped};
use super::{front_matter, pages};
use mnemic_model::draft::About;
use mnemic_model::{ScopeLevel, Unit};
use std::path::Path;

/// Files with these names hold instructions, wherever they lie.
pub(super) const NAMES: &[&str] = &[
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    "copilot-instructions.md",
];

/// What a person took the time to write down for every session is worth more than a note.
const IMPORTANCE: f64 = 0.8;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let mut named = vec!["instructions".to_owned()];
    named.extend(front.texts("tags"));
    let about = About {
        summary: front.text("description").map(|text| clipped(&text, 10_000)),
        importance: Unit::new(IMPORTANCE).ok(),
        tags: tags(named),
        scope: is_personal(origin).then_some(ScopeLevel::User),
        extra: front.rest(),
        ..origin.by_person()
    };
    pages::each_section(origin, text, &about, sink, &|_| None)
}

/// What lies in the home directory of a host holds for all projects of the person.
fn is_personal(origin: &Origin) -> bool {
    ["~/.claude/", "~/.codex/", "~/.gemini/"].iter().any(|home| origin.name.starts_with(home))
}
