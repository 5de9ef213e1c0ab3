//! `conversation_search`: what was said and done in earlier sessions, by words and by date.

use super::super::answer::Reply;
use super::super::cursor;
use super::super::fields::{end_of, size, time};
use super::super::lines::{self, Line};
use super::super::tool::{Call, Nature, Offered};
use super::timeline::filter;
use mnemic_engine::Result;
use mnemic_engine::model::{Kind, Timestamp, Version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Search;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What it was about. Without it: all of the time named, newest first.
    query: Option<String>,
    /// Not before this, e.g. 2026-01-15 or `last week`.
    since: Option<String>,
    /// Not after this; a date means its whole day.
    until: Option<String>,
    /// How many; 10 unless told, 50 at most.
    limit: Option<u32>,
    /// `next_cursor` of the last answer.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    found: Vec<Line>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

const USUAL: usize = 10;
const MOST: usize = 50;

/// With dates, so many times as many are looked at, because not all of them fall between.
const REACH: usize = 8;

impl Offered for Search {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "conversation_search";
    const TITLE: &'static str = "Search conversations";
    const ABOUT: &'static str = "Conversation search, chat history, earlier sessions: what was \
        said, asked, tried or done before, by words, by date or by both. Call it when the person \
        refers to an earlier conversation (\"as we discussed\", \"last week\", \"what did we do on \
        Monday\"), or to see how something was done. Returns a line an episode; read one whole with \
        `get`, see its neighbours with `timeline`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let named = |text: &str| call.engine.span_named(text);
        let begin =
            |text: &str| named(text).map_or_else(|| time("since", text), |(from, _)| Ok(from));
        let end = |text: &str| named(text).map_or_else(|| end_of("until", text), |(_, to)| Ok(to));
        let since = input.since.as_deref().map(begin).transpose()?;
        let until = input.until.as_deref().map(end).transpose()?;
        let passed = cursor::passed(input.cursor.as_deref())?;
        let page = size(input.limit, USUAL, MOST);
        let wanted = passed + page + 1;
        let query = input.query.filter(|text| !text.trim().is_empty());
        let is_within = |version: &Version| {
            let at = version.content.valid.from();
            since.is_none_or(|since| at >= since) && until.is_none_or(|until| at < until)
        };
        let mut found = match query {
            Some(query) => by_words(call, query, wanted, since.is_some() || until.is_some())?,
            None => by_date(call, until, wanted)?,
        };
        found.retain(is_within);
        let lines: Vec<Line> = found.iter().map(Line::of).collect();
        let (found, next_cursor) = cursor::page(lines, passed, page);
        let text = match found.is_empty() {
            true => "No conversation was found.".to_owned(),
            false => lines::told(&found, "Read whole with `get`."),
        };
        let text = cursor::with_more(text, next_cursor.as_deref());
        Ok(Reply::new(Output { found, next_cursor }, text))
    }
}

fn by_words(call: &Call, query: String, wanted: usize, has_dates: bool) -> Result<Vec<Version>> {
    let mut question = call.engine.question(query);
    question.filter.kinds = vec![Kind::Episode];
    // Each conversation is looked for, whatever another one repeats.
    question.switches.twins = false;
    // Who gives dates has said which time is meant.
    question.switches.age = !has_dates;
    question.limit = if has_dates { wanted * REACH } else { wanted };
    Ok(call.engine.recall(&question)?.found.into_iter().map(|one| one.version).collect())
}

/// The latest up to a time, newest first.
fn by_date(call: &Call, until: Option<Timestamp>, wanted: usize) -> Result<Vec<Version>> {
    let until = until.unwrap_or_else(|| call.engine.settings().clock.now());
    let moments = call.engine.timeline(until, wanted, &filter(vec![Kind::Episode]))?;
    Ok(moments.into_iter().map(|one| one.version).rev().collect())
}
