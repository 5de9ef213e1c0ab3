//! What one can say of a question beside its words: the same for `recall` and `explain`.

use super::step::Step;
use super::{TimeArgs, choice, number, within};
use crate::invocation::Invocation;
use crate::report::{self, Done};
use crate::times;
use mnemic_engine::model::{At, Kind, ScopeLevel, Tier, Timestamp, Trust};
use mnemic_engine::recall::{Fusion, Question};
use mnemic_engine::{Engine, TaskType};

/// More than anyone reads; every channel is asked for four times as many.
const MOST: usize = 1_000;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which memories")]
pub(crate) struct AskArgs {
    /// What you want to know, in your own words; a time in it counts ("last week", "in March")
    #[arg(required = true, value_name = "QUERY")]
    words: Vec<String>,
    /// How many at most [default: 5]
    #[arg(long, short = 'n', value_name = "N", value_parser = within::<usize>(1, MOST, 5))]
    limit: Option<usize>,
    /// Only this kind; may be given several times, as may the next three [default: all memories, and
    /// entities with a description]
    #[arg(long = "kind", value_name = "KIND", value_parser = choice(Kind::ALL, Kind::as_str))]
    kinds: Vec<Kind>,
    #[arg(long = "scope", value_name = "SCOPE", value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
    scopes: Vec<ScopeLevel>,
    /// Usually all
    #[arg(long = "tier", value_name = "TIER", value_parser = choice(Tier::ALL, Tier::as_str))]
    tiers: Vec<Tier>,
    /// With this tag; several must all be there
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Also those set apart as suspicious, which are never injected
    #[arg(long)]
    quarantined: bool,
    /// First recorded at or after this time
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    since: Option<Timestamp>,
    /// First recorded before this time
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    until: Option<Timestamp>,
    /// First recorded between two times
    #[arg(
        long,
        num_args = 2,
        value_names = ["FROM", "TO"],
        value_parser = times::argument,
        allow_hyphen_values = true,
        conflicts_with_all = ["since", "until"]
    )]
    between: Option<Vec<Timestamp>>,
    #[command(flatten)]
    times: TimeArgs,
    #[command(flatten)]
    how: HowArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to look")]
struct HowArgs {
    /// What you are doing; otherwise found out from the words
    #[arg(long, value_name = "TYPE", value_parser = choice(&TaskType::ALL, TaskType::as_str))]
    task: Option<TaskType>,
    /// A tool used so far, e.g. run_test; tells the task, may be given several times
    #[arg(long = "action", value_name = "TOOL")]
    actions: Vec<String>,
    /// The phase you are in, e.g. planning; tells the task
    #[arg(long)]
    phase: Option<String>,
    /// Also what is too weak, too old or without evidence
    #[arg(long)]
    all: bool,
    // Not a share: tiers multiply a score beyond 1.
    /// The least score that is shown, before age, gist and kin come in [default: 0.35]
    #[arg(long, value_name = "SCORE", value_parser = number(0.0, f64::INFINITY, "0.35"))]
    min_score: Option<f64>,
    /// How channels become one: by weighted scores, or by ranks
    #[arg(long, value_parser = choice(FUSIONS, fusion_name))]
    fusion: Option<Fusion>,
    /// Prefer results that differ from one another
    #[arg(long)]
    diverse: bool,
    /// Leave a step out, to see what it is worth; may be given several times
    #[arg(long = "without", value_name = "STEP", value_parser = choice(Step::ALL, Step::as_str))]
    without: Vec<Step>,
    /// Prefer what stands near this memory in the graph
    #[arg(long, value_name = "ID")]
    centre: Option<String>,
}

const FUSIONS: &[Fusion] = &[Fusion::Weighted, Fusion::Ranks];

fn fusion_name(fusion: Fusion) -> &'static str {
    match fusion {
        Fusion::Weighted => "weighted",
        Fusion::Ranks => "ranks",
    }
}

impl AskArgs {
    /// What was asked, in one line.
    pub(crate) fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The question that was asked; ids in it are looked up.
    pub(crate) fn question(self, engine: &Engine, call: &Invocation) -> Done<Question> {
        let text = self.text();
        if text.trim().is_empty() {
            let hint =
                "say what you want to know: `mnemic recall which port does the database use`";
            return Err(report::invalid("the question is empty", hint).into());
        }
        let mut question = engine.question(text);
        question.now = self.times.stand_at(call.now);
        question.limit = self.limit.unwrap_or(question.limit);
        let (since, until) = match self.between.as_deref() {
            Some([from, to]) if to < from => {
                let hint = "write the earlier time first";
                return Err(report::invalid("the second time is before the first", hint).into());
            }
            Some([from, to]) => (Some(*from), Some(*to)),
            _ => (self.since, self.until),
        };
        let filter = &mut question.filter;
        filter.at = self.times.at();
        filter.levels = self.scopes;
        filter.tags = self.tags;
        if self.quarantined {
            filter.trusts = Trust::ALL.to_vec();
        }
        filter.recorded_since = since;
        filter.recorded_until = until;
        if !self.kinds.is_empty() {
            filter.kinds = self.kinds;
            filter.described = false;
        }
        if !self.tiers.is_empty() {
            filter.tiers = self.tiers;
        }
        self.how.say(&mut question, engine)?;
        Ok(question)
    }
}

impl HowArgs {
    fn say(self, question: &mut Question, engine: &Engine) -> Done {
        question.task = self.task;
        question.actions = self.actions;
        question.phase = self.phase;
        if let Some(id) = &self.centre {
            question.centre = Some(engine.show(id, At::LATEST)?.version.id);
        }
        if let Some(least) = self.min_score {
            question.weights.least_score = least;
        }
        let switches = &mut question.switches;
        switches.fusion = self.fusion.unwrap_or(switches.fusion);
        switches.diversity |= self.diverse;
        switches.bounds &= !self.all;
        self.without.iter().for_each(|step| step.leave_out(switches));
        Ok(())
    }
}
