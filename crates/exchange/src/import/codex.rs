//! Codex's own memories: a summary, a handbook, raw notes and a summary of each session.

use super::arrival::{Broken, Sink};
use super::fields::Taken;
use super::origin::Origin;
use super::{front_matter, pages};
use mnemic_model::draft::About;
use mnemic_model::{ScopeLevel, Tier};
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let in_dir = |name: &str| path.iter().any(|part| part == name);
    // Notes before anybody sorted them are kept to be found, not to be read.
    let (sort, tier) = match super::stem(path).as_str() {
        _ if in_dir("rollout_summaries") => ("rollout summary", None),
        "raw_memories" => ("raw memory", Some(Tier::Archive)),
        "memory_summary" => ("summary", None),
        _ => ("memory", None),
    };
    let about = About {
        category: Some(sort.to_owned()),
        tier,
        valid_at: front.time(&["updated_at", "created_at", "timestamp", "date"]),
        scope: origin.name.starts_with("~/").then_some(ScopeLevel::User),
        extra: front.rest(),
        ..origin.by_agent("codex")
    };
    pages::each_section(origin, text, &about, sink, &|_| None)
}
