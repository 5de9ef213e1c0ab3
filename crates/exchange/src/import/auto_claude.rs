//! Auto-Claude's memory of a spec: a map of the code, patterns, gotchas, attempts and insights.

use super::arrival::{Arrival, Broken, Sink};
use super::fields::{Taken, shown, texts};
use super::markdown::items;
use super::origin::{Origin, derived};
use super::{items as json_items, times};
use mnemic_model::body::{Action, AntiPattern, Body, Episode, Fact, Outcome, Pattern};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Timestamp};
use serde_json::Value;
use std::path::Path;

const TOOL: &str = "auto-claude";

/// Whether the file lies in the memory of a spec.
pub(super) fn is_one(path: &Path) -> bool {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let memory = parts.iter().rposition(|part| part == "memory");
    memory.is_some_and(|at| at >= 2 && parts[at - 2] == "specs")
}

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let name = super::stem(path);
    let is_insight = path.iter().any(|part| part == "session_insights");
    match name.as_str() {
        "gotchas" => lines(path, origin, sink, anti_pattern),
        "patterns" => lines(path, origin, sink, pattern),
        "codebase_map" => map(path, origin, sink),
        "attempt_history" => attempts(path, origin, sink),
        _ if is_insight => insight(path, &name, origin, sink),
        _ => Ok(()),
    }
}

fn pattern(text: &str) -> Body {
    Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() })
}

fn anti_pattern(text: &str) -> Body {
    Body::AntiPattern(AntiPattern { what_fails: text.to_owned(), ..AntiPattern::default() })
}

fn keep(
    body: Body,
    at: Option<Timestamp>,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let id = derived(body.kind(), &[&origin.name, &body.full_text()]);
    let about = About { id: Some(id), valid_at: at, ..origin.by_agent(TOOL) };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}

fn lines(
    path: &Path,
    origin: &Origin,
    sink: &mut Sink<'_>,
    body: fn(&str) -> Body,
) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    items(&text).iter().try_for_each(|item| keep(body(item), None, origin, sink))
}

/// `{discovered_files: {path: what it is for}}`, or the paths at the top.
fn map(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut top = Taken::of(json_items::whole(path)?, "the map")?;
    let at = top.time(&["last_updated", "updated_at", "timestamp"]);
    let files = match top.take("discovered_files") {
        Some(Value::Object(files)) => files,
        Some(_) => return Err(Broken::new("`discovered_files` is no object")),
        None => top.rest(),
    };
    for (file, what) in files {
        let value = shown(&what);
        if file.trim().is_empty() || value.trim().is_empty() {
            continue;
        }
        let body = Body::Fact(Fact { key: file.clone(), value, ..Fact::default() });
        let id = derived(body.kind(), &[&origin.name, &file]);
        let about = About { id: Some(id), valid_at: at, ..origin.by_agent(TOOL) };
        sink(Arrival::Memory(Box::new(Draft { body, about })))?;
    }
    Ok(())
}

/// `{subtasks: {id: {attempts: [{approach, success, error, timestamp}], status}}}`
fn attempts(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut top = Taken::of(json_items::whole(path)?, "the history")?;
    let Some(Value::Object(subtasks)) = top.take("subtasks") else { return Ok(()) };
    for (task, value) in subtasks {
        let mut subtask = Taken::of(value, format!("subtask `{task}`"))?;
        let list = match subtask.take("attempts") {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        let first = list.first().and_then(|attempt| times::time(attempt.get("timestamp")));
        let succeeded = list.iter().any(|attempt| attempt.get("success") == Some(&true.into()));
        let outcome = if succeeded { Outcome::Success } else { Outcome::Failure };
        let body = Body::Episode(Episode {
            goal: format!("Subtask {task}"),
            task_id: Some(task.clone()),
            agent: Some(TOOL.to_owned()),
            actions: list.iter().filter_map(attempt).collect(),
            outcome: (!list.is_empty()).then_some(outcome),
            ..Episode::default()
        });
        let id = derived(body.kind(), &[&origin.name, &task]);
        let about =
            About { id: Some(id), valid_at: first, extra: subtask.rest(), ..origin.by_agent(TOOL) };
        if !task.trim().is_empty() {
            sink(Arrival::Memory(Box::new(Draft { body, about })))?;
        }
    }
    Ok(())
}

fn attempt(attempt: &Value) -> Option<Action> {
    let text = |field: &str| attempt.get(field).map(shown).filter(|text| !text.trim().is_empty());
    let ok = attempt.get("success").and_then(Value::as_bool);
    let result = ok.map(|ok| if ok { "it worked" } else { "it failed" }.to_owned());
    Some(Action { t: 0.0, action: text("approach")?, target: None, result, error: text("error") })
}

/// What one session found, worked and failed at.
fn insight(path: &Path, name: &str, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let mut top = Taken::of(json_items::whole(path)?, "the insight")?;
    let at = top.time(&["timestamp", "created_at"]);
    let mut actions = Vec::new();
    for (field, said) in [
        ("subtasks_completed", "completed"),
        ("what_worked", "worked"),
        ("recommendations_for_next_session", "recommended"),
    ] {
        let done =
            |text| Action { action: said.to_owned(), result: Some(text), ..Action::default() };
        actions.extend(top.texts(field).into_iter().map(done));
    }
    let failed =
        |text| Action { action: "failed".to_owned(), error: Some(text), ..Action::default() };
    actions.extend(top.texts("what_failed").into_iter().map(failed));
    let discoveries = top.take("discoveries").unwrap_or(Value::Null);
    for (field, body) in
        [("patterns_found", pattern as fn(&str) -> Body), ("gotchas_encountered", anti_pattern)]
    {
        let found = discoveries.get(field).or_else(|| top.get(field)).cloned();
        for text in found.map(texts).unwrap_or_default() {
            keep(body(&text), at, origin, sink)?;
        }
    }
    let session = top.text("session_number").unwrap_or_else(|| name.to_owned());
    let body = Body::Episode(Episode {
        goal: format!("Session {session}"),
        agent: Some(TOOL.to_owned()),
        actions,
        ..Episode::default()
    });
    let id = derived(body.kind(), &[&origin.name]);
    let mut extra = top.rest();
    if let Some(files) = discoveries.get("files_understood") {
        extra.insert("files_understood".to_owned(), files.clone());
    }
    let about = About { id: Some(id), valid_at: at, extra, ..origin.by_agent(TOOL) };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}
