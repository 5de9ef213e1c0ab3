//! Memories as JSON: one object a line, or one document with one or many.

use super::Item;
use crate::report;
use mnemic_engine::Result;
use mnemic_engine::model::body::Fields;
use serde_json::Value;

pub(super) fn object(bytes: &[u8]) -> Result<Fields> {
    let text = std::str::from_utf8(bytes).map_err(|cause| {
        report::invalid("the text is not UTF-8", "convert it first, e.g. with iconv").because(cause)
    })?;
    match serde_json::from_str(text) {
        Ok(value) => as_fields(value),
        Err(cause) => Err(report::invalid(
            "the line is not JSON",
            "write one JSON object per line; YAML begins with a line `---`; a sentence is kept by \
             `mnemic remember \"…\"`",
        )
        // The parser sees one line and calls it the first; which one it is, is said beside.
        .because(cause.to_string().replace(" at line 1 column ", " at column "))),
    }
}

fn as_fields(value: Value) -> Result<Fields> {
    match value {
        Value::Object(mut fields) => {
            super::read_times(&mut fields)?;
            Ok(fields)
        }
        _ => Err(report::invalid(
            "it is not a JSON object",
            r#"write it like {"kind":"fact","key":"db.port","value":"5432"}"#,
        )),
    }
}

pub(super) fn document(text: &str) -> Result<Vec<Item>> {
    let value: Value = serde_json::from_str(text).map_err(|cause| {
        report::invalid("the input is not JSON", "correct it; nothing was stored").because(cause)
    })?;
    let values = match value {
        Value::Array(values) => values,
        value => vec![value],
    };
    Ok((1..).zip(values).map(|(line, value)| Item { line, fields: as_fields(value) }).collect())
}
