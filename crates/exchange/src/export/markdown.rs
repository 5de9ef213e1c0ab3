//! Notes as basic-memory and Obsidian read them: a file a memory, observations and links as lines.
//!
//! Lost on the way: versions, trust, confidence and both times but the beginning; every memory comes
//! back as a note with its observations, whatever kind it had; words that begin with # become tags;
//! a title loses brackets, bars, # and control characters, and gets a number where it is taken.

use super::believed::{believed, extra, links};
use super::names::Names;
use super::{ExportFile, Files};
use mnemic_model::body::Fields;
use mnemic_model::{Body, RecordId, Relation, Version};
use mnemic_store::{Error, Read, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn write(read: &dyn Read, files: &mut Files<'_>) -> Result<u64> {
    let all = believed(read)?;
    let links = links(read, &all)?;
    let mut notes: BTreeMap<&RecordId, Note<'_>> = BTreeMap::new();
    let note_of = |id: &RecordId| {
        let mut of = links
            .iter()
            .filter(|(from, relation, _)| from == id && *relation == Relation::DerivedFrom);
        of.find_map(|(_, _, to)| {
            matches!(all.get(to)?.content.body, Body::Resource(_)).then(|| to.clone())
        })
    };
    let mut inside: BTreeMap<RecordId, Vec<(&RecordId, &Version)>> = BTreeMap::new();
    for (id, version) in &all {
        match note_of(id).filter(|_| extra(version, "note").is_some()) {
            Some(note) => inside.entry(note).or_default().push((id, version)),
            None => {
                notes.insert(id, Note { version, lines: Vec::new() });
            }
        }
    }
    for (note, mut observations) in inside {
        observations.sort_by_key(|(id, version)| (position(version), (*id).clone()));
        if let Some(note) = notes.get_mut(&note) {
            note.lines.extend(observations.iter().map(|(_, version)| observation(version)));
        }
    }
    let titles = titles(&notes);
    let mut names = Names::default();
    let mut written = 0;
    for (id, note) in &notes {
        let pointers = pointers(id, note.version, &links, &titles);
        let name = names.take(&titles[id], id.as_str());
        let text = page(id, &titles[id], note, &pointers, &name)?;
        written += 1 + note.lines.len() as u64;
        if files(ExportFile { path: format!("{name}.md"), text }).is_break() {
            break;
        }
    }
    Ok(written)
}

struct Note<'v> {
    version: &'v Version,
    lines: Vec<String>,
}

/// A title each, since links name notes by it. Notes keep theirs; what else has the same gives way.
fn titles<'v>(notes: &BTreeMap<&'v RecordId, Note<'v>>) -> BTreeMap<&'v RecordId, String> {
    let gives_way = |note: &Note<'_>| !matches!(note.version.content.body, Body::Resource(_));
    let mut order: Vec<(&&RecordId, &Note<'_>)> = notes.iter().collect();
    order.sort_by_key(|(_, note)| gives_way(note));
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut titles = BTreeMap::new();
    for (id, note) in order {
        let title = Some(title(note.version)).filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| id.to_string());
        let numbered = (2..).map(|n| format!("{title} ({n})"));
        let mut names = std::iter::once(title.clone()).chain(numbered);
        let free = names.find(|name| taken.insert(name.to_lowercase()));
        titles.insert(*id, free.expect("numbers do not end"));
    }
    titles
}

fn title(version: &Version) -> String {
    let words: Vec<&str> = version.content.body.title().split_whitespace().collect();
    // A link cannot name them, and front matter does not bring all of them back.
    let is_lost = |c: char| c.is_control() || matches!(c, '[' | ']' | '|' | '#');
    let line = words.join(" ").replace(is_lost, "");
    line[..line.floor_char_boundary(120)].trim().to_owned()
}

fn position(version: &Version) -> u64 {
    version.content.extra.get("position").and_then(Value::as_u64).unwrap_or(u64::MAX)
}

