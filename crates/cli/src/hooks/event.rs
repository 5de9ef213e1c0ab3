//! What happened in a host, in our own words, whichever host it was.

use super::Host;
use mnemic_engine::recall::context::cited;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) host: Host,
    /// The host's own name for the conversation.
    pub(crate) session: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    /// Where the agent works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dir: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) transcript: Option<PathBuf>,
    #[serde(flatten)]
    pub(crate) happened: Happened,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "happened", rename_all = "snake_case")]
pub(crate) enum Happened {
    Start {
        /// The window was just thrown away, and what we had put there with it.
        again: bool,
    },
    Prompt {
        text: String,
    },
    Tool {
        tool: String,
        files: Vec<String>,
    },
    Failure {
        tool: String,
        files: Vec<String>,
        error: String,
    },
    SubagentStart {
        task: String,
    },
    Compaction,
    /// The agent, or one that it started, has finished its answer.
    Stop {
        said: String,
    },
    End,
}

impl Event {
    /// What may lie in a file until it is taken in: nobody's words, only what was cited in them.
    pub(crate) fn without_words(&self) -> Event {
        let happened = match &self.happened {
            Happened::Prompt { .. } => Happened::Prompt { text: String::new() },
            Happened::Failure { tool, files, .. } => {
                Happened::Failure { tool: tool.clone(), files: files.clone(), error: String::new() }
            }
            Happened::SubagentStart { .. } => Happened::SubagentStart { task: String::new() },
            Happened::Stop { said } => Happened::Stop { said: citations(said) },
            other => other.clone(),
        };
        Event { happened, ..self.clone() }
    }
}

impl Happened {
    /// Whether this is the time to take in what waits: when nobody is in the middle of a thought.
    pub(crate) fn is_pause(&self) -> bool {
        matches!(
            self,
            Happened::Start { .. } | Happened::Compaction | Happened::Stop { .. } | Happened::End
        )
    }

    pub(crate) fn deadline(&self, usual: Duration, of_session: Duration) -> Duration {
        match self {
            Happened::Start { .. } | Happened::Compaction | Happened::End => of_session,
            _ => usual,
        }
    }
}

/// The citations of a text as a text that cites just them.
fn citations(said: &str) -> String {
    let cited = cited(said);
    if cited.is_empty() {
        return String::new();
    }
    let names = cited.iter().map(|one| format!("[{}:{}]", one.letter, one.citation));
    format!("Applied: {}", names.collect::<Vec<String>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(happened: Happened) -> Event {
        Event {
            host: Host::ClaudeCode,
            session: "s".to_owned(),
            agent: None,
            dir: None,
            transcript: None,
            happened,
        }
    }

    #[test]
    fn no_word_of_a_conversation_is_kept() {
        let secret = "hunter2";
        for happened in [
            Happened::Prompt { text: secret.to_owned() },
            Happened::Failure {
                tool: "Bash".to_owned(),
                files: Vec::new(),
                error: secret.to_owned(),
            },
            Happened::SubagentStart { task: secret.to_owned() },
            Happened::Stop { said: format!("{secret}\nApplied: [M:1a2b3c4d]") },
        ] {
            let kept = serde_json::to_string(&event(happened).without_words()).unwrap();
            assert!(!kept.contains(secret), "{kept}");
        }
    }

    #[test]
    fn what_was_cited_is_kept() {
        let said = "I am done.\nApplied: [M:1a2b3c4d], [G:00ff00ff]";
        let kept = event(Happened::Stop { said: said.to_owned() }).without_words();
        assert_eq!(
            kept.happened,
            Happened::Stop { said: "Applied: [M:1a2b3c4d] [G:00ff00ff]".to_owned() }
        );
    }

    #[test]
    fn an_event_survives_being_written_down() {
        for happened in [
            Happened::Start { again: true },
            Happened::Tool { tool: "Edit".to_owned(), files: vec!["a.rs".to_owned()] },
            Happened::Compaction,
            Happened::End,
        ] {
            let event = event(happened);
            let text = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
    }
}
