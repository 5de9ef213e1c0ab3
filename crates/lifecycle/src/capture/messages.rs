//! Plain messages, `{role, content}`: an array, a line each, or whole conversations under `messages`.

use super::blocks::{Role, Scribe, plain_text, time};
use super::transcript::{Report, Spot, State};
use super::turn::Turn;
use mnemic_model::Digest;
use serde_json::Value;

pub(super) fn read(value: &Value, spot: Spot, state: &mut State, report: &mut Report) -> Vec<Turn> {
    let Some(messages) = value.get("messages").and_then(Value::as_array) else {
        if state.chain.is_none() || spot.group != state.group {
            begin(state, value, spot.group);
        }
        return read_one(value, spot, state, report);
    };
    let id = ["id", "conversation_id", "session_id", "uuid"]
        .iter()
        .find_map(|field| value.get(*field).and_then(Value::as_str));
    begin(state, messages.first().unwrap_or(&Value::Null), 0);
    if let Some(id) = id {
        id.clone_into(&mut state.head.id);
    }
    let text = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    state.head.cwd = text("cwd");
    if let Some(host) = text("host") {
        state.head.host = host;
    }
    let mut turns = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let mut spot = spot;
        spot.place.part = u32::try_from(index + 1).ok();
        spot.digest = Digest::of("message", [message.to_string().as_bytes()]);
        turns.extend(read_one(message, spot, state, report));
    }
    turns
}

/// A conversation without a name is called after its first message.
fn begin(state: &mut State, first: &Value, group: u32) {
    let group_bytes = group.to_le_bytes();
    let name = Digest::of("messages", [first.to_string().as_bytes(), group_bytes.as_slice()]);
    state.head.host = "messages".to_owned();
    state.head.id = name.to_hex();
    (state.chain, state.group) = (Some(name), group);
}

fn read_one(message: &Value, spot: Spot, state: &mut State, report: &mut Report) -> Vec<Turn> {
    let text = |field: &str| message.get(field).and_then(Value::as_str);
    // Each key holds the one before, so that "yes" said twice is two turns.
    let before = state.chain.map(|digest| digest.0).unwrap_or_default();
    let link = Digest::of("message-key", [before.as_slice(), spot.digest.0.as_slice()]);
    state.chain = Some(link);
    let key = text("id").map_or_else(|| link.to_hex(), str::to_owned);
    let mut scribe = spot.scribe(state, &key);
    let times = ["timestamp", "created_at", "time", "ts"];
    scribe.at = times.iter().find_map(|field| time(message.get(*field)));
    let mut unknown = Vec::new();
    let content = message.get("content").unwrap_or(&Value::Null);
    match text("role").unwrap_or_default() {
        "user" | "human" => scribe.content(Role::Person, content, &mut unknown),
        "assistant" | "agent" | "ai" | "model" => {
            for field in ["reasoning_content", "reasoning"] {
                scribe.thought(text(field).unwrap_or_default());
            }
            scribe.content(Role::Agent, content, &mut unknown);
            tool_calls(&mut scribe, message);
        }
        "system" | "developer" => scribe.content(Role::System, content, &mut unknown),
        "tool" | "function" => {
            scribe.answer(text("name"), text("tool_call_id"), None, &plain_text(content));
        }
        "" => unknown.push("message without role".to_owned()),
        other => unknown.push(format!("role {other}")),
    }
    let turns = scribe.turns;
    unknown.iter().for_each(|what| report.skip(what));
    turns
}

/// Calls beside the content, with their arguments as JSON in a text.
fn tool_calls(scribe: &mut Scribe<'_>, message: &Value) {
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for call in calls.into_iter().flatten() {
        let function = call.get("function").unwrap_or(call);
        let name = function.get("name").and_then(Value::as_str).unwrap_or_default();
        let input = match function.get("arguments") {
            Some(Value::String(text)) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            other => other.cloned().unwrap_or(Value::Null),
        };
        scribe.call(name, call.get("id").and_then(Value::as_str), &input);
    }
}
