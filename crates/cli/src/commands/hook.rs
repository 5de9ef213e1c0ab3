//! `mnemic hook EVENT`: answers one event of a coding agent, in time and whatever happens.

use super::context;
use crate::args::{Global, choice};
use crate::hooks::deadline::{Job, Voice, Without};
use crate::hooks::event::{Event, Happened};
use crate::hooks::inbox::{Inbox, Item};
use crate::hooks::opt_out::{self, Refusal};
use crate::hooks::remind::{self, Desk, Reminder};
use crate::hooks::seat::{self, Seat};
use crate::hooks::take_in::{self, Taken};
use crate::hooks::{Host, log, notebook};
use crate::invocation::Invocation;
use crate::report::{Done, Failure};
use crate::settings::{HookSettings, environment};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::tokens::{Counter, Encoding};
use mnemic_engine::{Engine, Error};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{BufReader, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

/// Until the host has told us what happened: that is its own time and not ours.
const PATIENCE: Duration = Duration::from_secs(1);
/// Past the deadline, for putting things away.
const GRACE: Duration = Duration::from_millis(100);
/// Of a message; hosts send whole files along with tool calls.
const LARGEST: u64 = 64 * 1024 * 1024;

/// Answer an event of a coding agent; reads the host's JSON and writes its envelope
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic hook SessionStart --host claude-code < event.json
  mnemic hook beforeSubmitPrompt --host cursor < event.json

`mnemic install` wires this into a host. It always ends with code 0 and in time: what goes wrong is
told by `mnemic doctor`, and an event that could not be taken in waits in the inbox. An empty file
`.mnemic-off` in a directory, or `mnemic config set hook.enabled off`, turns hooks off there.")]
pub(crate) struct Args {
    /// The event, as the host calls it
    #[arg(value_name = "EVENT")]
    event: String,
    /// The program that the agent runs in; otherwise told from the message
    #[arg(long, value_parser = choice(Host::ALL, Host::as_str))]
    host: Option<Host>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    serve(Asked { event: args.event, host: args.host, dir: Some(call.dir.clone()) });
    Err(Failure::Reported(0))
}

/// What the command line said.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    event: String,
    host: Option<Host>,
    dir: Option<PathBuf>,
}

/// The short way past the parser of all other verbs, which a hook has no time for. None when this
/// is not a hook, or one whose words are for that parser.
pub(crate) fn shortcut(mut words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    serve(parse(&mut words)?);
    Some(ExitCode::SUCCESS)
}

/// A host must not suffer from a command line that we do not understand.
pub(crate) fn spared(usage: &clap::Error) -> Option<ExitCode> {
    let is_hook = std::env::args_os().nth(1).is_some_and(|word| word == "hook");
    let is_for_a_person = std::io::stdin().is_terminal() || !usage.use_stderr();
    (is_hook && !is_for_a_person).then(|| {
        println!("{{}}");
        ExitCode::SUCCESS
    })
}

fn parse(words: &mut dyn Iterator<Item = OsString>) -> Option<Asked> {
    words.next().filter(|first| first == "hook")?;
    let event = words.next()?.into_string().ok().filter(|event| !event.starts_with('-'))?;
    let mut asked = Asked { event, ..Asked::default() };
    while let Some(word) = words.next() {
        match word.to_str()? {
            "--host" => asked.host = Some(Host::parse(words.next()?.to_str()?)?),
            "--dir" => asked.dir = Some(words.next()?.into()),
            _ => return None,
        }
    }
    Some(asked)
}

