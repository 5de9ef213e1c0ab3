//! What a tool is: its face towards the agent and what it does, side by side.

use super::answer::{self, Reply};
use super::door::Manner;
use super::schema;
use crate::http::policy::Deed;
use mnemic_engine::{Engine, Error, Result};
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// How a tool treats what is stored; hosts decide by it when to ask a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Changes nothing that is remembered.
    Reads,
    /// Adds or changes; history keeps what was, and `undo` brings it back.
    Writes,
    /// The same, and twice is the same as once.
    WritesOnce,
    /// What it takes away is gone for good.
    Erases,
}

impl Nature {
    /// What a token must allow.
    fn deed(self) -> Deed {
        match self {
            Nature::Reads => Deed::ReadTools,
            Nature::Writes | Nature::WritesOnce => Deed::WriteTools,
            Nature::Erases => Deed::EraseTools,
        }
    }

    /// Whether something is destructive or may be done twice is asked only of what changes anything.
    fn annotations(self, title: &str) -> ToolAnnotations {
        let all = ToolAnnotations::with_title(title).open_world(false);
        match self {
            Nature::Reads => all.read_only(true),
            _ => all
                .read_only(false)
                .destructive(self == Nature::Erases)
                .idempotent(self != Nature::Writes),
        }
    }
}

/// What a running tool has at hand.
pub(super) struct Call {
    /// Acts as the agent that called, never as a person.
    pub(super) engine: Engine,
    pub(super) manner: Arc<Manner>,
    /// Told how far a long call has come.
    pub(super) progress: Box<Progress>,
}

/// Hears done, of how many, and at what.
pub(super) type Progress = dyn Fn(u64, u64, &str) + Send;

/// A tool.
pub(super) trait Offered {
    type Input: DeserializeOwned + JsonSchema + 'static;
    type Output: Serialize + JsonSchema + 'static;
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Trigger words first: hosts cut it at 2 KB and look tools up by it.
    const ABOUT: &'static str;
    const NATURE: Nature;
    /// How a failure is told; with advice unless clients expect certain words.
    fn failed(error: &Error) -> CallToolResult {
        answer::failed(error)
    }
    fn run(call: &Call, input: Self::Input) -> Result<Reply<Self::Output>>;
}

/// A tool in the list of all.
pub(super) struct Entry {
    pub(super) tool: Tool,
    pub(super) deed: Deed,
    pub(super) run: fn(&Call, JsonObject) -> CallToolResult,
}

impl Entry {
    pub(super) fn of<T: Offered>() -> Entry {
        let tool = Tool::new(T::NAME, T::ABOUT, schema::of_input::<T::Input>())
            .with_title(T::TITLE)
            .with_raw_output_schema(schema::of_output::<T::Output>())
            .with_annotations(T::NATURE.annotations(T::TITLE));
        Entry { tool, deed: T::NATURE.deed(), run: run::<T> }
    }
}

fn run<T: Offered>(call: &Call, arguments: JsonObject) -> CallToolResult {
    match serde_path_to_error::deserialize(serde_json::Value::Object(arguments)) {
        Err(wrong) => answer::wrong_arguments(T::NAME, &wrong, &schema::of_input::<T::Input>()),
        Ok(input) => match T::run(call, input) {
            Ok(reply) => answer::told(reply),
            Err(error) => T::failed(&error),
        },
    }
}
