//! The rollout JSONL of Codex: `{timestamp, type, payload}` a line, and the bare items of its beginnings.

use super::blocks::{Role, plain_text, time};
use super::transcript::{Report, Spot, State};
use super::turn::Turn;
use serde_json::Value;

pub(super) fn read(value: &Value, spot: Spot, state: &mut State, report: &mut Report) -> Vec<Turn> {
    "codex".clone_into(&mut state.head.host);
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let payload = value.get("payload");
    match (kind, payload) {
        ("session_meta", Some(meta)) => {
            update_head(meta, state);
            Vec::new()
        }
        ("turn_context", Some(context)) => {
            set(&mut state.head.cwd, context.get("cwd"));
            Vec::new()
        }
        ("response_item", Some(item)) => read_item(item, value, spot, state, report),
        // Events say again what items say.
        ("event_msg" | "compacted" | "", Some(_)) => {
            report.skip(kind);
            Vec::new()
        }
        ("", None) => {
            update_head(value, state);
            Vec::new()
        }
        (_, None) => read_item(value, value, spot, state, report),
        (other, Some(_)) => {
            report.skip(other);
            Vec::new()
        }
    }
}

fn update_head(meta: &Value, state: &mut State) {
    if let Some(id) = meta.get("id").and_then(Value::as_str) {
        id.clone_into(&mut state.head.id);
    }
    set(&mut state.head.cwd, meta.get("cwd"));
    let git = meta.get("git").unwrap_or(&Value::Null);
    set(&mut state.head.branch, git.get("branch"));
    set(&mut state.head.commit, git.get("commit_hash"));
}

fn set(field: &mut Option<String>, value: Option<&Value>) {
    if let Some(text) = value.and_then(Value::as_str).filter(|text| !text.is_empty()) {
        *field = Some(text.to_owned());
    }
}

fn read_item(
    item: &Value,
    line: &Value,
    spot: Spot,
    state: &mut State,
    report: &mut Report,
) -> Vec<Turn> {
    let text = |field: &str| item.get(field).and_then(Value::as_str);
    let kind = text("type").unwrap_or_default();
    let mut scribe = spot.scribe(state, &spot.digest.to_hex());
    scribe.at = time(line.get("timestamp"));
    let mut unknown = Vec::new();
    match kind {
        "message" => {
            let role = match text("role").unwrap_or_default() {
                "user" => Role::Person,
                "assistant" => Role::Agent,
                _ => Role::System,
            };
            scribe.content(role, item.get("content").unwrap_or(&Value::Null), &mut unknown);
        }
        "reasoning" => {
            scribe.thought(&plain_text(item.get("summary").unwrap_or(&Value::Null)));
        }
        "function_call" => {
            let arguments = text("arguments").unwrap_or_default();
            let input = serde_json::from_str(arguments)
                .unwrap_or_else(|_| Value::String(arguments.to_owned()));
            scribe.call(text("name").unwrap_or_default(), text("call_id"), &input);
        }
        "custom_tool_call" => {
            let input = item.get("input").unwrap_or(&Value::Null);
            scribe.call(text("name").unwrap_or_default(), text("call_id"), input);
        }
        "local_shell_call" => {
            let action = item.get("action").unwrap_or(&Value::Null);
            scribe.call("local_shell", text("call_id"), action);
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let (ok, output) = output_of(item.get("output").unwrap_or(&Value::Null));
            scribe.answer(None, text("call_id"), ok, &output);
        }
        other => unknown.push(other.to_owned()),
    }
    let turns = scribe.turns;
    unknown.iter().for_each(|what| report.skip(what));
    turns
}

/// An output is a text, or JSON in a text, or an object that says whether it went well.
fn output_of(output: &Value) -> (Option<bool>, String) {
    match output {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ Value::Object(_)) if inner.get("output").is_some() => output_of(&inner),
            _ => (super::outcome::exit_code(text).map(|code| code == 0), text.clone()),
        },
        object => {
            let exit = object.pointer("/metadata/exit_code").and_then(Value::as_i64);
            let ok = object.get("success").and_then(Value::as_bool);
            (ok.or(exit.map(|code| code == 0)), plain_text(object))
        }
    }
}
