//! Notes as basic-memory and Obsidian keep them: a text, observations in it, links between notes.

use super::arrival::{Arrival, Bond, Broken, Sink};
use super::fields::{Taken, category, tags};
use super::markdown::{Fence, heading, title_of};
use super::origin::{Origin, derived};
use super::pages::MEDIA_TYPE;
use super::server_memory::known_relation;
use super::{front_matter, times};
use mnemic_model::body::{Body, Fields, Pattern, Resource};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind, RecordId, Relation, Unit};
use serde_json::{Value, json};
use std::path::Path;

const TOOL: &str = "markdown";

/// `- [category] text #tag (context)`
#[derive(Debug, Clone, PartialEq, Eq)]
struct Observation {
    category: String,
    text: String,
    tags: Vec<String>,
    context: Option<String>,
}

/// `- relation [[Target]] (context)`, or a link somewhere in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pointer {
    relation: Option<String>,
    target: String,
    context: Option<String>,
}

#[derive(Debug, Default)]
struct Note {
    prose: String,
    observations: Vec<Observation>,
    pointers: Vec<Pointer>,
}

/// Notes are known by their titles, which is what links name.
pub(super) fn note_id(title: &str) -> RecordId {
    derived(Kind::Resource, &[TOOL, &title.trim().to_lowercase()])
}

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let note = parse(text);
    let is_empty = note.prose.is_empty() && note.observations.is_empty();
    if is_empty && note.pointers.is_empty() && front.clone().rest().is_empty() {
        return Ok(());
    }
    let given = front.text("mnemic_id").and_then(|id| RecordId::parse(&id).ok());
    let stem = super::stem(path);
    let title = front.text("title").or_else(|| title_of(text).filter(|_| stem.is_empty()));
    let title = title.unwrap_or(stem);
    let mut about = About {
        tags: tags(front.texts("tags")),
        category: category(front.text("type")),
        valid_at: front.time(&["created", "date", "created_at"]),
        ..origin.by_import(TOOL)
    };
    about.extra = front.rest();
    let id = given.unwrap_or_else(|| note_id(&title));
    page(&id, &title, &note, about.clone(), sink)?;
    // Links name it by its title, whatever its id.
    sink(Arrival::Named { name: note_id(&title), id: id.clone() })?;
    for (nth, observation) in note.observations.iter().enumerate() {
        observed(&id, &title, nth, observation, &about, origin, sink)?;
    }
    for pointer in note.pointers {
        point(&id, pointer, sink)?;
    }
    Ok(())
}

/// The note itself; how its links were called is kept with it.
fn page(
    id: &RecordId,
    title: &str,
    note: &Note,
    mut about: About,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let called = note.pointers.iter().filter(|pointer| pointer.relation.is_some());
    let called: Vec<Value> = called
        .map(|p| json!({"relation": p.relation, "target": p.target, "context": p.context}))
        .collect();
    if !called.is_empty() {
        about.extra.insert("relations".to_owned(), called.into());
    }
    about.id = Some(id.clone());
    let body = Body::Resource(Resource {
        title: title.to_owned(),
        text: note.prose.clone(),
        media_type: Some(MEDIA_TYPE.to_owned()),
        // Notes are moved about; where one lies is said by its source.
        origin: None,
    });
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}

fn observed(
    note: &RecordId,
    title: &str,
    nth: usize,
    observation: &Observation,
    about: &About,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let Observation { category: sort, text, tags: named, context } = observation;
    let id = derived(Kind::Pattern, &[TOOL, title, sort, text]);
    let mut extra = Fields::new();
    extra.insert("note".to_owned(), title.into());
    extra.insert("position".to_owned(), nth.into());
    if let Some(context) = context {
        extra.insert("context".to_owned(), context.as_str().into());
    }
    let body = Body::Pattern(Pattern { statement: text.clone(), ..Pattern::default() });
    let about = About {
        id: Some(id.clone()),
        category: category(Some(sort.clone())),
        tags: tags(named.iter().cloned()),
        valid_at: about.valid_at,
        extra,
        ..origin.by_import(TOOL)
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    let (relation, named) = (Relation::DerivedFrom, title.to_owned());
    sink(Arrival::Bond(Bond { from: id, relation, to: note.clone(), named, strength: Unit::ONE }))
}

fn point(from: &RecordId, pointer: Pointer, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let to = note_id(&pointer.target);
    if to == *from {
        return Ok(());
    }
    let known = pointer.relation.as_deref().and_then(known_relation);
    let relation = known.unwrap_or(Relation::RelatedTo);
    let from = from.clone();
    sink(Arrival::Bond(Bond { from, relation, to, named: pointer.target, strength: Unit::ONE }))
}

fn parse(text: &str) -> Note {
    let mut note = Note::default();
    let mut prose: Vec<&str> = Vec::new();
    let mut fence = Fence::default();
    for line in text.lines() {
        let is_code = fence.sees(line);
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).filter(|_| !is_code);
        if let Some(observation) = item.and_then(observation) {
            note.observations.push(observation);
        } else if let Some(pointer) = item.and_then(relation) {
            note.pointers.push(pointer);
        } else {
            if !is_code {
                note.pointers.extend(links_in(line));
            }
            prose.push(line);
        }
    }
    note.prose = without_bare_headings(&prose);
    note
}

