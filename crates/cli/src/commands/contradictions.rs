//! `mnemic contradictions`: pairs of memories that cannot both hold, and their settlement.

use crate::args::{TimeArgs, choice};
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, one_line, plain};
use crate::report::Done;
use crate::view;
use mnemic_engine::model::body::{Contradiction, Resolution, Status};
use mnemic_engine::model::{At, Body, Filter, Kind};
use mnemic_engine::{Engine, Error, ErrorKind, Level, Listed, Note};
use serde_json::{Value, json};

/// Enough for a sentence.
const TEXT_WIDTH: usize = 100;

/// See and settle contradictions
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic contradictions
  mnemic contradictions resolve con-8f3k a_wins --note \"b was a guess\"")]
pub(crate) struct Args {
    /// `list` where nothing is said
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List those that wait for an answer
    #[command(after_help = "Example:\n  mnemic contradictions list --all")]
    List {
        /// Also those that are settled
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        times: TimeArgs,
    },
    /// Show one with both sides
    #[command(after_help = "Example:\n  mnemic contradictions show con-8f3k")]
    Show { id: String },
    /// Settle one: the loser's validity ends, nothing is deleted
    #[command(after_help = "Example:\n  mnemic contradictions resolve con-8f3k both_valid")]
    Resolve {
        id: String,
        #[arg(value_parser = choice(Resolution::ALL, Resolution::as_str))]
        resolution: Resolution,
        /// Why
        #[arg(long)]
        note: Option<String>,
    },
    /// Say that two memories cannot both hold
    #[command(after_help = "Example:\n  mnemic contradictions add fact-8f3k fact-2m9q")]
    Add { a: String, b: String },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let open = Action::List { all: false, times: TimeArgs::default() };
    match args.action.unwrap_or(open) {
        Action::List { all, times } => {
            let filter = Filter { kinds: vec![Kind::Contradiction], ..Filter::new(times.at()) };
            let mut items = engine.list(&filter)?.items;
            items.retain(|item| all || body(item).is_some_and(|it| it.status == Status::Open));
            list(&items, &engine, call)
        }
        Action::Show { id } => {
            let shown = engine.show(&id, At::LATEST)?;
            if shown.version.kind() != Kind::Contradiction {
                let problem = format!("`{id}` is not a contradiction");
                return Err(Error::new(ErrorKind::Invalid, problem)
                    .hint("`mnemic contradictions list --all` shows them")
                    .into());
            }
            list(&[Listed { store: shown.store, version: shown.version }], &engine, call)
        }
        Action::Resolve { id, resolution, note } => {
            let why = Note { reason: note.clone(), ..Note::default() };
            let unknown = |error: Error| match error.kind {
                ErrorKind::NotFound => error.hint("`mnemic contradictions list --all` shows them"),
                _ => error,
            };
            let edited = engine.resolve(&id, resolution, note, &why).map_err(unknown)?;
            call.out.answer(
                || view::edited(&edited),
                || call.out.line(&format!("{} is resolved: {resolution}", edited.version.id)),
            )?;
            if resolution == Resolution::Merged {
                call.out.note(
                    "both stay as they are: say in one what holds for both \
                     (`mnemic edit ID --text TEXT`), and `mnemic forget` the other",
                );
            }
            Ok(())
        }
        Action::Add { a, b } => {
            let who = call.resolved()?.actor.to_string();
            let id = engine.contradict(&a, &b, &who, &Note::default())?;
            call.out.answer(|| json!({ "id": id }), || call.out.line(id.as_str()))
        }
    }
}

fn body(item: &Listed) -> Option<&Contradiction> {
    match &item.version.content.body {
        Body::Contradiction(contradiction) => Some(contradiction),
        _ => None,
    }
}

fn list(items: &[Listed], engine: &Engine, call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": items.iter().map(view::listed).collect::<Vec<Value>>() }),
        || {
            for item in items {
                let Some(body) = body(item) else { continue };
                let id = call.out.paint(KEY, &plain(item.version.id.as_str()));
                let state = body.resolution.map_or(body.status.as_str(), Resolution::as_str);
                let by = one_line(&body.detected_by, 40);
                let pair = plain(&format!("{} against {}", body.a, body.b));
                call.out.line(&format!("{id}  {pair}  {state}  found by {by}"))?;
                for (letter, side) in [("a", &body.a), ("b", &body.b)] {
                    // What was forgotten since has nothing more to say.
                    let Ok(shown) = engine.show(side.as_str(), At::LATEST) else { continue };
                    let text = one_line(&Level::summary_line(&shown.version.content), TEXT_WIDTH);
                    call.out.line(&call.out.paint(FAINT, &format!("  {letter}: {text}")))?;
                }
            }
            if items.is_empty() {
                call.out.note("there are none");
            }
            Ok(())
        },
    )
}
