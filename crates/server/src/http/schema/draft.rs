//! Memories as they are handed in: one schema a kind, from one table of fields.

use super::names::{Id, KindName, OutcomeName, RelationName, SAYING, ScopeName, Share, Space};
use super::names::{TierName, Time, TrustName, VisibilityName};
use crate::http::extract;
use mnemic_engine::model::Kind;
use serde_json::{Map, Value};
use std::borrow::Cow;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What a field may hold.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Text that says something.
    Text,
    /// Any text without a NUL.
    Free,
    Texts,
    Scalar,
    Flag,
    Count,
    Number,
    Labels,
    Outcome,
    Time,
    Ids,
    /// An object of its own, named as in `parts`.
    Part(&'static str),
    Parts(&'static str),
    Steps,
}

type Field = (&'static str, Form);

/// What each kind says: the fields it must have, then those it may have.
const BODIES: &[(Kind, &[Field], &[Field])] = &[
    (
        Kind::Episode,
        &[("goal", Form::Text)],
        &[
            ("task_id", Form::Free),
            ("agent", Form::Free),
            ("phase", Form::Free),
            ("constraints", Form::Texts),
            ("files", Form::Texts),
            ("duration_seconds", Form::Number),
            ("actions", Form::Parts("action")),
            ("messages", Form::Parts("message")),
            ("outcome", Form::Outcome),
            ("errors", Form::Parts("error")),
            ("artifacts", Form::Texts),
            ("git_commit", Form::Free),
            ("git_branch", Form::Free),
            ("tokens_used", Form::Count),
        ],
    ),
    (Kind::Fact, &[("key", Form::Text), ("value", Form::Scalar)], &[("within", Form::Labels)]),
    (
        Kind::Decision,
        &[("decision", Form::Text)],
        &[
            ("rationale", Form::Free),
            ("alternatives", Form::Texts),
            ("affects", Form::Texts),
            ("active", Form::Flag),
        ],
    ),
    (
        Kind::Pattern,
        &[("statement", Form::Text)],
        &[
            ("conditions", Form::Texts),
            ("correct_approach", Form::Free),
            ("incorrect_approach", Form::Free),
            ("source_episodes", Form::Ids),
            ("template", Form::Part("template")),
        ],
    ),
    (
        Kind::AntiPattern,
        &[("what_fails", Form::Text)],
        &[("why", Form::Free), ("prevention", Form::Free), ("learnt_from", Form::Free)],
    ),
    (
        Kind::Skill,
        &[("name", Form::Text)],
        &[
            ("description", Form::Free),
            ("trigger", Form::Free),
            ("prerequisites", Form::Texts),
            ("steps", Form::Steps),
            ("common_errors", Form::Parts("remedy")),
            ("exit_criteria", Form::Texts),
            ("hint", Form::Free),
        ],
    ),
    (
        Kind::Resource,
        &[("title", Form::Text)],
        &[("text", Form::Free), ("media_type", Form::Free), ("origin", Form::Free)],
    ),
    (Kind::Block, &[("label", Form::Text)], &[("text", Form::Free), ("limit", Form::Count)]),
    (
        Kind::Ledger,
        &[("agent_id", Form::Text)],
        &[
            ("last_checkpoint", Form::Time),
            ("tasks_completed", Form::Count),
            ("current_task", Form::Free),
            ("state", Form::Part("state")),
            ("context", Form::Part("context")),
        ],
    ),
    (
        Kind::Handoff,
        &[("from_agent", Form::Text), ("to_agent", Form::Text)],
        &[
            ("what_was_done", Form::Free),
            ("artifacts", Form::Texts),
            ("git_state", Form::Free),
            ("needs_testing", Form::Texts),
            ("known_issues", Form::Texts),
            ("relevant_patterns", Form::Texts),
            ("reason", Form::Free),
            ("iteration", Form::Count),
            ("files_modified", Form::Texts),
            ("recent_commits", Form::Texts),
            ("task_status", Form::Free),
            ("open_questions", Form::Texts),
            ("key_decisions", Form::Texts),
            ("blockers", Form::Texts),
        ],
    ),
    (
        Kind::Verdict,
        &[("subject", Form::Text), ("outcome", Form::Text)],
        &[
            ("reviewer", Form::Free),
            ("rationale", Form::Free),
            ("findings", Form::Texts),
            ("votes_for", Form::Count),
            ("votes_against", Form::Count),
        ],
    ),
];

/// Objects inside bodies.
const PARTS: &[(&str, &[Field], &[Field])] = &[
    (
        "action",
        &[("action", Form::Free)],
        &[
            ("t", Form::Number),
            ("target", Form::Free),
            ("result", Form::Free),
            ("error", Form::Free),
        ],
    ),
    ("message", &[("role", Form::Free), ("text", Form::Free)], &[("at", Form::Time)]),
    ("error", &[("message", Form::Free)], &[("type", Form::Free), ("resolution", Form::Free)]),
    (
        "template",
        &[("language", Form::Free), ("code", Form::Free)],
        &[("placeholders", Form::Texts), ("hint", Form::Free)],
    ),
    ("remedy", &[("error", Form::Free), ("fix", Form::Free)], &[]),
    (
        "state",
        &[],
        &[
            ("files_modified", Form::Texts),
            ("uncommitted_changes", Form::Flag),
            ("last_git_commit", Form::Free),
        ],
    ),
    (
        "context",
        &[],
        &[
            ("tech_stack", Form::Texts),
            ("patterns_learned", Form::Texts),
            ("current_goal", Form::Free),
        ],
    ),
];

fn text(pattern: &str, most: usize) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(most))
        .pattern(Some(pattern))
        .into()
}

