//! The database of Cursor: a conversation under one key, its messages under keys of their own.

use super::arrival::{Arrival, Broken, Sink};
use mnemic_store::foreign::{Among, Foreign};
use serde_json::{Value, json};
use std::path::Path;

const TABLE: &str = "cursorDiskKV";
const CONVERSATION: &str = "composerData:";
const MESSAGE: &str = "bubbleId:";

pub(super) fn is_one(tables: &[String]) -> bool {
    tables.iter().any(|table| table == TABLE)
}

pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let foreign = Foreign::open(path)?;
    if !is_one(&foreign.tables()?) {
        return Err(Broken::new("is not a database of Cursor"));
    }
    let all = Among::Begins("key", CONVERSATION);
    let mut keys: Vec<String> = Vec::new();
    foreign.rows(TABLE, all, &["key"], &mut |row| {
        keys.extend(row.get("key").and_then(Value::as_str).map(str::to_owned));
        Ok::<(), Broken>(())
    })?;
    for key in keys {
        let Some(conversation) = value(&foreign, &key)? else { continue };
        let id = key[CONVERSATION.len()..].to_owned();
        let messages = messages(&foreign, &id, &conversation)?;
        if !messages.is_empty() {
            sink(Arrival::Conversation(json!({"host": "cursor", "id": id, "messages": messages})))?;
        }
    }
    Ok(())
}

fn value(foreign: &Foreign, key: &str) -> Result<Option<Value>, Broken> {
    let mut found = None;
    foreign.rows(TABLE, Among::Is("key", key), &[], &mut |row| {
        let text = row.get("value").and_then(Value::as_str);
        found = text.and_then(|text| serde_json::from_str(text).ok());
        Ok::<(), Broken>(())
    })?;
    Ok(found)
}

/// Older conversations hold their messages themselves; later ones only name them.
fn messages(foreign: &Foreign, id: &str, conversation: &Value) -> Result<Vec<Value>, Broken> {
    let list = |field: &str| conversation.get(field).and_then(Value::as_array).cloned();
    let begun = conversation.get("createdAt").cloned().unwrap_or_default();
    let mut found = Vec::new();
    for bubble in list("conversation").into_iter().flatten() {
        found.extend(message(&bubble, &begun));
    }
    for header in list("fullConversationHeadersOnly").into_iter().flatten() {
        let Some(name) = header.get("bubbleId").and_then(Value::as_str) else { continue };
        if let Some(bubble) = value(foreign, &format!("{MESSAGE}{id}:{name}"))? {
            found.extend(message(&bubble, &begun));
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// One message, and one more for what came of a call.
fn message(bubble: &Value, begun: &Value) -> Option<Vec<Value>> {
    let role = match bubble.get("type").and_then(Value::as_i64)? {
        1 => "user",
        2 => "assistant",
        _ => return None,
    };
    let text = |value: &Value, field: &str| {
        value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let id = text(bubble, "bubbleId");
    let at = bubble.get("createdAt").filter(|at| !at.is_null()).unwrap_or(begun);
    let mut content = vec![json!({"type": "text", "text": text(bubble, "text")})];
    let mut said = vec![json!({"role": role, "timestamp": at})];
    if let Some(call) = bubble.get("toolFormerData").filter(|call| call.is_object()) {
        let call_id = text(call, "toolCallId");
        let arguments = [text(call, "rawArgs"), text(call, "params")];
        let input = arguments.iter().find_map(|text| serde_json::from_str::<Value>(text).ok());
        let input = input.unwrap_or_default();
        content.push(
            json!({"type": "tool_use", "id": call_id, "name": text(call, "name"), "input": input}),
        );
        let output = text(call, "result");
        if !output.is_empty() {
            let failed = text(call, "status") == "error";
            let block = json!({"type": "tool_result", "tool_use_id": call_id, "content": output, "is_error": failed});
            said.push(json!({"role": "user", "content": [block], "timestamp": at}));
        }
    }
    said[0]["content"] = content.into();
    // A message without a name of its own is named by its place.
    for (said, ending) in said.iter_mut().zip(["", "/result"]).filter(|_| !id.is_empty()) {
        said["id"] = format!("{id}{ending}").into();
    }
    Some(said)
}
