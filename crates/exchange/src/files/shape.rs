//! One memory as one JSON file, and back to the letter: the names of the layout where it has one,
//! and an object `mnemic` for what the layout does not know.

use super::{lacking, markdown, skill};
use mnemic_model::body::Fields;
use mnemic_model::draft::ABOUT_FIELDS;
use mnemic_model::{Content, Digest, Draft, Kind, RecordId, Relation, Unit, Version};
use serde_json::{Value, json};

/// A link as it stands in the file of its first end.
#[derive(Debug, Clone, PartialEq)]
pub struct FileLink {
    pub relation: Relation,
    pub to: RecordId,
    pub strength: Unit,
}

/// What a file of ours says.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub id: RecordId,
    pub content: Content,
    /// The content that the file was written from, and the beginnings of those before it.
    pub base: Option<Digest>,
    pub before: Vec<String>,
    pub links: Vec<FileLink>,
    /// Whether the links are not those that the file was written with.
    pub links_edited: bool,
}

impl Reading {
    /// Whether somebody changed the file after it was written: it no longer says what it came from.
    pub fn is_edited(&self) -> bool {
        self.base != Some(base_of(&self.content)) || self.links_edited
    }

    /// Whether the file was written by somebody who knew this content.
    pub fn knew(&self, content: &Content) -> bool {
        let base = base_of(content);
        self.base == Some(base) || self.before.contains(&short(base))
    }
}

/// Enough of a digest to know a version of one record by.
fn short(digest: Digest) -> String {
    digest.to_hex()[..8].to_owned()
}

/// How many earlier versions a file knows of.
const REMEMBERED: usize = 16;

/// Our name and that of the layout, with dots for what lies inside an object.
pub(super) fn moved(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::Episode => &[
            ("valid_at", "timestamp"),
            ("phase", "context.phase"),
            ("goal", "context.goal"),
            ("constraints", "context.constraints"),
            ("files", "context.files_involved"),
            ("actions", "action_log"),
            ("errors", "errors_encountered"),
            ("artifacts", "artifacts_produced"),
        ],
        Kind::Pattern => &[("statement", "pattern"), ("valid_at", "created_at")],
        Kind::AntiPattern => &[("learnt_from", "source"), ("valid_at", "created_at")],
        Kind::Handoff => &[
            ("valid_at", "timestamp"),
            ("what_was_done", "context.what_was_done"),
            ("artifacts", "context.artifacts"),
            ("git_state", "context.git_state"),
            ("needs_testing", "context.needs_testing"),
            ("known_issues", "context.known_issues"),
            ("relevant_patterns", "context.relevant_patterns"),
        ],
        _ => &[],
    }
}

/// What is said about a memory that people like to see and to edit.
const IN_SIGHT: &[&str] = &["tags", "importance", "confidence", "category"];

/// The fingerprint of all that a version says, which its file carries as `base`.
pub fn base_of(content: &Content) -> Digest {
    let text = Value::Object(content.to_fields()).to_string();
    Digest::of("base", [text.as_bytes()])
}

/// The bytes of the file of a version; the same for the same version, links and past.
pub fn file_of(version: &Version, links: &[FileLink], past: &[Version]) -> String {
    let mut file = object_of(version, links);
    file.remember(version, past);
    if version.kind() == Kind::Skill {
        return markdown::skill_file(version, file);
    }
    // A file ends with a line end, or every editor adds one.
    let mut text = format!("{:#}", Value::Object(file.fields));
    text.push('\n');
    text
}

pub(super) struct Object {
    pub(super) fields: Fields,
}

impl Object {
    /// Notes the versions before this one, so that whoever has one of them knows this to be newer.
    fn remember(&mut self, version: &Version, past: &[Version]) {
        let earlier = past.iter().filter(|one| one.n < version.n).rev();
        let mut before: Vec<String> = Vec::new();
        for one in earlier.map(|one| short(base_of(&one.content))) {
            if !before.contains(&one) && before.len() < REMEMBERED {
                before.push(one);
            }
        }
        if let Some(Value::Object(rest)) = self.fields.get_mut("mnemic")
            && !before.is_empty()
        {
            rest.insert("before".into(), json!(before.join(" ")));
        }
    }
}

pub(super) fn object_of(version: &Version, links: &[FileLink]) -> Object {
    let kind = version.kind();
    let mut fields = Fields::new();
    fields.insert("id".into(), json!(version.id));
    fields.insert("kind".into(), json!(kind));
    let mut rest = Fields::new();
    rest.insert("base".into(), json!(base_of(&version.content)));
    for (name, value) in version.content.to_fields() {
        let theirs = moved(kind).iter().find(|(ours, _)| *ours == name).map(|(_, theirs)| *theirs);
        match theirs {
            Some(path) => put(&mut fields, path, value),
            None if name == "kind" => {}
            None if IN_SIGHT.contains(&name.as_str()) => drop(fields.insert(name, value)),
            None if ABOUT_FIELDS.contains(&name.as_str()) => drop(rest.insert(name, value)),
            None => drop(fields.insert(name, value)),
        }
    }
    if !links.is_empty() {
        let mut listed: Vec<Value> = links.iter().map(link_value).collect();
        listed.sort_by_key(ToString::to_string);
        fields.insert("links".into(), json!(listed));
        rest.insert("linked".into(), json!(links_digest(links)));
    }
    fields.insert("mnemic".into(), Value::Object(rest));
    Object { fields }
}

