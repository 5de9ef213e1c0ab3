//! Reads memories that somebody hands in as text: JSON, NDJSON, or Markdown with YAML front matter.

mod front_matter;
mod json;
mod lines;

pub(crate) use front_matter::{read as read_front_matter, text_field, write as write_front_matter};

use crate::{report, times};
use lines::{Line, Lines};
use mnemic_engine::model::body::Fields;
use mnemic_engine::model::{Draft, Invalid, Kind, Timestamp};
use mnemic_engine::{Error, ErrorKind, Result};
use serde_json::Value;
use std::io::{BufRead, Read};

/// The longest line of NDJSON; twice the largest memory, so that escapes have room.
const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
/// The longest document that is read as a whole.
const MAX_DOCUMENT_BYTES: u64 = 256 * 1024 * 1024;

/// One memory of the input, or why it is none.
#[derive(Debug)]
pub(crate) struct Item {
    /// The line it stands on, or its place in an array, counted from 1.
    pub(crate) line: u64,
    pub(crate) fields: Result<Fields>,
}

impl Item {
    pub(crate) fn draft(self) -> Result<Draft> {
        let draft = Draft::sent(self.fields?)?;
        if draft.body.kind() == Kind::Secret {
            // What looks sealed here may be anything; only the vault seals.
            return Err(report::invalid(
                "a secret cannot be handed in as text",
                "put it in with `mnemic vault put NAME`",
            ));
        }
        Ok(draft)
    }
}

/// Fields that are times, which people write in people's ways: those that the flags take too.
const TIME_FIELDS: &[&str] = &["valid_at", "invalid_at"];

/// Puts times into the form that a draft takes.
fn read_times(fields: &mut Fields) -> Result<()> {
    for name in TIME_FIELDS {
        let Some(Value::String(text)) = fields.get_mut(*name) else { continue };
        // The form of machines stays: of many lines each would ask for the time zone.
        if Timestamp::parse(text).is_err() {
            let in_field = |wrong| Invalid { field: (*name).to_owned(), ..wrong };
            *text = times::read(text).map_err(in_field)?.to_string();
        }
    }
    Ok(())
}

/// Calls `each` for every memory of the input, as soon as it can be told; stops when that says no.
/// An error of the input as a whole comes back, one of a single memory goes to `each`.
pub(crate) fn each(input: impl BufRead, mut each: impl FnMut(Item) -> bool) -> Result<()> {
    let mut lines = Lines::new(input, MAX_LINE_BYTES);
    let Some(first) = lines.next_with_text()? else {
        return Err(report::invalid(
            "nothing came in on standard input",
            "pipe in JSON, one JSON object per line, or Markdown with YAML front matter",
        ));
    };
    let Line::Text { number, bytes } = first else {
        return stream(first, lines, &mut each);
    };
    match form(&bytes, &mut lines)? {
        Form::Lines => stream(Line::Text { number, bytes }, lines, &mut each),
        Form::Document => {
            for item in json::document(&whole(&bytes, lines)?)? {
                if !each(item) {
                    break;
                }
            }
            Ok(())
        }
        Form::FrontMatter => {
            let fields = read_front_matter(&whole(&bytes, lines)?);
            each(Item { line: 1, fields });
            Ok(())
        }
    }
}

/// The one memory of an input that must hold exactly one.
pub(crate) fn one(input: impl BufRead) -> Result<Fields> {
    let mut items = Vec::new();
    each(input, |item| {
        items.push(item);
        items.len() < 2
    })?;
    match items.len() {
        1 => items.remove(0).fields,
        _ => Err(report::invalid("more than one object came in", "hand in one at a time")),
    }
}

#[derive(Debug, PartialEq)]
enum Form {
    /// One JSON object per line.
    Lines,
    /// One JSON value over several lines: an object or an array.
    Document,
    FrontMatter,
}

/// Told from the first characters. A second line is only waited for when the first is no whole
/// value: whoever writes one line and waits for its answer must get it.
fn form<R: BufRead>(first: &[u8], lines: &mut Lines<R>) -> Result<Form> {
    let start = first.trim_ascii();
    if start == b"---" {
        return Ok(Form::FrontMatter);
    }
    if start.starts_with(b"[") {
        return Ok(Form::Document);
    }
    let is_unfinished = start.starts_with(b"{")
        && serde_json::from_slice::<serde::de::IgnoredAny>(start).is_err_and(|e| e.is_eof());
    if !is_unfinished {
        return Ok(Form::Lines);
    }
    // An object that goes on in the next line does not go on with another `{`.
    Ok(if lines.next_begins_with(b'{')? { Form::Lines } else { Form::Document })
}

fn stream<R: BufRead>(
    first: Line,
    mut lines: Lines<R>,
    each: &mut impl FnMut(Item) -> bool,
) -> Result<()> {
    let mut next = Some(first);
    while let Some(line) = next {
        let item = match line {
            Line::Text { number, bytes } => Item { line: number, fields: json::object(&bytes) },
            Line::TooLong { number, bytes } => Item {
                line: number,
                fields: Err(report::invalid(
                    format!("a line of {bytes} bytes is too long"),
                    format!("at most {MAX_LINE_BYTES} bytes; split it into several memories"),
                )),
            },
        };
        if !each(item) {
            break;
        }
        next = lines.next_with_text()?;
    }
    Ok(())
}