/// `- [category] text #tag (context)`
fn observation(version: &Version) -> String {
    let category = version.content.category.as_deref().unwrap_or(version.kind().as_str());
    let category = category.replace(['[', ']', '(', '\n'], " ");
    let text = version.content.body.full_text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = format!("- [{}] {}", category.trim(), words.join(" "));
    for tag in &version.content.tags {
        line.push_str(&format!(" #{}", tag.split_whitespace().collect::<Vec<_>>().join("-")));
    }
    match extra(version, "context") {
        Some(context) => line.push_str(&format!(" ({context})")),
        // Brackets of its own would be taken for the context.
        None if line.ends_with(')') => line.push_str(" ()"),
        None => {}
    }
    line
}

/// Links as they were called, else as we call them.
fn pointers(
    id: &RecordId,
    version: &Version,
    links: &BTreeSet<(RecordId, Relation, RecordId)>,
    titles: &BTreeMap<&RecordId, String>,
) -> Vec<String> {
    let called = version.content.extra.get("relations").and_then(Value::as_array);
    let mut told = Vec::new();
    let mut lines = Vec::new();
    for relation in called.into_iter().flatten() {
        let text = |field: &str| relation.get(field).and_then(Value::as_str);
        let (Some(name), Some(target)) = (text("relation"), text("target")) else { continue };
        let context = text("context").map(|context| format!(" ({context})")).unwrap_or_default();
        lines.push(format!("- {name} [[{target}]]{context}"));
        told.push(target.to_lowercase());
    }
    let prose = match &version.content.body {
        Body::Resource(resource) => resource.text.to_lowercase(),
        _ => String::new(),
    };
    for (_, relation, to) in links.iter().filter(|(from, _, _)| from == id) {
        let Some(title) = titles.get(to).filter(|title| !title.is_empty()) else { continue };
        let lower = title.to_lowercase();
        let in_prose = prose.contains(&format!("[[{lower}"));
        if !told.contains(&lower) && !in_prose {
            lines.push(format!("- {} [[{title}]]", relation.as_str()));
        }
    }
    lines
}

fn page(
    id: &RecordId,
    title: &str,
    note: &Note<'_>,
    pointers: &[String],
    name: &str,
) -> Result<String> {
    let content = &note.version.content;
    let mut front = Fields::new();
    front.insert("title".to_owned(), title.into());
    let sort = content.category.clone().unwrap_or_else(|| note.version.kind().as_str().to_owned());
    front.insert("type".to_owned(), sort.into());
    if !content.tags.is_empty() {
        front.insert("tags".to_owned(), content.tags.iter().cloned().collect::<Vec<_>>().into());
    }
    front.insert("permalink".to_owned(), extra(note.version, "permalink").unwrap_or(name).into());
    front.insert("created".to_owned(), content.valid.from().to_string().into());
    if matches!(content.body, Body::Resource(_)) {
        front.insert("mnemic_id".to_owned(), id.as_str().into());
    }
    let kept = content.extra.iter().filter(|(name, _)| {
        !matches!(name.as_str(), "relations" | "permalink" | "note" | "position" | "context")
    });
    for (name, value) in kept {
        front.entry(name.clone()).or_insert_with(|| value.clone());
    }
    let yaml = serde_saphyr::to_string(&front)
        .map_err(|cause| Error::Damaged(format!("`{id}` cannot be written as YAML: {cause}")))?;
    let mut text = format!("---\n{}\n---\n", yaml.trim_end());
    let mut add = |part: &str| {
        if !part.trim().is_empty() {
            text.push_str(&format!("\n{}\n", part.trim()));
        }
    };
    let mut lines = note.lines.clone();
    match &content.body {
        Body::Resource(resource) => add(&resource.text),
        _ => lines.insert(0, observation_of(note.version)),
    }
    for (heading, lines) in [("Observations", &lines), ("Relations", &pointers.to_vec())] {
        if !lines.is_empty() {
            add(&format!("## {heading}\n\n{}", lines.join("\n")));
        }
    }
    Ok(text)
}

/// A memory that is no note says what it says as an observation of its kind.
fn observation_of(version: &Version) -> String {
    let mut plain = version.clone();
    plain.content.category = Some(version.kind().as_str().to_owned());
    plain.content.tags.clear();
    observation(&plain)
}
