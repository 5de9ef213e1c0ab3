//! The JSONL that Claude Code writes: a value a line, unstable by its own word, so nothing is required.

use super::blocks::{Role, time};
use super::private::Veil;
use super::transcript::{Report, Spot, State};
use super::turn::Turn;
use serde_json::Value;

pub(super) fn read(value: &Value, spot: Spot, state: &mut State, report: &mut Report) -> Vec<Turn> {
    let text = |field: &str| value.get(field).and_then(Value::as_str);
    update_head(value, state);
    let role = match text("type").unwrap_or_default() {
        "user" => person_or_not(value),
        "assistant" => Role::Agent,
        "system" => Role::System,
        other => {
            report.skip(other);
            return Vec::new();
        }
    };
    let message = value.get("message").unwrap_or(value);
    let content = message.get("content").unwrap_or(&Value::Null);
    let message_id = message.get("id").and_then(Value::as_str);
    let key = text("uuid").map_or_else(|| spot.digest.to_hex(), str::to_owned);
    let veil = begin(state, message_id);
    let mut scribe = spot.scribe(state, &key);
    (scribe.veil, scribe.at) = (veil, time(value.get("timestamp")));
    let mut unknown = Vec::new();
    scribe.content(role, content, &mut unknown);
    let (turns, veil) = (scribe.turns, scribe.veil);
    let open = message_id.filter(|_| veil.is_down());
    state.veiled_message = open.map(|id| (id.to_owned(), veil.depth()));
    unknown.iter().for_each(|what| report.skip(what));
    turns
}

fn update_head(value: &Value, state: &mut State) {
    let text = |field: &str| value.get(field).and_then(Value::as_str).filter(|t| !t.is_empty());
    let head = &mut state.head;
    "claude-code".clone_into(&mut head.host);
    if let Some(id) = text("sessionId") {
        id.clone_into(&mut head.id);
    }
    if let Some(cwd) = text("cwd") {
        head.cwd = Some(cwd.to_owned());
    }
    if let Some(branch) = text("gitBranch") {
        head.branch = Some(branch.to_owned());
    }
}

/// A message is written one block a line; a private stretch may go on in the next.
fn begin(state: &mut State, message_id: Option<&str>) -> Veil {
    match state.veiled_message.take() {
        Some((open, depth)) if Some(open.as_str()) == message_id => Veil::lowered(depth),
        _ => Veil::default(),
    }
}

/// Much that comes as `user` was typed by nobody.
fn person_or_not(value: &Value) -> Role {
    let yes = |field: &str| value.get(field).and_then(Value::as_bool) == Some(true);
    if yes("isMeta") || yes("isCompactSummary") || yes("isVisibleInTranscriptOnly") {
        return Role::Injected;
    }
    // In a side chain the agent speaks to another agent.
    if yes("isSidechain") || value.get("agentId").is_some() { Role::Agent } else { Role::Person }
}
