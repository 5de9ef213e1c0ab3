//! The flags of what memories speak of and of what was judged: entities and verdicts.

use super::about::AboutArgs;
use crate::args::{choice, whole};
use mnemic_engine::model::Body;
use mnemic_engine::model::body::{Entity, EntityKind, Verdict};

/// The outcome of a review or a vote
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember verdict PR-17 approved --reviewer agent:critic --finding \"no test for empty input\"")]
pub(crate) struct VerdictArgs {
    /// What was judged
    subject: String,
    /// How it came out
    outcome: String,
    #[arg(long)]
    reviewer: Option<String>,
    /// Why
    #[arg(long, value_name = "WHY")]
    because: Option<String>,
    /// Something that was found; may be given several times
    #[arg(long = "finding", value_name = "FINDING")]
    findings: Vec<String>,
    #[arg(long, value_name = "N", value_parser = whole::<u64>("3"))]
    votes_for: Option<u64>,
    #[arg(long, value_name = "N", value_parser = whole::<u64>("1"))]
    votes_against: Option<u64>,
    #[command(flatten)]
    about: AboutArgs,
}

impl VerdictArgs {
    pub(super) fn into_parts(self) -> (Body, AboutArgs) {
        let body = Verdict {
            subject: self.subject,
            outcome: self.outcome,
            reviewer: self.reviewer,
            rationale: self.because,
            findings: self.findings,
            votes_for: self.votes_for,
            votes_against: self.votes_against,
        };
        (Body::Verdict(body), self.about)
    }
}

/// Something that memories speak of: a file, a symbol, a person
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic remember entity service billing --alias invoices")]
pub(crate) struct EntityArgs {
    /// What sort of thing it is
    #[arg(value_name = "KIND", value_parser = choice(EntityKind::ALL, EntityKind::as_str))]
    entity_kind: EntityKind,
    name: String,
    /// Another name for it; may be given several times
    #[arg(long = "alias", value_name = "NAME")]
    aliases: Vec<String>,
    /// What it is; without it `recall` finds it with `--kind entity` alone
    #[arg(long)]
    description: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl EntityArgs {
    pub(super) fn into_parts(self) -> (Body, AboutArgs) {
        let body = Entity {
            entity_kind: self.entity_kind,
            name: self.name,
            aliases: self.aliases,
            description: self.description,
        };
        (Body::Entity(body), self.about)
    }
}
