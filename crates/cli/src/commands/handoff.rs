//! `mnemic handoff`: what one agent gives to the next when it passes work on.

use super::{list, remember, show};
use crate::args::TimeArgs;
use crate::invocation::Invocation;
use crate::report::{self, Done};
use crate::{source, view};
use mnemic_engine::Note;
use mnemic_engine::model::body::Handoff;
use mnemic_engine::model::{Body, Draft, Filter, Kind};
use serde_json::{Value, json};

/// Pass work on from one agent to another
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic handoff write --from planner --to coder --done \"the plan\" --artifact PLAN.md
  mnemic handoff list --to coder")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Write(Box<WriteArgs>),
    /// List handoffs, the newest first
    #[command(after_help = "Example:\n  mnemic handoff list --to coder")]
    List {
        /// Only those to this agent
        #[arg(long, value_name = "AGENT")]
        to: Option<String>,
        #[command(flatten)]
        times: TimeArgs,
    },
    /// Show a handoff whole
    #[command(after_help = "Example:\n  mnemic handoff show handoff-8f3k")]
    Show {
        id: String,
        #[command(flatten)]
        times: TimeArgs,
    },
}

/// Write a handoff
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemic handoff write --from coder --to tester --done \"WAL mode\" --needs-testing \"full disk\"")]
struct WriteArgs {
    /// Who passes it on
    #[arg(long, value_name = "AGENT", required_unless_present = "stdin")]
    from: Option<String>,
    /// Who takes it up
    #[arg(long, value_name = "AGENT", required_unless_present = "stdin")]
    to: Option<String>,
    /// What was done
    #[arg(long, value_name = "TEXT")]
    done: Option<String>,
    /// Something that was made; may be given several times, as may those below
    #[arg(long, value_name = "PATH")]
    artifact: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    needs_testing: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    known_issue: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    pattern: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    question: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    decision: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    blocker: Vec<String>,
    #[arg(long, value_name = "PATH")]
    file: Vec<String>,
    #[arg(long, value_name = "COMMIT")]
    commit: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    git_state: Option<String>,
    #[arg(long, value_name = "TEXT")]
    status: Option<String>,
    /// Why it is passed on
    #[arg(long)]
    reason: Option<String>,
    /// Read the fields from standard input, as JSON or YAML front matter
    #[arg(long)]
    stdin: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    match args.action {
        Action::Write(args) => {
            let draft = draft(*args)?;
            remember::one(draft, &Note::default(), &call.engine()?, call)
        }
        Action::List { to, times } => list_to(to.as_deref(), &times, call),
        Action::Show { id, times } => show_one(&id, &times, call),
    }
}

fn draft(args: WriteArgs) -> Done<Draft> {
    if args.stdin {
        let mut fields = source::one(std::io::stdin().lock())?;
        fields.insert("kind".into(), Kind::Handoff.as_str().into());
        for (name, agent) in [("from_agent", args.from), ("to_agent", args.to)] {
            if let Some(agent) = agent {
                fields.insert(name.into(), agent.into());
            }
        }
        return Ok(Draft::sent(fields)?);
    }
    Ok(Draft::new(Body::Handoff(Handoff {
        from_agent: args.from.unwrap_or_default(),
        to_agent: args.to.unwrap_or_default(),
        what_was_done: args.done,
        artifacts: args.artifact,
        git_state: args.git_state,
        needs_testing: args.needs_testing,
        known_issues: args.known_issue,
        relevant_patterns: args.pattern,
        reason: args.reason,
        files_modified: args.file,
        recent_commits: args.commit,
        task_status: args.status,
        open_questions: args.question,
        key_decisions: args.decision,
        blockers: args.blocker,
        ..Handoff::default()
    })))
}

fn list_to(to: Option<&str>, times: &TimeArgs, call: &Invocation) -> Done {
    let filter = Filter { kinds: vec![Kind::Handoff], ..Filter::new(times.at()) };
    let mut items = call.engine()?.list(&filter)?.items;
    items.retain(|item| match &item.version.content.body {
        Body::Handoff(handoff) => to.is_none_or(|to| handoff.to_agent == to),
        _ => false,
    });
    call.out.answer(
        || json!({ "items": items.iter().map(view::listed).collect::<Vec<Value>>() }),
        || list::lines(&items, call),
    )
}

fn show_one(id: &str, times: &TimeArgs, call: &Invocation) -> Done {
    let shown = call.engine()?.show(id, times.at())?;
    if shown.version.kind() != Kind::Handoff {
        let found = format!(
            "`{}` is {}, not a handoff",
            shown.version.id,
            shown.version.kind().with_article()
        );
        return Err(report::invalid(found, "`mnemic show` shows every kind").into());
    }
    call.out.answer(|| view::shown(&shown), || show::page(&shown, false, call))
}
