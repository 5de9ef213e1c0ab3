//! `search`: the first layer, a line for each memory that fits.

use super::super::answer::Reply;
use super::super::cursor;
use super::super::fields::{MemoryKind, size};
use super::super::lines::{self, Line};
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::Result;
use mnemic_engine::model::{Invalid, Tier};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Search;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What you want to know, as a question or as key words.
    query: String,
    /// Only these kinds.
    #[serde(default)]
    kinds: Vec<MemoryKind>,
    /// Only memories with all of these tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Also what was archived as no longer used.
    #[serde(default)]
    archived: bool,
    /// How many lines; 10 unless told, 50 at most.
    limit: Option<u32>,
    /// `next_cursor` of the last answer.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in super::super) struct Output {
    found: Vec<Line>,
    /// How sure we are that anything is known about it, 0 to 1.
    evidence: f64,
    /// Why nothing was found, where there were candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

const USUAL: usize = 10;
const MOST: usize = 50;

impl Offered for Search {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search memory";
    const ABOUT: &'static str = "Search, recall, look up, find what is remembered: facts, \
        decisions, conventions, past errors and their fixes, earlier work, preferences. Call it \
        first whenever a question is about this project, its history, an error message or how \
        things are done here, before reading code or asking the person. Returns one short line a \
        memory with its id and what reading it whole costs; go on with `get` for the few that \
        matter, or with `timeline` for what happened around one. An empty answer means that \
        nothing is known, not that something is wrong.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        if input.query.trim().is_empty() {
            let hint = "ask with the words of the task; `timeline` tells what happened last";
            return Err(Invalid::new("query", "there is no question", hint).into());
        }
        let mut question = call.engine.question(input.query);
        if !input.kinds.is_empty() {
            question.filter.kinds = input.kinds.iter().map(|kind| kind.kind()).collect();
        }
        question.filter.tags = input.tags;
        if input.archived {
            question.filter.tiers = Tier::ALL.to_vec();
        }
        let passed = cursor::passed(input.cursor.as_deref())?;
        answer(call, question, passed, size(input.limit, USUAL, MOST))
    }
}

/// One page of what a question finds.
pub(in super::super) fn answer(
    call: &Call,
    mut question: mnemic_engine::recall::Question,
    passed: usize,
    size: usize,
) -> Result<Reply<Output>> {
    question.limit = passed + size + 1;
    let recall = call.engine.recall(&question)?;
    let found: Vec<Line> = recall.found.iter().map(Line::found).collect();
    let (found, next_cursor) = cursor::page(found, passed, size);
    let text = match (found.is_empty(), &recall.refusal) {
        (false, _) => lines::told(&found, "Read whole with `get`; around one with `timeline`."),
        (true, Some(refusal)) => format!("Nothing is known about it: {}.", refusal.reason),
        (true, None) => "Nothing is known about it.".to_owned(),
    };
    let text = cursor::with_more(text, next_cursor.as_deref());
    let nothing_because = recall.refusal.map(|refusal| refusal.reason);
    let data = Output { found, evidence: recall.evidence, nothing_because, next_cursor };
    Ok(Reply::new(data, text))
}
