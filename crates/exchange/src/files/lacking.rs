//! What a file made by hand lacks, all of it at once.

use super::shape::{moved, take};
use mnemic_model::body::Fields;
use mnemic_model::{Draft, Kind};
use serde_json::Value;

/// What a stored version always says, beside what its kind says.
const ALWAYS: &[&str] = &[
    "tier",
    "importance",
    "confidence",
    "valid_at",
    "writer",
    "trust",
    "scope",
    "namespace",
    "visibility",
];

/// The names of all that is not there, as a person would write them into the file.
pub(super) fn of_ours(
    has_id: bool,
    kind: Option<Kind>,
    file: &Fields,
    rest: &Fields,
) -> Vec<String> {
    let mut missing = Vec::new();
    if !has_id {
        missing.push("id".to_owned());
    }
    let Some(kind) = kind else {
        missing.push("kind".to_owned());
        return missing;
    };
    let theirs = |ours: &str| {
        let names = moved(kind).iter().find(|(name, _)| *name == ours);
        names.map(|(_, theirs)| (*theirs).to_owned())
    };
    let mut flat = file.clone();
    for (ours, path) in moved(kind) {
        if let Some(value) = take(&mut flat, path) {
            flat.insert((*ours).to_owned(), value);
        }
    }
    for name in of_body(kind, &flat) {
        missing.push(theirs(&name).unwrap_or(name));
    }
    for name in ALWAYS {
        if !flat.contains_key(*name) && !rest.contains_key(*name) {
            let in_sight = matches!(*name, "importance" | "confidence").then(|| (*name).to_owned());
            missing.push(theirs(name).or(in_sight).unwrap_or_else(|| format!("mnemic.{name}")));
        }
    }
    missing
}

/// The fields of its kind that a body cannot do without.
pub(super) fn of_body(kind: Kind, fields: &Fields) -> Vec<String> {
    let mut tried = fields.clone();
    tried.insert("kind".to_owned(), kind.as_str().into());
    let mut missing: Vec<String> = Vec::new();
    while let Err(wrong) = Draft::from_fields(tried.clone()) {
        let named = |beginning: &str| {
            let rest = wrong.problem.strip_prefix(beginning)?;
            rest.split_once('`').map(|(name, _)| name.to_owned())
        };
        // What is there and wrong is not missing; it is told of when nothing is.
        let odd = named("unknown field `").unwrap_or_else(|| wrong.field.clone());
        match named("missing field `").filter(|name| !missing.contains(name)) {
            Some(name) => {
                tried.insert(name.clone(), Value::String(String::new()));
                missing.push(name);
            }
            None if odd != "kind" && tried.shift_remove(&odd).is_some() => {}
            None => break,
        }
    }
    missing
}

/// As one sentence; what was made by hand does not need what mnemic notes for itself.
pub(super) fn told(missing: &[String], by_hand: bool) -> String {
    let named: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let hint = match by_hand && missing.iter().any(|name| name.starts_with("mnemic.")) {
        true => "; a file without `mnemic` is taken with the usual values",
        false => "",
    };
    format!("it lacks {}{hint}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn all_that_is_missing_is_named_at_once() {
        let file = fields(json!({"note": "by hand"}));
        let missing = of_ours(false, Some(Kind::Fact), &file, &Fields::new());
        for name in ["id", "key", "value", "importance", "mnemic.trust", "mnemic.valid_at"] {
            assert!(missing.iter().any(|it| it == name), "{name} in {missing:?}");
        }
        assert_eq!(of_ours(true, None, &file, &Fields::new()), ["kind"]);
        let episode =
            fields(json!({"context": {"goal": "g"}, "timestamp": "2026-01-01T00:00:00Z"}));
        let missing = of_ours(true, Some(Kind::Episode), &episode, &Fields::new());
        assert!(!missing.iter().any(|it| it.contains("goal") || it == "timestamp"), "{missing:?}");
    }
}
