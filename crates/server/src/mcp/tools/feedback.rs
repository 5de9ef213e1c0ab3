//! `feedback`: what an agent did with the memories that it was shown.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::model::{Invalid, Use};
use mnemic_engine::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Feedback;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Ids of memories that you applied or relied on.
    #[serde(default)]
    used: Vec<String>,
    /// Ids of memories that you read and that did not help.
    #[serde(default)]
    ignored: Vec<String>,
    /// Whether the task in which you used them succeeded.
    #[serde(default)]
    succeeded: bool,
    /// Your own words with marks such as `Applied: [M:1a2b3c4d]`; needs `session`.
    text: Option<String>,
    /// The name that you gave to `context`.
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    used: usize,
    ignored: usize,
    /// Memories that the marks in your text name.
    cited: Vec<String>,
}

impl Offered for Feedback {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "feedback";
    const TITLE: &'static str = "Cite and rate memories";
    const ABOUT: &'static str = "Feedback, cite, rate, mark as used or as not helpful. Call it at \
        the end of a task with the ids of the memories that you applied, of those that did not \
        help, and whether the task succeeded; or with your answer's text, in which you cited marks \
        like [M:1a2b3c4d], and the session that you named to `context`. What is used is found \
        sooner and kept longer; what never helps fades.";
    const NATURE: Nature = Nature::Writes;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let engine = &call.engine;
        // Before anything is counted: what is half right is said again as a whole.
        let cited = match (&input.text, &input.session) {
            (Some(text), Some(session)) => {
                let session = engine.session_named(session).map_err(unknown)?;
                engine.cite(&session, text)?.memories
            }
            (Some(_), None) => {
                let missing = "is needed with `text`";
                return Err(Invalid::new("session", missing, SESSION).into());
            }
            (None, _) => Vec::new(),
        };
        let used: Vec<&str> = input.used.iter().map(String::as_str).collect();
        let ignored: Vec<&str> = input.ignored.iter().map(String::as_str).collect();
        engine.record_use(&used, Use::Referenced, None)?;
        engine.record_use(&ignored, Use::Ignored, None)?;
        if input.succeeded {
            engine.record_use(&used, Use::Succeeded, None)?;
        }
        let cited: Vec<String> = cited.iter().map(ToString::to_string).collect();
        let text = format!(
            "Noted: {} used, {} not helpful, {} cited.",
            used.len(),
            ignored.len(),
            cited.len()
        );
        Ok(Reply::new(Output { used: used.len(), ignored: ignored.len(), cited }, text))
    }
}

const SESSION: &str = "give the name that you gave to `context`, or name the ids in `used`";

fn unknown(error: Error) -> Error {
    if error.kind == ErrorKind::NotFound { error.hint(SESSION) } else { error }
}