/// The first line and all that follows it.
fn whole<R: BufRead>(first: &[u8], lines: Lines<R>) -> Result<String> {
    let mut bytes = first.to_vec();
    bytes.push(b'\n');
    let mut rest = lines.into_rest().take(MAX_DOCUMENT_BYTES);
    rest.read_to_end(&mut bytes).map_err(unreadable)?;
    if rest.limit() == 0 {
        return Err(report::invalid(
            format!("the document is longer than {MAX_DOCUMENT_BYTES} bytes"),
            "hand it in as NDJSON, one object per line: that has no limit",
        ));
    }
    String::from_utf8(bytes).map_err(|cause| {
        report::invalid("the text is not UTF-8", "convert it first, e.g. with iconv")
            .because(cause.utf8_error())
    })
}

fn unreadable(cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, "the input could not be read")
        .because(cause)
        .hint("what was acknowledged is stored; hand in the rest again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<(u64, std::result::Result<String, String>)> {
        let mut seen = Vec::new();
        let whole = each(input, |item| {
            let line = item.line;
            let draft = item.draft().map_err(|e| e.chain().join(": "));
            seen.push((line, draft.map(|draft| draft.body.title().to_owned())));
            true
        });
        if let Err(error) = whole {
            seen.push((0, Err(error.chain().join(": "))));
        }
        seen
    }

    fn titles(input: &[u8]) -> Vec<(u64, String)> {
        read(input).into_iter().map(|(line, title)| (line, title.unwrap())).collect()
    }

    const A: &str = r#"{"kind":"fact","key":"a","value":"1"}"#;
    const B: &str = r#"{"kind":"fact","key":"b","value":"1"}"#;

    #[test]
    fn every_form_is_told_from_its_first_characters() {
        let a = || (1, "a".to_owned());
        let both = |second| vec![a(), (second, "b".to_owned())];
        assert_eq!(titles(A.as_bytes()), [a()]);
        assert_eq!(titles(format!("\u{feff}{A}\r\n\r\n{B}\n").as_bytes()), both(3));
        assert_eq!(titles(format!(" [{A},\n{B}]").as_bytes()), both(2));
        let pretty = "{\n  \"kind\": \"fact\",\n  \"key\": \"a\",\n  \"value\": \"1\"\n}\n";
        assert_eq!(titles(pretty.as_bytes()), [a()]);
        assert_eq!(titles(b"---\nkind: fact\nkey: a\n---\nthe value\n"), [a()]);
    }

    #[test]
    fn a_bad_line_is_named_and_the_rest_goes_on() {
        let deep = "[".repeat(100_000);
        let deep_object = format!("{{\"a\":{deep}");
        for bad in [
            &b"{\"kind\":\"fact\","[..],
            b"not json",
            b"\xff\xfe",
            b"7",
            br#"{"kind":"fact","key":"\ud800","value":"x"}"#,
            deep_object.as_bytes(),
        ] {
            let input = [A.as_bytes(), b"\n", bad, b"\n", B.as_bytes()].concat();
            let seen = read(&input);
            assert_eq!(seen.len(), 3);
            assert!(seen[0].1.is_ok() && seen[1].1.is_err() && seen[2].1.is_ok(), "{seen:?}");
            assert_eq!(seen[1].0, 2);
        }
        let first_is_bad = read(format!("{{\"kind\":\n{A}\n").as_bytes());
        assert!(first_is_bad[0].1.is_err() && first_is_bad[1].1.is_ok());
    }

    #[test]
    fn times_are_read_as_the_flags_read_them() {
        let valid = |time: &str| {
            let told = r#"{"kind":"fact","key":"a","value":"1","valid_at":"TIME"}"#;
            let draft = one(told.replace("TIME", time).as_bytes()).and_then(|fields| {
                Item { line: 1, fields: Ok(fields) }.draft().map(|draft| draft.about.valid_at)
            });
            draft.map_err(|error| format!("{error:?}"))
        };
        for time in ["2026-02-01", "2026-02-01 10:30", "2026-02-01T10:30:00Z", "yesterday"] {
            assert_eq!(valid(time).unwrap(), Some(times::read(time).unwrap()), "{time}");
        }
        let refused = valid("soonish").unwrap_err();
        assert!(refused.contains("valid_at") && refused.contains("2026-01-15"), "{refused}");
    }

    #[test]
    fn nothing_and_endless_depth_are_refused() {
        assert!(read(b"")[0].1.as_ref().unwrap_err().contains("nothing"));
        assert!(read(b" \n\n")[0].1.is_err());
        assert!(read("[".repeat(100_000).as_bytes())[0].1.is_err());
        assert!(one(format!("{A}\n{B}\n").as_bytes()).is_err());
    }
}
