//! `mnemic session`: the conversations of agents, from start to end.

mod told;

pub(super) use told::{economics, session};

use crate::args::{choice, number, whole};
use crate::invocation::Invocation;
use crate::output::{KEY, counted, plain};
use crate::report::{Done, invalid};
use crate::times::age;
use mnemic_engine::model::body::Outcome;
use mnemic_engine::model::session::{EventKind, Session, SessionId, Thing, ThingKind};
use mnemic_engine::{SessionStart, Signal};
use serde_json::{Value, json};

/// Keep track of an agent's session: start, what happens, end
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic session start --host editor --window 200000 --about \"fix the login\"
  mnemic session note ses-8f3k window-fill --amount 120000
  mnemic session end ses-8f3k --outcome success --cited fact-2m9q")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Start(StartArgs),
    Note(NoteArgs),
    /// Show a session: what happened, what it was shown, what that cost
    #[command(after_help = "Example:\n  mnemic session show ses-8f3k")]
    Show {
        /// Its id, or enough of the beginning
        id: String,
    },
    /// List the latest sessions
    #[command(after_help = "Example:\n  mnemic session list --limit 5")]
    List {
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
        limit: usize,
    },
    End(EndArgs),
}

/// Begin a session; prints its id
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic session start --host editor --about \"fix the login\"")]
struct StartArgs {
    /// The host's own name for it
    #[arg(long)]
    id: Option<String>,
    /// The program that the agent runs in
    #[arg(long)]
    host: Option<String>,
    #[arg(long)]
    agent: Option<String>,
    /// Tokens that the window holds
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>("200000"))]
    window: Option<u64>,
    /// The first message; compared with, not kept
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
}

/// Tell what happened in a session; answers what follows from it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic session note ses-8f3k prompt --text \"now the billing page\"
  mnemic session note ses-8f3k tool --touched file:src/login.rs
  mnemic session note ses-8f3k compaction")]
struct NoteArgs {
    /// The session's id, or enough of the beginning
    id: String,
    #[arg(value_parser = choice(EventKind::ALL, EventKind::as_str))]
    event: EventKind,
    /// Tokens in the window, or whatever there is to count
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = number(0.0, f64::INFINITY, "120000"))]
    amount: f64,
    /// What was said; compared with, not kept
    #[arg(long)]
    text: Option<String>,
    /// What was touched, such as file:src/main.rs or branch:main; kept by name
    #[arg(long, value_name = "KIND:NAME", value_parser = thing)]
    touched: Option<Thing>,
    /// Ask for memories on every prompt, which makes most agents work worse
    #[arg(long)]
    every_prompt: bool,
}

/// End a session: count what was used, look at its price
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  mnemic session end ses-8f3k --outcome success --cited fact-2m9q"
)]
struct EndArgs {
    /// The session's id, or enough of the beginning
    id: String,
    #[arg(long, value_parser = choice(Outcome::ALL, Outcome::as_str))]
    outcome: Option<Outcome>,
    /// A memory that the agent applied; may be given several times
    #[arg(long, value_name = "ID")]
    cited: Vec<String>,
}

fn thing(text: &str) -> Result<Thing, String> {
    let (kind, name) = text.split_once(':').ok_or("write KIND:NAME, e.g. file:src/main.rs")?;
    let kind: ThingKind = kind.parse().map_err(|bad: mnemic_engine::model::Invalid| bad.hint)?;
    if name.is_empty() {
        return Err("the name is missing, e.g. file:src/main.rs".to_owned());
    }
    Ok(Thing::new(kind, name))
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    match args.action {
        Action::Start(args) => start(args, call),
        Action::Note(args) => note(args, call),
        Action::Show { id } => {
            let engine = call.engine()?;
            let view = engine.session_show(&engine.session_named(&id)?)?;
            call.out.answer(|| told::view(&view), || told::tell(&view, call))
        }
        Action::List { limit } => list(limit, call),
        Action::End(args) => end(args, call),
    }
}

fn start(args: StartArgs, call: &Invocation) -> Done {
    let id = args.id.as_deref().map(SessionId::parse).transpose()?;
    let StartArgs { host, agent, window, about, .. } = args;
    let session = call.engine()?.session_start(SessionStart { id, host, agent, window, about })?;
    call.out.answer(|| told::session(&session), || call.out.line(session.id.as_str()))
}

fn note(args: NoteArgs, call: &Invocation) -> Done {
    if matches!(args.event, EventKind::Start | EventKind::End) {
        let hint = format!("use `mnemic session {}`", args.event);
        return Err(invalid(format!("`{}` is not noted but done", args.event), hint).into());
    }
    let is_error = args.event == EventKind::Error;
    let engine = call.engine()?;
    let id = engine.session_named(&args.id)?;
    let noted = engine.session_note(
        &id,
        &Signal {
            kind: args.event,
            amount: args.amount,
            text: args.text,
            touched: args.touched,
            on_every_prompt: args.every_prompt,
        },
    )?;
    call.out.answer(
        || {
            json!({
                "due": noted.due,
                "again": noted.again,
                "known": noted.known.iter().map(told::known).collect::<Vec<Value>>(),
                "warning": noted.warning,
                "findings": told::findings(&noted.findings),
            })
        },
        || {
            if let Some(due) = noted.due {
                call.out.line(&format!("memories are due: {due}"))?;
            }
            for id in &noted.again {
                call.out.line(&format!("  {}", plain(id.as_str())))?;
            }
            if is_error && noted.known.is_empty() {
                call.out.line("Nothing is known of this error.")?;
            }
            noted.known.iter().try_for_each(|known| told::tell_known(known, call))?;
            noted.warning.iter().for_each(|warning| call.out.warn(warning));
            told::tell_findings(&noted.findings, call)
        },
    )
}

fn list(limit: usize, call: &Invocation) -> Done {
    let sessions = call.engine()?.session_list(limit)?;
    call.out.answer(
        || json!({ "sessions": sessions.iter().map(told::session).collect::<Vec<Value>>() }),
        || {
            for session in &sessions {
                call.out.line(&row(session, call))?;
            }
            if sessions.is_empty() {
                call.out.note("there are none; `mnemic session start` begins one");
            }
            Ok(())
        },
    )
}

fn row(session: &Session, call: &Invocation) -> String {
    let state = match (session.ended_at, session.outcome) {
        (None, _) => "open".to_owned(),
        (Some(_), Some(outcome)) => outcome.to_string(),
        (Some(_), None) => "ended".to_owned(),
    };
    let who = session.agent.iter().chain(&session.host);
    let who = who.map(|name| plain(name)).collect::<Vec<_>>().join(" in ");
    let id = call.out.paint(KEY, &plain(session.id.as_str()));
    format!("{id}  {:8}  {state}  {who}", age(session.started_at, call.now)).trim_end().to_owned()
}

fn end(args: EndArgs, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let id = engine.session_named(&args.id)?;
    let cited: Vec<&str> = args.cited.iter().map(String::as_str).collect();
    let ended = engine.session_end(&id, args.outcome, &cited)?;
    call.out.answer(
        || {
            json!({
                "id": id.as_str(),
                "shown": ended.shown,
                "cited": ended.cited,
                "economics": told::economics(&ended.economics),
                "findings": told::findings(&ended.findings),
                "waiting": ended.waiting,
            })
        },
        || {
            let shown = counted(ended.shown as u64, "memory", "memories");
            call.out.note(&format!("ended; {shown} shown, {} cited", ended.cited));
            told::tell_findings(&ended.findings, call)?;
            ended.waiting.iter().for_each(|what| call.out.warn(what));
            Ok(())
        },
    )
}
