//! `mnemic hook EVENT`: answers one event of a coding agent, in time and whatever happens.

use crate::args::{Global, choice};
use crate::hooks::deadline::{Job, Voice, Without};
use crate::hooks::event::Event;
use crate::hooks::visit::Visit;
use crate::hooks::{self, Host};
use crate::invocation::Invocation;
use crate::report::{Done, Failure};
use crate::settings::environment;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The host writes its message before it waits for us: what takes longer than this is slow, and is
/// waited for no longer than the event may take.
const SOON: Duration = Duration::from_millis(50);
/// The most that a message is waited for, however much time somebody gives to hooks.
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

Memories come at the start of a session, beside its first prompt and those that turn to something
else (`mnemic config set hook.prompts first|shift|every|never`), and when a tool fails in a way that
is known.

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
    let reading = Job::start(first_value);
    let message = match reading.wait(started + SOON) {
        Err(Without::Late) => reading.wait(started + patience(&asked)),
        message => message,
    };
    let Ok(Some(message)) = message else {
        voice.say(&envelope(asked.host.unwrap_or(Host::ClaudeCode), None));
        let why = if message.is_ok() { "is not JSON" } else { "did not come to its end in time" };
        if let Some(call) = begin(asked.dir.clone()) {
            let what = format!("the host's message {why}; nothing was captured");
            hooks::complain(&call, &asked.event, &what);
        }
        return;
    };
    let host = asked.host.unwrap_or_else(|| Host::guess(&message));
    let event = host.read(&asked.event, &message);
    let call = event.as_ref().and_then(|event| invocation(&asked, event));
    let visit =
        event.zip(call).and_then(|(event, call)| Visit::of(&asked.event, event, call, started));
    let Some(mut visit) = visit else { return voice.say(&envelope(host, None)) };
    voice.promise(visit.deadline() + GRACE);
    visit.keep();
    let taking = visit.take_in();
    // What the last session left is taken in before this one is told of it, if there is time.
    visit.wait_for(&taking, started + (visit.deadline() - started) / 2);
    let reminder = visit.remind();
    voice.say(&envelope(host, reminder.as_ref().map(|one| one.text.as_str())));
    visit.note_shown(reminder);
    visit.wait_for(&taking, visit.deadline());
}

/// How long the message of an event is waited for: no longer than the event may take altogether.
fn patience(asked: &Asked) -> Duration {
    let host = asked.host.unwrap_or(Host::ClaudeCode);
    // What sort of event it is tells its name; the message would only say more of it.
    let nameless = json!({ "session_id": "unknown" });
    let happened = host.read(&asked.event, &nameless).map(|event| event.happened);
    let dir = asked.dir.clone().or_else(|| told_by_environment(host));
    let settings = begin(dir.map(|dir| still_there(&dir)));
    let settings = settings.and_then(|call| call.resolved().ok().map(|resolved| resolved.hook));
    let Some(settings) = settings else { return PATIENCE };
    let (usual, of_session) = (settings.deadline, settings.session_deadline);
    let limit = happened.map_or(usual, |happened| happened.deadline(usual, of_session));
    limit.min(PATIENCE)
}

/// The message of the host. It is complete with its last brace, whether or not the host closes its
/// end.
fn first_value() -> Option<Value> {
    let input = std::io::stdin().lock().take(LARGEST);
    serde_json::Deserializer::from_reader(BufReader::new(input)).into_iter().next()?.ok()
}

/// As if started in the project of the event.
fn invocation(asked: &Asked, event: &Event) -> Option<Invocation> {
    let told = || told_by_environment(event.host);
    let dir = asked.dir.clone().or_else(told).or_else(|| event.dir.clone());
    begin(dir.map(|dir| still_there(&dir)))
}

/// The project that a host names to the programs it starts.
fn told_by_environment(host: Host) -> Option<PathBuf> {
    match host {
        Host::ClaudeCode => environment::path(environment::CLAUDE_PROJECT_DIR),
        Host::Gemini => environment::path(environment::GEMINI_PROJECT_DIR),
        Host::Cursor => environment::path(environment::CURSOR_PROJECT_DIR),
        Host::Codex | Host::OpenCode => None,
    }
}

fn begin(dir: Option<PathBuf>) -> Option<Invocation> {
    Invocation::begin(Global { json: false, dir, actor: None, namespace: None, quiet: true }).ok()
}

/// The directory, or the nearest one above it that is still there: a project that was moved away is
/// never mistaken for the one that the host happens to run in.
fn still_there(dir: &Path) -> PathBuf {
    dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(dir).to_owned()
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
