//! `save_learning`: what took effort to find out, so that nobody has to find it out again.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use super::remember::{self, About, Output};
use mnemic_engine::Result;
use mnemic_engine::model::Draft;
use mnemic_engine::model::body::{AntiPattern, Body, Pattern};
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) struct SaveLearning;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What you know now, in one sentence that makes sense on its own.
    lesson: String,
    /// When it applies: the situation, the error message.
    situation: Option<String>,
    /// What works.
    works: Option<String>,
    /// What fails. Given alone, without `works`, it is kept as a mistake to avoid.
    fails: Option<String>,
    /// Why it is so.
    why: Option<String>,
    /// About how many tokens it cost to find out.
    discovery_tokens: Option<u64>,
    #[serde(flatten)]
    about: About,
}

impl Offered for SaveLearning {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "save_learning";
    const TITLE: &'static str = "Save a learning";
    const ABOUT: &'static str = "Save a learning, lesson, insight, root cause, gotcha, workaround: \
        what took several attempts, a surprise, a fix that was not obvious, a dead end. Call it as \
        soon as you found the cause of an error, got something to work after failing, or saw that \
        an approach does not work here; also at the end of a task. Say the lesson, the situation \
        with the exact error message, what works and what fails. It is shown to whoever meets the \
        same situation again.";
    const NATURE: Nature = Nature::WritesOnce;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let Input { lesson, situation, works, fails, why, discovery_tokens, about } = input;
        let body = match (works, fails) {
            (None, Some(fails)) => Body::AntiPattern(AntiPattern {
                what_fails: fails,
                // A lesson that names no other way is the reason, not the way out.
                why: with_reason(Some(lesson), why),
                prevention: None,
                learnt_from: situation,
            }),
            (works, fails) => Body::Pattern(Pattern {
                statement: lesson,
                conditions: situation.into_iter().collect(),
                correct_approach: with_reason(works, why),
                incorrect_approach: fails,
                ..Pattern::default()
            }),
        };
        let mut draft = about.put_on(Draft::new(body))?;
        draft.about.discovery_tokens = discovery_tokens;
        remember::keep(&call.engine, draft)
    }
}

fn with_reason(works: Option<String>, why: Option<String>) -> Option<String> {
    match (works, why) {
        (Some(works), Some(why)) => Some(format!("{works} (because {why})")),
        (works, why) => works.or(why),
    }
}
