//! The planning of get-shit-done: a text a file, with what it needs, gives and touches as links.

use super::arrival::{Arrival, Bond, Broken, Sink};
use super::fields::{Taken, category, shown, tags};
use super::markdown::title_of;
use super::origin::{Origin, derived};
use super::{front_matter, pages};
use mnemic_model::body::{Body, Decision, Entity, EntityKind, Pattern};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind, RecordId, Relation, Unit};
use serde_json::Value;
use std::path::Path;

const TOOL: &str = "get-shit-done";

const RELATIONS: &[(&str, Relation)] = &[
    ("requires", Relation::Requires),
    ("provides", Relation::Provides),
    ("affects", Relation::Affects),
];

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let named: Vec<(Relation, String)> = RELATIONS
        .iter()
        .flat_map(|(field, relation)| names(front.get(field)).map(|name| (*relation, name)))
        .collect();
    let decisions = front.texts("key-decisions");
    let patterns = front.texts("patterns-established");
    let title = title_of(text).unwrap_or_else(|| super::stem(path));
    let about = About {
        tags: tags(front.texts("tags")),
        category: category(front.text("subsystem")),
        valid_at: front.time(&["completed", "updated", "created", "date"]),
        extra: front.rest(),
        ..origin.by_agent(TOOL)
    };
    let page = pages::whole(origin, &title, text, about.clone());
    let id = page.about.id.clone().expect("a whole page has an id");
    sink(Arrival::Memory(Box::new(page)))?;
    for (relation, name) in named {
        concept(&id, relation, &name, origin, sink)?;
    }
    let decision = |text: &str| {
        let (decision, rationale) = text.split_once(" - ").unwrap_or((text, ""));
        let rationale = Some(rationale.trim().to_owned()).filter(|text| !text.is_empty());
        Body::Decision(Decision {
            decision: decision.trim().to_owned(),
            rationale,
            alternatives: Vec::new(),
            affects: Vec::new(),
            active: true,
        })
    };
    let pattern =
        |text: &str| Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() });
    let about = About { extra: Default::default(), ..about };
    let bodies = decisions.iter().map(|text| decision(text));
    for body in bodies.chain(patterns.iter().map(|text| pattern(text))) {
        taught(body, &id, &about, origin, sink)?;
    }
    Ok(())
}

/// Texts, or objects that name a phase and what it gives.
fn names(value: Option<&Value>) -> impl Iterator<Item = String> + use<> {
    let name = |item: &Value| match item {
        Value::Object(fields) => {
            let named = ["provides", "name", "phase", "id"].iter().find_map(|f| fields.get(*f));
            named.map_or_else(|| shown(item), shown)
        }
        other => shown(other),
    };
    let found: Vec<String> = match value {
        Some(Value::Array(items)) => items.iter().map(name).collect(),
        Some(other) => vec![name(other)],
        None => Vec::new(),
    };
    found.into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// What plans speak of is a thing that several of them share.
fn concept(
    page: &RecordId,
    relation: Relation,
    name: &str,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let id = derived(Kind::Entity, &[TOOL, name]);
    let body = Body::Entity(Entity {
        entity_kind: EntityKind::Concept,
        name: name.to_owned(),
        aliases: Vec::new(),
        description: None,
    });
    let about = About { id: Some(id.clone()), ..origin.by_agent(TOOL) };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    let (from, named) = (page.clone(), name.to_owned());
    sink(Arrival::Bond(Bond { from, relation, to: id, named, strength: Unit::ONE }))
}

fn taught(
    body: Body,
    page: &RecordId,
    about: &About,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let id = derived(body.kind(), &[&origin.name, body.title()]);
    let about = About { id: Some(id.clone()), ..about.clone() };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    let (relation, named) = (Relation::DerivedFrom, origin.name.clone());
    sink(Arrival::Bond(Bond { from: id, relation, to: page.clone(), named, strength: Unit::ONE }))
}
