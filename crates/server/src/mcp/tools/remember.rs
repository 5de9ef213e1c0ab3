//! `remember`: a fact, a decision, a way of doing things, or work passed on.

use super::super::answer::Reply;
use super::super::fields::{text_of, time};
use super::super::tool::{Call, Nature, Offered};
use crate::wire;
use mnemic_engine::model::body::{AntiPattern, Body, Decision, Fact, Handoff, Pattern};
use mnemic_engine::model::policy::Door as Through;
use mnemic_engine::model::{Draft, Invalid, ScopeLevel, Unit};
use mnemic_engine::{Engine, Note, Outcome, Remembered, Result, StoreName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

pub(super) struct Remember;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// What it is.
    kind: Sort,
    /// Of a fact: its key, with dots, e.g. `db.port`. A new value under the same key replaces the
    /// old one from now on.
    key: Option<String>,
    /// Of a fact: its value.
    #[serde(default, deserialize_with = "text_of")]
    value: Option<String>,
    /// Of every other kind: what it says, in a sentence or two that make sense on their own.
    text: Option<String>,
    /// The reason.
    why: Option<String>,
    /// Of a decision: what was rejected.
    #[serde(default)]
    alternatives: Vec<String>,
    /// Of a decision: what it affects. Of a handoff: the files that were changed.
    #[serde(default)]
    affects: Vec<String>,
    /// Of a pattern: when it applies.
    #[serde(default)]
    conditions: Vec<String>,
    /// Of an anti_pattern: what to do instead.
    instead: Option<String>,
    /// Of a handoff: for whom; anyone unless told.
    to: Option<String>,
    /// Of a handoff: what is open, blocked or not tested yet.
    #[serde(default)]
    open: Vec<String>,
    #[serde(flatten)]
    about: About,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// A value under a key.
    Fact,
    /// A choice and its reason.
    Decision,
    /// How something works or is done here.
    Pattern,
    /// What fails and why.
    AntiPattern,
    /// Work passed on to whoever goes on with it.
    Handoff,
}

/// What may be said about anything that is written.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct About {
    /// Words to find it by.
    #[serde(default)]
    pub(super) tags: Vec<String>,
    /// How much it matters, 0 to 1; 0.5 unless told.
    pub(super) importance: Option<f64>,
    /// `project` unless told; `user` for what holds for this person everywhere.
    pub(super) scope: Option<Where>,
    /// Since when it is true, e.g. 2026-01-15; now unless told.
    pub(super) valid_at: Option<String>,
    /// Where you know it from: a file, a link, a command.
    pub(super) source: Option<String>,
    /// A name of yours for this write: with the same one, trying again stores nothing twice.
    pub(super) idempotency_key: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Where {
    Project,
    User,
}

impl About {
    pub(super) fn put_on(self, mut draft: Draft) -> Result<Draft> {
        let about = &mut draft.about;
        about.tags = self.tags.into_iter().collect();
        let unit = |value| {
            Unit::new(value).map_err(|wrong| Invalid { field: "importance".into(), ..wrong })
        };
        about.importance = self.importance.map(unit).transpose()?;
        about.scope = self.scope.map(|place| match place {
            Where::Project => ScopeLevel::Project,
            Where::User => ScopeLevel::User,
        });
        about.valid_at = self.valid_at.map(|text| time("valid_at", &text)).transpose()?;
        about.source = self.source;
        about.idempotency_key = self.idempotency_key;
        Ok(draft)
    }
}

/// What became of it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    id: String,
    /// `created`, `known` (it was there already) or `replayed` (this is the answer to the same key).
    outcome: &'static str,
    /// Memories that no longer hold because of this one.
    replaced: Vec<String>,
    /// Name it to a person who wants it undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
    /// What was not taken in as you said it: secrets that were replaced, that it waits for a
    /// person, or that it went to another store. Tell the person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// What cannot hold beside it, and which of the two holds now. Ask the person about what is
    /// open: `contradictions` lists it, `resolve` settles it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contradicts: Vec<String>,
}

impl Offered for Remember {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "remember";
    const TITLE: &'static str = "Remember";
    const ABOUT: &'static str = "Remember, save, store, note for later sessions: a fact (key and \
        value), a decision with its reason, a pattern (how things work or are done here), an \
        anti_pattern (what fails and why), a handoff (work passed on). Call it when the person \
        says \"remember\", \"from now on\", \"we decided\", states a preference, or when you \
        learned something that will still matter next week. One thing a call, in words that make \
        sense without this conversation. The same twice is stored once; a new value of a fact ends \
        the old one and history keeps it. Not for secrets. For what took effort to find out use \
        `save_learning`; for long texts `archival_insert`.";
    const NATURE: Nature = Nature::WritesOnce;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let (body, about) = input.body(&call.engine.settings().actor.name)?;
        let draft = about.put_on(Draft::new(body))?;
        keep(&call.engine, draft)
    }
}

