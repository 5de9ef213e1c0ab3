//! The JSONL of the MCP server-memory: entities with what is known of them, then relations.
//!
//! Lost on the way: times, trust, versions, confidence, tags, other names of an entity; a memory that
//! is about no entity becomes one.

use super::believed::{believed, extra, links};
use super::{ExportFile, Files};
use crate::import::server_memory::known_relation;
use mnemic_model::{Body, RecordId, Relation, Version};
use mnemic_store::{Read, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is written of one entity.
#[derive(Debug, Default)]
struct Node {
    sort: String,
    observations: Vec<String>,
}

pub(super) fn write(read: &dyn Read, files: &mut Files<'_>) -> Result<u64> {
    let all = believed(read)?;
    let links = links(read, &all)?;
    let mut names: BTreeMap<&RecordId, String> = BTreeMap::new();
    let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
    let mut relations: BTreeSet<(String, String, String)> = BTreeSet::new();
    for (id, version) in &all {
        if let Some(name) = name_of(version, &nodes) {
            nodes.entry(name.clone()).or_default().sort = sort_of(version);
            names.insert(id, name);
        }
    }
    for version in all.values() {
        if let Some((from, called, to)) = relation_of(version) {
            relations.insert((from, called, to));
        } else if let Some(entity) = extra(version, "entity") {
            let said = extra(version, "observation").unwrap_or(version.content.body.title());
            nodes.entry(entity.to_owned()).or_default().observations.push(said.to_owned());
        }
    }
    for (id, name) in &names {
        let text = observation(&all[*id]);
        let node = nodes.entry(name.clone()).or_default();
        node.observations.extend(text);
    }
    let said: BTreeSet<(String, Relation, String)> = relations
        .iter()
        .map(|(from, called, to)| {
            let relation = known_relation(called).unwrap_or(Relation::RelatedTo);
            (from.clone(), relation, to.clone())
        })
        .collect();
    for (from, relation, to) in &links {
        if let (Some(from), Some(to)) = (names.get(from), names.get(to)) {
            // A relation that has a name of its own was noted with it.
            if !said.contains(&(from.clone(), *relation, to.clone())) {
                relations.insert((from.clone(), relation.as_str().to_owned(), to.clone()));
            }
        }
    }
    let text = lines(&nodes, &relations);
    let _ = files(ExportFile { path: "memory.jsonl".to_owned(), text });
    Ok(all.len() as u64)
}

/// Entities by their name, other memories by their title; what belongs to an entity has none.
fn name_of(version: &Version, taken: &BTreeMap<String, Node>) -> Option<String> {
    if let Body::Entity(entity) = &version.content.body {
        let name = entity.name.trim().to_owned();
        // A file and a symbol may have one name; here a name is all that tells them apart.
        let sort = entity.entity_kind.as_str();
        let sorted = format!("{name} ({sort})");
        let known = format!("{name} {}", version.id);
        return [name, sorted, known].into_iter().find(|name| !taken.contains_key(name));
    }
    if extra(version, "entity").is_some() || relation_of(version).is_some() {
        return None;
    }
    let title = version.content.body.title();
    let line = title.lines().next().unwrap_or_default();
    let name = line[..line.floor_char_boundary(120)].trim().to_owned();
    let is_free = !name.is_empty() && !taken.contains_key(&name);
    Some(if is_free { name } else { format!("{name} {}", version.id).trim().to_owned() })
}

fn sort_of(version: &Version) -> String {
    let known = version.content.extra.get("entityType").and_then(Value::as_str);
    known.map_or_else(
        || match &version.content.body {
            Body::Entity(entity) => entity.entity_kind.as_str().to_owned(),
            body => body.kind().as_str().to_owned(),
        },
        str::to_owned,
    )
}

fn observation(version: &Version) -> Option<String> {
    match &version.content.body {
        Body::Entity(entity) => entity.description.clone(),
        body => Some(body.full_text()).filter(|text| !text.trim().is_empty()),
    }
}

fn relation_of(version: &Version) -> Option<(String, String, String)> {
    let relation = version.content.extra.get("relation")?;
    let text = |field: &str| relation.get(field).and_then(Value::as_str).map(str::to_owned);
    Some((text("from")?, text("relationType")?, text("to")?))
}

fn lines(nodes: &BTreeMap<String, Node>, relations: &BTreeSet<(String, String, String)>) -> String {
    let mut text = String::new();
    for (name, Node { sort, observations }) in nodes {
        let line = json!({"type": "entity", "name": name, "entityType": sort, "observations": observations});
        text.push_str(&format!("{line}\n"));
    }
    for (from, called, to) in relations {
        let line = json!({"type": "relation", "from": from, "to": to, "relationType": called});
        text.push_str(&format!("{line}\n"));
    }
    text
}
