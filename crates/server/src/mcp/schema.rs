//! Schemas that every host can read: nothing to look up elsewhere in them, no formats of our own.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::Arc;

/// What we read: a field that may be left out is not required. Each field is explained: agents fill
/// it in by that.
pub(super) fn of_input<T: JsonSchema>() -> Arc<JsonObject> {
    of::<T>(SchemaSettings::draft2020_12().for_deserialize(), terse)
}

/// What we write: a field that we may leave out is not promised. Clients refuse an answer that
/// lacks a field its schema requires. It names fields and types and explains none: programs go by
/// it, while an agent reads the answer itself, and every list of tools is paid for in its window.
pub(super) fn of_output<T: JsonSchema>() -> Arc<JsonObject> {
    of::<T>(SchemaSettings::draft2020_12().for_serialize(), |schema| {
        terse(schema);
        unexplained(schema);
        shallow(schema, 0);
    })
}

fn of<T: JsonSchema>(settings: SchemaSettings, make: impl Fn(&mut Value)) -> Arc<JsonObject> {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            // What it is for stands in the tool's own description.
            schema.remove("description");
            Arc::new(schema)
        }
        _ => unreachable!("the schema of a struct is an object"),
    }
}

/// Takes out what is no part of JSON Schema (`uint32`) and what says nothing: names of our types,
/// that a count is not negative, that what is left out is not there.
fn terse(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // A property may be called so; then its value is a schema, not a word.
            for name in ["format", "title"] {
                if fields.get(name).is_some_and(Value::is_string) {
                    fields.shift_remove(name);
                }
            }
            if fields.get("minimum").is_some_and(|least| *least == 0) {
                fields.shift_remove("minimum");
            }
            if fields.get("default").is_some_and(says_nothing) {
                fields.shift_remove("default");
            }
            fields.values_mut().for_each(terse);
            listed(fields);
            optional(fields);
        }
        Value::Array(items) => items.iter_mut().for_each(terse),
        _ => {}
    }
}

fn says_nothing(default: &Value) -> bool {
    default.is_null() || *default == false || default.as_array().is_some_and(Vec::is_empty)
}

/// Named values, each with a schema of its own, as one list of names that are explained in a row.
fn listed(fields: &mut JsonObject) {
    let name = |one: &Value| Some(one.get("const")?.as_str()?.to_owned());
    let Some(values) = fields.get("oneOf").and_then(Value::as_array) else { return };
    let names: Option<Vec<String>> = values.iter().map(name).collect();
    let Some(names) = names else { return };
    let explained = |(name, one): (&String, &Value)| {
        let about = one.get("description")?.as_str()?.trim_end_matches('.');
        Some(format!("`{name}`: {about}"))
    };
    let about: Vec<String> = names.iter().zip(values).filter_map(explained).collect();
    let what = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let what = format!("{what} {}.", about.join("; "));
    fields.shift_remove("oneOf");
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), names.into());
    if !about.is_empty() {
        fields.insert("description".to_owned(), what.trim().into());
    }
}

/// What may be left out need not be allowed to be null as well; we take that all the same.
fn optional(fields: &mut JsonObject) {
    let required = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = fields.get_mut("properties") else { return };
    let left_out = properties.iter_mut().filter(|(name, _)| !required.iter().any(|it| it == *name));
    for (_, property) in left_out {
        for list in ["type", "enum"] {
            let Some(Value::Array(values)) = property.get_mut(list) else { continue };
            values.retain(|value| !value.is_null() && value != "null");
            if let ("type", [one]) = (list, values.as_slice()) {
                property["type"] = one.clone();
            }
        }
    }
}

fn unexplained(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("description").is_some_and(Value::is_string) {
                fields.shift_remove("description");
            }
            fields.values_mut().for_each(unexplained);
        }
        Value::Array(items) => items.iter_mut().for_each(unexplained),
        _ => {}
    }
}

/// Of an answer and what it lists every field is named, and of the answer it is said which are
/// always there; what lies deeper is told by its type alone.
fn shallow(schema: &mut Value, depth: usize) {
    let Value::Object(fields) = schema else { return };
    if depth >= 1 {
        fields.shift_remove("required");
    }
    if depth >= 2 {
        fields.shift_remove("properties");
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.values_mut().for_each(|property| shallow(property, depth + 1));
    }
    if let Some(items) = fields.get_mut("items") {
        shallow(items, depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    #[derive(Serialize, JsonSchema)]
    struct Thing {
        /// How many.
        count: u32,
        title: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        inner: Vec<Inner>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Inner {
        size: u64,
        deep: Deep,
    }

    #[derive(Serialize, JsonSchema)]
    struct Deep {
        depth: u64,
    }

    #[test]
    fn nothing_is_looked_up_elsewhere() {
        let schema = Value::Object(of_input::<Thing>().as_ref().clone());
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("format"), "{text}");
        assert_eq!(schema["properties"]["count"]["description"], "How many.");
        assert!(schema["properties"]["title"].is_object(), "a field may be called so: {text}");
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Wish {
        /// Which way.
        way: Way,
        /// How far; to the end unless told.
        far: Option<u32>,
        #[serde(default)]
        stops: Vec<String>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Way {
        /// Where the sun rises.
        East,
        /// Where it sets.
        West,
    }

    #[test]
    fn an_input_is_explained_in_few_words() {
        let schema = Value::Object(of_input::<Wish>().as_ref().clone());
        let way = json!({
            "type": "string",
            "enum": ["east", "west"],
            "description": "Which way. `east`: Where the sun rises; `west`: Where it sets.",
        });
        assert_eq!(schema["properties"]["way"], way);
        let far = json!({ "type": "integer", "description": "How far; to the end unless told." });
        assert_eq!(schema["properties"]["far"], far);
        assert!(
            schema.get("$schema").is_none() && schema["properties"]["stops"]["default"].is_null()
        );
    }

    #[test]
    fn an_answer_names_its_fields_and_those_of_what_it_lists() {
        let schema = Value::Object(of_output::<Thing>().as_ref().clone());
        assert_eq!(schema["properties"]["count"], json!({ "type": "integer" }));
        let item = &schema["properties"]["inner"]["items"];
        assert_eq!(item["properties"]["size"], json!({ "type": "integer" }));
        assert!(item["properties"]["deep"]["properties"].is_null(), "{schema}");
    }

    #[test]
    fn what_may_be_left_out_of_an_answer_is_not_promised() {
        let schema = Value::Object(of_output::<Thing>().as_ref().clone());
        assert_eq!(schema["required"], json!(["count", "title"]));
    }
}
