//! `mnemic episode`: an episode recorded step by step by an agent that leaves no transcript.

use super::{embed, remember};
use crate::args::{choice, whole};
use crate::invocation::Invocation;
use crate::output::{KEY, counted, one_line, plain};
use crate::report::Done;
use crate::view;
use mnemic_engine::model::body::{Action as Deed, Episode, Failure, Message, Outcome};
use mnemic_engine::{Entry, Note, OpenEpisode};
use serde_json::{Value, json};

/// Record an episode step by step
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  id=$(mnemic episode start \"make the build green\" --agent codex)
  mnemic episode log $id action run --target \"cargo test\" --error \"2 failed\"
  mnemic episode log $id message \"the port was taken\"
  mnemic episode end $id --outcome success

What is logged lies in the store at once and outlives a crash; it becomes a memory when the
episode ends. What stands between <private> and </private> is never stored.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Begin an episode and print its id
    #[command(after_help = "Example:\n  mnemic episode start \"fix the login\" --agent codex")]
    Start {
        goal: String,
        /// Who works on it
        #[arg(long)]
        agent: Option<String>,
        /// The task it belongs to
        #[arg(long)]
        task: Option<String>,
        #[arg(long)]
        phase: Option<String>,
        /// Something that must hold; may be given several times
        #[arg(long, value_name = "TEXT")]
        constraint: Vec<String>,
        /// A file it is about; may be given several times
        #[arg(long, value_name = "PATH")]
        file: Vec<String>,
        #[arg(long, value_name = "NAME")]
        branch: Option<String>,
    },
    /// Add a step
    #[command(after_help = "Examples:
  mnemic episode log ep-8f3k action edit --target src/login.rs --file src/login.rs
  mnemic episode log ep-8f3k error \"port taken\" --resolution \"use 8081\"")]
    Log {
        /// An id, or enough of its beginning
        id: String,
        #[command(subcommand)]
        entry: Logged,
    },
    /// End an episode and store it as a memory
    #[command(
        after_help = "Example:\n  mnemic episode end ep-8f3k --outcome success --commit 1a2b3c4"
    )]
    End {
        id: String,
        #[arg(long, value_parser = choice(Outcome::ALL, Outcome::as_str))]
        outcome: Option<Outcome>,
        /// Something that was made; may be given several times
        #[arg(long, value_name = "PATH")]
        artifact: Vec<String>,
        #[arg(long)]
        commit: Option<String>,
        /// What it cost
        #[arg(long, value_name = "N", value_parser = whole::<u64>("12000"))]
        tokens: Option<u64>,
        /// Why, for the history
        #[arg(long)]
        reason: Option<String>,
    },
    /// List the episodes that have not ended
    #[command(after_help = "Example:\n  mnemic episode list")]
    List,
    /// Drop an episode that has not ended, with all that was logged
    #[command(after_help = "Example:\n  mnemic episode abandon ep-8f3k")]
    Abandon { id: String },
}

#[derive(Debug, clap::Subcommand)]
enum Logged {
    /// Something that was done
    #[command(
        after_help = "Example:\n  mnemic episode log ep-8f3k action run --target make --result ok"
    )]
    Action {
        /// What was done, in a word: run, edit, read
        action: String,
        #[arg(long)]
        target: Option<String>,
        #[arg(long)]
        result: Option<String>,
        #[arg(long)]
        error: Option<String>,
        /// A file that was touched; may be given several times
        #[arg(long, value_name = "PATH")]
        file: Vec<String>,
    },
    /// Something that was said
    #[command(
        after_help = "Example:\n  mnemic episode log ep-8f3k message \"use 8081\" --role person"
    )]
    Message {
        text: String,
        /// Whose words they are
        #[arg(long, default_value = "agent")]
        role: String,
    },
    /// Something that went wrong
    #[command(after_help = "Example:\n  mnemic episode log ep-8f3k error \"port taken\" --type io")]
    Error {
        message: String,
        #[arg(long = "type", value_name = "TYPE", default_value = "error")]
        error_type: String,
        /// What resolved it
        #[arg(long)]
        resolution: Option<String>,
    },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    match args.action {
        Action::Start { goal, agent, task, phase, constraint, file, branch } => {
            let open = engine.episode_start(Episode {
                goal,
                task_id: task,
                agent,
                phase,
                constraints: constraint,
                files: file,
                git_branch: branch,
                ..Episode::default()
            })?;
            call.out.answer(|| view_of(&open), || call.out.line(open.id.as_str()))
        }
        Action::Log { id, entry } => {
            let open = engine.episode_log(&id, entries(entry))?;
            call.out.answer(
                || view_of(&open),
                || call.out.line(&format!("{} holds {}", open.id, steps(&open))),
            )
        }
        Action::End { id, outcome, artifact, commit, tokens, reason } => {
            let note = Note { reason, ..Note::default() };
            let finish = |episode: &mut Episode| {
                episode.outcome = outcome;
                episode.artifacts.extend(artifact);
                episode.git_commit = commit;
                episode.tokens_used = tokens;
            };
            let ended = engine.episode_end(&id, finish, &note)?;
            remember::tell_apart(&ended.screened, call);
            call.out.answer(|| view::remembered(&ended), || call.out.line(ended.id.as_str()))?;
            call.out.flush()?;
            embed::after_many(&engine, false, call);
            Ok(())
        }
        Action::List => list(&engine.episodes_open()?, call),
        Action::Abandon { id } => {
            let open = engine.episode_abandon(&id)?;
            call.out.answer(
                || view_of(&open),
                || call.out.line(&format!("{} is dropped with {}", open.id, steps(&open))),
            )
        }
    }
}

fn entries(logged: Logged) -> Vec<Entry> {
    match logged {
        Logged::Action { action, target, result, error, file } => {
            let deed = Deed { t: 0.0, action, target, result, error };
            file.into_iter().map(Entry::File).chain([Entry::Action(deed)]).collect()
        }
        Logged::Message { text, role } => {
            vec![Entry::Message(Message { role, text, at: None })]
        }
        Logged::Error { message, error_type, resolution } => {
            vec![Entry::Error(Failure { error_type, message, resolution })]
        }
    }
}

fn view_of(open: &OpenEpisode) -> Value {
    json!({
        "id": open.id,
        "began": open.began,
        "last": open.last,
        "writer": open.writer,
        "episode": open.episode,
    })
}

fn steps(open: &OpenEpisode) -> String {
    let episode = &open.episode;
    let count = episode.actions.len() + episode.messages.len() + episode.errors.len();
    counted(count as u64, "step", "steps")
}

fn list(open: &[OpenEpisode], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": open.iter().map(view_of).collect::<Vec<Value>>() }),
        || {
            for one in open {
                let id = call.out.paint(KEY, &plain(one.id.as_str()));
                let goal = one_line(&one.episode.goal, 72);
                let age = crate::times::age(one.last, call.now);
                call.out.line(&format!("{id}  {goal}  {}, last {age}", steps(one)))?;
            }
            if open.is_empty() {
                call.out.note("no episode is open");
            }
            Ok(())
        },
    )
}
