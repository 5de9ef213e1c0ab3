//! The flags that every kind of memory takes beside its own.

use crate::args::{actor, choice, id, unit};
use crate::times;
use mnemic_engine::Note;
use mnemic_engine::model::draft::{About, DraftLink};
use mnemic_engine::model::{
    Actor, RecordId, Relation, ScopeLevel, Tier, Timestamp, Trust, Unit, Visibility,
};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "About the memory")]
pub(crate) struct AboutArgs {
    /// Keep this id instead of a new one
    #[arg(long, value_name = "ID", value_parser = id)]
    id: Option<RecordId>,
    /// A tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[arg(long)]
    category: Option<String>,
    /// How much it matters, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = unit)]
    importance: Option<Unit>,
    /// How sure it is, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = unit)]
    confidence: Option<Unit>,
    /// How binding it is
    #[arg(long, value_parser = choice(Tier::ALL, Tier::as_str))]
    tier: Option<Tier>,
    /// Whom it concerns
    #[arg(long, value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
    scope: Option<ScopeLevel>,
    /// Who else may read it
    #[arg(long, value_parser = choice(Visibility::ALL, Visibility::as_str))]
    visibility: Option<Visibility>,
    /// Since when it is true
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    valid_at: Option<Timestamp>,
    /// Until when it is true
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    invalid_at: Option<Timestamp>,
    /// Who wrote it, if not you, e.g. web:docs.rs
    #[arg(long, value_name = "WHO", value_parser = actor)]
    author: Option<Actor>,
    /// Where the text was taken from
    #[arg(long)]
    source: Option<String>,
    /// An episode that taught it; may be given several times
    #[arg(long = "episode", value_name = "ID", value_parser = id)]
    episodes: Vec<RecordId>,
    #[arg(long, value_parser = choice(Trust::ALL, Trust::as_str))]
    trust: Option<Trust>,
    /// One or two sentences, instead of those taken from the text
    #[arg(long)]
    summary: Option<String>,
    /// Keep it in sight
    #[arg(long)]
    pin: bool,
    /// A link to another memory, e.g. supports:dec-8f3k2m9qw4xz; may be given several times
    #[arg(long = "link", value_name = "RELATION:ID", value_parser = draft_link)]
    links: Vec<DraftLink>,
    /// The same key twice is the same write once
    #[arg(long, value_name = "KEY")]
    key_once: Option<String>,
    /// Why it is stored, for the history
    #[arg(long)]
    reason: Option<String>,
    /// Store it even if somebody asked to forget it
    #[arg(long)]
    despite_tombstone: bool,
}

fn draft_link(text: &str) -> Result<DraftLink, String> {
    let (relation, to) = text.split_once(':').ok_or("write it as RELATION:ID")?;
    let relation: Relation =
        relation.parse().map_err(|e: mnemic_engine::model::Invalid| format!("{e}; {}", e.hint))?;
    Ok(DraftLink { relation, to: id(to)?, strength: None })
}

impl AboutArgs {
    pub(super) fn note(&self) -> Note {
        Note {
            reason: self.reason.clone(),
            despite_tombstone: self.despite_tombstone,
            ..Note::default()
        }
    }

    pub(super) fn into_about(self) -> About {
        About {
            id: self.id,
            summary: self.summary,
            tier: self.tier,
            importance: self.importance,
            confidence: self.confidence,
            tags: self.tags.into_iter().collect(),
            category: self.category,
            valid_at: self.valid_at,
            invalid_at: self.invalid_at,
            writer: self.author,
            source: self.source,
            episodes: self.episodes,
            trust: self.trust,
            scope: self.scope,
            visibility: self.visibility,
            pinned: self.pin,
            links: self.links,
            idempotency_key: self.key_once,
            ..About::default()
        }
    }
}