fn link_value(link: &FileLink) -> Value {
    json!({ "to": link.to, "relation": link.relation, "strength": link.strength })
}

/// The order in which links are listed does not matter.
fn links_digest(links: &[FileLink]) -> String {
    let mut listed: Vec<String> = links.iter().map(|link| link_value(link).to_string()).collect();
    listed.sort();
    short(Digest::of("links", listed.iter().map(String::as_bytes)))
}

fn put(fields: &mut Fields, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(fields.insert(path.to_owned(), value)),
        Some((above, below)) => {
            let inner = fields.entry(above).or_insert_with(|| Value::Object(Fields::new()));
            if let Value::Object(inner) = inner {
                inner.insert(below.to_owned(), value);
            }
        }
    }
}

pub(super) fn take(fields: &mut Fields, path: &str) -> Option<Value> {
    match path.split_once('.') {
        None => fields.shift_remove(path),
        Some((above, below)) => {
            let Some(Value::Object(inner)) = fields.get_mut(above) else { return None };
            let value = inner.shift_remove(below);
            if inner.is_empty() {
                fields.shift_remove(above);
            }
            value
        }
    }
}

/// Reads a file of ours. `None` when it is none of ours; an error says what is wrong with it.
pub fn read_file(name: &str, text: &str) -> Option<Result<Reading, String>> {
    // Lines are never of ours: each of them would be a file.
    if name.ends_with(".jsonl") {
        return None;
    }
    let fields = if name.ends_with(".md") {
        skill::fields_of(text)?
    } else {
        match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Ok(fields),
            Ok(_) => return None,
            Err(cause) => Err(format!("it is not JSON: {cause}")),
        }
    };
    match fields {
        Ok(fields) if !fields.get("mnemic").is_some_and(Value::is_object) => None,
        Ok(fields) => Some(reading(fields)),
        Err(why) => Some(Err(why)),
    }
}

fn reading(mut fields: Fields) -> Result<Reading, String> {
    let told = |wrong: mnemic_model::Invalid| wrong.to_string();
    let Some(Value::Object(mut flat)) = fields.shift_remove("mnemic") else {
        return Err("its `mnemic` is not an object".into());
    };
    let text = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
    let id = text(fields.shift_remove("id"));
    let kind = text(fields.shift_remove("kind"));
    let kind: Option<Kind> = kind.map(|kind| kind.parse()).transpose().map_err(told)?;
    let missing = lacking::of_ours(id.is_some(), kind, &fields, &flat);
    let (Some(id), Some(kind), []) = (id, kind, missing.as_slice()) else {
        return Err(lacking::told(&missing, true));
    };
    let base = text(flat.shift_remove("base")).and_then(|hex| Digest::from_hex(&hex));
    let before = text(flat.shift_remove("before")).unwrap_or_default();
    let before = before.split(' ').filter(|one| !one.is_empty()).map(str::to_owned).collect();
    let links = links(fields.shift_remove("links"))?;
    let linked = text(flat.shift_remove("linked"));
    let links_edited = match linked {
        Some(linked) => linked != links_digest(&links),
        None => !links.is_empty(),
    };
    flat.insert("kind".into(), json!(kind));
    for (ours, theirs) in moved(kind) {
        if let Some(value) = take(&mut fields, theirs) {
            flat.insert((*ours).to_owned(), value);
        }
    }
    flat.extend(fields);
    let Draft { body, .. } = Draft::from_fields(flat.clone()).map_err(told)?;
    if body.kind() == Kind::Secret {
        return Err("a secret does not come in as a file".into());
    }
    let content = Content::from_fields(flat, None).map_err(told)?;
    content.check().map_err(told)?;
    Ok(Reading {
        id: RecordId::parse(&id).map_err(told)?,
        content,
        base,
        before,
        links,
        links_edited,
    })
}

fn links(value: Option<Value>) -> Result<Vec<FileLink>, String> {
    let listed = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(listed)) => listed,
        Some(_) => return Err("its `links` are not a list".into()),
    };
    listed.iter().map(|link| lenient_link(link).ok_or_else(|| bad_link(link))).collect()
}

fn bad_link(link: &Value) -> String {
    format!("`{link}` is not a link: it needs `to` and `relation`")
}

/// A link, when it names another memory in a relation that we know.
pub(super) fn lenient_link(link: &Value) -> Option<FileLink> {
    let relation = link.get("relation")?.as_str()?.parse().ok()?;
    let to = RecordId::parse(link.get("to")?.as_str()?).ok()?;
    let strength = link.get("strength").and_then(Value::as_f64);
    let strength = strength.and_then(|strength| Unit::new(strength).ok()).unwrap_or(Unit::ONE);
    Some(FileLink { relation, to, strength })
}
