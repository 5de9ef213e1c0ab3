//! Transcripts of all hosts become the same nouns.

mod given;

use given::{claude, codex, messages, read, sessions, turns};
use mnemic_lifecycle::capture::{Call, Seat, Turn, Work, read_sessions};

fn names(turns: &[Turn]) -> Vec<&'static str> {
    let name = |turn: &Turn| match &turn.seat {
        Seat::Person => "person",
        Seat::Agent => "agent",
        Seat::Thought => "thought",
        Seat::Call(_) => "call",
        Seat::Result(_) => "result",
        Seat::System => "system",
        Seat::Injected => "injected",
    };
    turns.iter().map(name).collect()
}

fn calls(turns: &[Turn]) -> Vec<&Call> {
    let call = |turn: &'_ Turn| matches!(turn.seat, Seat::Call(_));
    let calls = turns.iter().filter(|turn| call(turn));
    calls
        .filter_map(|turn| if let Seat::Call(call) = &turn.seat { Some(call) } else { None })
        .collect()
}

#[test]
fn claude_code() {
    let all = read(&claude());
    assert_eq!(all.len(), 1);
    let head = &all[0].head;
    assert_eq!((head.host.as_str(), head.id.as_str()), ("claude-code", "s-1"));
    assert_eq!(
        (head.cwd.as_deref(), head.branch.as_deref()),
        (Some("/home/ann/shop"), Some("main"))
    );
    let turns = &all[0].turns;
    assert_eq!(names(turns)[..6], ["person", "thought", "agent", "call", "result", "call"]);
    assert_eq!(turns[0].place.first, 3);
    assert_eq!(turns[0].key, "s-1/u1#0");
    assert!(turns[0].at < turns[1].at);
    let edit = calls(turns)[1];
    assert_eq!((edit.work, edit.added.as_deref()), (Work::Edit, Some("port = 8080")));
    assert_eq!(turns[5].files, ["conf/app.toml"]);
    let Seat::Result(failed) = &turns[4].seat else { panic!("{:?}", turns[4]) };
    assert_eq!((failed.tool.as_str(), failed.ok), ("Bash", Some(false)));
}

#[test]
fn what_nobody_typed_is_no_persons_turn() {
    let line = |flag: &str, text: &str| {
        let mut value: serde_json::Value =
            serde_json::from_str(&given::claude_line(1, "user", serde_json::json!(text))).unwrap();
        if !flag.is_empty() {
            value[flag] = serde_json::json!(true);
        }
        value.to_string()
    };
    for (flag, text, seat) in [
        ("", "hello", "person"),
        ("isMeta", "hello", "injected"),
        ("isCompactSummary", "hello", "injected"),
        ("isSidechain", "hello", "agent"),
        ("", "[Request interrupted by user]", "system"),
        ("", "<system-reminder>x</system-reminder>", "injected"),
        ("", "This session is being continued from a previous conversation that…", "injected"),
        ("", "<local-command-stdout>Goodbye!</local-command-stdout>", "injected"),
    ] {
        assert_eq!(names(&turns(&line(flag, text))), [seat], "{flag} {text}");
    }
}

#[test]
fn codex_rollouts() {
    let all = read(&codex());
    let head = &all[0].head;
    assert_eq!((head.host.as_str(), head.id.as_str()), ("codex", "r-1"));
    assert_eq!(head.cwd.as_deref(), Some("/home/ann/shop/api"));
    assert_eq!((head.branch.as_deref(), head.commit.as_deref()), (Some("dev"), Some("abc")));
    let turns = &all[0].turns;
    let expected = ["injected", "person", "thought", "call", "result", "call", "result", "agent"];
    assert_eq!(names(turns), expected);
    assert_eq!(calls(turns)[0].command.as_deref(), Some("pytest -q"));
    assert_eq!(turns[4].text, "58 passed");
    assert_eq!(turns[5].files, ["a.py"]);
}

#[test]
fn plain_messages_in_every_layout() {
    let array = messages();
    let list = array.as_array().unwrap();
    let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
    let expected = ["system", "person", "call", "result", "agent", "person"];
    let pretty = serde_json::to_string_pretty(&array).unwrap();
    let wrapped = serde_json::json!({"id": "c", "messages": array});
    for (text, lines_differ) in [
        (lines.join("\n"), true),
        (array.to_string(), false),
        (pretty, true),
        (wrapped.to_string(), false),
        (serde_json::to_string_pretty(&wrapped).unwrap(), false),
    ] {
        let turns = turns(&text);
        assert_eq!(names(&turns), expected, "{text}");
        assert_eq!(turns[1].place.first < turns[5].place.first, lines_differ, "{text}");
        assert_ne!(turns[1].key, turns[5].key, "yes said twice is two turns");
        assert!(turns[5].at.is_some());
        let Seat::Result(answer) = &turns[3].seat else { panic!("{:?}", turns[3]) };
        assert_eq!(answer.tool, "bash");
    }
}

#[test]
fn whole_sessions_in_lines() {
    let all = read(&sessions());
    assert_eq!(all.len(), 2);
    assert_eq!((all[1].head.host.as_str(), all[1].head.id.as_str()), ("claude-code", "b"));
    assert_eq!(names(&all[0].turns), ["person", "thought", "call", "result", "agent"]);
    assert_eq!(calls(&all[0].turns)[0].command.as_deref(), Some("golangci-lint run"));
    assert_eq!((all[1].turns[2].place.first, all[1].turns[2].place.part), (2, Some(3)));
}

#[test]
fn what_is_not_read_is_reported() {
    let text = format!("{}oops\n{{\"type\":\"tip\",\"sessionId\":\"s-1\"}}\n\u{0}\n", claude());
    let (all, report) = read_sessions(text.as_bytes()).unwrap();
    assert_eq!(all[0].turns.len(), turns(&claude()).len());
    let lines: Vec<u64> = report.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [17, 19]);
    assert_eq!(report.skipped.get("tip"), Some(&1));
    assert_eq!(report.skipped.get("summary"), Some(&1));
}
