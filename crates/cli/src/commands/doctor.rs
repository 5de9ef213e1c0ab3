//! `mnemic doctor`: checks everything, says how to repair it, and repairs what it can.

use super::{context, install};
use crate::hooks;
use crate::invocation::Invocation;
use crate::output::{ALARM, KEY, one_line};
use crate::report::{Done, Failure};
use crate::settings::Key;
use crate::view;
use anstyle::AnsiColor;
use mnemic_engine::{Checkup, Engine, Error, Settings, Severity};
use serde_json::{Value, json};

/// Not one of the engine's kinds: the question was answered, and the answer is bad.
const FOUND_SOMETHING_BAD: u8 = 1;

/// Check everything and say how to repair it; exit code 1 when something is bad
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic doctor\n  mnemic doctor --fix")]
pub(crate) struct Args {
    /// Repair what can be repaired without losing anything
    #[arg(long)]
    fix: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut checkups = vec![settings(call)];
    checkups.extend(unguarded(call));
    checkups.extend(profiles(call));
    if let Ok(settings) = call.engine_settings() {
        checkups.push(meaning(&settings, call.meaning_trouble()?));
        checkups.push(language(&settings, call.language_trouble()?));
        checkups.extend(Engine::doctor(&settings, args.fix));
        checkups.extend(hooks::checkup::examine(call, args.fix));
        checkups.extend(connections(call));
    }
    call.out.answer(
        || json!({ "checkups": checkups.iter().map(view::checkup).collect::<Vec<Value>>() }),
        || checkups.iter().try_for_each(|checkup| tell(checkup, call)),
    )?;
    if checkups.iter().any(|checkup| checkup.severity == Severity::Bad && !checkup.fixed) {
        return Err(Failure::Reported(FOUND_SOMETHING_BAD));
    }
    Ok(())
}

fn checkup(name: &str, severity: Severity, message: String, hint: Option<String>) -> Checkup {
    Checkup { name: name.into(), severity, message, hint, fixed: false }
}

/// Whether the settings can be read at all: without them nothing else can be looked at.
fn settings(call: &Invocation) -> Checkup {
    match call.resolved() {
        Ok(resolved) => {
            checkup("settings", Severity::Good, format!("you act as {}", resolved.actor), None)
        }
        Err(error) => {
            checkup("settings", Severity::Bad, error.chain().join(": "), error.hint.clone())
        }
    }
}

/// Somebody may have switched it off for an hour, and forgotten that.
fn unguarded(call: &Invocation) -> Option<Checkup> {
    let settings = &call.resolved().ok()?.settings;
    let said = settings.iter().find(|setting| setting.key == Key::SecretsDetect)?;
    let message = format!("keys and passwords are kept as they come, by {}", said.origin);
    let hint = format!("mnemic config set {} on --user", said.key.as_str());
    let is_off = matches!(said.value.as_str(), "off" | "false");
    is_off.then(|| checkup("secrets", Severity::Warning, message, Some(hint)))
}

/// Hooks go on with the profiles that are built in; whoever wrote others should know.
fn profiles(call: &Invocation) -> Option<Checkup> {
    match context::profiles(call) {
        Err(Failure::Error(error)) => {
            let message = format!("those built in are used: {}", error.chain().join(": "));
            Some(checkup("profiles", Severity::Bad, message, error.hint.clone()))
        }
        _ => None,
    }
}

/// Whether memories can be found by what they mean, and not by their words alone.
fn meaning(settings: &Settings, trouble: Option<&Error>) -> Checkup {
    match (trouble, settings.meaning.model()) {
        (Some(error), _) => {
            let message =
                format!("memories are found by words alone: {}", error.chain().join(": "));
            checkup("meaning", Severity::Warning, message, error.hint.clone())
        }
        (None, Some(model)) => {
            checkup("meaning", Severity::Good, format!("model {}", model.name), None)
        }
        (None, None) => {
            let message = "off: memories are found by words alone".to_owned();
            checkup("meaning", Severity::Good, message, None)
        }
    }
}

/// Whether the hosts that name us would start us.
fn connections(call: &Invocation) -> Vec<Checkup> {
    let found = install::connections(call);
    let mut checkups = Vec::new();
    for (host, path, programs) in &found {
        let name = format!("{} ({})", install::short(*host), path.display());
        let lost = programs.iter().find(|program| !install::is_there(program));
        checkups.push(match lost {
            None => checkup(&name, Severity::Good, "connected".to_owned(), None),
            Some(program) => {
                let message = format!("it names `{program}`, which is not there");
                let hint = format!("mnemic install --for {}", install::short(*host));
                checkup(&name, Severity::Bad, message, Some(hint))
            }
        });
    }
    if found.is_empty() {
        let message = "no agent is connected".to_owned();
        let hint = install::unconnected(call)
            .first()
            .map(|host| format!("mnemic install --for {}", install::short(*host)));
        checkups.push(checkup("agents", Severity::Good, message, hint));
    }
    checkups
}

/// Whether a language model may be asked, and what was spent on it.
fn language(settings: &Settings, trouble: Option<&Error>) -> Checkup {
    if let Some(error) = trouble {
        let message = format!("none is asked: {}", error.chain().join(": "));
        return checkup("language", Severity::Warning, message, error.hint.clone());
    }
    let Some(model) = &settings.language else {
        return checkup("language", Severity::Good, "off: rules alone read".to_owned(), None);
    };
    match Engine::language_state(settings) {
        Ok(state) => {
            let severity = if state.rests { Severity::Warning } else { Severity::Good };
            let hint = state.rests.then(|| "check the service; it is asked again later".to_owned());
            checkup("language", severity, format!("model {}, {state}", model.name()), hint)
        }
        Err(error) => {
            checkup("language", Severity::Warning, error.chain().join(": "), error.hint.clone())
        }
    }
}

fn tell(checkup: &Checkup, call: &Invocation) -> Done {
    let style = match checkup.severity {
        Severity::Good => KEY,
        Severity::Warning => AnsiColor::Yellow.on_default(),
        Severity::Bad => ALARM,
    };
    let state = if checkup.fixed { "fixed" } else { view::severity(checkup.severity) };
    let state = call.out.paint(style, &format!("{state:8}"));
    let name = one_line(&checkup.name, 60);
    call.out.line(&format!("{state} {name}: {}", one_line(&checkup.message, 300)))?;
    match &checkup.hint {
        Some(hint) if !checkup.fixed => {
            call.out.line(&format!("         hint: {}", one_line(hint, 300)))
        }
        _ => Ok(()),
    }
}