/// Answers the event. Nothing in here fails the host.
fn serve(asked: Asked) {
    let started = Instant::now();
    // A mistake of ours is for the log, not for the host's screen.
    std::panic::set_hook(Box::new(|_| {}));
    let envelope = |host: Host, text| host.envelope(&asked.event, text);
    let voice = Voice::new(&envelope(asked.host.unwrap_or(Host::ClaudeCode), None));
    voice.promise(started + PATIENCE * 2);
    let message = Job::start(first_value).wait(started + PATIENCE);
    let Ok(Some(message)) = message else {
        return voice.say(&envelope(asked.host.unwrap_or(Host::ClaudeCode), None));
    };
    let host = asked.host.unwrap_or_else(|| Host::guess(&message));
    let Some(mut hook) = Hook::of(&asked, host, &message, started) else {
        return voice.say(&envelope(host, None));
    };
    voice.promise(hook.deadline + GRACE);
    hook.keep();
    let taking = hook.event.happened.is_pause().then(|| hook.take_in());
    if let Some(taking) = &taking {
        // What the last session left is taken in before this one is told of it, if there is time.
        let half = (hook.deadline - started) / 2;
        hook.wait_for(taking, started + half);
    }
    let reminder = hook.remind();
    voice.say(&envelope(host, reminder.as_ref().map(|one| one.text.as_str())));
    hook.note_shown(reminder);
    if let Some(taking) = &taking {
        hook.wait_for(taking, hook.deadline);
    }
}

/// The message of the host. It is complete with its last brace, whether or not the host closes its
/// end.
fn first_value() -> Option<Value> {
    let input = std::io::stdin().lock().take(LARGEST);
    serde_json::Deserializer::from_reader(BufReader::new(input)).into_iter().next()?.ok()
}

/// One event on its way.
struct Hook {
    name: String,
    event: Event,
    deadline: Instant,
    call: Invocation,
    settings: HookSettings,
    inbox: Inbox,
    seat: Seat,
}

impl Hook {
    /// None when there is nothing to be done: no project, or one that wants no hooks.
    fn of(asked: &Asked, host: Host, message: &Value, started: Instant) -> Option<Hook> {
        let event = host.read(&asked.event, message)?;
        let call = invocation(asked, &event)?;
        let place = call.project();
        if !place.exists && !place.is_bereft() {
            return None;
        }
        let inbox = Inbox::of(&place, call.personal().as_ref());
        let settings = match opt_out::check(&call) {
            Ok(settings) => settings,
            Err(Refusal::Wanted) => return None,
            Err(Refusal::Unclear(why)) => {
                let why =
                    format!("nothing is captured, since it is unclear whether it may be: {why}");
                log::note(&inbox, call.now, &format!("{} {}", host.as_str(), asked.event), &why);
                return None;
            }
        };
        let limit = event.happened.deadline(settings.deadline, settings.session_deadline);
        let seat = Seat::take(&inbox, &event);
        let deadline = started + limit;
        Some(Hook { name: asked.event.clone(), event, deadline, call, settings, inbox, seat })
    }

    fn complain(&self, message: &str) {
        let during = format!("{} {}", self.event.host.as_str(), self.name);
        log::note(&self.inbox, self.call.now, &during, message);
    }

    /// Writes the event down before anything else: from here on it cannot be lost.
    fn keep(&mut self) {
        if let Err(cause) = notebook::write(&self.inbox, &self.event) {
            self.complain(&format!("what was said could not be written down: {cause}"));
        }
        let mut events = vec![self.event.without_words()];
        match &self.event.happened {
            Happened::SubagentStart { .. } => events.clear(),
            Happened::Start { again } => {
                (self.seat.prompted, self.seat.shown) = (*again, Vec::new());
                let ends = seat::abandoned(&self.inbox, SystemTime::now());
                events.extend(ends.into_iter().filter(|one| one.session != self.event.session));
            }
            _ => {}
        }
        for event in events {
            if let Err(cause) = self.inbox.keep(self.call.now.micros(), Item::Event(event)) {
                self.complain(&format!("the event is lost: {cause}"));
            }
        }
        if matches!(self.event.happened, Happened::Start { .. }) {
            self.seat.keep(&self.inbox);
        }
    }

    /// Takes in what waits, in the background.
    fn take_in(&self) -> Job<Result<Taken, Error>> {
        let (inbox, deadline) = (self.inbox.clone(), self.deadline);
        let settings = self.call.engine_settings();
        Job::start(move || {
            let engine = Engine::open(settings?)?;
            let taken = take_in::all(&inbox, &engine, &|| Instant::now() < deadline);
            inbox.provide();
            Ok(taken)
        })
    }

