//! What `doctor` says about hooks: what failed in silence, and what still waits to be taken in.

use super::inbox::Inbox;
use super::tracked::{HINT, WHY, is_tracked};
use super::{log, opt_out, take_in};
use crate::commands::install;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::times::LocalClock;
use mnemic_engine::model::Timestamp;
use mnemic_engine::{Checkup, Engine, Severity};

/// Looks at the log and the inbox. `fix` takes in what waits, however long it takes, and puts the
/// failures aside that were told of now.
pub(crate) fn examine(call: &Invocation, fix: bool) -> Vec<Checkup> {
    let place = call.project();
    let inbox = Inbox::of(&place, call.personal().as_ref());
    let mut checkups = vec![failures(&inbox, fix)];
    if is_tracked(&place.file()) {
        let message = format!("{WHY}: hooks stay silent");
        checkups.push(checkup("origin", Severity::Bad, message, Some(HINT)));
    }
    if place.exists {
        checkups.push(waiting(&inbox, call, fix));
    } else if !install::connections(call).is_empty() {
        let message = "there is no store in this project: hooks of agents do nothing here";
        checkups.push(checkup("inbox", Severity::Warning, message.to_owned(), Some("mnemic init")));
    }
    checkups
}

fn checkup(name: &str, severity: Severity, message: String, hint: Option<&str>) -> Checkup {
    Checkup { name: name.into(), severity, message, hint: hint.map(Into::into), fixed: false }
}

fn failures(inbox: &Inbox, fix: bool) -> Checkup {
    let mishaps = log::read(inbox);
    let Some(last) = mishaps.last() else {
        return checkup("hooks", Severity::Good, "nothing went wrong".to_owned(), None);
    };
    let count = counted(mishaps.len() as u64, "failure", "failures");
    let at = Timestamp::parse(&last.at);
    let at = at.map_or_else(|_| last.at.clone(), |at| LocalClock::new().second(at));
    let message = format!("{count}, the last at {at} ({}): {}", last.during, last.message);
    let hint = "mend what it names; `mnemic doctor --fix` puts these aside";
    let mut told = checkup("hooks", Severity::Warning, message, Some(hint));
    if fix {
        log::acknowledge(inbox);
        told.message = format!("put aside {}", told.message);
        told.fixed = true;
    }
    told
}

fn waiting(inbox: &Inbox, call: &Invocation, fix: bool) -> Checkup {
    let before = inbox.waiting().len();
    // Whoever turned hooks off wants none of it in the store, neither what waited until then.
    let may = opt_out::check(call).is_ok();
    let stopped = match fix && may && before > 0 {
        true => call.engine_settings().and_then(Engine::open).map(|engine| {
            inbox.provide();
            take_in::all(inbox, &engine, &|| true).stopped
        }),
        false => Ok(None),
    };
    let waiting = inbox.waiting().len() as u64;
    let refused = inbox.refused() as u64;
    if let Ok(Some(error)) | Err(error) = &stopped {
        let message = format!("{} cannot be taken in: {}", events(waiting), log::told(error));
        let hint = error.hint.as_deref().unwrap_or("mnemic doctor --fix");
        return checkup("inbox", Severity::Warning, message, Some(hint));
    }
    if !may {
        let message = format!("hooks are off here; {} wait", events(waiting));
        return checkup("inbox", Severity::Good, message, None);
    }
    if waiting > 0 {
        let message = format!("{} of agents wait to be taken in", events(waiting));
        return checkup("inbox", Severity::Warning, message, Some("mnemic doctor --fix"));
    }
    if refused > 0 {
        let message = format!("{} could not be taken in", events(refused));
        let hint = "look at them in the directory inbox/refused beside the store, then remove them";
        return checkup("inbox", Severity::Warning, message, Some(hint));
    }
    let message = match before {
        0 => "empty".to_owned(),
        taken => format!("{} taken in", events(taken as u64)),
    };
    let mut told = checkup("inbox", Severity::Good, message, None);
    told.fixed = before > 0;
    told
}

fn events(count: u64) -> String {
    counted(count, "event", "events")
}
