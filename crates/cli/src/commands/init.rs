//! `mnemic init`: makes the project's store and the person's, and says where they lie.

use super::install;
use crate::invocation::Invocation;
use crate::prompt;
use crate::report::{Done, Failure};
use mnemic_engine::{Engine, Error, Settings};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Make a store for this project, and your own if it is missing
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic init\n  mnemic init --user")]
pub(crate) struct Args {
    /// Only your own store, which follows you through all projects
    #[arg(long)]
    user: bool,
}

/// A store that is there now.
struct Made {
    name: &'static str,
    path: PathBuf,
    new: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut settings = call.engine_settings()?;
    let mut made = Vec::new();
    if !args.user {
        made.push(project(&mut settings)?);
    }
    match user(&mut settings) {
        Ok(user) => made.push(user),
        Err(error) if args.user => return Err(error.into()),
        // The project's store works alone.
        Err(error) => {
            let hint = error.hint.clone().unwrap_or_default();
            call.out.warn(&format!("{}; {hint}", error.chain().join(": ")));
        }
    }
    call.out.answer(|| view(&made), || tell(&made, call))?;
    offer(call)
}

/// Offers to connect the agents that are in use here; where nobody can be asked, says how.
fn offer(call: &Invocation) -> Done {
    let hosts = install::unconnected(call);
    if hosts.is_empty() || call.out.json {
        return Ok(());
    }
    let names: Vec<&str> = hosts.iter().map(|host| install::short(*host)).collect();
    let flags: Vec<String> = names.iter().map(|name| format!("--for {name}")).collect();
    let command = format!("install {}", flags.join(" "));
    if !prompt::is_possible() {
        call.out.note(&format!("to connect your agents: mnemic {command}"));
        return Ok(());
    }
    if let Err(Failure::Error(error)) = install::preview(&hosts, call) {
        let hint = error.hint.clone().unwrap_or_default();
        call.out.warn(&format!("not connected: {}; {hint}", error.chain().join(": ")));
        return Ok(());
    }
    call.out.note(&format!("every line of it: mnemic {command} --dry-run"));
    let question = format!("connect {}?", names.join(", "));
    match prompt::agree(&question, false, &command) {
        Ok(()) => install::connect_all(&hosts, call),
        Err(_) => {
            call.out.note(&format!("not connected; whenever you like: mnemic {command}"));
            Ok(())
        }
    }
}

fn project(settings: &mut Settings) -> Result<Made, Error> {
    let new = Engine::init_project(settings)?;
    let path = settings.project.as_ref().map(|place| place.file()).unwrap_or_default();
    Ok(Made { name: "project", path, new })
}

fn user(settings: &mut Settings) -> Result<Made, Error> {
    let new = Engine::init_user(settings)?;
    let path = settings.user.as_ref().map(|place| place.file()).unwrap_or_default();
    Ok(Made { name: "user", path, new })
}

fn view(made: &[Made]) -> Value {
    let stores: Vec<Value> = made
        .iter()
        .map(|store| json!({ "store": store.name, "path": store.path, "new": store.new }))
        .collect();
    json!({ "stores": stores })
}

fn tell(made: &[Made], call: &Invocation) -> Done {
    for store in made {
        let done = if store.new { "made" } else { "was there already:" };
        call.out.line(&format!("{} store {done} {}", store.name, store.path.display()))?;
    }
    if made.iter().any(|store| store.new) {
        call.out.note("next: mnemic remember fact KEY VALUE, then mnemic list");
    }
    Ok(())
}
