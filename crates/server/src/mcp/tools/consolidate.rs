//! `consolidate`: tends what is stored, step by step.

use super::super::answer::Reply;
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::consolidate::{Step, What};
use mnemic_engine::{Consolidated, Note, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) struct Consolidate;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Only tell what would be done; true unless told.
    dry_run: Option<bool>,
    /// Why, for the history.
    reason: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    dry_run: bool,
    stores: Vec<Tended>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Tended {
    store: &'static str,
    /// Name it to a person who wants it undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
    /// How often each was done: merged, archived, promoted…
    counts: BTreeMap<&'static str, u64>,
    /// A few of them, as one reads them.
    samples: Vec<String>,
}

impl Offered for Consolidate {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "consolidate";
    const TITLE: &'static str = "Consolidate memory";
    const ABOUT: &'static str = "Consolidate, tidy, clean up, sleep, dream: merges copies, settles \
        contradictions, draws patterns from what recurs, archives what is no longer used. May take \
        a while and reports its progress. Call it at the end of a long piece of work or when the \
        person asks for it: first as a dry run (the default), then with `dry_run` false. Nothing \
        is erased, what a person wrote is not demoted, and the whole run can be undone.";
    const NATURE: Nature = Nature::WritesOnce;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        let dry_run = input.dry_run.unwrap_or(true);
        let note = Note { reason: input.reason, ..Note::default() };
        let steps = Step::ALL.len() as u64;
        let mut taken = 0;
        let stores = call.engine.consolidate(dry_run, &note, &mut |store, step| {
            taken += 1;
            let all = if taken > steps { 2 * steps } else { steps };
            (call.progress)(taken, all, &format!("{store} store: {}", step.as_str()));
        })?;
        let stores: Vec<Tended> = stores.iter().map(tended).collect();
        let done: u64 = stores.iter().flat_map(|store| store.counts.values()).sum();
        let text = match (done, dry_run) {
            (0, _) => "There is nothing to do.".to_owned(),
            (1, true) => "One thing would be done; call again with dry_run false.".to_owned(),
            (1, false) => "One thing was done.".to_owned(),
            (n, true) => format!("{n} things would be done; call again with dry_run false."),
            (n, false) => format!("{n} things were done."),
        };
        Ok(Reply::new(Output { dry_run, stores }, text))
    }
}

fn tended(report: &Consolidated) -> Tended {
    let count = |what: &What| {
        let count = report.counts.get(what).copied().filter(|count| *count > 0)?;
        Some((what.as_str(), count))
    };
    Tended {
        store: report.store.as_str(),
        change: report.change.as_ref().map(ToString::to_string),
        counts: What::ALL.iter().filter_map(count).collect(),
        samples: report.samples.iter().map(|(_, told)| told.clone()).collect(),
    }
}
