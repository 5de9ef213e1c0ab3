//! `mnemic predict`: what the work will need next, and how sure that is.

use crate::args::{choice, whole};
use crate::invocation::Invocation;
use crate::output::{KEY, STRONG, one_line, plain, width};
use crate::report::{Done, invalid};
use mnemic_engine::Level;
use mnemic_engine::model::At;
use mnemic_engine::model::session::{Thing, ThingKind};
use mnemic_engine::recall::predict::{Prediction, Reason};
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// Characters of a memory's text.
const TEXT_WIDTH: usize = 90;

/// What is less likely than one in twenty helps nobody.
const WORTH_A_LINE: f64 = 0.05;

/// Predict what will be needed next
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic predict --file src/auth.rs
  mnemic predict --file src/auth.rs --error E0382 --kind memory --json
  mnemic predict --session ses-8f3k --explain")]
pub(crate) struct Args {
    /// A file that was opened; may be given several times, as may the others
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// A symbol that is looked at
    #[arg(long = "symbol", value_name = "NAME")]
    symbols: Vec<String>,
    /// A branch that was checked out
    #[arg(long = "branch", value_name = "NAME")]
    branches: Vec<String>,
    /// An error that appeared
    #[arg(long = "error", value_name = "CODE")]
    errors: Vec<String>,
    /// A command that was run
    #[arg(long = "command", value_name = "COMMAND")]
    commands: Vec<String>,
    /// A memory that was used
    #[arg(long = "memory", value_name = "ID")]
    memories: Vec<String>,
    /// The session: what it has touched so far counts too
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// What is wanted: file, memory, symbol, …; may be given several times [default: file, memory]
    #[arg(long = "kind", value_name = "KIND", value_parser = choice(ThingKind::ALL, ThingKind::as_str))]
    kinds: Vec<ThingKind>,
    /// How many at most
    #[arg(long, short = 'n', value_name = "N", default_value_t = 5, value_parser = whole::<usize>("20"))]
    limit: usize,
    /// Say below each why
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let session = args.session.as_deref().map(|name| engine.session_named(name)).transpose()?;
    let signals = args.signals(&call.dir);
    if signals.is_empty() && session.is_none() {
        let hint = "say what happened: `mnemic predict --file src/main.rs`";
        return Err(invalid("there is nothing to predict from", hint).into());
    }
    let usual = [ThingKind::File, ThingKind::Memory];
    let wanted = if args.kinds.is_empty() { &usual[..] } else { &args.kinds };
    let mut found = engine.predict(session.as_ref(), &signals, wanted, args.limit)?;
    found.retain(|one| one.confidence >= WORTH_A_LINE);
    let text_of = |one: &Prediction| {
        let id = Some(&one.thing.name).filter(|_| one.thing.kind == ThingKind::Memory)?;
        let shown = engine.show(id, At::LATEST).ok()?;
        Some(Level::summary_line(&shown.version.content))
    };
    call.out.answer(
        || json!({ "predictions": found.iter().map(|one| view(one, text_of(one))).collect::<Vec<Value>>() }),
        || {
            found.iter().try_for_each(|one| tell(one, text_of(one), args.explain, call))?;
            if found.is_empty() {
                call.out.note("nothing was used together with these so far, and nothing names them");
            }
            Ok(())
        },
    )
}

impl Args {
    fn signals(&self, dir: &Path) -> Vec<Thing> {
        let files = self.files.iter().map(|name| from_here(dir, name)).collect();
        let groups = [
            (ThingKind::File, &files),
            (ThingKind::Symbol, &self.symbols),
            (ThingKind::Branch, &self.branches),
            (ThingKind::Error, &self.errors),
            (ThingKind::Command, &self.commands),
            (ThingKind::Memory, &self.memories),
        ];
        let things = groups.into_iter().flat_map(|(kind, names)| {
            names.iter().map(move |name| Thing::new(kind, name.as_str()))
        });
        things.collect()
    }
}

/// A file that is there as it is named from here; any other name is one of the project's.
fn from_here(dir: &Path, name: &str) -> String {
    let path = dir.join(name);
    if !path.exists() {
        return name.to_owned();
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain.to_string_lossy().into_owned()
}

fn view(one: &Prediction, text: Option<String>) -> Value {
    let reason = |reason: &Reason| {
        json!({
            "part": reason.part.name,
            "value": reason.part.value,
            "weight": reason.part.weight,
            "signal": reason.signal.as_ref().map(|thing| thing.name.to_string()),
        })
    };
    json!({
        "kind": one.thing.kind.as_str(),
        "name": one.thing.name.to_string(),
        "text": text,
        "confidence": one.confidence,
        "score": one.score,
        "because": one.because.iter().map(reason).collect::<Vec<Value>>(),
    })
}

fn tell(one: &Prediction, text: Option<String>, explain: bool, call: &Invocation) -> Done {
    let name = call.out.paint(KEY, &plain(&one.thing.name));
    let sure = call.out.paint(STRONG, &format!("{:.0} %", one.confidence * 100.0));
    // Two spaces between each two of four columns, the first of which is five wide.
    let beside = 5 + one.thing.kind.as_str().len() + width(&one.thing.name) + 6;
    let room = call.out.room(beside, TEXT_WIDTH);
    let text = text.map(|text| format!("  {}", one_line(&text, room))).unwrap_or_default();
    call.out.line(&format!("{sure:>5}  {}  {name}{text}", one.thing.kind))?;
    for reason in one.because.iter().filter(|_| explain) {
        let from = reason.signal.as_ref().map(|thing| format!(" from {}", plain(&thing.name)));
        let product = reason.part.product();
        call.out.line(&format!(
            "       {product:+.2}  {}{}",
            reason.part.name,
            from.unwrap_or_default()
        ))?;
    }
    Ok(())
}
