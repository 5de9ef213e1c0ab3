//! `mnemic ledger`: an agent's checkpoint, written and read.

use super::remember;
use crate::args::{TimeArgs, whole};
use crate::invocation::Invocation;
use crate::report::Done;
use crate::{output, source, view};
use mnemic_engine::model::body::{Ledger, LedgerContext, LedgerState};
use mnemic_engine::model::{Body, Draft, Filter, Kind};
use mnemic_engine::{Error, ErrorKind, Listed, Note};

/// Write and read an agent's checkpoint
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic ledger write codex --task T-12 --goal \"move to WAL\" --file store.rs
  mnemic ledger show codex")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Write(Box<WriteArgs>),
    /// Show where an agent stands
    #[command(after_help = "Example:\n  mnemic ledger show codex --known-at 2h")]
    Show {
        agent: String,
        #[command(flatten)]
        times: TimeArgs,
    },
}

/// Write where an agent stands; the checkpoint before stays in the history
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic ledger write codex --task T-12 --completed 3 --file store.rs --uncommitted
  echo '{\"current_task\":\"T-12\"}' | mnemic ledger write codex --stdin")]
struct WriteArgs {
    agent: String,
    #[arg(long)]
    task: Option<String>,
    #[arg(long)]
    goal: Option<String>,
    /// How many tasks are done
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>("4"))]
    completed: u64,
    /// A file that was changed; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// The last commit
    #[arg(long)]
    commit: Option<String>,
    /// There are changes that are not committed
    #[arg(long)]
    uncommitted: bool,
    /// A technology in use; may be given several times
    #[arg(long, value_name = "NAME")]
    tech: Vec<String>,
    /// Something learned; may be given several times
    #[arg(long, value_name = "TEXT")]
    learned: Vec<String>,
    /// Read the fields from standard input, as JSON or YAML front matter
    #[arg(long, conflicts_with_all = ["task", "goal", "completed", "files", "commit", "tech", "learned"])]
    stdin: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    match args.action {
        Action::Write(args) => {
            let draft = draft(*args, call)?;
            remember::one(draft, &Note::default(), &call.engine()?, call)
        }
        Action::Show { agent, times } => show(&agent, &times, call),
    }
}

fn draft(args: WriteArgs, call: &Invocation) -> Done<Draft> {
    if args.stdin {
        let mut fields = source::one(std::io::stdin().lock())?;
        fields.insert("kind".into(), Kind::Ledger.as_str().into());
        fields.insert("agent_id".into(), args.agent.into());
        fields.entry("last_checkpoint").or_insert_with(|| call.now.to_string().into());
        return Ok(Draft::sent(fields)?);
    }
    Ok(Draft::new(Body::Ledger(Ledger {
        agent_id: args.agent,
        last_checkpoint: Some(call.now),
        tasks_completed: args.completed,
        current_task: args.task,
        state: LedgerState {
            files_modified: args.files,
            uncommitted_changes: args.uncommitted,
            last_git_commit: args.commit,
        },
        context: LedgerContext {
            tech_stack: args.tech,
            patterns_learned: args.learned,
            current_goal: args.goal,
        },
    })))
}

fn show(agent: &str, times: &TimeArgs, call: &Invocation) -> Done {
    let filter = Filter { kinds: vec![Kind::Ledger], ..Filter::new(times.at()) };
    let found = call.engine()?.list(&filter)?.items.into_iter().find(|item| is_of(item, agent));
    let ledger = found.ok_or_else(|| missing(agent))?;
    call.out.answer(
        || view::listed(&ledger),
        || call.out.line(&output::plain(&ledger.version.content.body.full_text())),
    )
}

fn is_of(item: &Listed, agent: &str) -> bool {
    matches!(&item.version.content.body, Body::Ledger(ledger) if ledger.agent_id == agent)
}

fn missing(agent: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("there is no ledger of `{agent}`"))
        .hint("`mnemic list --kind ledger` shows those there are")
}
