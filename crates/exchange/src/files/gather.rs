//! Reads a directory of the layout, ours or another's, as drafts: a broken file is named, and the
//! rest comes in.

use super::foreign::{self, Arrival};
use super::place::{RESERVED, namespace_of};
use super::shape::{FileLink, read_file};
use super::{Tree, home, skill};
use mnemic_model::body::Fields;
use mnemic_model::{Draft, Kind, Namespace, RecordId, Tier, Trust, Visibility, policy};
use mnemic_store::Result;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One memory that a directory holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The file it was read from.
    pub place: String,
    /// Whether that file holds nothing else.
    pub single: bool,
    pub draft: Draft,
    /// Connected when all have come.
    pub links: Vec<FileLink>,
}

/// A file, or a part of one, that could not be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub place: String,
    pub why: String,
}

/// What a directory holds.
#[derive(Debug, Default)]
pub struct Gathered {
    pub items: Vec<Item>,
    pub broken: Vec<Broken>,
    /// Namespaces that its files lie in, with what is said of them.
    pub namespaces: BTreeMap<Namespace, Option<String>>,
    /// Files that were read.
    pub files: usize,
    seen: BTreeSet<RecordId>,
}

/// Reads all of it. Lists come after single files, so that what both hold is taken from the file.
pub fn gather(tree: &Tree) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    let (lists, single): (Vec<String>, Vec<String>) =
        tree.files()?.into_iter().partition(|place| is_list(place));
    for place in single.iter().chain(&lists) {
        gathered.file(tree, place);
    }
    Ok(gathered)
}

/// A file path apart: the namespace before it, and what follows from the first name that counts.
fn parts(place: &str) -> (String, Vec<&str>) {
    let all: Vec<&str> = place.split('/').collect();
    let at = all.iter().position(|part| RESERVED.contains(part)).unwrap_or(all.len() - 1);
    let above: String = all[..at].iter().map(|part| format!("{part}/")).collect();
    (above, all[at..].to_vec())
}

fn is_list(place: &str) -> bool {
    let (_, parts) = parts(place);
    matches!(parts.as_slice(), [_] | ["semantic" | "learnings" | "knowledge", _] | ["skills", _])
}

impl Gathered {
    fn file(&mut self, tree: &Tree, place: &str) {
        let (above, parts) = parts(place);
        let Some(namespace) = namespace_of(&above) else {
            return self.broken(place, "its directory is not a name for a namespace");
        };
        if !is_wanted(&parts) {
            return;
        }
        let text = match tree.read(place) {
            Ok(text) => text,
            Err(why) => return self.broken(place, &why),
        };
        self.files += 1;
        match read_file(parts.last().copied().unwrap_or_default(), &text) {
            Some(Ok(reading)) => return self.ours(place, reading),
            Some(Err(why)) if !parts.last().is_some_and(|name| name.ends_with(".md")) => {
                return self.broken(place, &why);
            }
            _ => {}
        }
        if place.ends_with(".md") {
            self.markdown(place, &parts, &text, &namespace);
        } else if place.ends_with(".jsonl") {
            self.lines(place, &parts, &text, &namespace);
        } else {
            self.json(place, &parts, &text, &namespace);
        }
    }

    fn broken(&mut self, place: &str, why: &str) {
        self.broken.push(Broken { place: place.to_owned(), why: why.to_owned() });
    }

    fn ours(&mut self, place: &str, reading: super::Reading) {
        let told = |wrong: mnemic_model::Invalid| wrong.to_string();
        match Draft::from_fields(reading.content.to_fields()).map_err(told) {
            Ok(mut draft) => {
                draft.about.id = Some(reading.id);
                humble(&mut draft);
                self.add(place, Arrival { draft, links: reading.links });
            }
            Err(why) => self.broken(place, &why),
        }
    }

    fn markdown(&mut self, place: &str, parts: &[&str], text: &str, namespace: &Namespace) {
        let arrival = match parts {
            ["solutions", middle @ .., _] => {
                home::solution(text, middle.first().copied(), namespace, place)
            }
            ["skills", slug, "SKILL.md"] => markdown_skill(text, slug, namespace, place),
            ["skills", name] => {
                let slug = name.trim_end_matches(".md");
                match self.seen.contains(&skill_id(slug)) {
                    true => return, // Its JSON twin came before it and says more.
                    false => markdown_skill(text, slug, namespace, place),
                }
            }
            ["ledgers" | "handoffs", ..] => return self.page(place, parts, text, namespace),
            _ => return,
        };
        self.arrive(place, arrival);
    }

