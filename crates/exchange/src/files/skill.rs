//! Reading a skill from Markdown: a SKILL.md with front matter, or the plain twin of a JSON file.

use mnemic_model::Digest;
use mnemic_model::body::Fields;
use serde_json::{Value, json};

/// The front matter and what follows it; none where the text does not begin with it.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let after = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let mut begin = 0;
    for line in after.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&after[..begin], &after[begin + line.len()..]));
        }
        begin += line.len();
    }
    None
}

/// Front matter as JSON; an error says what is wrong with it.
pub(super) fn front(yaml: &str) -> Result<Fields, String> {
    match serde_saphyr::from_str::<Value>(yaml) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Fields::new()),
        Ok(_) => Err("its front matter is not a list of fields".into()),
        Err(cause) => {
            let cause = cause.to_string();
            let first = cause.lines().next().unwrap_or_default();
            Err(format!("its front matter is not YAML: {first}"))
        }
    }
}

/// The digest by which an edit of the text below the front matter is noticed.
pub(super) fn text_digest(text: &str) -> String {
    Digest::of("skill text", [text.as_bytes()]).to_hex()
}

/// The fields of a SKILL.md of ours. None when it is not one of ours.
pub(super) fn fields_of(text: &str) -> Option<Result<Fields, String>> {
    let (yaml, below) = split(text)?;
    let mut front = match front(yaml) {
        Ok(front) => front,
        // Whose it is cannot be told any more; it lies where ours lie.
        Err(why) => return Some(Err(why)),
    };
    let Some(Value::Object(metadata)) = front.shift_remove("metadata") else { return None };
    let exact = metadata.get("mnemic")?.as_str()?;
    let mut fields: Fields = match serde_json::from_str(exact) {
        Ok(fields) => fields,
        Err(cause) => return Some(Err(format!("its `metadata.mnemic` is not JSON: {cause}"))),
    };
    let untouched = metadata.get("text").and_then(Value::as_str) == Some(&text_digest(below));
    if !untouched {
        // A person edited the text: what it says now counts, whatever was exact before.
        for name in ["prerequisites", "steps", "common_errors", "exit_criteria", "trigger", "hint"]
        {
            fields.shift_remove(name);
        }
        fields.extend(sections(below));
    }
    let shown = metadata.get("description").and_then(Value::as_str);
    if let Some(Value::String(description)) = front.get("description")
        && shown != Some(&text_digest(description))
    {
        fields.insert("description".into(), json!(description));
    }
    Some(Ok(fields))
}

/// What the headings of a skill hold.
pub(super) fn sections(text: &str) -> Fields {
    let mut fields = Fields::new();
    let mut heading = String::new();
    let mut items: Vec<String> = Vec::new();
    let mut prose: Vec<&str> = Vec::new();
    let mut close = |heading: &str, items: &mut Vec<String>, prose: &mut Vec<&str>| {
        let (items, prose) = (std::mem::take(items), std::mem::take(prose));
        section(&mut fields, heading, items, prose.join("\n").trim());
    };
    let mut name = None;
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            name.get_or_insert(title.trim().trim_start_matches("Skill:").trim().to_owned());
        } else if let Some(next) = line.strip_prefix("## ") {
            close(&heading, &mut items, &mut prose);
            heading = next.trim().to_lowercase();
        } else if let Some(item) = item(line) {
            items.push(item.to_owned());
        } else if let (Some(last), Some(more)) = (items.last_mut(), line.strip_prefix("  ")) {
            last.push('\n');
            last.push_str(more.strip_prefix(' ').unwrap_or(more));
        } else {
            prose.push(line);
        }
    }
    close(&heading, &mut items, &mut prose);
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        fields.insert("name".into(), json!(name));
    }
    fields
}

fn item(line: &str) -> Option<&str> {
    if let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
        return Some(item.strip_prefix("[ ] ").unwrap_or(item));
    }
    let (number, item) = line.split_once(['.', ')'])?;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    item.strip_prefix(' ').filter(|_| numbered)
}

fn section(fields: &mut Fields, heading: &str, items: Vec<String>, prose: &str) {
    let lines = || -> Vec<String> {
        let prose = prose.lines().map(str::trim).filter(|line| !line.is_empty());
        if items.is_empty() { prose.map(str::to_owned).collect() } else { items.clone() }
    };
    let text = || if items.is_empty() { prose.to_owned() } else { items.join("\n") };
    let (name, value) = match heading {
        "" if !prose.is_empty() => ("description", json!(prose)),
        "when to use" | "trigger" | "when" => ("trigger", json!(text())),
        "hint" => ("hint", json!(text())),
        "prerequisites" => ("prerequisites", json!(lines())),
        "steps" => ("steps", lines().iter().map(|line| step(line)).collect()),
        "exit criteria" => ("exit_criteria", json!(lines())),
        "example usage" => ("example_usage", json!(text())),
        errors if errors.starts_with("common errors") => {
            ("common_errors", lines().iter().filter_map(|line| remedy(line)).collect())
        }
        _ => return,
    };
    let is_empty = value.as_array().is_some_and(Vec::is_empty) || value == json!("");
    if !is_empty {
        fields.insert(name.to_owned(), value);
    }
}

fn step(line: &str) -> Value {
    match line.split_once('\n') {
        Some((action, detail)) if !detail.trim().is_empty() => {
            json!({ "action": action.trim(), "detail": detail.trim() })
        }
        _ => json!(line.trim()),
    }
}

/// `error → fix`, `error: fix` or a bold error before its fix.
fn remedy(line: &str) -> Option<Value> {
    let plain = line.replace("**", "");
    let (error, fix) = [" → ", " -> ", " => ", ": "]
        .iter()
        .find_map(|between| plain.split_once(between))
        .unwrap_or((plain.as_str(), ""));
    let error = error.trim();
    (!error.is_empty()).then(|| json!({ "error": error, "fix": fix.trim() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headings_of_a_skill_become_its_fields() {
        let text = "# Skill: Ship it\n\nHow to ship.\n\n## Prerequisites\n- tests pass\n\n\
            ## Steps\n1. tag\n   with -s\n2. push\n\n## Common Errors & Fixes\n\
            - **denied**: ask for the right\n\n## Exit Criteria\n- [ ] released\n";
        let fields = sections(text);
        assert_eq!(fields["name"], "Ship it");
        assert_eq!(fields["description"], "How to ship.");
        assert_eq!(fields["steps"], json!([{"action": "tag", "detail": "with -s"}, "push"]));
        assert_eq!(
            fields["common_errors"],
            json!([{"error": "denied", "fix": "ask for the right"}])
        );
        assert_eq!(fields["exit_criteria"], json!(["released"]));
    }
}
