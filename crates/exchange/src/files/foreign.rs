//! One object of another program as a draft: known fields find their place, the rest goes to
//! `extra`, and what says nothing is refused.

use super::lenient::{Want, fit, keep, text};
use super::shape::{FileLink, lenient_link, moved, take};
use super::{date, lacking, lenient};
use mnemic_model::body::Fields;
use mnemic_model::{Actor, Author, Digest, Draft, Kind, Namespace, RecordId};
use serde_json::{Value, json};

/// A draft on its way in, and the links that wait until all have come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arrival {
    pub(super) draft: Draft,
    pub(super) links: Vec<FileLink>,
}

use Want::*;

/// Our name, what it holds, and the names that it goes by elsewhere besides the layout's.
type Known = (&'static str, Want, &'static [&'static str]);

fn known(kind: Kind) -> &'static [Known] {
    match kind {
        Kind::Episode => &[
            ("goal", Text, &["goal", "task", "summary", "description"]),
            ("task_id", Text, &["task_id"]),
            ("agent", Text, &["agent"]),
            ("phase", Text, &["phase"]),
            ("constraints", Texts, &["constraints"]),
            ("files", Texts, &["files_involved", "files_changed"]),
            ("duration_seconds", Seconds, &["duration_seconds", "duration"]),
            ("actions", Actions, &["actions"]),
            ("outcome", Text, &["outcome"]),
            ("errors", Failures, &["errors"]),
            ("artifacts", Texts, &["artifacts"]),
            ("git_commit", Text, &["git_commit"]),
            ("git_branch", Text, &["git_branch", "branch"]),
            ("tokens_used", Count, &["tokens_used"]),
            ("valid_at", Time, &["timestamp", "created_at", "started_at"]),
            ("importance", Unit, &["importance"]),
        ],
        Kind::Pattern => &[
            ("statement", Text, &["statement", "description", "title", "name"]),
            ("category", Text, &["category"]),
            ("conditions", Texts, &["conditions"]),
            ("correct_approach", Text, &["correct_approach"]),
            ("incorrect_approach", Text, &["incorrect_approach"]),
            ("confidence", Unit, &["confidence"]),
            ("importance", Unit, &["importance"]),
            ("valid_at", Time, &["created_at", "timestamp"]),
            ("tags", Texts, &["tags"]),
        ],
        Kind::AntiPattern => &[
            ("what_fails", Text, &["what_fails", "pattern", "description", "behavior", "trigger"]),
            ("why", Text, &["why", "evidence", "root_cause", "incorrect_approach"]),
            ("prevention", Text, &["prevention", "correct_approach", "recovery"]),
            ("learnt_from", Text, &["location", "component"]),
            ("category", Text, &["category", "classification"]),
            ("confidence", Unit, &["confidence"]),
            ("importance", Unit, &["importance"]),
            ("valid_at", Time, &["created_at", "timestamp"]),
        ],
        Kind::Fact => &[
            ("key", Text, &["key", "name", "subject"]),
            ("value", Text, &["value", "fact", "content", "description"]),
            ("confidence", Unit, &["confidence"]),
            ("importance", Unit, &["importance"]),
            ("category", Text, &["category"]),
            ("valid_at", Time, &["created_at", "timestamp"]),
        ],
        Kind::Decision => &[
            ("decision", Text, &["decision", "description", "summary", "text"]),
            ("rationale", Text, &["rationale", "reason", "reasoning", "why"]),
            ("alternatives", Texts, &["alternatives", "rejected"]),
            ("affects", Texts, &["affects", "files"]),
            ("valid_at", Time, &["timestamp", "created_at", "date"]),
            ("importance", Unit, &["importance"]),
        ],
        Kind::Skill => &[
            ("name", Text, &["name", "title"]),
            ("description", Text, &["description"]),
            ("trigger", Text, &["trigger", "when_to_use"]),
            ("prerequisites", Texts, &["prerequisites"]),
            ("steps", Steps, &["steps"]),
            ("common_errors", Remedies, &["common_errors"]),
            ("exit_criteria", Texts, &["exit_criteria"]),
            ("hint", Text, &["hint"]),
            ("valid_at", Time, &["created_at", "timestamp"]),
        ],
        Kind::Handoff => &[
            ("from_agent", Text, &["from_agent", "from"]),
            ("to_agent", Text, &["to_agent", "to"]),
            ("what_was_done", Text, &["what_was_done", "summary"]),
            ("artifacts", Texts, &["artifacts"]),
            ("git_state", Text, &["git_state"]),
            ("needs_testing", Texts, &["needs_testing"]),
            ("known_issues", Texts, &["known_issues"]),
            ("relevant_patterns", Texts, &["relevant_patterns"]),
            ("reason", Text, &["reason"]),
            ("iteration", Count, &["iteration"]),
            ("files_modified", Texts, &["files_modified"]),
            ("recent_commits", Texts, &["recent_commits"]),
            ("task_status", Text, &["task_status"]),
            ("open_questions", Texts, &["open_questions"]),
            ("key_decisions", Texts, &["key_decisions"]),
            ("blockers", Texts, &["blockers"]),
            ("valid_at", Time, &["timestamp", "created_at"]),
        ],
        _ => &[],
    }
}

/// An object of another program. `from` names the file, for the provenance.
pub(super) fn arrival(
    kind: Kind,
    mut fields: Fields,
    namespace: &Namespace,
    from: &str,
) -> Result<Arrival, String> {
    let kind = turned(kind, &fields);
    let mut flat = Fields::new();
    let mut extra = Fields::new();
    let listed = fields.shift_remove("links");
    let links = listed.iter().flat_map(|links| links.as_array().into_iter().flatten());
    let links = links.filter_map(lenient_link).collect();
    let id = fields.shift_remove("id").or_else(|| fields.shift_remove("mode_id"));
    let told = fields.shift_remove("_namespace");
    fields.shift_remove("kind");
    if kind == Kind::Ledger {
        ledger(&mut flat, &mut fields);
    }
    for (name, want, others) in known(kind) {
        let theirs = moved(kind).iter().filter(|(ours, _)| ours == name).map(|(_, theirs)| *theirs);
        let names = theirs.chain(others.iter().copied());
        if let Some(value) = find(*want, names, &mut fields, &mut extra) {
            flat.insert((*name).to_owned(), value);
        }
    }
    settle_kind(kind, &mut flat, &mut fields, &mut extra);
    for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
        keep(&mut extra, &name, value);
    }
    finish(kind, flat, extra, id, told, namespace, from).map(|draft| Arrival { draft, links })
}