fn saying(most: usize) -> RefOr<Schema> {
    text(SAYING, most)
}

fn free() -> RefOr<Schema> {
    text("^[^\\u0000]*$", 100_000)
}

fn many(items: RefOr<Schema>) -> RefOr<Schema> {
    ArrayBuilder::new().items(items).max_items(Some(1_000)).into()
}

fn whole() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(1_000_000_000))
}

fn known<T: ToSchema>() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

impl Form {
    fn schema(self) -> RefOr<Schema> {
        match self {
            Form::Text => saying(2_000),
            Form::Free => free(),
            Form::Texts => many(free()),
            Form::Scalar => ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
                .pattern(Some(SAYING))
                .into(),
            Form::Flag => ObjectBuilder::new().schema_type(Type::Boolean).into(),
            Form::Count => whole().into(),
            Form::Number => ObjectBuilder::new()
                .schema_type(Type::Number)
                .minimum(Some(0))
                .maximum(Some(1_000_000_000))
                .into(),
            Form::Labels => ObjectBuilder::new()
                .additional_properties(Some(AdditionalProperties::RefOr(saying(200))))
                .into(),
            Form::Outcome => known::<OutcomeName>(),
            Form::Time => known::<Time>(),
            Form::Ids => many(known::<Id>()),
            Form::Part(name) => part(name),
            Form::Parts(name) => many(part(name)),
            Form::Steps => many(
                OneOfBuilder::new()
                    .item(saying(2_000))
                    .item(object(&[("action", Form::Text)], &[("detail", Form::Free)]))
                    .into(),
            ),
        }
    }
}

fn part(name: &str) -> RefOr<Schema> {
    let found = PARTS.iter().find(|(other, ..)| *other == name);
    let (_, must, may) = found.expect("every part that a body names is in the table");
    object(must, may).into()
}

fn object(must: &[Field], may: &[Field]) -> ObjectBuilder {
    let closed = AdditionalProperties::FreeForm(false);
    let object = ObjectBuilder::new().additional_properties(Some(closed));
    let object = must
        .iter()
        .fold(object, |object, (name, form)| object.property(*name, form.schema()).required(*name));
    may.iter().fold(object, |object, (name, form)| object.property(*name, form.schema()))
}

/// What may be said about every memory.
fn about(object: ObjectBuilder) -> ObjectBuilder {
    let link = ObjectBuilder::new()
        .property("relation", known::<RelationName>())
        .required("relation")
        .property("to", known::<Id>())
        .required("to")
        .property("strength", known::<Share>())
        .additional_properties(Some(AdditionalProperties::FreeForm(false)));
    object
        .property("id", known::<Id>())
        .property("summary", saying(2_000))
        .property("compressed", saying(200))
        .property("index", saying(40))
        .property("tier", known::<TierName>())
        .property("importance", known::<Share>())
        .property("confidence", known::<Share>())
        .property("tags", many(saying(40)))
        .property("category", saying(40))
        .property("valid_at", known::<Time>())
        .property("invalid_at", known::<Time>())
        .property("writer", text("^(agent|tool|web|import)(:[a-z0-9]{1,40})?$", 60))
        .property("source", saying(1_000))
        .property("episodes", many(known::<Id>()))
        .property("trust", known::<TrustName>())
        .property("scope", known::<ScopeName>())
        .property("namespace", known::<Space>())
        .property("visibility", known::<VisibilityName>())
        .property("pinned", ObjectBuilder::new().schema_type(Type::Boolean))
        .property("links", many(link.into()))
        .property("discovery_tokens", whole())
        .property("extra", ObjectBuilder::new().schema_type(Type::Object))
}

/// Reads counts that were written as `5.0`. Other numbers stay as they are: the value of a fact may
/// well be the version `5.0`.
pub(crate) fn in_whole_numbers(mut fields: Map<String, Value>) -> Map<String, Value> {
    let counts = BODIES.iter().flat_map(|(_, must, may)| must.iter().chain(*may));
    let counts = counts.filter(|(_, form)| matches!(form, Form::Count)).map(|(name, _)| *name);
    for name in counts.chain(["discovery_tokens"]) {
        if let Some(value) = fields.get_mut(name) {
            extract::in_whole_numbers(value);
        }
    }
    fields
}

