//! A running transcript for hosts that write none that we can read, without what is private.

use super::event::{Event, Happened};
use super::inbox::{Inbox, make};
use mnemic_engine::Veil;
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

const DIR: &str = "notebooks";

/// The notebook of an event's conversation; it lies beside the store and nowhere else.
pub(super) fn path(inbox: &Inbox, event: &Event) -> Option<PathBuf> {
    let dir = inbox.dirs().first()?.join(DIR);
    Some(dir.join(format!("{}-{}.jsonl", event.host.as_str(), event.session)))
}

/// Writes down what was said and done.
pub(crate) fn write(inbox: &Inbox, event: &Event) -> io::Result<()> {
    let lines = lines(&event.happened);
    if event.host.has_transcript() || lines.is_empty() {
        return Ok(());
    }
    let Some(path) = path(inbox, event) else { return Ok(()) };
    for dir in [path.parent().and_then(|dir| dir.parent()), path.parent()].into_iter().flatten() {
        make(dir)?;
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    // In one piece, so that two hooks of one conversation do not mix their lines.
    file.write_all(text.as_bytes())
}

pub(super) fn throw_away(inbox: &Inbox, event: &Event) {
    if let Some(path) = path(inbox, event) {
        // It may never have been written.
        let _ = fs::remove_file(path);
    }
}

/// All of them: what was said up to the last pause is in the store already.
pub(super) fn tear_up(inbox: &Inbox) {
    if let Some(dir) = inbox.dirs().first() {
        // There are none unless such a host is in use.
        let _ = fs::remove_dir_all(dir.join(DIR));
    }
}

fn lines(happened: &Happened) -> Vec<Value> {
    let open = |text: &str| Veil::default().pass(text);
    let spoken = |role: &str, text: &str| {
        let text = open(text);
        let has_words = !text.trim().is_empty();
        has_words.then(|| json!({ "role": role, "content": text })).into_iter().collect()
    };
    let call = |tool: &str, files: &[String]| {
        let call = |file: &String| json!({ "function": { "name": tool, "arguments": { "file_path": file } } });
        let calls: Vec<Value> = files.iter().map(call).collect();
        json!({ "role": "assistant", "content": "", "tool_calls": calls })
    };
    match happened {
        Happened::Prompt { text } => spoken("user", text),
        Happened::Stop { said } => spoken("assistant", said),
        Happened::Tool { tool, files } if !files.is_empty() => vec![call(tool, files)],
        Happened::Failure { tool, files, error } => vec![
            call(tool, files),
            json!({ "role": "tool", "name": tool, "content": format!("Error: {}", open(error)) }),
        ],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_private_is_written_down() {
        let said = "use port 5433 <private>hunter2</private> from now on".to_owned();
        for happened in [
            Happened::Prompt { text: said.clone() },
            Happened::Stop { said: said.clone() },
            Happened::Failure { tool: "Bash".to_owned(), files: Vec::new(), error: said },
        ] {
            let lines = lines(&happened);
            let text = lines.iter().map(ToString::to_string).collect::<String>();
            assert!(text.contains("5433") && !text.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn what_says_nothing_is_not_written_down() {
        for happened in [
            Happened::Prompt { text: "<private>all of it</private>".to_owned() },
            Happened::Tool { tool: "ls".to_owned(), files: Vec::new() },
            Happened::End,
        ] {
            assert!(lines(&happened).is_empty(), "{happened:?}");
        }
    }
}