    /// A ledger or a handoff in Markdown, unless its JSON twin is there: kept whole.
    fn page(&mut self, place: &str, parts: &[&str], text: &str, namespace: &Namespace) {
        let twin = place.trim_end_matches(".md").to_owned() + ".json";
        if self.items.iter().any(|item| item.place == twin) || text.trim().is_empty() {
            return;
        }
        let title = parts.last().copied().unwrap_or_default().trim_end_matches(".md").to_owned();
        let mut fields = Fields::new();
        fields.insert("kind".into(), "resource".into());
        fields.insert("title".into(), title.into());
        fields.insert("text".into(), text.replace('\0', "\u{fffd}").into());
        fields.insert("media_type".into(), "text/markdown".into());
        let made =
            Draft::from_fields(fields).map_err(|wrong| wrong.to_string()).map(|mut draft| {
                draft.about.id = Some(foreign::stable_id(Kind::Resource, &[place, text]));
                draft.about.namespace = Some(namespace.clone());
                humble(&mut draft);
                Arrival { draft, links: Vec::new() }
            });
        self.arrive(place, made);
    }

    fn lines(&mut self, place: &str, parts: &[&str], text: &str, namespace: &Namespace) {
        let name = parts.last().copied().unwrap_or_default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match home::line(name, line, namespace, place) {
                None => {}
                Some(Ok(arrival)) => self.add(place, arrival),
                Some(Err(why)) => self.broken(place, &format!("line {}: {why}", at + 1)),
            }
        }
    }

    fn json(&mut self, place: &str, parts: &[&str], text: &str, namespace: &Namespace) {
        let value: Value = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(value) => value,
            Err(cause) => return self.broken(place, &format!("it is not JSON: {cause}")),
        };
        // A list of ours says nothing that the files beside it do not, unless another program added
        // to it.
        let derived = value.get("derived") == Some(&Value::Bool(true));
        if derived && !matches!(parts, ["semantic", _]) {
            return;
        }
        if parts == ["namespaces.json"] {
            return self.declare(&value);
        }
        let Some(kind) = kind_of(parts) else { return };
        for (id, entry) in entries(value, kind) {
            let named =
                entry.get("id").and_then(Value::as_str).and_then(|id| RecordId::parse(id).ok());
            if derived && named.is_some_and(|id| self.seen.contains(&id)) {
                continue;
            }
            match entry {
                Value::Object(mut fields) => {
                    if let Some(id) = id {
                        fields.entry("id").or_insert(Value::String(id));
                    }
                    if kind == Kind::Skill {
                        let slug = parts[1].trim_end_matches(".json");
                        fields.entry("id").or_insert_with(|| format!("skill-{slug}").into());
                        fields.entry("name").or_insert_with(|| slug.into());
                    }
                    self.arrive(place, foreign::arrival(kind, fields, namespace, place));
                }
                Value::String(text) if !text.trim().is_empty() => {
                    let mut fields = Fields::new();
                    fields.insert(main_field(kind).into(), text.into());
                    self.arrive(place, foreign::arrival(kind, fields, namespace, place));
                }
                Value::Null => {}
                other => self.broken(place, &format!("an entry is `{other}`, not an object")),
            }
        }
    }

    fn declare(&mut self, value: &Value) {
        let listed = value.get("namespaces").unwrap_or(value);
        let named: Vec<(String, &Value)> = match listed {
            Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
            Value::Array(items) => {
                let name =
                    |item: &Value| item.as_str().or(item.get("name")?.as_str()).map(str::to_owned);
                items.iter().filter_map(|item| Some((name(item)?, item))).collect()
            }
            _ => Vec::new(),
        };
        for (name, about) in named {
            let Ok(name) = Namespace::parse(&name) else { continue };
            let said = about.get("description").and_then(Value::as_str).map(str::to_owned);
            self.namespaces.insert(name, said);
        }
    }

    fn arrive(&mut self, place: &str, arrival: std::result::Result<Arrival, String>) {
        match arrival {
            Ok(arrival) => self.add(place, arrival),
            Err(why) => self.broken(place, &why),
        }
    }

    fn add(&mut self, place: &str, Arrival { draft, links }: Arrival) {
        let id = draft.about.id.clone();
        if let Some(id) = id
            && !self.seen.insert(id.clone())
        {
            // The same memory in a file of its own and in a list is no news; two that share an id are.
            let same = self.items.iter().any(|item| {
                item.draft.about.id.as_ref() == Some(&id) && item.draft.body == draft.body
            });
            if !same {
                self.broken(place, &format!("`{id}` came before and says something else"));
            }
            return;
        }
        if let Some(namespace) = draft.about.namespace.clone().filter(|name| !name.is_root()) {
            self.namespaces.entry(namespace).or_default();
        }
        let single = !is_list(place);
        self.items.push(Item { place: place.to_owned(), single, draft, links });
    }
}

