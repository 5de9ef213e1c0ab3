//! SKILL.md directories: the name and when to use it above, how to do it below.

use super::arrival::{Arrival, Broken, Left, Sink};
use super::fields::{Taken, tags};
use super::front_matter;
use super::markdown::{Fence, heading, items};
use super::origin::{Origin, derived};
use mnemic_model::body::{Body, Fields, Remedy, Skill, Step};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind, RecordId};
use serde_json::Value;
use std::path::Path;

/// The parts of a skill and the headings that they stand under, the first of which we write.
pub(crate) mod section {
    pub(crate) const TRIGGER: &[&str] = &["When to use", "When to use this skill", "Trigger"];
    pub(crate) const PREREQUISITES: &[&str] = &["Prerequisites", "Requirements", "Needs"];
    pub(crate) const STEPS: &[&str] = &["Steps", "Instructions", "Workflow", "Procedure"];
    pub(crate) const ERRORS: &[&str] = &["Common errors", "Common errors and fixes"];
    pub(crate) const EXIT: &[&str] = &["Done when", "Exit criteria"];
}

/// What the first line of a step says before what it means.
pub(crate) const DETAIL: &str = " — ";

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let dir =
        path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let slug = front.text("name").or(dir).filter(|name| !name.trim().is_empty());
    let Some(slug) = slug else {
        let why = "the skill has no name".to_owned();
        return sink(Arrival::Left(Left { what: origin.name.clone(), why }));
    };
    let mut metadata = metadata(front.take("metadata"));
    let mut skill = parse(text);
    // A name that does not fit the rules of the format stands where there are none.
    skill.name = metadata.text("title").unwrap_or_else(|| slug.clone());
    skill.description = metadata.text("about").or_else(|| front.text("description"));
    let id = metadata.text("mnemic-id").and_then(|id| RecordId::parse(&id).ok());
    let mut extra = front.rest();
    let metadata_tags = metadata.texts("tags");
    let kept = metadata.rest();
    if !kept.is_empty() {
        extra.insert("metadata".to_owned(), Value::Object(kept));
    }
    let beside = beside(path);
    if !beside.is_empty() {
        extra.insert("files".to_owned(), beside.into());
    }
    let about = About {
        id: Some(id.unwrap_or_else(|| derived(Kind::Skill, &["skill", &slug]))),
        tags: tags(metadata_tags),
        extra,
        ..origin.by_import("skill")
    };
    sink(Arrival::Memory(Box::new(Draft { body: Body::Skill(skill), about })))
}

fn metadata(value: Option<Value>) -> Taken {
    let fields = match value {
        Some(Value::Object(fields)) => fields,
        _ => Fields::new(),
    };
    Taken::new(fields, "its metadata")
}

/// Names of what lies in the skill's directory besides.
fn beside(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for dir in ["scripts", "references", "assets"] {
        let place = path.with_file_name(dir);
        let entries = std::fs::read_dir(place).into_iter().flatten().filter_map(Result::ok);
        names.extend(entries.map(|entry| format!("{dir}/{}", entry.file_name().to_string_lossy())));
    }
    names.sort();
    names.truncate(100);
    names
}

/// What has no place of its own is the hint, headings and all.
pub(crate) fn parse(text: &str) -> Skill {
    let mut skill = Skill::default();
    let mut rest: Vec<String> = Vec::new();
    for (title, lines) in parts(text) {
        let text = lines.join("\n").trim().to_owned();
        let is = |names: &[&str]| names.iter().any(|name| title.eq_ignore_ascii_case(name));
        let list = items(&text);
        let only_list = !list.is_empty() && is_only_list(&text);
        match () {
            () if is(section::TRIGGER) && !text.is_empty() => skill.trigger = Some(text),
            () if is(section::PREREQUISITES) && only_list => skill.prerequisites = list,
            () if is(section::STEPS) && only_list => {
                skill.steps = list.iter().map(|s| step(s)).collect()
            }
            () if is(section::EXIT) && only_list => skill.exit_criteria = list,
            () if is(section::ERRORS)
                && list.iter().all(|item| remedy(item).is_some())
                && only_list =>
            {
                skill.common_errors = list.iter().filter_map(|item| remedy(item)).collect();
            }
            () if title.is_empty() => rest.push(text),
            () => rest.push(format!("## {title}\n\n{text}")),
        }
    }
    let hint = rest.join("\n\n").trim().to_owned();
    skill.hint = Some(hint).filter(|hint| !hint.is_empty());
    skill
}

/// The text under each heading of the second level; what stands before is under no heading, without
/// the title above it.
fn parts(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut found: Vec<(String, Vec<&str>)> = vec![(String::new(), Vec::new())];
    let mut fence = Fence::default();
    for line in text.lines() {
        let level = if fence.sees(line) { None } else { heading(line) };
        match level {
            Some((2, title)) => found.push((title.to_owned(), Vec::new())),
            Some((1, _)) if found.len() == 1 && is_blank(&found[0].1) => {}
            _ => {
                if let Some((_, lines)) = found.last_mut() {
                    lines.push(line);
                }
            }
        }
    }
    found
}

fn is_blank(lines: &[&str]) -> bool {
    lines.iter().all(|line| line.trim().is_empty())
}

/// Whether nothing but items and what hangs below them stands there.
fn is_only_list(text: &str) -> bool {
    let outside = |line: &&str| {
        !line.trim().is_empty() && !line.starts_with("  ") && super::markdown::item(line).is_none()
    };
    !text.lines().any(|line| outside(&line))
}

fn step(item: &str) -> Step {
    let item = undented(item);
    match item.split_once(DETAIL) {
        Some((action, detail)) if !action.trim().is_empty() && !detail.trim().is_empty() => {
            Step { action: action.trim().to_owned(), detail: Some(detail.trim().to_owned()) }
        }
        _ => Step { action: item, detail: None },
    }
}

/// `**error**: fix`
fn remedy(item: &str) -> Option<Remedy> {
    let item = undented(item);
    let (error, fix) = item.strip_prefix("**")?.split_once("**:")?;
    let (error, fix) = (error.trim().to_owned(), fix.trim().to_owned());
    (!error.is_empty()).then_some(Remedy { error, fix })
}

/// Lines below an item without what sets them in.
fn undented(item: &str) -> String {
    let lines = item.lines().map(|line| line.strip_prefix("   ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}