/// `## Observations` and `## Relations` say nothing once their lists are taken out.
fn without_bare_headings(lines: &[&str]) -> String {
    let is_bare = |at: usize| {
        let after = lines[at + 1..].iter().find(|line| !line.trim().is_empty());
        let name = heading(lines[at]).map(|(_, title)| title.to_lowercase());
        matches!(name.as_deref(), Some("observations" | "relations"))
            && after.is_none_or(|line| heading(line).is_some())
    };
    let kept = (0..lines.len()).filter(|at| !is_bare(*at)).map(|at| lines[at]);
    kept.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn observation(item: &str) -> Option<Observation> {
    let (category, rest) = item.strip_prefix('[')?.split_once("] ")?;
    let is_box = matches!(category, "" | " " | "x" | "X" | "-");
    if is_box || category.contains(['[', ']', '(']) || rest.trim().is_empty() {
        return None;
    }
    let (rest, context) = context(rest.trim());
    let is_tag = |word: &&str| word.len() > 1 && word.starts_with('#');
    let tags: Vec<String> =
        rest.split_whitespace().filter(is_tag).map(|tag| tag[1..].to_owned()).collect();
    let words: Vec<&str> = rest.split_whitespace().filter(|word| !is_tag(word)).collect();
    let text = words.join(" ");
    (!text.is_empty()).then(|| Observation { category: category.to_owned(), text, tags, context })
}

fn relation(item: &str) -> Option<Pointer> {
    let (called, rest) = item.split_once("[[")?;
    let (target, after) = rest.split_once("]]")?;
    let called = called.trim();
    let (left, context) = context(after.trim());
    let is_name = called.split_whitespace().count() <= 4 && !called.contains(['.', ',', ':']);
    if !left.is_empty() || target.trim().is_empty() || !is_name {
        return None;
    }
    let relation = if called.is_empty() { "relates_to" } else { called };
    Some(Pointer { relation: Some(relation.to_owned()), target: target_of(target), context })
}

/// The words in brackets at the end.
fn context(text: &str) -> (&str, Option<String>) {
    let inner = text.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match inner {
        Some((before, inside)) if before.is_empty() || before.ends_with(' ') => {
            (before.trim(), Some(inside.trim().to_owned()).filter(|inside| !inside.is_empty()))
        }
        _ => (text, None),
    }
}

fn links_in(line: &str) -> Vec<Pointer> {
    let parts = line.split("[[").skip(1).filter_map(|part| part.split_once("]]"));
    let named = parts.map(|(target, _)| target_of(target)).filter(|target| !target.is_empty());
    named.map(|target| Pointer { relation: None, target, context: None }).collect()
}

/// `Note#Heading|shown as` is the note.
fn target_of(link: &str) -> String {
    link.split(['|', '#']).next().unwrap_or_default().trim().to_owned()
}

/// Whether a Markdown text looks like a note of this sort.
pub(super) fn is_one(text: &str) -> bool {
    let front = front_matter::split(text).map(|(front, _)| front).unwrap_or_default();
    let note = parse(text);
    ["permalink", "title", "tags", "aliases"].iter().any(|field| front.contains_key(*field))
        || !note.observations.is_empty()
        || !note.pointers.is_empty()
        || front.get("date").is_some_and(|date| times::time(Some(date)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_and_relations_are_read_and_boxes_are_not() {
        let text = "# Coffee\nProse with [[Water|hot water]].\n\n## Observations\n\
            - [method] Pour slowly #brew #v60 (at 94 °C)\n- [x] done\n- [ ] open\n\
            ## Relations\n- requires [[Grinder]] (burr)\n- [[Cup]]\n\
            ```\n- [no] code\n```\n";
        let note = parse(text);
        assert_eq!(
            note.observations,
            [Observation {
                category: "method".into(),
                text: "Pour slowly".into(),
                tags: vec!["brew".into(), "v60".into()],
                context: Some("at 94 °C".into()),
            }]
        );
        let targets: Vec<&str> = note.pointers.iter().map(|p| p.target.as_str()).collect();
        assert_eq!(targets, ["Water", "Grinder", "Cup"]);
        assert_eq!(note.pointers[1].relation.as_deref(), Some("requires"));
        assert_eq!(note.pointers[1].context.as_deref(), Some("burr"));
        assert!(note.prose.contains("- [x] done") && note.prose.contains("- [no] code"));
        assert!(!note.prose.contains("Relations\n\n##"));
    }
}
