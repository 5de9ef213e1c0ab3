//! The OpenAPI document, made from the routes themselves and completed with what holds for all.

use super::events;
use super::problem::{PROBLEM_JSON, Problem};
use super::routes::{
    context, contradictions, graph, jobs, layers, memories, recall, service, sessions, transfer,
    upkeep,
};
use super::schema;
use std::sync::OnceLock;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi as _};

const ABOUT: &str = "A memory for AI agents over HTTP. Every answer that is not a success is a \
    problem after RFC 9457 with `kind`, `title`, `status`, `detail` and `hint`. Requests carry \
    `Authorization: Bearer TOKEN`; `mnemic token create` makes one. POST requests may carry \
    `Idempotency-Key`: the same request with the same key is answered once. Changing and \
    forgetting a memory need `If-Match` with its ETag, or `*`.";

#[derive(Debug, utoipa::OpenApi)]
#[openapi(
    info(title = "mnemic", description = ABOUT, license(name = "Apache-2.0", identifier = "Apache-2.0")),
    paths(
        memories::list, memories::create, memories::show, memories::edit, memories::forget,
        memories::history, memories::versions, memories::version, memories::confirm,
        recall::recall, recall::explain, recall::similar, recall::feedback,
        context::assemble, context::task, context::predict,
        context::episodes, context::create_episode, context::replay,
        layers::index, layers::topics, layers::timeline,
        graph::links, graph::link, graph::unlink, graph::graph,
        contradictions::list, contradictions::create, contradictions::resolve,
        contradictions::review, contradictions::judge,
        sessions::list, sessions::start, sessions::show, sessions::note, sessions::end,
        sessions::economics,
        upkeep::consolidate, upkeep::changes, upkeep::undo, upkeep::stats, upkeep::namespaces,
        jobs::list, jobs::run, jobs::retry, jobs::redact,
        transfer::import, transfer::export,
        service::health, service::metrics, service::openapi, events::events,
    ),
    // In the order in which somebody who builds an agent needs them.
    tags(
        (name = "memories", description = "Remember, read, change and forget"),
        (name = "recall", description = "Find the right ones, and learn why"),
        (name = "context", description = "What an agent should read now, within its budget"),
        (name = "episodes", description = "What happened, step by step"),
        (name = "layers", description = "From topics to full text"),
        (name = "graph", description = "Links between memories"),
        (name = "contradictions", description = "What cannot both be true"),
        (name = "review", description = "What waits for a person"),
        (name = "sessions", description = "What an agent was shown, and what came of it"),
        (name = "transfer", description = "In and out"),
        (name = "upkeep", description = "Consolidation, jobs, redaction, undo"),
        (name = "service", description = "Health, metrics, this document"),
    ),
    components(schemas(
        Problem,
        schema::upkeep::ChangeEvent,
        schema::names::StatusName,
        schema::names::AuthorName,
    )),
    modifiers(&Common),
    security(("token" = [])),
)]
struct Document;

/// What holds for every operation.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut OpenApi) {
        let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        if let Some(components) = &mut document.components {
            components.add_security_scheme("token", SecurityScheme::Http(token));
        }
        for item in document.paths.paths.values_mut() {
            let operations = [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete];
            operations.into_iter().flatten().for_each(complete);
        }
    }
}

/// Whatever is not a success is a problem.
fn complete(operation: &mut Operation) {
    let problem =
        ContentBuilder::new().schema(Some(RefOr::Ref(Ref::from_schema_name("Problem")))).build();
    let response = ResponseBuilder::new()
        .description("A problem: what failed, why, and what to do next")
        .content(PROBLEM_JSON, problem)
        .build();
    operation.responses.responses.insert("default".to_owned(), RefOr::T(response));
    for (_, response) in operation.responses.responses.iter_mut() {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = "Done".to_owned();
        }
    }
}

pub fn document() -> OpenApi {
    Document::openapi()
}

/// The document as it is served and checked in.
pub fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut text = document().to_pretty_json().expect("the document is plain data");
        text.push('\n');
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeSet;

    const CHECKED_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

    #[test]
    fn the_checked_in_document_is_current() {
        if std::env::var_os("MNEMIC_WRITE_DOCS").is_some() {
            std::fs::write(CHECKED_IN, text()).expect("docs can be written");
        }
        let there = std::fs::read_to_string(CHECKED_IN).unwrap_or_default();
        assert!(
            there == text(),
            "docs/openapi.json is old: run `MNEMIC_WRITE_DOCS=1 cargo test -p mnemic-server document`"
        );
    }

    #[test]
    fn every_reference_leads_somewhere_and_every_name_is_used_once() {
        let document: Value = serde_json::from_str(text()).expect("JSON");
        assert_eq!(document["openapi"], "3.1.0");
        let mut wanted = BTreeSet::new();
        references(&document, &mut wanted);
        let known = document["components"]["schemas"].as_object().expect("schemas");
        for name in &wanted {
            assert!(known.contains_key(name), "`{name}` is referred to and not there");
        }
        // The page shows groups in the order in which they are listed.
        let tags = document["tags"].as_array().expect("tags");
        let mut seen = BTreeSet::new();
        for (path, item) in document["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("an item") {
                let id = operation["operationId"].as_str().expect("an id").to_owned();
                assert!(seen.insert(id), "{method} {path} has the id of another");
                assert!(operation["summary"].is_string(), "{method} {path} says nothing");
                let listed = tags.iter().any(|tag| tag["name"] == operation["tags"][0]);
                assert!(listed, "{method} {path} is of a group that is not listed");
            }
        }
    }

    fn references(value: &Value, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(name)) = fields.get("$ref") {
                    into.extend(name.strip_prefix("#/components/schemas/").map(str::to_owned));
                }
                fields.values().for_each(|value| references(value, into));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, into)),
            _ => {}
        }
    }
}