fn is_wanted(parts: &[&str]) -> bool {
    let name = parts.last().copied().unwrap_or_default();
    let known = [".json", ".jsonl", ".md"].iter().any(|ending| name.ends_with(ending));
    let made = matches!(name, "index.json" | "token_economics.json");
    match parts {
        [name] => matches!(*name, "timeline.json" | "namespaces.json" | "failures.jsonl"),
        _ => known && !made && name != "links.json",
    }
}

fn kind_of(parts: &[&str]) -> Option<Kind> {
    Some(match parts {
        ["episodic", ..] => Kind::Episode,
        ["skills", _] => Kind::Skill,
        ["ledgers", ..] => Kind::Ledger,
        ["handoffs", ..] => Kind::Handoff,
        ["timeline.json"] | ["semantic", "decisions.json"] | ["semantic", "decisions", _] => {
            Kind::Decision
        }
        ["semantic", "facts.json"] | ["semantic", "facts", _] => Kind::Fact,
        ["semantic", "anti-patterns.json" | "anti_patterns.json"]
        | ["semantic", "anti-patterns", _] => Kind::AntiPattern,
        ["semantic", name, ..] if name.contains("friction") || name.contains("failure") => {
            Kind::AntiPattern
        }
        ["semantic" | "knowledge" | "learnings", ..] => Kind::Pattern,
        _ => return None,
    })
}

/// The entries of a file: one object, a list, a list inside of an object, or an object keyed by id.
fn entries(value: Value, kind: Kind) -> Vec<(Option<String>, Value)> {
    let of_list = |items: Vec<Value>| items.into_iter().map(|item| (None, item)).collect();
    let mut fields = match value {
        Value::Array(items) => return of_list(items),
        Value::Object(fields) => fields,
        other => return vec![(None, other)],
    };
    let inner = [
        "patterns",
        "anti_patterns",
        "facts",
        "decisions",
        "key_decisions",
        "friction_points",
        "failure_modes",
        "learnings",
        "entries",
        "items",
        "episodes",
    ];
    for name in inner {
        let single = kind == Kind::Handoff || kind == Kind::Ledger;
        match fields.get(name) {
            Some(Value::Array(_) | Value::Object(_)) if !single => {}
            _ => continue,
        }
        return match fields.shift_remove(name) {
            Some(Value::Array(items)) => of_list(items),
            Some(Value::Object(keyed)) => {
                keyed.into_iter().map(|(id, entry)| (Some(id), entry)).collect()
            }
            _ => Vec::new(),
        };
    }
    let is_empty_list = kind == Kind::Decision && fields.contains_key("recent_actions");
    if is_empty_list { Vec::new() } else { vec![(None, Value::Object(fields))] }
}

fn main_field(kind: Kind) -> &'static str {
    match kind {
        Kind::Episode => "goal",
        Kind::Fact => "value",
        Kind::Decision => "decision",
        Kind::AntiPattern => "what_fails",
        Kind::Skill => "name",
        _ => "pattern",
    }
}

fn skill_id(slug: &str) -> RecordId {
    RecordId::parse(&format!("skill-{slug}"))
        .unwrap_or_else(|_| foreign::stable_id(Kind::Skill, &[slug]))
}

fn markdown_skill(
    text: &str,
    slug: &str,
    namespace: &Namespace,
    from: &str,
) -> std::result::Result<Arrival, String> {
    let (front, below) = match skill::split(text) {
        Some((yaml, below)) => (skill::front(yaml)?, below),
        None => (Fields::new(), text),
    };
    let mut fields = skill::sections(below);
    for (name, value) in front {
        fields.insert(name, value);
    }
    fields.insert("id".into(), skill_id(slug).as_str().into());
    fields.entry("name").or_insert_with(|| slug.into());
    foreign::arrival(Kind::Skill, fields, namespace, from)
}

/// Files can be written by anybody who can write to the directory: what they claim of authority is
/// not taken over. A person gives it again with `mnemic confirm`.
pub(super) fn humble(draft: &mut Draft) {
    let about = &mut draft.about;
    if about.trust != Some(Trust::Quarantined) {
        about.trust = Some(Trust::Unreviewed);
    }
    if matches!(about.tier, Some(Tier::Mandate | Tier::Guardrail)) {
        about.tier = Some(Tier::Reference);
    }
    about.visibility = Some(Visibility::Private);
    about.scope = about.scope.map(policy::own_level);
    about.confirmed_by = None;
}
