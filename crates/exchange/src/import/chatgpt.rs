//! Data exports of ChatGPT: conversations as trees, of which the branch that was last shown counts.

use super::arrival::{Arrival, Broken, Left, Sink};
use super::items;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), Broken> {
    items::each_element(path, &["conversations"], &mut |number, value| {
        let place = format!("conversation {number}");
        let Value::Object(fields) = value else {
            return Err(Broken::at(&place, "is no object"));
        };
        let mapping = match fields.get("mapping") {
            Some(Value::Object(mapping)) => mapping,
            _ => return Err(Broken::at(&place, "`mapping` is no object")),
        };
        let messages = branch(mapping, fields.get("current_node").and_then(Value::as_str));
        if messages.is_empty() {
            let what = fields.get("title").and_then(Value::as_str).unwrap_or(&place).to_owned();
            return sink(Arrival::Left(Left { what, why: "nobody said anything".to_owned() }));
        }
        let id = ["conversation_id", "id"].iter().find_map(|field| fields.get(*field)?.as_str());
        let mut conversation = json!({"host": "chatgpt", "messages": messages});
        if let Some(id) = id {
            conversation["id"] = id.into();
        }
        sink(Arrival::Conversation(conversation))
    })
}

/// From the message that was shown last up to the first, in the order in which they were said.
fn branch(mapping: &Map<String, Value>, last: Option<&str>) -> Vec<Value> {
    let mut at = last.filter(|id| mapping.contains_key(*id)).or_else(|| leaf(mapping));
    let (mut messages, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(id) = at {
        // A file may say that a message is its own parent.
        if !seen.insert(id) {
            break;
        }
        let node = mapping.get(id);
        messages.extend(node.and_then(|node| message(node.get("message")?)));
        at = node.and_then(|node| node.get("parent")?.as_str());
    }
    messages.reverse();
    messages
}

fn leaf(mapping: &Map<String, Value>) -> Option<&str> {
    let is_leaf = |node: &Value| {
        node.get("children").and_then(Value::as_array).is_none_or(|children| children.is_empty())
    };
    mapping.iter().rev().find(|(_, node)| is_leaf(node)).map(|(id, _)| id.as_str())
}

fn message(message: &Value) -> Option<Value> {
    let hidden = message.pointer("/metadata/is_visually_hidden_from_conversation");
    if hidden.and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let text = words(message.get("content")?);
    if text.trim().is_empty() {
        return None;
    }
    let role = message.pointer("/author/role")?.as_str()?;
    let mut said = json!({"role": role, "content": text});
    for (field, name) in [("id", "id"), ("create_time", "timestamp")] {
        if let Some(value) = message.get(field).filter(|value| !value.is_null()) {
            said[name] = value.clone();
        }
    }
    if let Some(name) = message.pointer("/author/name").filter(|name| name.is_string()) {
        said["name"] = name.clone();
    }
    Some(said)
}

/// Parts that are texts, or a text of its own.
fn words(content: &Value) -> String {
    let part = |part: &Value| match part {
        Value::String(text) => Some(text.clone()),
        other => other.get("text").and_then(Value::as_str).map(str::to_owned),
    };
    let parts = content.get("parts").and_then(Value::as_array);
    match parts {
        Some(parts) => parts.iter().filter_map(part).collect::<Vec<_>>().join("\n"),
        None => content.get("text").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}
