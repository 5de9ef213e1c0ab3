//! The database of claude-mem: observations, summaries of sessions and what people asked.

use super::arrival::{Arrival, Broken, Sink};
use super::fields::{Taken, category, tags};
use super::origin::{Origin, clipped, derived};
use mnemic_model::body::{Action, AntiPattern, Body, Decision, Episode, Message, Resource};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind};
use mnemic_store::foreign::{Among, Foreign};
use serde_json::Value;
use std::path::Path;

const TOOL: &str = "claude-mem";

/// What is kept of a prompt as the goal of what followed.
const LONGEST_GOAL: usize = 2_000;

pub(super) fn is_one(tables: &[String]) -> bool {
    let has = |name: &str| tables.iter().any(|table| table == name);
    has("observations") && (has("session_summaries") || has("sdk_sessions"))
}

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let foreign = Foreign::open(path)?;
    if !is_one(&foreign.tables()?) {
        return Err(Broken::new("is not a database of claude-mem"));
    }
    let order = &["created_at_epoch", "id"];
    let mut number = 0;
    foreign.rows("observations", Among::All, order, &mut |row| {
        number += 1;
        let row = Taken::new(row, format!("observation {number}"));
        if origin.wants(row.get("project").and_then(Value::as_str)) {
            observation(row, origin, sink)?;
        }
        Ok::<(), Broken>(())
    })?;
    let mut number = 0;
    foreign.rows("session_summaries", Among::All, order, &mut |row| {
        number += 1;
        let row = Taken::new(row, format!("summary {number}"));
        if origin.wants(row.get("project").and_then(Value::as_str)) {
            summary(row, origin, sink)?;
        }
        Ok::<(), Broken>(())
    })?;
    prompts(&foreign, origin, sink)
}

