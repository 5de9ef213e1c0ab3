//! Upkeep: consolidation, contradictions, review, changes, counts, import, health.

use super::bounds::{brief, few};
use super::memory::{Change, Memory};
use super::names::{Id, ResolutionName, Time, VerbName, WhatName};
use mnemic_engine::consolidate::What;
use mnemic_engine::{Consolidated, Imported, StoreName, Undone, VectorCensus};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Whether to tend the stores or only say what would be done.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsolidateAsk {
    /// Say what would be done and change nothing [default: true].
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub dry_run: bool,
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
}

fn yes() -> bool {
    true
}

/// What consolidation came to, or would come to.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsolidationReport {
    pub dry_run: bool,
    pub stores: Vec<StoreConsolidation>,
}

/// The same for one store.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreConsolidation {
    pub store: String,
    /// The change that did it.
    pub change: Option<String>,
    pub counts: ConsolidationCounts,
    /// A few acts of every sort.
    pub samples: Vec<ConsolidationSample>,
}

/// How many acts there are of each sort.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsolidationCounts {
    pub generalised: u64,
    pub strengthened: u64,
    pub warned: u64,
    pub merged: u64,
    pub opened: u64,
    pub settled: u64,
    pub promoted: u64,
    pub archived: u64,
    pub linked: u64,
}

/// One act, as one reads it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsolidationSample {
    pub act: WhatName,
    pub told: String,
}

impl From<&Consolidated> for StoreConsolidation {
    fn from(report: &Consolidated) -> StoreConsolidation {
        let count = |what: What| report.counts.get(&what).copied().unwrap_or_default();
        let samples = report.samples.iter();
        StoreConsolidation {
            store: report.store.to_string(),
            change: report.change.as_ref().map(ToString::to_string),
            counts: ConsolidationCounts {
                generalised: count(What::Generalised),
                strengthened: count(What::Strengthened),
                warned: count(What::Warned),
                merged: count(What::Merged),
                opened: count(What::Opened),
                settled: count(What::Settled),
                promoted: count(What::Promoted),
                archived: count(What::Archived),
                linked: count(What::Linked),
            },
            samples: samples
                .map(|(what, told)| ConsolidationSample {
                    act: WhatName(*what),
                    told: told.clone(),
                })
                .collect(),
        }
    }
}

/// Two memories that cannot both be true.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewContradiction {
    pub a: Id,
    pub b: Id,
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
}

/// The id of something new.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Made {
    pub id: Id,
}

/// How a contradiction is settled.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveAsk {
    pub resolution: ResolutionName,
    #[serde(default, deserialize_with = "brief::<_, 4000>")]
    #[schema(max_length = 4000)]
    pub note: Option<String>,
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
}

/// What waits for a person.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewList {
    pub items: Vec<WaitingMemory>,
    pub more: bool,
}

/// A memory that waits for a person.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct WaitingMemory {
    #[serde(flatten)]
    pub memory: Memory,
    /// What it took the place of.
    pub replaced: Vec<Memory>,
}

/// What a person says to some memories.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub verdict: Verdict,
    #[serde(deserialize_with = "few::<_, Id, 200>")]
    #[schema(min_items = 1, max_items = 200)]
    pub ids: Vec<Id>,
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[schema(max_length = 1000)]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = JudgementVerdict)]
pub enum Verdict {
    Accept,
    Reject,
}

/// The latest changes, newest first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeList {
    pub items: Vec<StoredChange>,
}

/// A change, where it was made and some of what it touched.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredChange {
    pub store: String,
    pub change: Change,
    pub records: Vec<Id>,
}

/// What was taken back.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoneChange {
    pub undone: String,
    /// Undo this to have everything back.
    pub change: String,
    pub store: String,
    pub restored: Vec<Id>,
    pub retracted: Vec<Id>,
    pub links: u64,
}

impl From<&Undone> for UndoneChange {
    fn from(undone: &Undone) -> UndoneChange {
        UndoneChange {
            undone: undone.undone.to_string(),
            change: undone.change.to_string(),
            store: undone.store.to_string(),
            restored: undone.restored.iter().cloned().map(Id).collect(),
            retracted: undone.retracted.iter().cloned().map(Id).collect(),
            links: undone.links as u64,
        }
    }
}

/// Counts of every store.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Stats {
    pub stores: Vec<StoreStats>,
}

/// Counts of one store.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreStats {
    pub store: String,
    /// Records believed, by kind.
    pub kinds: BTreeMap<String, u64>,
    pub tiers: BTreeMap<String, u64>,
    pub trusts: BTreeMap<String, u64>,
    pub namespaces: BTreeMap<String, u64>,
    pub versions: u64,
    pub links: u64,
    pub tombstones: u64,
    pub audit_entries: u64,
    pub jobs_waiting: u64,
    pub vectors: u64,
    pub vectors_waiting: u64,
    pub bytes: u64,
    pub first_recorded: Option<Time>,
    pub last_recorded: Option<Time>,
}

impl StoreStats {
    pub fn of(
        store: StoreName,
        census: mnemic_engine::Census,
        vectors: &VectorCensus,
    ) -> StoreStats {
        let kinds = census.kinds.into_iter();
        StoreStats {
            store: store.to_string(),
            kinds: kinds.map(|(kind, n)| (kind.to_string(), n)).collect(),
            tiers: census.tiers,
            trusts: census.trusts,
            namespaces: census.namespaces,
            versions: census.versions,
            links: census.links,
            tombstones: census.tombstones,
            audit_entries: census.audit_entries,
            jobs_waiting: census.jobs_waiting,
            vectors: vectors.models.iter().map(|(_, n)| n).sum(),
            vectors_waiting: vectors.waiting,
            bytes: census.bytes,
            first_recorded: census.first_recorded.map(Time),
            last_recorded: census.last_recorded.map(Time),
        }
    }
}

/// The named parts of the stores.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamespaceList {
    pub items: Vec<NamespaceEntry>,
}

/// A named part of a store.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamespaceEntry {
    pub name: String,
    pub parent: Option<String>,
    pub description: Option<String>,
    pub store: String,
}

/// What came in.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportReport {
    pub records: u64,
    pub versions: u64,
    pub links: u64,
    /// Records that were here already.
    pub known: u64,
    /// Versions that were trusted where they come from, and wait for a review here.
    pub doubted: u64,
    /// What did not come in, and why.
    pub skipped: Vec<String>,
    /// Undo this to take it all back.
    pub change: String,
}

impl From<Imported> for ImportReport {
    fn from(imported: Imported) -> ImportReport {
        ImportReport {
            records: imported.records,
            versions: imported.versions,
            links: imported.links,
            known: imported.known,
            doubted: imported.doubted,
            skipped: imported.skipped,
            change: imported.change.to_string(),
        }
    }
}

/// That the server is there.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Health {
    /// `ok`, or `degraded` where the store cannot be read.
    pub status: HealthStatus,
    pub version: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HealthStatus {
    Ok,
    Degraded,
}

/// One entry of the audit chain, as an event.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeEvent {
    pub seq: u64,
    pub at: Time,
    pub actor: String,
    pub verb: VerbName,
    /// The record, change or file that it was done to.
    pub subject: String,
    pub content: Option<String>,
    pub hash: String,
    pub store: String,
}
