//! Exports of mem0: a list of statements with who they are about.

use super::arrival::{Arrival, Broken, Left, Sink};
use super::fields::{Taken, tags};
use super::items;
use super::origin::{Origin, kept};
use super::pages::statement;
use mnemic_model::Draft;
use mnemic_model::draft::About;
use std::path::Path;

const LISTS: &[&str] = &["results", "memories", "data"];

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_element(path, LISTS, &mut |number, value| {
        memory(Taken::of(value, format!("memory {number}"))?, origin, sink)
    })
}

fn memory(mut memory: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let said = match memory.substance("memory")? {
        None => memory.substance("data")?,
        said => said,
    };
    let Some(said) = said else {
        let why = "it says nothing".to_owned();
        return sink(Arrival::Left(Left { what: memory.place().to_owned(), why }));
    };
    let body = statement(&said);
    let given = memory.text("id");
    let about = About {
        id: Some(kept(given.as_deref(), body.kind(), &["mem0", &said])),
        tags: tags(memory.texts("categories")),
        valid_at: memory.time(&["created_at"]),
        extra: memory.rest(),
        ..origin.by_import("mem0")
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}
