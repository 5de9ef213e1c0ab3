//! Which layout a transcript has, told from one of its values.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The layouts that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    ClaudeCode,
    Codex,
    /// `{role, content}` one after the other.
    Messages,
    /// A whole session in each value: `{session, agent, start, turns: […]}`.
    Sessions,
}

impl Format {
    pub fn as_str(self) -> &'static str {
        match self {
            Format::ClaudeCode => "claude-code",
            Format::Codex => "codex",
            Format::Messages => "messages",
            Format::Sessions => "sessions",
        }
    }
}

/// None when this value does not tell; the next one may.
pub fn detect(value: &Value) -> Option<Format> {
    let has = |field: &str| value.get(field).is_some();
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    if value.get("turns").is_some_and(Value::is_array) {
        return Some(Format::Sessions);
    }
    if value.get("messages").is_some_and(Value::is_array) {
        return Some(Format::Messages);
    }
    const ROLLOUT: &[&str] =
        &["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
    if ROLLOUT.contains(&kind) && has("payload") {
        return Some(Format::Codex);
    }
    // The first line of the oldest rollouts has no type.
    if has("instructions") && has("id") && has("timestamp") {
        return Some(Format::Codex);
    }
    if has("sessionId") || has("leafUuid") || (has("uuid") && has("message")) {
        return Some(Format::ClaudeCode);
    }
    if has("role") && (has("content") || has("tool_calls")) {
        return Some(Format::Messages);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_value_is_enough() {
        for (value, format) in [
            (
                json!({"type": "user", "uuid": "u", "sessionId": "s", "message": {}}),
                Some(Format::ClaudeCode),
            ),
            (json!({"type": "summary", "summary": "x", "leafUuid": "u"}), Some(Format::ClaudeCode)),
            (json!({"timestamp": "t", "type": "session_meta", "payload": {}}), Some(Format::Codex)),
            (json!({"role": "user", "content": "hi"}), Some(Format::Messages)),
            (json!({"messages": [{"role": "user", "content": "hi"}]}), Some(Format::Messages)),
            (json!({"session": "s", "agent": "a", "turns": []}), Some(Format::Sessions)),
            (json!({"hello": 1}), None),
            (json!([1]), None),
            (json!(null), None),
        ] {
            assert_eq!(detect(&value), format, "{value}");
        }
    }
}
