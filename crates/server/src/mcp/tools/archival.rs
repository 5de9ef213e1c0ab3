//! `archival_insert` and `archival_search`: longer texts, kept whole and found by meaning.

use super::super::answer::Reply;
use super::super::cursor;
use super::super::fields::size;
use super::super::tool::{Call, Nature, Offered};
use super::remember::{self, About};
use super::search;
use mnemic_engine::Result;
use mnemic_engine::model::body::{Body, Resource};
use mnemic_engine::model::{Draft, Invalid, Kind};
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) struct Insert;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InsertInput {
    /// The text, kept as it is.
    text: String,
    /// What to find it by; its first line unless told.
    title: Option<String>,
    #[serde(flatten)]
    about: About,
}

/// A title is a few words.
const TITLE_CHARS: usize = 80;

impl Offered for Insert {
    type Input = InsertInput;
    type Output = remember::Output;
    const NAME: &'static str = "archival_insert";
    const TITLE: &'static str = "Archive a text";
    const ABOUT: &'static str = "Archival memory insert, archive, keep a longer text for later: \
        notes of a meeting, a specification, a log excerpt, a summary of research, anything longer \
        than a sentence or two that must not fill the context. It is kept whole and found by \
        meaning with `archival_search` or `search`. For single facts and decisions use `remember`.";
    const NATURE: Nature = Nature::WritesOnce;

    fn run(call: &Call, input: InsertInput) -> Result<Reply<remember::Output>> {
        if input.text.trim().is_empty() {
            return Err(Invalid::new("text", "is empty", "give the text that is to be kept").into());
        }
        let title = input.title.unwrap_or_else(|| first_line(&input.text));
        let body = Body::Resource(Resource { title, text: input.text, ..Resource::default() });
        let draft = input.about.put_on(Draft::new(body))?;
        remember::keep(&call.engine, draft)
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(TITLE_CHARS).collect()
}

pub(super) struct Search;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchInput {
    /// What the text is about.
    query: String,
    /// Only texts with all of these tags.
    #[serde(default)]
    tags: Vec<String>,
    /// How many; 10 unless told, 50 at most.
    limit: Option<u32>,
    /// `next_cursor` of the last answer.
    cursor: Option<String>,
}

const USUAL: usize = 10;
const MOST: usize = 50;

impl Offered for Search {
    type Input = SearchInput;
    type Output = search::Output;
    const NAME: &'static str = "archival_search";
    const TITLE: &'static str = "Search archived texts";
    const ABOUT: &'static str = "Archival memory search: find longer texts that were archived with \
        `archival_insert`, documents, and files below /memories, by meaning and by tags. Returns a \
        line each with its id and its price in tokens; read one whole with `get`. To look through \
        everything that is remembered use `search`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: SearchInput) -> Result<Reply<search::Output>> {
        let mut question = call.engine.question(input.query);
        question.filter.kinds = vec![Kind::Resource];
        question.filter.tags = input.tags;
        let passed = cursor::passed(input.cursor.as_deref())?;
        search::answer(call, question, passed, size(input.limit, USUAL, MOST))
    }
}