impl Input {
    /// What was given and has no place in this kind: dropped in silence it would be lost.
    fn refuse_misplaced(&self) -> Result<()> {
        use Sort::*;
        let kind = self.kind;
        let given = [
            ("key", self.key.is_some(), kind == Fact, "facts"),
            ("value", self.value.is_some(), kind == Fact, "facts"),
            ("text", self.text.is_some(), kind != Fact || self.value.is_none(), "all but facts"),
            ("why", self.why.is_some(), kind != Fact, "all but facts"),
            ("alternatives", !self.alternatives.is_empty(), kind == Decision, "decisions"),
            (
                "affects",
                !self.affects.is_empty(),
                matches!(kind, Decision | Handoff),
                "decisions and handoffs",
            ),
            ("conditions", !self.conditions.is_empty(), kind == Pattern, "patterns"),
            ("instead", self.instead.is_some(), kind == AntiPattern, "anti_patterns"),
            ("to", self.to.is_some(), kind == Handoff, "handoffs"),
            ("open", !self.open.is_empty(), kind == Handoff, "handoffs"),
        ];
        match given.into_iter().find(|(_, is_given, belongs, _)| *is_given && !belongs) {
            None => Ok(()),
            Some((field, _, _, of)) => Err(Invalid::new(
                field,
                "does not belong to this kind",
                format!("leave it out, or choose another kind: `{field}` goes with {of}"),
            )
            .into()),
        }
    }

    fn body(self, writer: &str) -> Result<(Body, About)> {
        self.refuse_misplaced()?;
        let text = |text: Option<String>| needed("text", text);
        let body = match self.kind {
            Sort::Fact => Body::Fact(Fact {
                key: needed("key", self.key)?,
                value: needed("value", self.value.or(self.text))?,
                ..Fact::default()
            }),
            Sort::Decision => Body::Decision(Decision {
                decision: text(self.text)?,
                rationale: self.why,
                alternatives: self.alternatives,
                affects: self.affects,
                active: true,
            }),
            Sort::Pattern => Body::Pattern(Pattern {
                statement: text(self.text)?,
                conditions: self.conditions,
                correct_approach: self.why,
                ..Pattern::default()
            }),
            Sort::AntiPattern => Body::AntiPattern(AntiPattern {
                what_fails: text(self.text)?,
                why: self.why,
                prevention: self.instead,
                learnt_from: None,
            }),
            Sort::Handoff => Body::Handoff(Handoff {
                from_agent: writer.to_owned(),
                to_agent: self.to.unwrap_or_else(|| "anyone".to_owned()),
                what_was_done: Some(text(self.text)?),
                reason: self.why,
                open_questions: self.open,
                files_modified: self.affects,
                ..Handoff::default()
            }),
        };
        Ok((body, self.about))
    }
}

fn needed(field: &'static str, value: Option<String>) -> Result<String> {
    let missing = || Invalid::new(field, "is missing", format!("give `{field}` for this kind"));
    // Told by the name that the tool has for it, not by the field that it fills.
    let empty = || Invalid::new(field, "is empty", format!("say something in `{field}`"));
    let value = value.ok_or_else(missing)?;
    Ok(Some(value).filter(|value| !value.trim().is_empty()).ok_or_else(empty)?)
}

/// How long an agent waits to hear what its words contradict; what is not found by then is found
/// later and asked about in contexts.
const COMPARED_WITHIN: Duration = Duration::from_millis(200);

pub(super) fn keep(engine: &Engine, draft: Draft) -> Result<Reply<Output>> {
    let wished = draft.about.scope.is_some();
    let made = engine.remember(draft, &Note::default())?;
    let end = Instant::now() + COMPARED_WITHIN;
    let job = engine.acting_as(engine.settings().actor.clone()).through(Through::Job);
    // It is remembered all the same; a comparison that fails is tried again as a job.
    let mut noticed = match made.change {
        Some(_) => job.compare(&mut || Instant::now() < end).unwrap_or_default(),
        None => Vec::new(),
    };
    noticed.retain(|told| told.contains(made.id.as_str()));
    let mut warnings = wire::screened(&made.screened);
    if made.store == StoreName::User
        && !wished
        && !engine.store_names().contains(&StoreName::Project)
    {
        warnings.push(ELSEWHERE.to_owned());
    }
    Ok(told(made, warnings, noticed))
}

/// Nobody has to guess in which project it will come up again.
const ELSEWHERE: &str = "there is no project store here, so it is in the person's own store and \
     comes up in all their projects; `mnemic init` makes one for this project";

fn told(made: Remembered, warnings: Vec<String>, contradicts: Vec<String>) -> Reply<Output> {
    let Remembered { id, outcome, superseded, change, .. } = made;
    let replaced: Vec<String> = superseded.iter().map(ToString::to_string).collect();
    let mut text = match outcome {
        Outcome::Created if replaced.is_empty() => format!("Remembered as {id}."),
        Outcome::Created => format!("Remembered as {id} in place of {}.", replaced.join(", ")),
        Outcome::Known => format!("This was known already as {id}."),
        Outcome::Replayed => format!("This was stored before, as {id}."),
    };
    warnings.iter().for_each(|warning| text.push_str(&format!(" Note: {warning}.")));
    // What other memories say stands among the data, never between our own words.
    if let Some(told) = contradicts.first() {
        text.push_str(" It contradicts what was remembered (see `contradicts`): ");
        text.push_str(match told {
            told if told.ends_with(&format!("; {id} holds")) => "this one holds from now on.",
            told if told.ends_with(" holds") => {
                "the other one holds, and this one does not count. If it is right, tell the person."
            }
            _ => "which of them holds is open. Ask the person, then call `resolve`.",
        });
    }
    let change = change.map(|change| change.to_string());
    let id = id.to_string();
    let data = Output { id, outcome: outcome.as_str(), replaced, change, warnings, contradicts };
    Reply::new(data, text)
}
