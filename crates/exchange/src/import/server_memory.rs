//! The MCP server-memory: entities with what was observed of them, and relations, a line each.

use super::arrival::{Arrival, Bond, Broken, Left, Sink};
use super::fields::Taken;
use super::items;
use super::origin::{Origin, derived};
use mnemic_model::body::{Body, Entity, EntityKind, Fields, Pattern};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind, RecordId, Relation, Unit};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const TOOL: &str = "server-memory";

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_line(path, &mut |number, value| {
        let mut line = Taken::of(value, format!("line {number}"))?;
        match line.text("type").as_deref() {
            Some("entity") => entity(line, origin, sink),
            Some("relation") => relation(line, origin, sink),
            other => {
                let what = line.place().to_owned();
                let why = format!("`{}` is no type of line that is known", other.unwrap_or(""));
                sink(Arrival::Left(Left { what, why }))
            }
        }
    })
}

pub(super) fn entity_id(name: &str) -> RecordId {
    derived(Kind::Entity, &[TOOL, name])
}

fn entity(mut line: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let Some(name) = line.substance("name")? else {
        let why = "the entity has no name".to_owned();
        return sink(Arrival::Left(Left { what: line.place().to_owned(), why }));
    };
    let name = name.trim().to_owned();
    let sort = line.text("entityType").unwrap_or_default();
    let observations = match line.take("observations") {
        None => Vec::new(),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(Broken::at(line.place(), "`observations` is no list")),
    };
    let id = entity_id(&name);
    let mut extra = line.rest();
    extra.insert("entityType".to_owned(), sort.clone().into());
    let body = Body::Entity(Entity {
        entity_kind: entity_kind(&sort),
        name: name.clone(),
        aliases: Vec::new(),
        description: None,
    });
    let about = About { id: Some(id.clone()), extra, ..origin.by_import(TOOL) };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    for observation in observations {
        let Value::String(text) = observation else { continue };
        observed(&name, &id, &text, origin, sink)?;
    }
    Ok(())
}

/// Each observation stands alone, so it must name what it is about.
fn observed(
    name: &str,
    entity: &RecordId,
    text: &str,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let text = text.replace('\0', "\u{fffd}");
    let is_named = text.to_lowercase().contains(&name.to_lowercase());
    let statement = if is_named { text.clone() } else { format!("{name}: {text}") };
    let body = Body::Pattern(Pattern { statement, ..Pattern::default() });
    let id = derived(Kind::Pattern, &[TOOL, name, &text]);
    let mut extra = Fields::new();
    extra.insert("entity".to_owned(), name.into());
    extra.insert("observation".to_owned(), text.into());
    let about = About { id: Some(id.clone()), extra, ..origin.by_import(TOOL) };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    let (relation, named) = (Relation::Mentions, name.to_owned());
    sink(Arrival::Bond(Bond { from: id, relation, to: entity.clone(), named, strength: Unit::ONE }))
}

/// Relations of other names are related, and a pattern keeps what they were called.
fn relation(mut line: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let ends = (line.substance("from")?, line.substance("to")?);
    let (Some(from), Some(to)) = ends else {
        let why = "the relation lacks an end".to_owned();
        return sink(Arrival::Left(Left { what: line.place().to_owned(), why }));
    };
    let (from, to) = (from.trim().to_owned(), to.trim().to_owned());
    let called = line.text("relationType").unwrap_or_default();
    if from == to {
        let why = format!("`{from}` is related to itself");
        return sink(Arrival::Left(Left { what: line.place().to_owned(), why }));
    }
    let relation = known_relation(&called);
    if relation.is_none_or(|relation| relation.as_str() != called) {
        let statement = format!("{from} {} {to}", called.replace('_', " "));
        let body = Body::Pattern(Pattern { statement, ..Pattern::default() });
        let id = derived(Kind::Pattern, &[TOOL, &from, &called, &to]);
        let mut extra = line.rest();
        extra
            .insert("relation".to_owned(), json!({"from": from, "relationType": called, "to": to}));
        let about = About { id: Some(id.clone()), extra, ..origin.by_import(TOOL) };
        sink(Arrival::Memory(Box::new(Draft { body, about })))?;
        for end in [&from, &to] {
            let (named, to) = (end.clone(), entity_id(end));
            let (from, relation) = (id.clone(), Relation::Mentions);
            sink(Arrival::Bond(Bond { from, relation, to, named, strength: Unit::ONE }))?;
        }
    }
    sink(Arrival::Bond(Bond {
        from: entity_id(&from),
        relation: relation.unwrap_or(Relation::RelatedTo),
        to: entity_id(&to),
        named: to,
        strength: Unit::ONE,
    }))
}

/// Our own relation of the same meaning.
pub(crate) fn known_relation(called: &str) -> Option<Relation> {
    let name = called.trim().to_lowercase().replace([' ', '-'], "_");
    if let Ok(relation) = name.parse() {
        return Some(relation);
    }
    Some(match name.as_str() {
        "depends_on" | "needs" | "uses" | "blocked_by" => Relation::Requires,
        "implements" | "example" | "instance_of" | "is_a" => Relation::ExampleOf,
        "contains" | "has" | "includes" | "has_part" => Relation::HasMember,
        "extends" | "refines" | "part_of" => Relation::Elaborates,
        "replaces" => Relation::Supersedes,
        "precedes" | "leads_to" => Relation::FollowedBy,
        "impacts" | "changes" => Relation::Affects,
        _ => return None,
    })
}

fn entity_kind(sort: &str) -> EntityKind {
    let sort = sort.trim().to_lowercase().replace([' ', '-'], "_");
    sort.parse().unwrap_or(match sort.as_str() {
        "user" | "people" | "human" | "developer" => EntityKind::Person,
        "library" | "dependency" | "crate" => EntityKind::Package,
        "function" | "class" | "method" | "type" => EntityKind::Symbol,
        "api" | "server" | "database" => EntityKind::Service,
        "directory" | "document" => EntityKind::File,
        "project" | "component" | "repository" => EntityKind::Module,
        "idea" | "topic" | "pattern" | "technology" => EntityKind::Concept,
        _ => EntityKind::Other,
    })
}
