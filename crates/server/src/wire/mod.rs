//! The JSON that programs read: one view per thing, with the glossary's words as names.

pub mod context;
pub mod graph;
pub mod recall;

use mnemic_engine::model::audit::AuditEntry;
use mnemic_engine::model::{Change, Kind, Link, RecordId, Usage, Version};
use mnemic_engine::{
    Checkup, Difference, Edited, Event, Finding, Level, Levels, Listed, NamespaceStats,
    NamespaceView, Remembered, Screened, Severity, Shown, StoreName,
};
use serde_json::{Map, Value, json};

/// A memory: the flat fields that a draft accepts, with what the store knows about them around it.
pub fn version(version: &Version) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("id".into(), json!(version.id));
    fields.extend(version.content.to_fields());
    if version.kind() == Kind::Secret {
        // Even encrypted, the value stays in the vault.
        fields.shift_remove("sealed");
    }
    fields.insert("version".into(), json!(version.n));
    fields.insert("recorded_at".into(), json!(version.recorded.from()));
    if let Some(end) = version.recorded.to() {
        fields.insert("expired_at".into(), json!(end));
    }
    fields
}

/// The same in its store.
pub fn stored(store: StoreName, v: &Version) -> Map<String, Value> {
    let mut fields = version(v);
    fields.insert("store".into(), store.as_str().into());
    fields
}

pub fn listed(item: &Listed) -> Value {
    Value::Object(stored(item.store, &item.version))
}

pub fn shown(shown: &Shown) -> Value {
    let mut fields = stored(shown.store, &shown.version);
    fields.insert("valid".into(), shown.valid.into());
    fields.insert("versions".into(), shown.versions.into());
    fields.insert("change".into(), change(&shown.change));
    fields.insert("levels".into(), levels(&shown.levels));
    fields.insert("links".into(), shown.links.iter().map(link).collect());
    fields.insert("usage".into(), usage(&shown.usage));
    Value::Object(fields)
}

fn levels(levels: &Levels) -> Value {
    json!({
        "full": level(&levels.full),
        "summary": level(&levels.summary),
        "compressed": level(&levels.compressed),
        "index": level(&levels.index),
    })
}

pub fn level(level: &Level) -> Value {
    json!({ "text": level.text, "tokens": level.tokens() })
}

pub fn link(link: &Link) -> Value {
    json!({
        "from": link.from,
        "relation": link.relation,
        "to": link.to,
        "strength": link.strength,
        "valid_at": link.valid.from(),
        "invalid_at": link.valid.to(),
        "recorded_at": link.recorded.from(),
        "expired_at": link.recorded.to(),
        "change": link.change,
    })
}

fn usage(usage: &Usage) -> Value {
    json!({
        "loaded": usage.loaded,
        "referenced": usage.referenced,
        "ignored": usage.ignored,
        "succeeded": usage.succeeded,
        "last_used": usage.last_used,
        "average_relevance": usage.average_relevance(),
        "discovery_tokens": usage.discovery_tokens,
        "read_tokens": usage.read_tokens,
    })
}

pub fn change(change: &Change) -> Value {
    json!({
        "id": change.id,
        "at": change.at,
        "actor": change.actor,
        "verb": change.verb,
        "reason": change.reason,
        "undoes": change.undoes,
    })
}

pub fn event(event: &Event) -> Value {
    let mut fields = stored(event.store, &event.version);
    fields.insert("change".into(), change(&event.change));
    Value::Object(fields)
}

pub fn difference(difference: &Difference) -> Value {
    let side = |v: &Option<Version>| v.as_ref().map_or(Value::Null, |v| version(v).into());
    json!({
        "id": difference.id,
        "store": difference.store.as_str(),
        "before": side(&difference.before),
        "after": side(&difference.after),
    })
}

pub fn remembered(remembered: &Remembered) -> Value {
    json!({
        "id": remembered.id,
        "store": remembered.store.as_str(),
        "outcome": remembered.outcome.as_str(),
        "superseded": remembered.superseded,
        "change": remembered.change,
        "redacted": remembered.screened.replaced,
        "quarantined": remembered.screened.is_quarantined,
        "warnings": screened(&remembered.screened),
    })
}

/// What was not taken in as it came, in words; nothing for most.
pub fn screened(screened: &Screened) -> Vec<String> {
    let mut words = Vec::new();
    if !screened.replaced.is_empty() {
        let told: Vec<String> =
            screened.replaced.iter().map(|(rule, n)| format!("{n} × {rule}")).collect();
        words.push(format!("replaced by placeholders, not kept: {}", told.join(", ")));
    }
    if screened.is_quarantined {
        let why = match screened.doubts.as_slice() {
            [] => String::new(),
            doubts => format!(" ({})", doubts.join(", ")),
        };
        words.push(format!(
            "quarantined: it reads like an order to an agent{why}; nobody is shown it until a \
             person accepts it with `mnemic review`"
        ));
    }
    words
}

pub fn edited(edited: &Edited) -> Value {
    let mut fields = stored(edited.store, &edited.version);
    fields.insert("change".into(), json!(edited.change));
    let warnings = edited.warnings.iter().cloned().chain(screened(&edited.screened));
    fields.insert("redacted".into(), json!(edited.screened.replaced));
    fields.insert("warnings".into(), warnings.collect());
    Value::Object(fields)
}

pub fn audit(entry: &AuditEntry) -> Value {
    json!({
        "seq": entry.seq,
        "at": entry.at,
        "actor": entry.actor,
        "verb": entry.verb,
        "subject": entry.subject,
        "content": entry.content,
        "hash": entry.hash,
    })
}

pub fn namespace(view: &NamespaceView) -> Value {
    json!({
        "name": view.name,
        "parent": view.parent,
        "description": view.description,
        "store": view.store.as_str(),
    })
}

pub fn namespace_stats(stats: &NamespaceStats) -> Value {
    json!({ "name": stats.name, "memories": stats.memories, "store": stats.store.as_str() })
}

pub fn finding(finding: &Finding) -> Value {
    json!({
        "place": finding.place,
        "row": finding.row,
        "record": finding.record,
        "problem": finding.problem,
        "derived": finding.derived,
    })
}

pub fn checkup(checkup: &Checkup) -> Value {
    json!({
        "name": checkup.name,
        "severity": severity(checkup.severity),
        "message": checkup.message,
        "hint": checkup.hint,
        "fixed": checkup.fixed,
    })
}

pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Good => "good",
        Severity::Warning => "warning",
        Severity::Bad => "bad",
    }
}

pub fn ids(ids: &[RecordId]) -> String {
    let ids: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
    ids.join(", ")
}
