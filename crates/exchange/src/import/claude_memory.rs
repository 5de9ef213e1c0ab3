//! Claude Code's own memory of a project: `MEMORY.md`, a line a memory, and a file a topic.

use super::arrival::{Arrival, Broken, Sink};
use super::fields::{Taken, category, tags};
use super::front_matter;
use super::markdown::title_of;
use super::origin::{Origin, clipped, derived};
use super::pages::{self, MEDIA_TYPE};
use mnemic_model::Draft;
use mnemic_model::body::{Body, Pattern, Resource};
use mnemic_model::draft::About;
use std::path::Path;

const HOST: &str = "claude-code";

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    if path.file_name().is_some_and(|name| name == "MEMORY.md") {
        return index(path, &text, origin, sink);
    }
    let (front, text) = front_matter::split(&text)?;
    if front.is_empty() && text.trim().is_empty() {
        return Ok(());
    }
    topic(path, Taken::new(front, "its front matter"), text, origin, sink)
}

fn topic(
    path: &Path,
    mut front: Taken,
    text: &str,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let name = front.text("name").or_else(|| title_of(text)).unwrap_or_else(|| super::stem(path));
    let description = front.text("description");
    let sort = front.text("type");
    // How to work with this person is a rule; the rest is something to look up.
    let body = match sort.as_deref() {
        Some("feedback") => Body::Pattern(Pattern {
            statement: description.clone().unwrap_or_else(|| name.clone()),
            correct_approach: Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            ..Pattern::default()
        }),
        _ => Body::Resource(Resource {
            title: name.clone(),
            text: text.trim().to_owned(),
            media_type: Some(MEDIA_TYPE.to_owned()),
            origin: Some(origin.name.clone()),
        }),
    };
    let about = About {
        id: Some(derived(body.kind(), &[&origin.name])),
        summary: description.map(|text| clipped(&text, 10_000)),
        category: category(sort),
        tags: tags(front.texts("tags")),
        valid_at: front.time(&["created", "created_at", "date"]),
        extra: front.rest(),
        ..origin.by_agent(HOST)
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}

/// Lines that only point to a topic's file say nothing of their own.
fn index(path: &Path, text: &str, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let (_, text) = front_matter::split(text)?;
    let beside = path.parent().unwrap_or(Path::new("."));
    let is_pointer = |line: &str| {
        let target = line.split_once("](").and_then(|(_, rest)| rest.split_once(')'));
        target.is_some_and(|(file, _)| beside.join(file).is_file())
    };
    let about = origin.by_agent(HOST);
    pages::each_line(origin, text, &about, sink, &|line| !is_pointer(line))
}

/// Whether the file belongs to Claude Code's memory of a project: it lies beside the index, or where
/// the host files projects.
pub(super) fn is_one(path: &Path) -> bool {
    let is_md = path.extension().is_some_and(|ending| ending == "md");
    let dir = path.parent().unwrap_or(Path::new("."));
    let beside_index = path.with_file_name("MEMORY.md").is_file();
    let is_filed = dir.iter().any(|part| part == "projects");
    is_md && dir.ends_with("memory") && (beside_index || is_filed)
}
