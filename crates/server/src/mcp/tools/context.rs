//! `context`: what an agent should read before it begins, within a budget.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::model::session::SessionId;
use mnemic_engine::recall::context::Assembled;
use mnemic_engine::{ContextAsk, Engine, ErrorKind, Result, SessionStart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) struct Context;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What you are about to do, or want to know. Without it: what matters at the start.
    #[serde(default)]
    task: String,
    /// How much and of what; `working` unless told.
    profile: Option<Profile>,
    /// The most tokens, in place of the profile's.
    budget: Option<u32>,
    /// Files at hand, as paths in the project.
    #[serde(default)]
    files: Vec<String>,
    /// Your host's name for this conversation. With it, `feedback` can tell from your own words
    /// what you applied, and what you will probably need next is taken in.
    session: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Profile {
    /// Mandates, guardrails and the most important, in 400 tokens.
    Brief,
    /// What the task needs.
    Working,
    /// A page to read before a task, by the kind of work.
    Task,
    /// What answers one question.
    Answer,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Brief => "brief",
            Profile::Working => "working",
            Profile::Task => "task",
            Profile::Answer => "answer",
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// The text to read; empty when there is nothing to say.
    text: String,
    tokens: usize,
    /// Tokens of each part.
    tiers: BTreeMap<String, usize>,
    /// The memories in it, with the mark to cite each by.
    shown: Vec<Mark>,
    /// How sure we are that anything is known about the task, 0 to 1.
    evidence: f64,
    /// Why there is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    empty_because: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Mark {
    id: String,
    citation: String,
}

impl Offered for Context {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "context";
    const TITLE: &'static str = "Context for a task";
    const ABOUT: &'static str = "Context before a task: start here. Call it at the beginning of a \
        session, before a new task, after a compaction, or when you switch to another part of the \
        code, with the task in your own words and the files at hand. Returns one text within a \
        token budget: what binds you (mandates, guardrails), decisions that were made here, known \
        mistakes, failures of the last day and what is relevant to the task, each with a mark. \
        When you apply one, cite its mark in your answer, like `Applied: [M:1a2b3c4d]`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let session = input.session.as_deref();
        let session = session.map(|name| session_of(&call.engine, name)).transpose()?;
        let mut wanted = ask(call, input.task, input.profile.unwrap_or(Profile::Working).name());
        wanted.ask.budget = input.budget.map(|tokens| tokens as usize);
        wanted.files = input.files;
        wanted.session = session;
        let context = call.engine.context(&wanted)?;
        note(&call.engine, &wanted, &context.assembled);
        let Assembled { text, tokens, tiers, shown, empty, .. } = context.assembled;
        let mark = |one: &mnemic_engine::recall::context::Shown| Mark {
            id: one.id.to_string(),
            citation: format!("{}:{}", one.mark.letter(), one.citation),
        };
        let empty = empty.map(|why| why.to_string());
        let said = empty.as_ref().map(|why| {
            format!("There is nothing to tell: {why}. `search` may know more in other words.")
        });
        let data = Output {
            text: text.clone(),
            tokens,
            tiers: tiers.into_iter().collect(),
            shown: shown.iter().map(mark).collect(),
            evidence: context.evidence,
            empty_because: empty,
        };
        Ok(Reply::new(data, said.unwrap_or(text)))
    }
}

/// An ask with the choices of this door.
pub(in super::super) fn ask(call: &Call, task: String, profile: &str) -> ContextAsk {
    let mut wanted = call.engine.context_ask(task, profile);
    wanted.profiles = call.manner.profiles.clone();
    wanted.counter = call.manner.counter;
    wanted
}

/// The session of this name; it begins when it is named first.
pub(super) fn session_of(engine: &Engine, name: &str) -> Result<SessionId> {
    match engine.session_named(name) {
        Err(unknown) if unknown.kind == ErrorKind::NotFound => {
            let id = Some(SessionId::parse(name)?);
            let agent = Some(engine.settings().actor.to_string());
            Ok(engine.session_start(SessionStart { id, agent, ..SessionStart::default() })?.id)
        }
        found => found,
    }
}

/// Notes what was handed over. That is worth noting, not worth failing for.
fn note(engine: &Engine, wanted: &ContextAsk, assembled: &Assembled) {
    if assembled.shown.is_empty() {
        return;
    }
    let _ = match &wanted.session {
        Some(session) => engine.note_shown_in(session, assembled),
        None => engine.note_shown(assembled),
    };
}
