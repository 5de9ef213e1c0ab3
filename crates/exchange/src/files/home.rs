//! What harnesses keep in the home directory: lines of learnings, and solutions in Markdown.

use super::foreign::{Arrival, arrival, time_of};
use super::skill;
use mnemic_model::body::Fields;
use mnemic_model::{Kind, Namespace};
use serde_json::{Value, json};

/// What the lines of a file teach, by its name.
pub(super) fn kind_of_lines(name: &str) -> Kind {
    match name {
        "mistakes.jsonl" | "failures.jsonl" => Kind::AntiPattern,
        "facts.jsonl" => Kind::Fact,
        "decisions.jsonl" => Kind::Decision,
        _ => Kind::Pattern,
    }
}

/// One line of a file of lines: none for a header, an error for what cannot be read.
pub(super) fn line(
    name: &str,
    line: &str,
    namespace: &Namespace,
    from: &str,
) -> Option<Result<Arrival, String>> {
    let mut fields: Fields = match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return Some(Err("it is not an object".into())),
        Err(cause) => return Some(Err(format!("it is not JSON: {cause}"))),
    };
    let says = ["description", "pattern", "what_fails", "statement", "key", "decision", "error"];
    if !says.iter().any(|name| fields.contains_key(*name)) {
        // The first line says what file this is, and nothing that was learnt.
        return None;
    }
    let kind = kind_of_lines(name);
    if kind == Kind::AntiPattern && !fields.contains_key("what_fails") {
        let said = fields.shift_remove("error").or_else(|| fields.shift_remove("description"));
        fields.insert("what_fails".into(), said.unwrap_or_default());
    }
    Some(arrival(kind, fields, namespace, from))
}

/// A solution: what it was about, when it shows, what caused it, and what helped.
pub(super) fn solution(
    text: &str,
    category: Option<&str>,
    namespace: &Namespace,
    from: &str,
) -> Result<Arrival, String> {
    let (mut front, below) = match skill::split(text) {
        Some((yaml, below)) => (skill::front(yaml)?, below),
        None => (Fields::new(), text),
    };
    let heading = below.lines().find_map(|line| line.strip_prefix("# "));
    let mut fields = Fields::new();
    let title = front.shift_remove("title").or_else(|| heading.map(|title| json!(title.trim())));
    fields.insert("statement".into(), title.ok_or("it has no title")?);
    for (ours, theirs) in [
        ("conditions", "symptoms"),
        ("incorrect_approach", "root_cause"),
        ("confidence", "confidence"),
        ("tags", "tags"),
    ] {
        if let Some(value) = front.shift_remove(theirs) {
            fields.insert(ours.into(), value);
        }
    }
    let given = front.shift_remove("category").or_else(|| category.map(|name| json!(name)));
    fields.insert("category".into(), given.unwrap_or_default());
    if let Some(time) = time_of(&front, &["created", "created_at", "date"]) {
        front.shift_remove("created");
        fields.insert("created_at".into(), time);
    }
    let prevention = front.get("prevention").and_then(Value::as_str).unwrap_or_default();
    let approach = match (prevention.trim(), below.trim()) {
        ("", below) => below.to_owned(),
        (prevention, "") => prevention.to_owned(),
        (prevention, below) => format!("{below}\n\nPrevention: {prevention}"),
    };
    fields.insert("correct_approach".into(), json!(approach));
    // Source project, how often it was applied, and whatever else they keep.
    fields.extend(front);
    arrival(Kind::Pattern, fields, namespace, from)
}
