//! `mnemic stats`: counts over each store.

use super::embed;
use crate::args::{StoreArgs, TimeArgs};
use crate::invocation::Invocation;
use crate::output::{STRONG, kind_name, size};
use crate::report::Done;
use crate::times::age;
use mnemic_engine::model::Timestamp;
use mnemic_engine::{Census, StoreName, VectorCensus};
use serde_json::{Map, Value, json};
use std::fmt::Display;

/// Count what is remembered
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic stats\n  mnemic stats --known-at 1w --store project")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    times: TimeArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let mut counted = Vec::new();
    let vectors = engine.vectors()?;
    for store in args.store.all(&engine)? {
        let here = vectors.iter().find(|(name, _)| *name == store);
        let here = here.map(|(_, census)| census.clone()).unwrap_or_default();
        counted.push((store, engine.stats(store, args.times.whenever())?, here));
    }
    call.out.answer(
        || {
            let views =
                counted.iter().map(|(store, census, vectors)| view(*store, census, vectors));
            json!({ "stores": views.collect::<Vec<Value>>() })
        },
        || {
            for (i, (store, census, vectors)) in counted.iter().enumerate() {
                if i > 0 {
                    call.out.line("")?;
                }
                call.out.line(&call.out.paint(STRONG, &format!("{store} store")))?;
                call.out.table(rows(census, vectors, call.now))?;
            }
            Ok(())
        },
    )
}

fn view(store: StoreName, census: &Census, vectors: &VectorCensus) -> Value {
    let kinds: Map<String, Value> =
        census.kinds.iter().map(|(kind, n)| (kind.as_str().to_owned(), json!(n))).collect();
    json!({
        "store": store.as_str(),
        "kinds": kinds,
        "tiers": census.tiers,
        "trusts": census.trusts,
        "namespaces": census.namespaces,
        "versions": census.versions,
        "links": census.links,
        "tombstones": census.tombstones,
        "audit_entries": census.audit_entries,
        "jobs_waiting": census.jobs_waiting,
        "vectors": vectors.models.iter().map(|(_, n)| n).sum::<u64>(),
        "vectors_waiting": vectors.waiting,
        "bytes": census.bytes,
        "first_recorded": census.first_recorded,
        "last_recorded": census.last_recorded,
    })
}

fn rows(census: &Census, vectors: &VectorCensus, now: Timestamp) -> Vec<(&'static str, String)> {
    let when = |time: Option<Timestamp>| time.map_or("never".into(), |time| age(time, now));
    vec![
        ("records", census.kinds.values().sum::<u64>().to_string()),
        ("kinds", counts(census.kinds.iter().map(|(kind, n)| (kind_name(*kind), n)))),
        ("tiers", counts(&census.tiers)),
        ("trust", counts(&census.trusts)),
        ("namespaces", counts(&census.namespaces)),
        ("versions", census.versions.to_string()),
        ("links", census.links.to_string()),
        ("tombstones", census.tombstones.to_string()),
        ("audit entries", census.audit_entries.to_string()),
        ("jobs waiting", census.jobs_waiting.to_string()),
        ("vectors", format!("{}, {} waiting", embed::told(vectors), vectors.waiting)),
        ("on disk", size(census.bytes)),
        ("first recorded", when(census.first_recorded)),
        ("last recorded", when(census.last_recorded)),
    ]
}

fn counts<'a, K: Display>(counts: impl IntoIterator<Item = (K, &'a u64)>) -> String {
    let parts: Vec<String> = counts.into_iter().map(|(name, n)| format!("{n} {name}")).collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}
