//! One memory as Markdown: its fields as YAML between `---` lines, its main text below.

use crate::report;
use mnemic_engine::Result;
use mnemic_engine::model::body::Fields;
use mnemic_engine::model::{Invalid, Kind};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

const FENCE: &str = "---";

/// Fields that are text even where YAML would read a number: `value: 1.10` is not 1.1.
const TEXT_FIELDS: &[&str] =
    &["id", "key", "value", "title", "name", "label", "goal", "text", "git_commit", "category"];

/// The field of each kind that holds its running text, where it has one.
pub(crate) fn text_field(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Fact => Some("value"),
        Kind::Decision | Kind::Verdict => Some("rationale"),
        Kind::Pattern => Some("correct_approach"),
        Kind::AntiPattern => Some("why"),
        Kind::Skill | Kind::Entity | Kind::Community | Kind::Saga | Kind::Namespace => {
            Some("description")
        }
        Kind::Resource | Kind::Block => Some("text"),
        Kind::Handoff => Some("what_was_done"),
        Kind::Contradiction => Some("note"),
        Kind::Episode => Some("goal"),
        Kind::Secret | Kind::Ledger => None,
    }
}

/// Reads the flat fields of a draft.
pub(crate) fn read(document: &str) -> Result<Fields> {
    let (front, text) = split(document)?;
    let Front(mut fields) = serde_saphyr::from_str(front).map_err(|cause| {
        // The library draws a picture below its first line; the person has the file open anyway.
        let cause = cause.to_string();
        let first = cause.lines().next().unwrap_or_default().to_owned();
        report::invalid("the front matter is not YAML", "write one `field: value` per line")
            .because(first)
    })?;
    super::read_times(&mut fields)?;
    if !text.trim().is_empty() {
        place_text(&mut fields, text)?;
    }
    Ok(fields)
}

fn split(document: &str) -> Result<(&str, &str)> {
    let unclosed = || report::invalid("the front matter has no end", "close it with a line `---`");
    let (_, after_open) = document.split_once('\n').ok_or_else(unclosed)?;
    let mut begin = 0;
    for line in after_open.split_inclusive('\n') {
        let end = begin + line.len();
        if line.trim_end() == FENCE {
            return Ok((&after_open[..begin], &after_open[end..]));
        }
        begin = end;
    }
    Err(unclosed())
}

fn place_text(fields: &mut Fields, text: &str) -> Result<()> {
    let kind = fields.get("kind").and_then(Value::as_str).unwrap_or_default();
    let kind: Kind = kind.parse().map_err(|wrong: Invalid| {
        report::invalid(format!("the front matter: {wrong}"), wrong.hint)
    })?;
    let field = text_field(kind).ok_or_else(|| {
        report::invalid(
            format!("{} has no running text", kind.with_article()),
            "move the text below the front matter into one of its fields",
        )
    })?;
    // One blank line may set the text off from its front matter; the rest is the text's own.
    let text = text.strip_prefix('\n').or_else(|| text.strip_prefix("\r\n")).unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    match fields.insert(field.to_owned(), text.into()) {
        None => Ok(()),
        Some(_) => Err(report::invalid(
            format!("`{field}` stands in the front matter and below it"),
            "keep one of the two",
        )),
    }
}

/// Writes what `read` reads: the running text below, everything else above it.
pub(crate) fn write(mut fields: Fields, heading: &str) -> Result<String> {
    let kind = fields.get("kind").and_then(Value::as_str).and_then(|kind| kind.parse().ok());
    // Only a text of its own can stand below: at the edges, blank lines would be lost.
    let text = kind.and_then(text_field).and_then(|field| match fields.get(field)?.as_str()? {
        text if text.trim() == text && !text.is_empty() => Some((field, text.to_owned())),
        _ => None,
    });
    if let Some((field, _)) = &text {
        fields.shift_remove(*field);
    }
    let yaml = serde_saphyr::to_string(&fields).map_err(|cause| {
        report::invalid("this memory cannot be written as YAML", "change it with `--set` instead")
            .because(cause.to_string())
    })?;
    let heading: String = heading.lines().map(|line| format!("# {line}\n")).collect();
    let text = text.map_or_else(String::new, |(_, text)| format!("\n{text}\n"));
    Ok(format!("{FENCE}\n{heading}{}\n{FENCE}\n{text}", yaml.trim_end()))
}

/// A YAML mapping whose text fields stay text.
struct Front(Fields);

impl<'de> Deserialize<'de> for Front {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Front, D::Error> {
        from.deserialize_map(FrontVisitor)
    }
}

struct FrontVisitor;

impl<'de> Visitor<'de> for FrontVisitor {
    type Value = Front;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fields, one `name: value` per line")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Front, M::Error> {
        let mut fields = Fields::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = if TEXT_FIELDS.contains(&name.as_str()) {
                Value::String(map.next_value()?)
            } else {
                map.next_value()?
            };
            fields.insert(name, value);
        }
        Ok(Front(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_below_goes_into_the_main_field() {
        let fields =
            read("---\nkind: decision\ndecision: Use SQLite\n---\n\nOne file.\n\nNo server.\n");
        assert_eq!(fields.unwrap()["rationale"], "One file.\n\nNo server.");
        let fields =
            read("---\nkind: fact\nkey: 1.10\nvalue: 007\ntags: [a, b]\nimportance: 0.5\n---");
        let fields = fields.unwrap();
        assert_eq!((&fields["key"], &fields["value"]), (&"1.10".into(), &"007".into()));
        assert_eq!(fields["importance"], 0.5);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (document, word) in [
            ("---", "no end"),
            ("---\nkind: fact\n", "no end"),
            ("---\nkind: [\n---\n", "YAML"),
            ("---\n- a\n---\n", "YAML"),
            ("---\nkind: fact\nkey: a\nvalue: b\n---\nc\n", "`value`"),
            ("---\nkind: fax\n---\nc\n", "fax"),
            ("---\nkind: ledger\n---\nc\n", "no running text"),
            ("---\nkind: fact\nvalid_at: soon\n---\nc\n", "soon"),
        ] {
            let wrong = read(document).unwrap_err();
            assert!(wrong.chain().join(": ").contains(word), "{document}: {wrong:?}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for json in [
            r#"{"kind":"fact","key":"yes","value":"line one\n---\nline two","tags":["no","1.0","~"]}"#,
            r#"{"kind":"resource","title":"- a: b # c","text":"\n edges \n","importance":0.25}"#,
            r#"{"kind":"skill","name":"x","steps":["a",{"action":"b","detail":"c: d"}],"extra":{"n":null,"t":true}}"#,
        ] {
            let fields: Fields = serde_json::from_str(json).unwrap();
            let document = write(fields.clone(), "id: x").unwrap();
            assert_eq!(read(&document).unwrap(), fields, "{document}");
        }
    }
}
