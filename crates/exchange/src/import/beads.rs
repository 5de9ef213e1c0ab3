//! Issues of beads: a line an issue, with what blocks it as links.

use super::arrival::{Arrival, Bond, Broken, Left, Sink};
use super::fields::{Taken, category, shown, tags};
use super::items;
use super::origin::{Origin, clipped, kept, unit};
use mnemic_model::body::{Body, Resource};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind, RecordId, Relation, Unit};
use serde_json::Value;
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_line(path, &mut |number, value| {
        issue(Taken::of(value, format!("line {number}"))?, origin, sink)
    })
}

fn issue(mut issue: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let given = issue.text("id");
    let place = issue.place().to_owned();
    let Some(title) = issue.substance("title")? else {
        let why = "it has no title".to_owned();
        return sink(Arrival::Left(Left { what: given.unwrap_or(place), why }));
    };
    if issue.get("status").and_then(Value::as_str) == Some("tombstone") {
        let why = "it was deleted there".to_owned();
        return sink(Arrival::Left(Left { what: given.unwrap_or(title), why }));
    }
    let id = kept(given.as_deref(), Kind::Resource, &[&origin.name, &title]);
    let bonds = bonds(&id, issue.get("dependencies"));
    let body = Body::Resource(Resource {
        title: clipped(&title, 2_000),
        text: text(&mut issue),
        origin: Some(origin.name.clone()),
        media_type: None,
    });
    let sort = issue.text("issue_type");
    // 0 is the most urgent of five.
    let priority = issue.get("priority").and_then(Value::as_f64);
    let importance = priority.filter(|p| (0.0..=4.0).contains(p)).map(|p| 1.0 - p / 5.0);
    let about = About {
        id: Some(id),
        category: category(sort),
        tags: tags(issue.texts("labels")),
        importance: unit(importance),
        valid_at: issue.time(&["created_at"]),
        extra: issue.rest(),
        ..origin.by_import("beads")
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    bonds.into_iter().try_for_each(|bond| sink(Arrival::Bond(bond)))
}

fn text(issue: &mut Taken) -> String {
    let parts = [
        ("description", ""),
        ("design", "Design: "),
        ("acceptance_criteria", "Accepted when: "),
        ("notes", "Notes: "),
    ];
    let mut lines: Vec<String> = parts
        .iter()
        .filter_map(|(field, heading)| Some(format!("{heading}{}", issue.text(field)?)))
        .collect();
    for (field, heading) in [("status", "Status: "), ("close_reason", "Closed because: ")] {
        if let Some(value) = issue.get(field) {
            lines.push(format!("{heading}{}", shown(value)));
        }
    }
    lines.join("\n")
}

fn bonds(from: &RecordId, dependencies: Option<&Value>) -> Vec<Bond> {
    let list = dependencies.and_then(Value::as_array).into_iter().flatten();
    let bond = |dependency: &Value| {
        let text = |field: &str| dependency.get(field).and_then(Value::as_str);
        let other = RecordId::parse(text("depends_on_id")?).ok()?;
        let (from, relation, to) = match text("type").unwrap_or("blocks") {
            "blocks" => (from.clone(), Relation::Requires, other),
            "parent-child" => (other, Relation::HasMember, from.clone()),
            "discovered-from" => (from.clone(), Relation::DerivedFrom, other),
            _ => (from.clone(), Relation::RelatedTo, other),
        };
        let named = text("depends_on_id").unwrap_or_default().to_owned();
        (from != to).then_some(Bond { from, relation, to, named, strength: Unit::ONE })
    };
    list.filter_map(bond).collect()
}