fn shape(body: &(Kind, &[Field], &[Field])) -> ObjectBuilder {
    of_one_kind(body).required("kind")
}

/// Where only one kind can be meant, it need not be named.
fn of_one_kind((kind, must, may): &(Kind, &[Field], &[Field])) -> ObjectBuilder {
    let kind = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([kind.as_str()]));
    about(object(must, may)).property("kind", kind)
}

/// A memory as it is handed in: its kind, the fields of that kind, and what is said about it.
#[derive(Debug)]
pub struct Draft;

impl PartialSchema for Draft {
    fn schema() -> RefOr<Schema> {
        let shapes = BODIES.iter().map(shape);
        shapes.fold(OneOfBuilder::new(), |all, shape| all.item(shape)).into()
    }
}

impl ToSchema for Draft {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Draft")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        fn add<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((T::name().into_owned(), T::schema()));
        }
        add::<Id>(schemas);
        add::<KindName>(schemas);
        add::<TierName>(schemas);
        add::<Share>(schemas);
        add::<Time>(schemas);
        add::<TrustName>(schemas);
        add::<ScopeName>(schemas);
        add::<Space>(schemas);
        add::<VisibilityName>(schemas);
        add::<RelationName>(schemas);
        add::<OutcomeName>(schemas);
    }
}

/// An episode as it is handed in.
#[derive(Debug)]
pub struct EpisodeDraft;

impl PartialSchema for EpisodeDraft {
    fn schema() -> RefOr<Schema> {
        let episode = BODIES.iter().find(|(kind, ..)| *kind == Kind::Episode);
        of_one_kind(episode.expect("episodes are in the table")).into()
    }
}

impl ToSchema for EpisodeDraft {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("EpisodeDraft")
    }
}

/// What to change, as a merge patch over the flat form: `null` takes a field away, lists are
/// replaced as a whole, fields of the body stand beside those of every memory.
#[derive(Debug)]
pub struct MergePatch;

impl PartialSchema for MergePatch {
    fn schema() -> RefOr<Schema> {
        let open = AdditionalProperties::FreeForm(true);
        let object = ObjectBuilder::new().additional_properties(Some(open));
        object
            .property("tier", known::<TierName>())
            .property("importance", known::<Share>())
            .property("confidence", known::<Share>())
            .property("trust", known::<TrustName>())
            .property("scope", known::<ScopeName>())
            .property("visibility", known::<VisibilityName>())
            .property("tags", many(saying(40)))
            .property("pinned", ObjectBuilder::new().schema_type(Type::Boolean))
            .property("valid_at", known::<Time>())
            .into()
    }
}

impl ToSchema for MergePatch {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("MergePatch")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model;
    use serde_json::json;

    fn example(form: Form) -> Value {
        match form {
            Form::Text | Form::Free | Form::Scalar => json!("x"),
            Form::Texts => json!(["x"]),
            Form::Flag => json!(true),
            Form::Count => json!(7),
            Form::Number => json!(1.5),
            Form::Labels => json!({ "language": "rust" }),
            Form::Outcome => json!("success"),
            Form::Time => json!("2026-01-05T10:00:00Z"),
            Form::Ids => json!(["ep-1"]),
            Form::Part(name) => Value::Object(fields(name)),
            Form::Parts(name) => json!([Value::Object(fields(name))]),
            Form::Steps => json!(["x", { "action": "y", "detail": "z" }]),
        }
    }

    fn fields(name: &str) -> Map<String, Value> {
        let (_, must, may) = PARTS.iter().find(|(other, ..)| *other == name).expect("a part");
        must.iter().chain(*may).map(|(name, form)| ((*name).to_owned(), example(*form))).collect()
    }

    #[test]
    fn the_table_says_what_the_model_takes() {
        for (kind, must, may) in BODIES {
            let all = must.iter().chain(*may);
            let mut draft: Map<String, Value> =
                all.map(|(name, form)| ((*name).to_owned(), example(*form))).collect();
            draft.insert("kind".into(), json!(kind));
            let read = model::Draft::from_fields(draft.clone());
            let read = read.unwrap_or_else(|why| panic!("{kind}: {why}"));
            // Nothing that the model can say is missing in the table.
            for name in read.body.to_fields().keys() {
                assert!(draft.contains_key(name), "{kind} has a field `{name}`");
            }
            for (name, _) in *must {
                let mut without = draft.clone();
                without.remove(*name);
                assert!(model::Draft::from_fields(without).is_err(), "{kind} without {name}");
            }
        }
    }

    #[test]
    fn every_kind_of_memory_but_secrets_is_in_the_table() {
        let named: Vec<Kind> = BODIES.iter().map(|(kind, ..)| *kind).collect();
        let all = Kind::ALL.iter().copied();
        let stored: Vec<Kind> =
            all.filter(|kind| kind.is_memory() && *kind != Kind::Secret).collect();
        assert_eq!(named, stored);
    }
}
