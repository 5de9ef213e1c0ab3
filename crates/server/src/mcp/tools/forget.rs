//! `forget`: gone everywhere, for good.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::model::At;
use mnemic_engine::{Error, ErrorKind, Note, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Forget;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Whole ids of what to forget; 20 at most.
    ids: Vec<String>,
    /// Who asked for it and why; it is kept, so it must not repeat what is to be forgotten.
    reason: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    forgotten: Vec<String>,
    /// Files in which the text was looked for afterwards.
    files_searched: usize,
    /// Where some of it is still found.
    traces: Vec<String>,
    /// What could not be cleaned yet.
    waiting: Vec<String>,
    /// What may hold the text and is for a person to clean: tell them.
    unreached: Vec<String>,
}

const MOST: usize = 20;

impl Offered for Forget {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "forget";
    const TITLE: &'static str = "Forget for good";
    const ABOUT: &'static str = "Forget, erase, delete for good, when the person asks for it \
        (\"forget my …\", \"delete what you know about …\") or a secret was stored by mistake. The \
        text is gone from the store, its indexes, free pages and backups, cannot be undone and does \
        not come back. Only whole ids, from `search`. What is merely outdated is not forgotten: \
        `remember` the new value, or `resolve`. An agent cannot forget what a person wrote, \
        confirmed or pinned: then tell the person to run `mnemic forget ID`.";
    const NATURE: Nature = Nature::Erases;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        if input.ids.is_empty() || input.ids.len() > MOST {
            let wrong = format!("{} ids were given", input.ids.len());
            return Err(Error::new(ErrorKind::Invalid, wrong).hint(format!("give 1 to {MOST}")));
        }
        for id in &input.ids {
            refuse(call, id)?;
        }
        let ids: Vec<&str> = input.ids.iter().map(String::as_str).collect();
        let done = call.engine.forget(&ids, &Note::because(input.reason))?;
        let forgotten: Vec<String> = done.ids.iter().map(ToString::to_string).collect();
        let mut text = format!("Forgotten for good: {}.", forgotten.join(", "));
        for left in done.waiting.iter().chain(&done.unreached) {
            text.push_str(&format!("\nTell the person, it is not gone from there: {left}"));
        }
        let data = Output {
            forgotten,
            files_searched: done.proof.files,
            traces: done.proof.traces,
            waiting: done.waiting,
            unreached: done.unreached,
        };
        Ok(Reply::new(data, text))
    }
}

/// What cannot be undone needs the whole id.
fn refuse(call: &Call, id: &str) -> Result<()> {
    let shown = call.engine.show(id, At::LATEST)?;
    if shown.version.id.as_str() != id {
        let short = format!("`{id}` is not a whole id");
        return Err(Error::new(ErrorKind::Invalid, short).hint("give the whole id"));
    }
    Ok(())
}