    fn wait_for(&self, taking: &Job<Result<Taken, Error>>, until: Instant) {
        match taking.wait(until) {
            Ok(Ok(taken)) => {
                for error in taken.refused.iter().chain(&taken.stopped) {
                    self.complain(&log::told(error));
                }
            }
            Ok(Err(error)) => self.complain(&log::told(&error)),
            // What did not fit waits in the inbox, and one that was waited for before has told all.
            Err(_) => {}
        }
    }

    /// What the agent is reminded of, if it comes in time.
    fn remind(&self) -> Option<Reminder> {
        let due = remind::is_due(&self.event, &self.seat, self.settings.prompts);
        if !due || !self.event.host.takes_text(&self.name) {
            return None;
        }
        let (event, seat, settings) = (self.event.clone(), self.seat.clone(), self.settings);
        let open = self.call.engine_settings();
        let profiles = context::profiles(&self.call).unwrap_or_else(|_| Profiles::built_in());
        let counter = self.counter();
        let job = Job::start(move || {
            let engine = Engine::open(open?)?;
            Desk { engine: &engine, settings, profiles, counter, seat: &seat }.remind(&event)
        });
        let why = match job.wait(self.deadline) {
            Ok(Ok(reminder)) => return reminder,
            Ok(Err(error)) => log::told(&error),
            Err(Without::Late) => "there was not enough time to remind of anything".to_owned(),
            Err(Without::Broken) => "a mistake of ours kept us from reminding".to_owned(),
        };
        self.complain(&why);
        None
    }

    /// Counts tokens as the model does that reads them.
    fn counter(&self) -> Counter {
        match self.call.resolved().map(|resolved| resolved.context_model.as_str()) {
            Ok("") | Err(_) => Counter::default(),
            Ok(model) => Encoding::for_model(model),
        }
    }

    /// What was handed over is noted for the session, and the seat keeps it in mind.
    fn note_shown(&mut self, reminder: Option<Reminder>) {
        let is_prompt = match &self.event.happened {
            Happened::Prompt { text } => remind::is_said(text),
            _ => false,
        };
        if reminder.is_none() && (!is_prompt || self.seat.prompted) {
            return;
        }
        self.seat.prompted |= is_prompt;
        if let Some(Reminder { shown, topic, .. }) = reminder {
            self.seat.topic = topic.unwrap_or_default();
            self.seat.shown.extend(shown.iter().map(|one| one.id.clone()));
            let item = Item::Shown { session: self.event.session.clone(), shown };
            if let Err(cause) = self.inbox.keep(self.call.now.micros(), item) {
                self.complain(&format!("what was shown is not counted: {cause}"));
            }
        }
        self.seat.keep(&self.inbox);
    }
}

/// As if started in the project of the event.
fn invocation(asked: &Asked, event: &Event) -> Option<Invocation> {
    let told = match event.host {
        Host::ClaudeCode => environment::path(environment::CLAUDE_PROJECT_DIR),
        Host::Gemini => environment::path(environment::GEMINI_PROJECT_DIR),
        Host::Cursor => environment::path(environment::CURSOR_PROJECT_DIR),
        Host::Codex | Host::OpenCode => None,
    };
    let dir = asked.dir.clone().or(told).or_else(|| event.dir.clone());
    let global = |dir| Global { json: false, dir, actor: None, namespace: None, quiet: true };
    Invocation::begin(global(dir)).ok().or_else(|| Invocation::begin(global(None)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortcut_takes_only_what_it_knows() {
        let parsed = |words: &[&str]| parse(&mut words.iter().map(OsString::from));
        let asked = parsed(&["hook", "Stop", "--host", "codex", "--dir", "/p"]).unwrap();
        assert_eq!((asked.event.as_str(), asked.host), ("Stop", Some(Host::Codex)));
        assert_eq!(asked.dir, Some("/p".into()));
        for words in [
            &["list"][..],
            &["hook"],
            &["hook", "--help"],
            &["hook", "Stop", "--help"],
            &["hook", "Stop", "--host", "nobody"],
            &["hook", "Stop", "--host"],
            &[],
        ] {
            assert_eq!(parsed(words), None, "{words:?}");
        }
    }
}
