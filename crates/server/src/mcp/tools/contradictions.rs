//! `contradictions` and `resolve`: pairs that cannot both hold, and which of them does.

use super::super::answer::{self, Reply};
use super::super::cursor;
use super::super::fields::size;
use super::super::lines::{self, Line};
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::model::body::{Contradiction, Resolution, Status};
use mnemic_engine::model::{At, Body, Filter, Kind, RecordId};
use mnemic_engine::{Error, ErrorKind, Note, Result};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Contradictions;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// How many pairs; 10 unless told, 50 at most.
    limit: Option<u32>,
    /// `next_cursor` of the last answer.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    open: Vec<Pair>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Pair {
    /// Give it to `resolve`.
    id: String,
    /// The first of the two; nothing when it was forgotten.
    a: Option<Line>,
    b: Option<Line>,
    detected_by: String,
}

const USUAL: usize = 10;
const MOST: usize = 50;

impl Offered for Contradictions {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "contradictions";
    const TITLE: &'static str = "Open contradictions";
    const ABOUT: &'static str = "Contradictions, conflicts, disagreements between memories that \
        wait for an answer. Call it when two memories say different things about the same, when \
        something remembered turned out wrong, or to tidy up. Returns pairs `a` and `b`, a line \
        each; find out which holds (look at the code, ask the person), then call `resolve`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let passed = cursor::passed(input.cursor.as_deref())?;
        let filter = Filter { kinds: vec![Kind::Contradiction], ..Filter::new(At::LATEST) };
        let items = call.engine.list(&filter)?.items;
        let open: Vec<(RecordId, Contradiction)> = items
            .into_iter()
            .filter_map(|item| match item.version.content.body {
                Body::Contradiction(pair) => Some((item.version.id, pair)),
                _ => None,
            })
            .filter(|(_, pair)| pair.status == Status::Open)
            .collect();
        let (open, next_cursor) = cursor::page(open, passed, size(input.limit, USUAL, MOST));
        let open: Vec<Pair> = open.iter().map(|(id, pair)| of(call, id, pair)).collect();
        let text = match open.is_empty() {
            true => "There are no open contradictions.".to_owned(),
            false => told(&open),
        };
        let text = cursor::with_more(text, next_cursor.as_deref());
        Ok(Reply::new(Output { open, next_cursor }, text))
    }
}

fn of(call: &Call, id: &RecordId, pair: &Contradiction) -> Pair {
    let side = |id: &RecordId| {
        let shown = call.engine.show(id.as_str(), At::LATEST);
        shown.ok().map(|shown| Line::of(&shown.version))
    };
    Pair {
        id: id.to_string(),
        a: side(&pair.a),
        b: side(&pair.b),
        detected_by: pair.detected_by.clone(),
    }
}

fn told(open: &[Pair]) -> String {
    let sides = open.iter().flat_map(|pair| [&pair.a, &pair.b]).flatten().cloned();
    let pairs: Vec<String> = open
        .iter()
        .map(|pair| {
            let name = |side: &Option<Line>| side.as_ref().map_or("?", |line| &line.id).to_owned();
            format!("{}: a {} against b {}", pair.id, name(&pair.a), name(&pair.b))
        })
        .collect();
    lines::told(&sides.collect::<Vec<Line>>(), &pairs.join("\n"))
}

pub(super) struct Resolve;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResolveInput {
    /// The id of the contradiction, from `contradictions`.
    id: String,
    /// Which holds.
    resolution: Holds,
    /// How you know.
    why: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Holds {
    /// `a` holds; the validity of `b` ends.
    AWins,
    /// `b` holds; the validity of `a` ends.
    BWins,
    /// They only seem to disagree.
    BothValid,
    /// A third memory says it right; store that one first.
    Merged,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Resolved {
    id: String,
    resolution: &'static str,
    /// Name it to a person who wants it undone.
    change: String,
}

impl Offered for Resolve {
    type Input = ResolveInput;
    type Output = Resolved;
    const NAME: &'static str = "resolve";
    const TITLE: &'static str = "Settle a contradiction";
    const ABOUT: &'static str = "Resolve, settle, decide a contradiction from `contradictions`: \
        which of the two memories holds, and how you know. The loser is not deleted: its validity \
        ends, history keeps it, and a person can undo it. An agent cannot settle against what a \
        person wrote or confirmed: then ask the person.";
    const NATURE: Nature = Nature::Writes;

    /// No search leads to a contradiction.
    fn failed(error: &Error) -> CallToolResult {
        match error.kind {
            ErrorKind::NotFound => {
                answer::advised(error, "call `contradictions` and use an id from the answer.")
            }
            _ => answer::failed(error),
        }
    }

    fn run(call: &Call, input: ResolveInput) -> Result<Reply<Resolved>> {
        let resolution = match input.resolution {
            Holds::AWins => Resolution::AWins,
            Holds::BWins => Resolution::BWins,
            Holds::BothValid => Resolution::BothValid,
            Holds::Merged => Resolution::Merged,
        };
        let note = Note::because(input.why.clone());
        let edited = call.engine.resolve(&input.id, resolution, Some(input.why), &note)?;
        let id = edited.version.id.to_string();
        let text = format!("{id} is resolved: {resolution}.");
        let change = edited.change.to_string();
        Ok(Reply::new(Resolved { id, resolution: resolution.as_str(), change }, text))
    }
}
