//! A merge patch over the flat form of a memory, read into what the engine understands.

use crate::http::problem::Problem;
use mnemic_engine::model::{Patch, Timestamp};
use mnemic_engine::{Error, ErrorKind};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Reads a merge patch over the flat form.
pub(super) fn read(fields: Map<String, Value>, tags: &BTreeSet<String>) -> Result<Patch, Problem> {
    let mut patch = Patch::default();
    for (name, value) in fields {
        match name.as_str() {
            "summary" => patch.summary = Some(field(&name, value)?),
            "compressed" => patch.compressed = Some(field(&name, value)?),
            "index" => patch.index = Some(field(&name, value)?),
            "category" => patch.category = Some(field(&name, value)?),
            "invalid_at" => patch.invalid_at = Some(field::<Option<Timestamp>>(&name, value)?),
            "tier" => patch.tier = Some(field(&name, value)?),
            "importance" => patch.importance = Some(field(&name, value)?),
            "confidence" => patch.confidence = Some(field(&name, value)?),
            "valid_at" => patch.valid_at = Some(field(&name, value)?),
            "trust" => patch.trust = Some(field(&name, value)?),
            "scope" => patch.scope = Some(field(&name, value)?),
            "namespace" => patch.namespace = Some(field(&name, value)?),
            "visibility" => patch.visibility = Some(field(&name, value)?),
            "pinned" => patch.pinned = Some(field(&name, value)?),
            "extra" => patch.extra = Some(field::<Option<_>>(&name, value)?.unwrap_or_default()),
            "tags" => {
                let wanted: BTreeSet<String> =
                    field::<Option<_>>(&name, value)?.unwrap_or_default();
                patch.remove_tags = tags.difference(&wanted).cloned().collect();
                patch.add_tags = wanted.difference(tags).cloned().collect();
            }
            "id" | "kind" | "writer" | "confirmed_by" | "source" | "episodes" | "links"
            | "discovery_tokens" | "idempotency_key" => return Err(fixed(&name)),
            _ => drop(patch.body.insert(name, value)),
        }
    }
    Ok(patch)
}

fn field<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, Problem> {
    serde_json::from_value(value).map_err(|cause| {
        Error::new(ErrorKind::Invalid, format!("`{name}`: {cause}"))
            .hint("the document at /v1/openapi.json says what it may hold")
            .into()
    })
}

fn fixed(name: &str) -> Problem {
    Error::new(ErrorKind::Invalid, format!("`{name}` is said once and does not change"))
        .hint("leave it out, or remember a new memory")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn merge_patches_find_their_fields() {
        let old: BTreeSet<String> = ["a", "b"].map(str::to_owned).into();
        let of = |value: Value| match value {
            Value::Object(fields) => read(fields, &old),
            _ => unreachable!("the test writes objects"),
        };
        let made =
            of(json!({ "tags": ["b", "c"], "value": "5433", "summary": null, "pinned": true }));
        let made = made.expect("sound");
        assert_eq!((made.add_tags, made.remove_tags), (vec!["c".to_owned()], vec!["a".to_owned()]));
        assert_eq!(made.summary, Some(None));
        assert_eq!(made.pinned, Some(true));
        assert_eq!(made.body["value"], "5433");
        for wrong in
            [json!({ "tier": null }), json!({ "kind": "fact" }), json!({ "importance": 2 })]
        {
            assert_eq!(of(wrong.clone()).expect_err("refused").status, 422, "{wrong}");
        }
    }
}
