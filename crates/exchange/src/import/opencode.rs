//! The database of OpenCode: sessions, their messages, and the parts that messages are made of.

use super::arrival::{Arrival, Broken, Sink};
use super::origin::Origin;
use mnemic_store::foreign::{Among, Foreign, Row};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

pub(super) fn is_one(tables: &[String]) -> bool {
    ["session", "message", "part"].iter().all(|name| tables.iter().any(|table| table == name))
}

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let foreign = Foreign::open(path)?;
    if !is_one(&foreign.tables()?) {
        return Err(Broken::new("is not a database of OpenCode"));
    }
    let mut sessions: Vec<(String, Option<String>)> = Vec::new();
    foreign.rows("session", Among::All, &["time_created", "id"], &mut |row| {
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        if let Some(id) = text("id") {
            sessions.push((id, text("directory")));
        }
        Ok::<(), Broken>(())
    })?;
    for (id, directory) in sessions {
        if !origin.wants(directory.as_deref()) {
            continue;
        }
        let messages = messages(&foreign, &id)?;
        if !messages.is_empty() {
            let mut conversation = json!({"host": "opencode", "id": id, "messages": messages});
            conversation["cwd"] = json!(directory);
            sink(Arrival::Conversation(conversation))?;
        }
    }
    Ok(())
}

fn messages(foreign: &Foreign, session: &str) -> Result<Vec<Value>, Broken> {
    let mut parts: HashMap<String, Vec<Value>> = HashMap::new();
    let of_session = Among::Is("session_id", session);
    foreign.rows("part", of_session, &["message_id", "id"], &mut |row| {
        let message = row.get("message_id").and_then(Value::as_str);
        if let (Some(message), Some(part)) = (message, data(&row)) {
            parts.entry(message.to_owned()).or_default().push(part);
        }
        Ok::<(), Broken>(())
    })?;
    let mut found = Vec::new();
    foreign.rows("message", of_session, &["time_created", "id"], &mut |row| {
        let Some(id) = row.get("id").and_then(Value::as_str) else { return Ok(()) };
        let data = data(&row).unwrap_or_default();
        let at = data.pointer("/time/created").cloned();
        let at = at.or_else(|| row.get("time_created").cloned()).unwrap_or_default();
        let role = data.get("role").and_then(Value::as_str).unwrap_or_default();
        let (content, results) = blocks(parts.remove(id).unwrap_or_default());
        if !content.is_empty() {
            found.push(json!({"id": id, "role": role, "content": content, "timestamp": at}));
        }
        if !results.is_empty() {
            let id = format!("{id}/results");
            found.push(json!({"id": id, "role": "user", "content": results, "timestamp": at}));
        }
        Ok::<(), Broken>(())
    })?;
    Ok(found)
}

fn data(row: &Row) -> Option<Value> {
    match row.get("data")? {
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// What was said and called, and what came of the calls.
fn blocks(parts: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    let (mut said, mut results) = (Vec::new(), Vec::new());
    for part in parts {
        let text = |field: &str| part.get(field).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            // What the host put there in somebody's name.
            "text" if part.get("synthetic") == Some(&Value::Bool(true)) => {}
            "text" => said.push(json!({"type": "text", "text": text("text")})),
            "reasoning" => said.push(json!({"type": "thinking", "thinking": text("text")})),
            "tool" => {
                let (id, state) = (text("callID"), part.get("state").unwrap_or(&Value::Null));
                let input = state.get("input").cloned().unwrap_or_default();
                said.push(
                    json!({"type": "tool_use", "id": id, "name": text("tool"), "input": input}),
                );
                let (failed, output) = match state.get("status").and_then(Value::as_str) {
                    Some("completed") => (false, state.get("output")),
                    Some("error") => (true, state.get("error")),
                    _ => continue,
                };
                let output = output.cloned().unwrap_or_default();
                results.push(json!({"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}));
            }
            _ => {}
        }
    }
    (said, results)
}