/// The first of these names under which something fits; what does not fit is kept aside.
fn find<'n>(
    want: Want,
    mut names: impl Iterator<Item = &'n str>,
    fields: &mut Fields,
    extra: &mut Fields,
) -> Option<Value> {
    names.find_map(|name| {
        let value = take(fields, name)?;
        let fitting = fit(want, &value);
        if fitting.is_none() && !value.is_null() {
            keep(extra, name, value);
        }
        fitting
    })
}

/// What one kind needs beyond its fields.
fn settle_kind(kind: Kind, flat: &mut Fields, fields: &mut Fields, extra: &mut Fields) {
    match kind {
        Kind::Pattern => episodes(flat, fields),
        Kind::Episode => finish_episode(flat, extra, fields),
        Kind::Handoff => {
            for name in ["from_agent", "to_agent"] {
                flat.entry(name).or_insert_with(|| json!("unknown"));
            }
        }
        _ => {}
    }
}

/// A pattern of the category `anti-pattern` is one, and what is told as a failure is one too.
fn turned(kind: Kind, fields: &Fields) -> Kind {
    let category = fields.get("category").and_then(Value::as_str).unwrap_or_default();
    let fails =
        ["what_fails", "mode_id", "classification"].iter().any(|key| fields.contains_key(*key));
    match kind {
        Kind::Pattern if fails || matches!(category, "anti-pattern" | "anti_pattern") => {
            Kind::AntiPattern
        }
        kind => kind,
    }
}

fn ledger(flat: &mut Fields, fields: &mut Fields) {
    for (name, want) in [
        ("agent_id", Text),
        ("last_checkpoint", Time),
        ("tasks_completed", Count),
        ("current_task", Text),
    ] {
        // Some list their tasks instead of counting them.
        let value = fields.shift_remove(name);
        let value = match value {
            Some(Value::Array(tasks)) if want == Count => Some(json!(tasks.len())),
            other => other,
        };
        if let Some(value) = value.as_ref().and_then(|value| fit(want, value)) {
            flat.insert(name.into(), value);
        }
    }
    if let Some(Value::String(agent)) = fields.shift_remove("agent") {
        flat.entry("agent_id").or_insert(json!(agent));
    }
    for (above, inner) in [
        (
            "state",
            [("files_modified", Texts), ("uncommitted_changes", Flag), ("last_git_commit", Text)],
        ),
        ("context", [("tech_stack", Texts), ("patterns_learned", Texts), ("current_goal", Text)]),
    ] {
        let Some(Value::Object(theirs)) = fields.get(above) else { continue };
        let fits = inner
            .iter()
            .filter_map(|(name, want)| Some(((*name).to_owned(), fit(*want, theirs.get(*name)?)?)));
        flat.insert(above.into(), Value::Object(fits.collect()));
    }
}

