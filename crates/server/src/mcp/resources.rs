//! What can be read without a call: the index, the timeline, the working file, a memory by id.

use super::lines::{self, Line};
use super::tool::Call;
use super::tools::{Whole, filter};
use mnemic_engine::model::At;
use mnemic_engine::recall::context::{enclosed, quoted};
use mnemic_engine::{Error, ErrorKind};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;
use std::path::PathBuf;

const INDEX: &str = "mnemic://index";
const TIMELINE: &str = "mnemic://timeline";
const CONTINUITY: &str = "mnemic://continuity";
const MEMORY: &str = "mnemic://memory/";

/// Tokens that the index may take.
const INDEX_BUDGET: usize = 400;

/// Moments of the timeline.
const MOMENTS: usize = 20;

/// The working file of the project.
const WORKING_FILE: &str = "CONTINUITY.md";

/// A working file is read every turn, so it is short; more than this is something else.
const MOST_BYTES: u64 = 1024 * 1024;

pub(super) fn all() -> Vec<Resource> {
    let one = |uri: &str, name: &str, title: &str, about: &str, mime: &str| {
        let resource = Resource::new(uri, name).with_title(title);
        resource.with_description(about).with_mime_type(mime)
    };
    vec![
        one(INDEX, "index", "Index", "The topics of what is remembered, with sizes.", "text/plain"),
        one(TIMELINE, "timeline", "Timeline", "What happened last, a line each.", "text/plain"),
        one(
            CONTINUITY,
            "continuity",
            "Continuity",
            "The working file CONTINUITY.md with the memories that it should name now.",
            "text/markdown",
        ),
    ]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let memory = ResourceTemplate::new(format!("{MEMORY}{{id}}"), "memory")
        .with_title("A memory")
        .with_description("One memory whole, by the id that search and timeline show.")
        .with_mime_type("text/plain");
    vec![memory]
}

pub(super) fn read(call: &Call, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = match uri {
        INDEX => index(call),
        TIMELINE => timeline(call),
        CONTINUITY => continuity(call),
        _ => match uri.strip_prefix(MEMORY) {
            Some(id) => memory(call, id),
            None => return Err(unknown(uri, "there is no such resource: see resources/list")),
        },
    };
    let text = text.map_err(|error| failed(uri, &error))?;
    let mime = if uri == CONTINUITY { "text/markdown" } else { "text/plain" };
    let contents = ResourceContents::text(text, uri).with_mime_type(mime);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn index(call: &Call) -> mnemic_engine::Result<String> {
    let index = call.engine.layers_index(None, INDEX_BUDGET)?;
    let topics: Vec<String> = index
        .entries
        .iter()
        .map(|entry| {
            let heading = &entry.heading;
            let summary = quoted(&entry.summary, 120);
            let name = quoted(&heading.name, 60);
            format!("{name} ({}, {} tokens): {summary}", heading.memories, heading.tokens)
        })
        .collect();
    let all = format!("{} memories, {} tokens in all.", index.memories, index.tokens);
    Ok(format!("{}\n{all} Find with `search`.", enclosed(&topics.join("\n"))))
}

fn timeline(call: &Call) -> mnemic_engine::Result<String> {
    let now = call.engine.settings().clock.now();
    let moments = call.engine.timeline(now, MOMENTS, &filter(Vec::new()))?;
    let moments: Vec<Line> = moments.iter().map(|one| Line::of(&one.version)).collect();
    Ok(lines::told(&moments, "Oldest first. Read whole with `get`."))
}

fn continuity(call: &Call) -> mnemic_engine::Result<String> {
    let text = match working_file(call) {
        Some(path) => read_short(&path)?,
        None => String::new(),
    };
    Ok(call.engine.continuity(&text)?.refreshed)
}

/// It lies beside the store's directory, at the root of the project.
fn working_file(call: &Call) -> Option<PathBuf> {
    let place = call.engine.settings().project.as_ref()?;
    Some(place.dir.parent()?.join(WORKING_FILE))
}

fn read_short(path: &PathBuf) -> mnemic_engine::Result<String> {
    use std::io::{ErrorKind as Io, Read};
    let mut text = String::new();
    let read =
        std::fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(cause) if cause.kind() == Io::NotFound => Ok(String::new()),
        Err(cause) => Err(Error::new(ErrorKind::Io, format!("cannot read `{WORKING_FILE}`"))
            .because(cause)
            .hint("check the file and its permissions")),
    }
}

fn memory(call: &Call, id: &str) -> mnemic_engine::Result<String> {
    let shown = call.engine.show(id, At::LATEST)?;
    Ok(enclosed(&Whole::of(&shown, false).told()))
}

fn failed(uri: &str, error: &Error) -> ErrorData {
    match error.kind {
        ErrorKind::NotFound | ErrorKind::Forgotten => unknown(uri, error.message()),
        _ => ErrorData::internal_error(error.chain().join(": "), None),
    }
}

fn unknown(uri: &str, why: &str) -> ErrorData {
    ErrorData::resource_not_found(why.to_owned(), Some(json!({ "uri": uri })))
}
