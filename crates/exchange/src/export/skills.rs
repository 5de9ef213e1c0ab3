//! SKILL.md directories by the Agent Skills rules, one a skill, and one a code pattern when asked.
//!
//! Lost on the way: versions, trust, times; of a body over 500 lines the hint lies beside it.

use super::believed::believed;
use super::names::Names;
use super::{ExportFile, Files};
use crate::import::skills::{DETAIL, section};
use mnemic_model::body::{Fields, Pattern, Skill, Step};
use mnemic_model::{Body, RecordId, Version};
use mnemic_store::{Error, Read, Result};
use serde_json::Value;

/// The rules of the format.
const LONGEST_DESCRIPTION: usize = 1_024;
const MOST_LINES: usize = 490;

const FIELDS: &[&str] = &["license", "compatibility", "allowed-tools"];

pub(super) fn write(read: &dyn Read, with_patterns: bool, files: &mut Files<'_>) -> Result<u64> {
    let mut names = Names::default();
    let mut written = 0;
    for (id, version) in believed(read)? {
        let skill = match &version.content.body {
            Body::Skill(skill) => skill.clone(),
            Body::Pattern(pattern) if with_patterns && pattern.template.is_some() => {
                of_pattern(pattern)
            }
            _ => continue,
        };
        let name = names.take(&skill.name, id.as_str());
        let mut body = body(&skill, skill.hint.as_deref());
        if body.lines().count() > MOST_LINES {
            let path = format!("{name}/references/details.md");
            let text = format!("{}\n", skill.hint.clone().unwrap_or_default());
            if files(ExportFile { path, text }).is_break() {
                break;
            }
            let hint = "What else there is to know stands in `references/details.md`.";
            let shorter = self::body(&skill, Some(hint));
            body = shorter.lines().take(MOST_LINES).collect::<Vec<_>>().join("\n");
        }
        let front = front(&id, &version, &skill, &name)?;
        let text = format!("---\n{front}\n---\n\n{}\n", body.trim());
        written += 1;
        if files(ExportFile { path: format!("{name}/SKILL.md"), text }).is_break() {
            break;
        }
    }
    Ok(written)
}

/// A code pattern is a skill whose one step is to follow the template.
fn of_pattern(pattern: &Pattern) -> Skill {
    let template = pattern.template.clone().unwrap_or_default();
    let code = format!("```{}\n{}\n```", template.language, template.code);
    let parts = [template.hint, pattern.correct_approach.clone().unwrap_or_default(), code];
    let hint: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    Skill {
        name: pattern.statement.clone(),
        trigger: Some(pattern.conditions.join("; ")).filter(|text| !text.is_empty()),
        common_errors: Vec::new(),
        hint: Some(hint.join("\n\n")),
        ..Skill::default()
    }
}

/// What it does and when to use it, on one line.
fn description(skill: &Skill) -> String {
    let mut said = skill.description.clone().unwrap_or_else(|| skill.name.clone());
    if let Some(trigger) = &skill.trigger {
        said = format!("{} Use when: {trigger}", said.trim());
    }
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_DESCRIPTION).collect::<String>().trim().to_owned()
}

fn front(id: &RecordId, version: &Version, skill: &Skill, name: &str) -> Result<String> {
    let mut front = Fields::new();
    let shown = description(skill);
    front.insert("name".to_owned(), name.into());
    front.insert("description".to_owned(), shown.clone().into());
    let extra = &version.content.extra;
    for field in FIELDS {
        if let Some(Value::String(text)) = extra.get(*field) {
            front.insert((*field).to_owned(), text.as_str().into());
        }
    }
    let mut metadata = Fields::new();
    if let Some(Value::Object(kept)) = extra.get("metadata") {
        let texts = kept.iter().filter(|(_, value)| value.is_string());
        metadata.extend(texts.map(|(name, value)| (name.clone(), value.clone())));
    }
    if skill.name != name {
        metadata.insert("title".to_owned(), skill.name.as_str().into());
    }
    if let Some(about) = skill.description.as_ref().filter(|about| **about != shown) {
        metadata.insert("about".to_owned(), about.as_str().into());
    }
    if !version.content.tags.is_empty() {
        let tags: Vec<&str> = version.content.tags.iter().map(String::as_str).collect();
        metadata.insert("tags".to_owned(), tags.join(", ").into());
    }
    if matches!(version.content.body, Body::Skill(_)) {
        metadata.insert("mnemic-id".to_owned(), id.as_str().into());
    }
    if !metadata.is_empty() {
        front.insert("metadata".to_owned(), Value::Object(metadata));
    }
    let yaml = serde_saphyr::to_string(&front)
        .map_err(|cause| Error::Damaged(format!("`{id}` cannot be written as YAML: {cause}")))?;
    Ok(yaml.trim_end().to_owned())
}

fn body(skill: &Skill, hint: Option<&str>) -> String {
    let title = skill.name.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut parts = vec![format!("# {title}")];
    parts.extend(hint.map(|hint| hint.trim().to_owned()).filter(|hint| !hint.starts_with("## ")));
    let bullets = |list: &[String]| list.iter().map(|item| entry("- ", item)).collect::<Vec<_>>();
    let steps: Vec<String> = skill
        .steps
        .iter()
        .enumerate()
        .map(|(at, step)| entry(&format!("{}. ", at + 1), &told(step)))
        .collect();
    let errors: Vec<String> = skill
        .common_errors
        .iter()
        .map(|remedy| entry("- ", &format!("**{}**: {}", remedy.error, remedy.fix)))
        .collect();
    let trigger = skill.trigger.iter().cloned().collect::<Vec<_>>();
    for (names, lines) in [
        (section::TRIGGER, trigger),
        (section::PREREQUISITES, bullets(&skill.prerequisites)),
        (section::STEPS, steps),
        (section::ERRORS, errors),
        (section::EXIT, bullets(&skill.exit_criteria)),
    ] {
        if !lines.is_empty() {
            parts.push(format!("## {}\n\n{}", names[0], lines.join("\n")));
        }
    }
    parts.extend(hint.map(|hint| hint.trim().to_owned()).filter(|hint| hint.starts_with("## ")));
    parts.join("\n\n")
}

fn told(step: &Step) -> String {
    match &step.detail {
        Some(detail) => format!("{}{DETAIL}{detail}", step.action),
        None => step.action.clone(),
    }
}

/// An item with its further lines set in below it.
fn entry(mark: &str, text: &str) -> String {
    let mut lines = text.trim().lines();
    let first = format!("{mark}{}", lines.next().unwrap_or_default());
    lines.fold(first, |item, line| format!("{item}\n   {line}"))
}
