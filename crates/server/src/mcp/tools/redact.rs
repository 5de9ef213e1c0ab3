//! `redact`: which memories hold what must not be kept. Taking it out is for a person.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) struct Redact;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only what this rule finds, e.g. `aws-key`; all rules unless told.
    rule: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    /// How many memories were looked through, in all their versions.
    memories: u64,
    found: Vec<Found>,
    /// What the person runs to take it out of everything; empty when nothing was found.
    command: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    id: String,
    /// How often each rule found something in it. The text itself is not told.
    rules: BTreeMap<String, u64>,
}

/// Ids that are named in the text.
const SOME: usize = 10;

impl Offered for Redact {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "redact";
    const TITLE: &'static str = "Find secrets to redact";
    const ABOUT: &'static str = "Redact, scrub, remove secrets, keys, tokens, passwords, personal \
        data from memory: looks through every version of every memory for what must not be kept \
        and tells where it is, never what it is. It changes nothing: taking text out of rows, \
        history, indexes and backups cannot be undone, so a person does it, with the command that \
        is answered. Call it when a secret may have been stored, or when the person asks whether \
        one was. To erase a whole memory use `forget`.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        if let Some(rule) = &input.rule {
            call.engine.require_rule(rule)?;
        }
        let scanned = call.engine.scan()?;
        let wanted = |name: &String| input.rule.as_ref().is_none_or(|rule| rule == name);
        let mut found = Vec::new();
        for (_, id, tally) in scanned.found {
            let rules: BTreeMap<String, u64> =
                tally.into_iter().filter(|(name, _)| wanted(name)).collect();
            if !rules.is_empty() {
                found.push(Found { id: id.to_string(), rules });
            }
        }
        let command = match &input.rule {
            _ if found.is_empty() => String::new(),
            Some(rule) => format!("mnemic redact --rule {rule}"),
            None => "mnemic scan --fix".to_owned(),
        };
        let text = told(scanned.memories, &found, &command);
        Ok(Reply::new(Output { memories: scanned.memories, found, command }, text))
    }
}

fn told(memories: u64, found: &[Found], command: &str) -> String {
    if found.is_empty() {
        return format!("Looked through {memories} memories: nothing that must not be kept.");
    }
    let ids: Vec<&str> = found.iter().take(SOME).map(|one| one.id.as_str()).collect();
    let more = if found.len() > SOME { " and others" } else { "" };
    format!(
        "{} of {memories} memories hold what must not be kept: {}{more}. Tell the person to run \
         `{command}`; it cannot be undone.",
        found.len(),
        ids.join(", ")
    )
}
