//! A whole session in each value: `{session, agent, start, turns: [{role, time, kind, tool, text, files}]}`.

use super::blocks::{Role, Scribe, time};
use super::rendered::{Rendered, parse};
use super::tools::{Described, Work, describe_patch};
use super::transcript::{Report, Spot, State};
use super::turn::{Answer, Call, Seat, Turn};
use serde_json::Value;

pub(super) fn read(value: &Value, spot: Spot, state: &mut State, report: &mut Report) -> Vec<Turn> {
    let text = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    state.after_command = false;
    state.head.host = text("agent").map_or("sessions".to_owned(), |agent| slug(&agent));
    state.head.id = text("session").or(text("id")).unwrap_or_else(|| spot.digest.to_hex());
    state.head.cwd = text("cwd");
    state.head.branch = text("branch");
    let listed = value.get("turns").and_then(Value::as_array);
    let mut turns = Vec::new();
    let mut last_at = time(value.get("start"));
    for (index, turn) in listed.into_iter().flatten().enumerate() {
        let mut spot = spot;
        spot.place.part = u32::try_from(index + 1).ok();
        let mut scribe = spot.scribe(state, &(index + 1).to_string());
        last_at = time(turn.get("time")).or(last_at);
        scribe.at = last_at;
        if let Err(unknown) = read_turn(turn, &mut scribe) {
            report.skip(&unknown);
        }
        turns.append(&mut scribe.turns);
    }
    turns
}

/// `Claude Code` is `claude-code`, as its own transcripts call it.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-").to_lowercase();
    match slug.as_str() {
        "codex-cli" => "codex".to_owned(),
        "" => "sessions".to_owned(),
        _ => slug,
    }
}

fn read_turn(turn: &Value, scribe: &mut Scribe<'_>) -> Result<(), String> {
    let field = |name: &str| turn.get(name).and_then(Value::as_str).unwrap_or_default();
    let text = field("text");
    match (field("role"), field("kind")) {
        (_, "tool") => tool(turn, text, field("tool"), scribe),
        ("user", _) => scribe.said(Role::Person, text),
        ("agent" | "assistant", "think") => scribe.thought(text),
        ("agent" | "assistant", _) => scribe.said(Role::Agent, text),
        ("system", _) => scribe.said(Role::System, text),
        (role, _) => return Err(format!("role {role}")),
    }
    Ok(())
}

/// `shell:Bash` says what sort of tool it is and what the host calls it.
fn tool(turn: &Value, text: &str, named: &str, scribe: &mut Scribe<'_>) {
    let (sort, name) = named.split_once(':').unwrap_or(("", named));
    let work = match sort {
        "shell" if Work::of_tool(name) == Work::Run => Work::Run,
        "write" => Work::Edit,
        "read" => Work::Read,
        "search" => Work::Search,
        _ => Work::of_tool(name),
    };
    let text = scribe.veil.pass(text);
    let Rendered { command, input, output } = parse(&text);
    let mut told = Described::default();
    if work == Work::Edit {
        describe_patch(input, &mut told);
    }
    let listed = turn.get("files").and_then(Value::as_array).into_iter().flatten();
    told.files = listed.filter_map(Value::as_str).map(|f| scribe.veil.pass(f)).collect();
    let command = command.filter(|_| work == Work::Run);
    let call = Call {
        tool: name.to_owned(),
        id: None,
        work,
        command: command.clone(),
        removed: told.removed,
        added: told.added,
    };
    let said = command.unwrap_or_else(|| super::clip::clipped(input, 8000).to_owned());
    scribe.push_any(Seat::Call(call), said, told.files);
    if let Some(output) = output {
        let ok = super::outcome::exit_code(output).map(|code| code == 0).or(Some(true));
        let answer = Answer { tool: name.to_owned(), id: None, ok };
        scribe.push_any(Seat::Result(answer), output.to_owned(), Vec::new());
    }
}
