//! Whether a value fits a JSON schema: as much of it as ours use.

use serde_json::Value;

/// What does not fit, if anything.
pub(crate) fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return match choices.iter().any(|choice| fits(choice, value).is_ok()) {
            true => Ok(()),
            false => Err(format!("{value} is none of {choices:?}")),
        };
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{value} is not one of {words:?}"));
    }
    if !is_of_kind(&schema["type"], value) {
        return Err(format!("{value} is not of type {}", schema["type"]));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap_or_default()).is_none() && value.is_object() {
            return Err(format!("{name} is missing in {value}"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(property), _) => fits(property, inner)?,
            (None, Value::Bool(false)) => return Err(format!("`{name}` is not told of")),
            (None, rest) if rest.is_object() => fits(rest, inner)?,
            (None, _) => {}
        }
    }
    let items = value.as_array().into_iter().flatten();
    items.filter(|_| schema["items"].is_object()).try_for_each(|it| fits(&schema["items"], it))
}

fn is_of_kind(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| is_of_kind(kind, value)),
        Value::String(kind) => match kind.as_str() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("the schema has a type `{other}`"),
        },
        _ => true,
    }
}

#[test]
fn what_is_missing_or_of_another_type_does_not_fit() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["string", "null"] }, "b": { "items": { "type": "integer" } } },
    });
    for (value, does) in [
        (r#"{"a": "x"}"#, true),
        (r#"{"a": null, "b": [1, 2]}"#, true),
        (r#"{"b": [1]}"#, false),
        (r#"{"a": 1}"#, false),
        (r#"{"a": "x", "b": [1, "2"]}"#, false),
        (r#"[]"#, false),
    ] {
        let value: Value = serde_json::from_str(value).unwrap();
        assert_eq!(fits(&schema, &value).is_ok(), does, "{value}");
    }
}
