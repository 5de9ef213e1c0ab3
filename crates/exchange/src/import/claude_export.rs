//! Data exports of Claude: conversations as lists of messages.

use super::arrival::{Arrival, Broken, Left, Sink};
use super::items;
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_element(path, &["conversations"], &mut |number, value| {
        let place = format!("conversation {number}");
        let Some(list) = value.get("chat_messages").and_then(Value::as_array) else {
            return Err(Broken::at(&place, "`chat_messages` is no list"));
        };
        let messages: Vec<Value> = list.iter().filter_map(message).collect();
        if messages.is_empty() {
            let name = value.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
            let what = name.unwrap_or(&place).to_owned();
            return sink(Arrival::Left(Left { what, why: "nobody said anything".to_owned() }));
        }
        let mut conversation = json!({"host": "claude", "messages": messages});
        if let Some(id) = value.get("uuid").filter(|id| id.is_string()) {
            conversation["id"] = id.clone();
        }
        sink(Arrival::Conversation(conversation))
    })
}

fn message(message: &Value) -> Option<Value> {
    let blocks = message.get("content").and_then(Value::as_array);
    let blocks: Vec<&Value> = blocks.into_iter().flatten().filter(|block| is_read(block)).collect();
    let text = message.get("text").and_then(Value::as_str).unwrap_or_default();
    let content = match blocks.is_empty() {
        false => json!(blocks),
        true if text.trim().is_empty() => return None,
        true => json!(text),
    };
    let mut said = json!({"role": message.get("sender")?.as_str()?, "content": content});
    for (field, name) in [("uuid", "id"), ("created_at", "timestamp")] {
        if let Some(value) = message.get(field).filter(|value| !value.is_null()) {
            said[name] = value.clone();
        }
    }
    Some(said)
}

/// Blocks that capture knows what to do with.
fn is_read(block: &Value) -> bool {
    let sort = block.get("type").and_then(Value::as_str).unwrap_or_default();
    matches!(sort, "text" | "thinking" | "tool_use" | "tool_result")
}
