//! Plain logs of conversations: `role: text`, and lines that go on below it.

use super::arrival::{Arrival, Broken, Sink};
use super::markdown::Fence;
use serde_json::{Value, json};
use std::path::Path;

/// How people and agents are called in logs.
const ROLES: &[(&str, &str)] = &[
    ("user", "user"),
    ("human", "user"),
    ("me", "user"),
    ("you", "user"),
    ("assistant", "assistant"),
    ("agent", "assistant"),
    ("ai", "assistant"),
    ("bot", "assistant"),
    ("model", "assistant"),
    ("claude", "assistant"),
    ("chatgpt", "assistant"),
    ("gemini", "assistant"),
    ("codex", "assistant"),
    ("system", "system"),
    ("tool", "tool"),
];

pub(super) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let messages = messages(&text);
    if messages.is_empty() {
        return Err(Broken::new("has no line that begins with a role, such as `User:`"));
    }
    sink(Arrival::Conversation(json!({"host": "log", "messages": messages})))
}

/// Two sides must speak, or it is any text with a colon.
pub(super) fn is_one(text: &str) -> bool {
    let roles: Vec<&str> = text.lines().filter_map(turn).map(|(role, _)| role).collect();
    let begins = text.lines().find(|line| !line.trim().is_empty()).and_then(turn).is_some();
    begins && roles.contains(&"user") && roles.contains(&"assistant")
}

fn messages(text: &str) -> Vec<Value> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut fence = Fence::default();
    for line in text.lines() {
        let begins = if fence.sees(line) { None } else { turn(line) };
        match (begins, found.last_mut()) {
            (Some((role, said)), _) => found.push((role, said.to_owned())),
            (None, Some((_, text))) => {
                text.push('\n');
                text.push_str(line);
            }
            (None, None) => {}
        }
    }
    let said = found.into_iter().map(|(role, text)| (role, text.trim().to_owned()));
    let said = said.filter(|(_, text)| !text.is_empty());
    said.map(|(role, text)| json!({"role": role, "content": text})).collect()
}

/// `User: …`, `**Assistant:** …`, `[10:02] Human: …`, `### User`
fn turn(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim();
    let line = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((stamp, rest)) if stamp.chars().any(|c| c.is_ascii_digit()) => rest.trim(),
        _ => line,
    };
    let (name, said) = line.split_once(':')?;
    let name = name.trim_matches(['*', '#', '_', ' ', '>']).to_ascii_lowercase();
    let (_, role) = ROLES.iter().find(|(known, _)| *known == name)?;
    Some((role, said.trim_start_matches(['*', '_']).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_told_from_text_with_colons() {
        let text = "User: hello\nmore: of it\n```\nAssistant: no\n```\n**Assistant:** hi\n[10:02] Human: bye\n";
        let found = messages(text);
        let roles: Vec<&str> = found.iter().filter_map(|m| m["role"].as_str()).collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        assert_eq!(found[0]["content"], "hello\nmore: of it\n```\nAssistant: no\n```");
        assert!(is_one(text) && !is_one("Note: a\nTodo: b") && !is_one("User: alone"));
    }
}
