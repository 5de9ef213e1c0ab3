//! The flags of each kind of memory, turned into its body.

use super::about::AboutArgs;
use super::documents::{EpisodeArgs, ResourceArgs, SkillArgs};
use super::subjects::{EntityArgs, VerdictArgs};
use crate::args::pair;
use crate::report;
use mnemic_engine::Result;
use mnemic_engine::model::Body;
use mnemic_engine::model::body::{AntiPattern, Decision, Fact, Pattern};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum KindArgs {
    Fact(FactArgs),
    Decision(DecisionArgs),
    Pattern(PatternArgs),
    AntiPattern(AntiPatternArgs),
    Skill(SkillArgs),
    Episode(EpisodeArgs),
    Resource(ResourceArgs),
    Verdict(VerdictArgs),
    Entity(EntityArgs),
}

impl KindArgs {
    /// As they are written on the command line.
    pub(super) fn names() -> [&'static str; 9] {
        [
            "fact",
            "decision",
            "pattern",
            "anti-pattern",
            "skill",
            "episode",
            "resource",
            "verdict",
            "entity",
        ]
    }

    pub(super) fn into_parts(self) -> Result<(Body, AboutArgs)> {
        match self {
            KindArgs::Fact(args) => args.into_parts(),
            KindArgs::Decision(args) => Ok(args.into_parts()),
            KindArgs::Pattern(args) => Ok(args.into_parts()),
            KindArgs::AntiPattern(args) => Ok(args.into_parts()),
            KindArgs::Skill(args) => Ok(args.into_parts()),
            KindArgs::Episode(args) => Ok(args.into_parts()),
            KindArgs::Resource(args) => args.into_parts(),
            KindArgs::Verdict(args) => Ok(args.into_parts()),
            KindArgs::Entity(args) => Ok(args.into_parts()),
        }
    }
}

/// One value under one key; a new value supersedes the old one
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic remember fact db.port 5432
  mnemic remember fact --key indent --value tabs --within language=go")]
pub(crate) struct FactArgs {
    /// The key, the same as --key
    #[arg(value_name = "KEY", conflicts_with = "key", required_unless_present = "key")]
    key_here: Option<String>,
    /// The value, the same as --value
    #[arg(value_name = "VALUE", conflicts_with = "value", allow_negative_numbers = true)]
    value_here: Option<String>,
    #[arg(long)]
    key: Option<String>,
    #[arg(long, allow_hyphen_values = true)]
    value: Option<String>,
    /// The part of the code that it holds for, e.g. language=rust; may be given several times
    #[arg(long, value_name = "PART=NAME", value_parser = pair)]
    within: Vec<(String, String)>,
    #[command(flatten)]
    about: AboutArgs,
}

impl FactArgs {
    fn into_parts(self) -> Result<(Body, AboutArgs)> {
        let missing = || report::invalid("the fact has no value", "mnemic remember fact KEY VALUE");
        let key = self.key.or(self.key_here).ok_or_else(missing)?;
        let value = self.value.or(self.value_here).ok_or_else(missing)?;
        Ok((Body::Fact(Fact { key, value, within: self.within.into_iter().collect() }), self.about))
    }
}

/// A choice and its reason
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember decision \"Use SQLite\" --because \"one file\" --rejected Postgres --affects store")]
pub(crate) struct DecisionArgs {
    /// What was decided
    text: String,
    /// Why
    #[arg(long, alias = "rationale", value_name = "WHY", allow_hyphen_values = true)]
    because: Option<String>,
    /// An alternative that was not taken; may be given several times
    #[arg(long, value_name = "ALTERNATIVE")]
    rejected: Vec<String>,
    /// What it affects; may be given several times
    #[arg(long, value_name = "THING")]
    affects: Vec<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl DecisionArgs {
    fn into_parts(self) -> (Body, AboutArgs) {
        let body = Decision {
            decision: self.text,
            rationale: self.because,
            alternatives: self.rejected,
            affects: self.affects,
            active: true,
        };
        (Body::Decision(body), self.about)
    }
}

/// How something works in general
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember pattern \"Migrations come first\" --when deploying --do \"migrate, then start\"")]
pub(crate) struct PatternArgs {
    /// The statement
    text: String,
    /// A condition under which it holds; may be given several times
    #[arg(long, value_name = "CONDITION")]
    when: Vec<String>,
    /// The right way
    #[arg(long = "do", value_name = "APPROACH", allow_hyphen_values = true)]
    right: Option<String>,
    /// The wrong way
    #[arg(long = "not", value_name = "APPROACH", allow_hyphen_values = true)]
    wrong: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl PatternArgs {
    fn into_parts(self) -> (Body, AboutArgs) {
        let body = Pattern {
            statement: self.text,
            conditions: self.when,
            correct_approach: self.right,
            incorrect_approach: self.wrong,
            ..Pattern::default()
        };
        (Body::Pattern(body), self.about)
    }
}

/// What fails, why, and how not to get there
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic remember anti-pattern \"Sharing a connection\" --why \"transactions mix\" \\
    --prevention \"one per thread\"")]
pub(crate) struct AntiPatternArgs {
    /// What fails
    text: String,
    #[arg(long, allow_hyphen_values = true)]
    why: Option<String>,
    /// What to do instead
    #[arg(long, allow_hyphen_values = true)]
    prevention: Option<String>,
    /// The task, incident or place that taught it
    #[arg(long)]
    learnt_from: Option<String>,
    #[command(flatten)]
    about: AboutArgs,
}

impl AntiPatternArgs {
    fn into_parts(self) -> (Body, AboutArgs) {
        let body = AntiPattern {
            what_fails: self.text,
            why: self.why,
            prevention: self.prevention,
            learnt_from: self.learnt_from,
        };
        (Body::AntiPattern(body), self.about)
    }
}
