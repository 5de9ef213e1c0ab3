//! Exports of mcp-memory-service: a list of texts with tags and a type.

use super::arrival::{Arrival, Broken, Left, Sink};
use super::fields::{Taken, category, tags};
use super::items;
use super::origin::{Origin, derived};
use super::pages::statement;
use mnemic_model::Draft;
use mnemic_model::body::{Body, Decision};
use mnemic_model::draft::About;
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_element(path, &["memories"], &mut |number, value| {
        memory(Taken::of(value, format!("memory {number}"))?, origin, sink)
    })
}

fn memory(mut memory: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let Some(content) = memory.substance("content")? else {
        let why = "it has no content".to_owned();
        return sink(Arrival::Left(Left { what: memory.place().to_owned(), why }));
    };
    let sort = memory.text("memory_type");
    let body = match sort.as_deref() {
        Some("decision") => Body::Decision(Decision {
            decision: content.trim().to_owned(),
            rationale: None,
            alternatives: Vec::new(),
            affects: Vec::new(),
            active: true,
        }),
        _ => statement(&content),
    };
    let hash = memory.get("content_hash").and_then(|hash| hash.as_str().map(str::to_owned));
    let about = About {
        id: Some(derived(body.kind(), &["memory-service", hash.as_deref().unwrap_or(&content)])),
        category: category(sort),
        tags: tags(memory.texts("tags")),
        valid_at: memory.time(&["created_at_iso", "created_at"]),
        extra: memory.rest(),
        ..origin.by_import("mcp-memory-service")
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}