/// Episodes that are named by ids we could keep.
fn episodes(flat: &mut Fields, fields: &mut Fields) {
    let Some(named) = fields.shift_remove("source_episodes") else { return };
    let ids = lenient::texts(&named).into_iter().filter(|id| RecordId::parse(id).is_ok());
    let ids: Vec<String> = ids.collect();
    if !ids.is_empty() {
        flat.insert("source_episodes".into(), json!(ids));
    }
}

fn finish_episode(flat: &mut Fields, extra: &mut Fields, fields: &Fields) {
    if let Some(Value::String(outcome)) = flat.get("outcome") {
        let ours = match outcome.trim().to_ascii_lowercase().as_str() {
            "success" | "succeeded" | "completed" | "done" => "success",
            "failure" | "failed" | "error" => "failure",
            "partial" | "partially" => "partial",
            _ => "",
        };
        let ours = ours.to_owned();
        let theirs = flat.shift_remove("outcome").unwrap_or_default();
        match ours.as_str() {
            "" => keep(extra, "outcome", theirs),
            ours => drop(flat.insert("outcome".into(), json!(ours))),
        }
    }
    let mut files: Vec<String> = flat.get("files").map(lenient::texts).unwrap_or_default();
    for name in ["files_modified", "files_read", "files_changed"] {
        files.extend(fields.get(name).map(lenient::texts).unwrap_or_default());
    }
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    if !files.is_empty() {
        flat.insert("files".into(), json!(files));
    }
}

fn finish(
    kind: Kind,
    mut flat: Fields,
    mut extra: Fields,
    id: Option<Value>,
    told: Option<Value>,
    namespace: &Namespace,
    from: &str,
) -> Result<Draft, String> {
    flat.insert("kind".into(), json!(kind));
    tidy(&mut flat, &mut extra);
    let missing = lacking::of_body(kind, &flat);
    if !missing.is_empty() {
        return Err(lacking::told(&missing, false));
    }
    let mut draft = Draft::from_fields(flat).map_err(|wrong| wrong.to_string())?;
    draft.body.check().map_err(|wrong| wrong.to_string())?;
    let given = id.as_ref().and_then(text);
    let kept = given.as_deref().and_then(|id| RecordId::parse(id.trim()).ok());
    if let (None, Some(odd)) = (&kept, &given) {
        keep(&mut extra, "id", json!(odd));
    }
    let about = &mut draft.about;
    let body = Value::Object(draft.body.to_fields()).to_string();
    about.id = Some(kept.unwrap_or_else(|| stable_id(kind, &[namespace.as_str(), &body])));
    let told = told.as_ref().and_then(Value::as_str).and_then(|name| Namespace::parse(name).ok());
    about.namespace = Some(told.unwrap_or_else(|| namespace.clone()));
    about.writer = Some(Actor::new(Author::Import, "layout"));
    about.source = Some(from.to_owned());
    about.extra = extra;
    Ok(draft)
}

/// What would be refused for its size goes to `extra`, which has room for it.
fn tidy(flat: &mut Fields, extra: &mut Fields) {
    let long = flat.get("category").and_then(Value::as_str).is_some_and(|text| text.len() > 200);
    if long && let Some(category) = flat.shift_remove("category") {
        keep(extra, "category", category);
    }
    if let Some(tags) = flat.shift_remove("tags") {
        let fits = |tag: &String| tag.len() <= 100 && !tag.chars().any(char::is_control);
        let tags: Vec<String> = lenient::texts(&tags).into_iter().filter(fits).take(100).collect();
        flat.insert("tags".into(), json!(tags));
    }
}

/// The same text gets the same id, so that it comes in once.
pub(super) fn stable_id(kind: Kind, parts: &[&str]) -> RecordId {
    let digest = Digest::of("layout", parts.iter().map(|part| part.as_bytes()));
    let bits: [u8; 8] = digest.0[..8].try_into().expect("eight of sixteen");
    RecordId::from_random(kind, u64::from_le_bytes(bits))
}

/// The time in a line or front matter, for kinds that are made here.
pub(super) fn time_of(fields: &Fields, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| date::time(fields.get(*name)?)).map(|time| json!(time))
}
