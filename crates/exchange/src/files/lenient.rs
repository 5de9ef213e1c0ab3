//! Values of other programs made to fit: what has the wrong type falls back, and nothing is lost.

use super::date;
use mnemic_model::body::Fields;
use serde_json::{Map, Value, json};

/// What a field of ours wants to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Text,
    Texts,
    Seconds,
    Count,
    Flag,
    Unit,
    Time,
    Actions,
    Failures,
    Remedies,
    Steps,
}

/// The value as it is wanted; none when there is nothing of it in this one.
pub(super) fn fit(want: Want, value: &Value) -> Option<Value> {
    let listed = |one: fn(&Value) -> Option<Value>| -> Option<Value> {
        let all: Vec<Value> = value.as_array()?.iter().filter_map(one).collect();
        (!all.is_empty()).then_some(Value::Array(all))
    };
    match want {
        Want::Text => text(value).map(Value::String),
        Want::Texts => match texts(value) {
            none if none.is_empty() => None,
            some => Some(json!(some)),
        },
        Want::Seconds => number(value).filter(|seconds| *seconds >= 0.0).map(|n| json!(n)),
        Want::Count => count(value).map(|count| json!(count)),
        Want::Flag => value.as_bool().map(Value::Bool),
        Want::Unit => number(value).filter(|n| (0.0..=1.0).contains(n)).map(|n| json!(n)),
        Want::Time => date::time(value).map(|time| json!(time)),
        Want::Actions => listed(action),
        Want::Failures => listed(failure),
        Want::Remedies => listed(remedy),
        Want::Steps => listed(step),
    }
}

/// A text: numbers and flags are as good as theirs, objects as good as their JSON.
pub(super) fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.replace('\0', "\u{fffd}"),
        Value::Array(items) if items.is_empty() => return None,
        other => other.to_string().replace("\\u0000", "\u{fffd}"),
    };
    (!text.trim().is_empty()).then_some(text)
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        other => text(other).into_iter().collect(),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    }
    .filter(|number: &f64| number.is_finite())
}

fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| number(value).filter(|n| (0.0..1e15).contains(n)).map(|n| n as u64))
}

fn first<'v>(object: &'v Value, names: &[&str]) -> Option<&'v Value> {
    names.iter().find_map(|name| object.get(name).filter(|value| !value.is_null()))
}

/// Newer: t, action, target, result, error. Older: tool, input, output, timestamp.
fn action(value: &Value) -> Option<Value> {
    let Value::Object(_) = value else { return Some(json!({ "action": text(value)? })) };
    let mut made = Map::new();
    let said = |names: &[&str]| first(value, names).and_then(text);
    made.insert("t".into(), json!(first(value, &["t"]).and_then(number).unwrap_or(0.0)));
    made.insert("action".into(), json!(said(&["action", "tool", "type", "name"])?));
    for (name, theirs) in [
        ("target", &["target", "input"][..]),
        ("result", &["result", "output"]),
        ("error", &["error"]),
    ] {
        if let Some(said) = said(theirs) {
            made.insert(name.into(), json!(said));
        }
    }
    Some(Value::Object(made))
}

fn failure(value: &Value) -> Option<Value> {
    let Value::Object(_) = value else {
        return Some(json!({ "type": "", "message": text(value)? }));
    };
    let said = |names: &[&str]| first(value, names).and_then(text);
    let mut made = Map::new();
    made.insert("type".into(), json!(said(&["type", "error_type"]).unwrap_or_default()));
    let message = said(&["message", "error", "description"]).or_else(|| said(&["type"]))?;
    made.insert("message".into(), json!(message));
    if let Some(resolution) = said(&["resolution", "fix"]) {
        made.insert("resolution".into(), json!(resolution));
    }
    Some(Value::Object(made))
}

fn remedy(value: &Value) -> Option<Value> {
    let Value::Object(_) = value else {
        return Some(json!({ "error": text(value)?, "fix": "" }));
    };
    let said = |names: &[&str]| first(value, names).and_then(text);
    let error = said(&["error", "message", "problem"])?;
    Some(
        json!({ "error": error, "fix": said(&["fix", "resolution", "solution"]).unwrap_or_default() }),
    )
}

fn step(value: &Value) -> Option<Value> {
    let Value::Object(_) = value else { return text(value).map(Value::String) };
    let said = |names: &[&str]| first(value, names).and_then(text);
    let action = said(&["action", "step", "description", "name", "title"])?;
    match said(&["detail", "details", "command"]) {
        Some(detail) => Some(json!({ "action": action, "detail": detail })),
        None => Some(json!(action)),
    }
}

/// Keeps what has no place: the value under its own name, without a NUL.
pub(super) fn keep(extra: &mut Fields, name: &str, value: Value) {
    let clean = |text: String| text.replace('\0', "\u{fffd}");
    extra.insert(clean(name.to_owned()), without_nul(value));
}

fn without_nul(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace('\0', "\u{fffd}")),
        Value::Array(items) => items.into_iter().map(without_nul).collect(),
        Value::Object(fields) => {
            let clean = fields.into_iter();
            clean
                .map(|(name, value)| (name.replace('\0', "\u{fffd}"), without_nul(value)))
                .collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_types_fall_back_and_old_names_are_known() {
        for (want, value, fits) in [
            (Want::Text, json!(7), Some(json!("7"))),
            (Want::Text, json!("  "), None),
            (Want::Texts, json!("one"), Some(json!(["one"]))),
            (Want::Texts, json!([1, null, "b"]), Some(json!(["1", "b"]))),
            (Want::Unit, json!(7), None),
            (Want::Unit, json!("0.5"), Some(json!(0.5))),
            (Want::Count, json!(-1), None),
            (Want::Count, json!(1e300), None),
            (Want::Seconds, json!("soon"), None),
            (
                Want::Actions,
                json!([{"tool": "Edit", "input": {"a": 1}, "output": "ok"}, 3, null]),
                Some(json!([
                    {"t": 0.0, "action": "Edit", "target": "{\"a\":1}", "result": "ok"},
                    {"action": "3"}
                ])),
            ),
            (Want::Failures, json!(["boom"]), Some(json!([{"type": "", "message": "boom"}]))),
        ] {
            assert_eq!(fit(want, &value), fits, "{want:?} {value}");
        }
    }
}
