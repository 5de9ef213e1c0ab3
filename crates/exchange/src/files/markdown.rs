//! Writing a skill as a SKILL.md that hosts accept, which reads back to the letter until somebody
//! edits it.

use super::place::slug;
use super::shape::Object;
use super::skill::text_digest;
use mnemic_model::body::Skill;
use mnemic_model::{Body, Version};
use serde_json::{Value, json};

/// Hosts refuse longer descriptions.
const LONGEST_DESCRIPTION: usize = 1024;

/// The whole file. Markdown cannot say everything exactly, so the metadata holds the fields too;
/// digests tell whether the text for people was edited, and then the text counts.
pub(super) fn skill_file(version: &Version, file: Object) -> String {
    let Body::Skill(skill) = &version.content.body else { return String::new() };
    let below = text(skill);
    let description = description(skill);
    let exact = Value::Object(file.fields).to_string();
    format!(
        "---\nname: {}\ndescription: {}\nmetadata:\n  mnemic: {}\n  text: {}\n  description: {}\n---\n{below}",
        slug(&skill.name, version.id.as_str()),
        quoted(&description),
        quoted(&exact),
        quoted(&text_digest(&below)),
        quoted(&text_digest(&description)),
    )
}

/// JSON strings are YAML strings, but for what YAML forbids inside of quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for c in json!(text).to_string().chars() {
        match c {
            ' '..='~' => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    quoted
}

/// What it does and when to reach for it, on one line, as the format wants it.
fn description(skill: &Skill) -> String {
    let said = [&skill.description, &skill.trigger, &skill.hint];
    let said = said.into_iter().flatten().map(String::as_str).find(|text| !text.trim().is_empty());
    let words: Vec<&str> = said.unwrap_or(&skill.name).split_whitespace().collect();
    let mut line = words.join(" ");
    line.retain(|c| !c.is_control() && c != '<' && c != '>');
    line.truncate(line.floor_char_boundary(LONGEST_DESCRIPTION));
    if line.is_empty() { "A skill".to_owned() } else { line }
}

fn text(skill: &Skill) -> String {
    let mut out = format!("\n# Skill: {}\n", one_line(&skill.name));
    for (heading, said) in [("When to use", &skill.trigger), ("Hint", &skill.hint)] {
        if let Some(said) = said {
            out.push_str(&format!("\n## {heading}\n\n- {}\n", continued(said)));
        }
    }
    let list = |out: &mut String, heading: &str, items: Vec<String>| {
        if !items.is_empty() {
            out.push_str(&format!("\n## {heading}\n\n"));
            items.iter().for_each(|item| out.push_str(&format!("- {item}\n")));
        }
    };
    let plain = |items: &[String]| items.iter().map(|item| continued(item)).collect();
    list(&mut out, "Prerequisites", plain(&skill.prerequisites));
    if !skill.steps.is_empty() {
        out.push_str("\n## Steps\n\n");
        for (at, step) in skill.steps.iter().enumerate() {
            let detail = step.detail.as_deref().map(|detail| format!("\n{detail}"));
            let whole = format!("{}{}", step.action, detail.unwrap_or_default());
            out.push_str(&format!("{}. {}\n", at + 1, continued(&whole)));
        }
    }
    let remedies = skill.common_errors.iter();
    let remedies = remedies.map(|one| continued(&format!("{} → {}", one.error, one.fix))).collect();
    list(&mut out, "Common Errors", remedies);
    list(&mut out, "Exit Criteria", plain(&skill.exit_criteria));
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines after the first belong to the same item when they are indented.
fn continued(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("\n   ")
}