fn observation(mut row: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let sort = row.text("type");
    let title = row.substance("title")?;
    let subtitle = row.text("subtitle");
    let narrative = row.substance("narrative")?;
    let facts = row.texts("facts");
    let old = row.text("text");
    let Some(title) = title.or(subtitle.clone()).or_else(|| narrative.clone()).or(old.clone())
    else {
        return Ok(()); // Begun and never filled.
    };
    let files = row.get("files_modified").cloned().map(super::fields::texts).unwrap_or_default();
    let mut told: Vec<String> = [subtitle, narrative, old].into_iter().flatten().collect();
    told.retain(|text| *text != title);
    told.extend(facts.iter().map(|fact| format!("- {fact}")));
    let told = told.join("\n");
    let body = body(sort.as_deref(), &clipped(&title, 4_000), told, files);
    let id = identity(body.kind(), &row, &body.full_text());
    let about = About {
        id: Some(id),
        category: category(sort),
        tags: tags(row.texts("concepts")),
        valid_at: row.time(&["created_at_epoch", "created_at"]),
        discovery_tokens: row.count("discovery_tokens"),
        extra: row.rest(),
        ..origin.by_agent(TOOL)
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}

fn body(sort: Option<&str>, title: &str, told: String, files: Vec<String>) -> Body {
    let told_if_any = Some(told.clone()).filter(|text| !text.is_empty());
    match sort {
        Some("decision") => Body::Decision(Decision {
            decision: title.to_owned(),
            rationale: told_if_any,
            alternatives: Vec::new(),
            affects: files,
            active: true,
        }),
        Some("security_alert") => Body::AntiPattern(AntiPattern {
            what_fails: title.to_owned(),
            why: told_if_any,
            ..AntiPattern::default()
        }),
        _ => {
            Body::Resource(Resource { title: title.to_owned(), text: told, ..Resource::default() })
        }
    }
}

/// Row numbers start again in every database: when, where and what make a name.
fn identity(kind: Kind, row: &Taken, text: &str) -> mnemic_model::RecordId {
    let field = |name: &str| row.get(name).map(Value::to_string).unwrap_or_default();
    let session = [field("memory_session_id"), field("sdk_session_id")].concat();
    derived(kind, &[TOOL, &session, &field("created_at_epoch"), text])
}

fn summary(mut row: Taken, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let Some(goal) = row.substance("request")? else { return Ok(()) };
    let mut actions = Vec::new();
    for step in ["investigated", "learned", "completed", "next_steps", "notes"] {
        if let Some(result) = row.text(step) {
            let action = step.replace('_', " ");
            actions.push(Action { action, result: Some(result), ..Action::default() });
        }
    }
    let mut files = row.texts("files_read");
    files.extend(row.texts("files_edited"));
    files.dedup();
    let session = row.text("memory_session_id").or_else(|| row.text("sdk_session_id"));
    let body = Body::Episode(Episode {
        goal: clipped(&goal, LONGEST_GOAL),
        task_id: session,
        agent: Some("claude-code".to_owned()),
        files,
        actions,
        ..Episode::default()
    });
    let id = identity(Kind::Episode, &row, &body.full_text());
    let about = About {
        id: Some(id),
        valid_at: row.time(&["created_at_epoch", "created_at"]),
        discovery_tokens: row.count("discovery_tokens"),
        extra: row.rest(),
        ..origin.by_agent(TOOL)
    };
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}

/// What was asked in a session, as one episode a session.
fn prompts(foreign: &Foreign, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let columns = foreign.columns("user_prompts")?;
    let names = ["content_session_id", "claude_session_id", "session_id"];
    let Some(key) = names.into_iter().find(|name| columns.iter().any(|column| column == name))
    else {
        return Ok(());
    };
    let wanted = sessions_here(foreign, key, origin)?;
    let mut open: Option<(String, Vec<Message>)> = None;
    foreign.rows("user_prompts", Among::All, &[key, "prompt_number", "id"], &mut |row| {
        let mut row = Taken::new(row, "a prompt");
        let Some(session) = row.text(key) else { return Ok(()) };
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&session)) {
            return Ok(());
        }
        if open.as_ref().is_some_and(|(id, _)| *id != session) {
            asked(open.take(), origin, sink)?;
        }
        let at = row.time(&["created_at_epoch", "created_at"]);
        if let Some(text) = row.substance("prompt_text")? {
            let (_, messages) = open.get_or_insert_with(|| (session, Vec::new()));
            messages.push(Message { role: "user".to_owned(), text, at });
        }
        Ok::<(), Broken>(())
    })?;
    asked(open, origin, sink)
}

/// The sessions of the wanted project; none when all are wanted.
fn sessions_here(
    foreign: &Foreign,
    key: &str,
    origin: &Origin,
) -> Result<Option<std::collections::BTreeSet<String>>, Broken> {
    if origin.only_in.is_none() {
        return Ok(None);
    }
    let mut wanted = std::collections::BTreeSet::new();
    foreign.rows("sdk_sessions", Among::All, &[], &mut |row| {
        let mut row = Taken::new(row, "a session");
        if origin.wants(row.get("project").and_then(Value::as_str)) {
            wanted.extend(row.text(key));
        }
        Ok::<(), Broken>(())
    })?;
    Ok(Some(wanted))
}

fn asked(
    session: Option<(String, Vec<Message>)>,
    origin: &Origin,
    sink: &mut Sink<'_>,
) -> Result<(), Broken> {
    let Some((session, messages)) = session else { return Ok(()) };
    let Some(first) = messages.first() else { return Ok(()) };
    let about = About {
        id: Some(derived(Kind::Episode, &[TOOL, "prompts", &session])),
        category: Some("prompts".to_owned()),
        valid_at: first.at,
        ..origin.by_agent(TOOL)
    };
    let body = Body::Episode(Episode {
        goal: clipped(&first.text, LONGEST_GOAL),
        task_id: Some(session),
        agent: Some("claude-code".to_owned()),
        messages,
        ..Episode::default()
    });
    sink(Arrival::Memory(Box::new(Draft { body, about })))
}
