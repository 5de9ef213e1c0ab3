//! `timeline`: the second layer, what happened around a memory or a time.

use super::super::answer::Reply;
use super::super::fields::{MemoryKind, size, time};
use super::super::lines::{self, Line};
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::Result;
use mnemic_engine::model::{At, Filter, Timestamp, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Timeline;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The id of a memory, or a time such as 2026-01-15; now unless told.
    around: Option<String>,
    /// How many before it, and how many after it; 5 unless told, 50 at most.
    each: Option<u32>,
    /// Only these kinds.
    #[serde(default)]
    kinds: Vec<MemoryKind>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// The point in time that was looked around.
    around: String,
    /// Oldest first.
    moments: Vec<Line>,
}

const USUAL: usize = 5;
const MOST: usize = 50;

impl Offered for Timeline {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "timeline";
    const TITLE: &'static str = "Timeline";
    const ABOUT: &'static str = "Timeline, history, what happened before and after: recent work, \
        yesterday, last session, the order of events around a memory or a date. Call it to see \
        what led to something that `search` found, or without arguments to see what happened last. \
        Returns one short line a memory, oldest first; read the few that matter whole with `get`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let around = point(call, input.around.as_deref())?;
        let kinds = input.kinds.iter().map(|kind| kind.kind()).collect();
        let each = size(input.each, USUAL, MOST);
        let moments = call.engine.timeline(around, each, &filter(kinds))?;
        let moments: Vec<Line> = moments.iter().map(|one| Line::of(&one.version)).collect();
        let text = match moments.is_empty() {
            true => "Nothing happened around that time.".to_owned(),
            false => lines::told(&moments, "Oldest first. Read whole with `get`."),
        };
        Ok(Reply::new(Output { around: around.to_string(), moments }, text))
    }
}

fn point(call: &Call, around: Option<&str>) -> Result<Timestamp> {
    match around.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(call.engine.settings().clock.now()),
        Some(text) => match time("around", text) {
            Ok(time) => Ok(time),
            Err(_) => call.engine.moment_of(text),
        },
    }
}

/// Memories of these kinds that may surface.
pub(in super::super) fn filter(kinds: Vec<mnemic_engine::model::Kind>) -> Filter {
    use mnemic_engine::model::Kind;
    let memories = || {
        let all = Kind::ALL.iter().copied();
        all.filter(|kind| kind.is_memory() && kind.is_indexed()).collect()
    };
    Filter {
        kinds: if kinds.is_empty() { memories() } else { kinds },
        trusts: vec![Trust::Trusted, Trust::Unreviewed],
        ..Filter::new(At::LATEST)
    }
}
