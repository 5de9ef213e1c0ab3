//! Schemas that every host can read: nothing to look up elsewhere in them, no formats of our own.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::Arc;

/// What we read: a field that may be left out is not required.
pub(super) fn of_input<T: JsonSchema>() -> Arc<JsonObject> {
    of::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// What we write: a field that we may leave out is not promised. Clients refuse an answer that
/// lacks a field its schema requires.
pub(super) fn of_output<T: JsonSchema>() -> Arc<JsonObject> {
    of::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn of<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            // What it is for stands in the tool's own description.
            schema.remove("description");
            Arc::new(schema)
        }
        _ => unreachable!("the schema of a struct is an object"),
    }
}

/// Takes out what is no part of JSON Schema (`uint32`) and what says nothing (names of our types).
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for name in ["format", "title"] {
                // A property may be called so; then its value is a schema, not a word.
                if fields.get(name).is_some_and(Value::is_string) {
                    fields.shift_remove(name);
                }
            }
            fields.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

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
    }

    #[test]
    fn nothing_is_looked_up_elsewhere() {
        let schema = Value::Object(of_input::<Thing>().as_ref().clone());
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("format"), "{text}");
        assert_eq!(schema["properties"]["count"]["description"], "How many.");
        assert!(schema["properties"]["title"].is_object(), "a field may be called so: {text}");
    }

    #[test]
    fn what_may_be_left_out_of_an_answer_is_not_promised() {
        let schema = Value::Object(of_output::<Thing>().as_ref().clone());
        assert_eq!(schema["required"], serde_json::json!(["count", "title"]));
    }
}
