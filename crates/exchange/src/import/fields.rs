//! Takes fields out of foreign objects without asking much of them; what nobody took is kept.

use super::arrival::Broken;
use super::origin::clipped;
use super::times;
use mnemic_model::Timestamp;
use mnemic_model::body::Fields;
use serde_json::Value;
use std::collections::BTreeSet;

/// An object that is being taken apart. Each field is taken once; the rest is for `extra`.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    fields: Fields,
    /// Names the object in messages.
    place: String,
}

impl Taken {
    pub(super) fn new(mut fields: Fields, place: impl Into<String>) -> Taken {
        fields.values_mut().for_each(purge);
        Taken { fields, place: place.into() }
    }

    /// Anything but an object is a broken file.
    pub(super) fn of(value: Value, place: impl Into<String>) -> Result<Taken, Broken> {
        match value {
            Value::Object(fields) => Ok(Taken::new(fields, place)),
            other => Err(Broken::at(&place.into(), format!("{} is no object", name_of(&other)))),
        }
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.shift_remove(name).filter(|value| !value.is_null())
    }

    /// What the object is about: a text, or nothing. Anything else breaks the file.
    pub(super) fn substance(&mut self, name: &str) -> Result<Option<String>, Broken> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
            Some(other) => {
                let why = format!("`{name}` is {}, expected a text", name_of(&other));
                Err(Broken::at(&self.place, why))
            }
        }
    }

    /// A text or what reads as one; what does not stays where it is.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let text = match self.get(name)? {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        self.fields.shift_remove(name);
        Some(text).filter(|text| !text.is_empty())
    }

    /// A list of texts: an array, JSON of one in a text, or words with commas between them.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let Some(value) = self.take(name) else { return Vec::new() };
        texts(value)
    }

    pub(super) fn time(&mut self, names: &[&str]) -> Option<Timestamp> {
        let name = names.iter().find(|name| times::time(self.get(name)).is_some())?;
        times::time(self.take(name).as_ref())
    }

    pub(super) fn number(&mut self, name: &str) -> Option<f64> {
        let number = self.get(name)?.as_f64()?;
        self.fields.shift_remove(name);
        Some(number)
    }

    pub(super) fn count(&mut self, name: &str) -> Option<u64> {
        let count = self.get(name)?.as_u64()?;
        self.fields.shift_remove(name);
        Some(count)
    }

    /// Everything that was not taken and says something.
    pub(super) fn rest(self) -> Fields {
        let says = |value: &Value| match value {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            _ => true,
        };
        self.fields.into_iter().filter(|(name, value)| !name.is_empty() && says(value)).collect()
    }
}

pub(super) fn texts(value: Value) -> Vec<String> {
    let said = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    match value {
        Value::Array(items) => items.into_iter().filter_map(|item| said(&shown(&item))).collect(),
        Value::String(text) if text.trim_start().starts_with('[') => {
            match serde_json::from_str(&text) {
                Ok(list @ Value::Array(_)) => texts(list),
                _ => said(&text).into_iter().collect(),
            }
        }
        Value::String(text) => text.split([',', '\n']).filter_map(said).collect(),
        Value::Number(number) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// A value as a person would write it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Object(fields) => {
            let parts = fields.iter().filter(|(_, value)| !value.is_null());
            let parts = parts.map(|(name, value)| format!("{name}: {}", shown(value)));
            parts.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Tags as we keep them: visible, short, and not too many.
pub(super) fn tags(list: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let fit = |tag: String| {
        let tag = tag.trim().trim_start_matches('#').trim();
        let visible: String = tag.chars().filter(|c| !c.is_control()).collect();
        Some(clipped(visible.trim(), 100).trim().to_owned()).filter(|tag| !tag.is_empty())
    };
    list.into_iter().filter_map(fit).take(100).collect()
}

/// A name of what sort of memory it is, when it is short enough to be one.
pub(super) fn category(text: Option<String>) -> Option<String> {
    text.map(|text| clipped(text.trim(), 200)).filter(|text| !text.is_empty())
}

/// What kind of value it is, for a message.
fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// No memory holds a NUL; what had one is still worth having.
fn purge(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{fffd}"),
        Value::Array(items) => items.iter_mut().for_each(purge),
        Value::Object(fields) => {
            fields.values_mut().for_each(purge);
            fields.retain(|name, _| !name.contains('\0'));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn taken(value: Value) -> Taken {
        Taken::of(value, "item 1").expect("an object")
    }

    #[test]
    fn what_is_not_taken_is_the_rest() {
        let mut it = taken(json!({
            "title": "a\u{0}b", "n": "x", "none": null, "empty": [], "concepts": "[\"p\", 7, null]",
            "tags": "one, two", "created": "2026-01-05", "big": 1e300
        }));
        assert_eq!(it.text("title").as_deref(), Some("a\u{fffd}b"));
        assert_eq!(it.count("n"), None);
        assert_eq!(it.texts("concepts"), ["p", "7"]);
        assert_eq!(it.texts("tags"), ["one", "two"]);
        assert!(it.time(&["updated", "created"]).is_some());
        assert_eq!(Value::Object(it.rest()), json!({"n": "x", "big": 1e300}));
    }

    #[test]
    fn the_substance_must_be_a_text() {
        let wrong = taken(json!({"content": 5})).substance("content").unwrap_err();
        assert_eq!(wrong.to_string(), "item 1: `content` is a number, expected a text");
        assert_eq!(taken(json!({"content": " "})).substance("content"), Ok(None));
        assert!(Taken::of(json!([1]), "item 2").is_err());
    }

    #[test]
    fn tags_are_made_to_fit() {
        let long = "x".repeat(300);
        let given = ["#a", " ", "b\u{7}c", &long].map(str::to_owned);
        let tags = tags(given);
        assert_eq!(tags.len(), 3);
        assert!(tags.contains("a") && tags.contains("bc"));
    }
}
