//! Recorded messages of every host through the program itself: each gets its envelope and no more.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod hosts;

use hosts::{HOSTS, MOMENTS, Moment, Play, patient, waiting};
use mnemic_testkit::Mnemic;
use serde_json::{Value, json};

fn play<'a>(mnemic: &'a Mnemic, host: &'static str, session: &str) -> Play<'a> {
    Play { mnemic, host, session: session.to_owned() }
}

fn stocked() -> Mnemic {
    let mnemic = patient();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let error = "error[E0382]: borrow of moved value: `session` in the login service";
    mnemic.remember(&json!({
        "kind": "pattern",
        "statement": format!("{error} is mended by cloning the session handle before the await"),
    }));
    mnemic
}

#[test]
fn every_event_of_every_host_gets_its_envelope() {
    let mnemic = stocked();
    for host in HOSTS {
        let play = play(&mnemic, host, "s-1");
        for moment in MOMENTS {
            let text = play.told(*moment, "which port does the database use?");
            if *moment == Moment::Start {
                let text = text.expect("a session starts with what is known");
                assert!(text.contains("db.port = 5432"), "{text}");
                assert!(text.starts_with("<recalled-by-mnemic"), "inside our fence: {text}");
            }
        }
    }
}

#[test]
fn the_first_prompt_is_answered_and_later_ones_are_not() {
    let mnemic = stocked();
    for host in ["claude-code", "codex", "gemini", "opencode"] {
        // Without a start: what a start has shown is not shown twice.
        let play = play(&mnemic, host, "s-2");
        let first = play.told(Moment::Prompt, "which port does the database use?");
        assert!(first.is_some_and(|text| text.contains("5432")), "{host}");
        let later = play.told(Moment::Prompt, "which port does the database use?");
        assert_eq!(later, None, "{host}");
    }
    mnemic.ok(["config", "set", "hook.prompts", "never"]);
    assert_eq!(play(&mnemic, "codex", "s-3").told(Moment::Prompt, "which port?"), None);
}

#[test]
fn a_prompt_that_nothing_answers_gets_nothing_whatever_failed_lately() {
    let mnemic = stocked();
    mnemic.remember(&json!({
        "kind": "episode",
        "goal": "Make the login tests pass",
        "task_id": "0e333347-aaaa-bbbb-cccc-ddddeeeeffff",
        "errors": [{ "message": "connection refused on port 5432", "resolution": "started it" }],
    }));
    for (session, prompt) in ["hi", "What is the capital of France?"].iter().enumerate() {
        let play = play(&mnemic, "claude-code", &format!("s-greeting-{session}"));
        assert_eq!(play.told(Moment::Prompt, prompt), None, "{prompt}");
    }
    let play = play(&mnemic, "claude-code", "s-asks");
    let told = play.told(Moment::Prompt, "make the login tests pass again").unwrap();
    assert!(told.contains("resolved by: started it"), "what came of it: {told}");
    assert!(!told.contains("0e333347"), "and no names of tasks: {told}");
}

#[test]
fn a_bare_command_is_no_prompt_and_a_new_topic_is_noticed_where_wanted() {
    let mnemic = stocked();
    mnemic.ok(["config", "set", "hook.prompts", "shift"]);
    let play = play(&mnemic, "claude-code", "s-shift");
    assert_eq!(play.told(Moment::Prompt, "/clear"), None);
    let first = play.told(Moment::Prompt, "which port does the database listen on?");
    assert!(first.is_some_and(|text| text.contains("5432")));
    let same = play.told(Moment::Prompt, "and the database port, which one do clients listen on?");
    assert_eq!(same, None, "the same topic");
    let error = "error[E0382] borrow of moved value `session` in the login service";
    let other = play.told(Moment::Prompt, error);
    assert!(other.is_some_and(|text| text.contains("cloning the session handle")));
}

#[test]
fn what_stands_in_the_window_is_not_said_twice_but_after_a_compaction() {
    let mnemic = stocked();
    let play = play(&mnemic, "claude-code", "s-4");
    assert!(play.told(Moment::Start, "").unwrap().contains("5432"));
    let prompt = play.told(Moment::Prompt, "which port does the database use?");
    assert!(prompt.is_none_or(|text| !text.contains("5432")));
    let again = play.told(Moment::Compacted, "").expect("what the session had comes back");
    assert!(again.contains("5432"), "{again}");
}

#[test]
fn a_known_error_brings_its_fix_and_an_unknown_one_nothing() {
    let mnemic = stocked();
    let error = "error[E0382]: borrow of moved value: `session`\n  --> src/login.rs:3:9";
    for host in ["claude-code", "codex", "gemini", "opencode"] {
        let play = play(&mnemic, host, "s-5");
        let fix = play.told(Moment::Failure, error);
        assert!(fix.is_some_and(|text| text.contains("cloning the session handle")), "{host}");
        assert_eq!(play.told(Moment::Failure, error), None, "{host}: read, and it did not help");
        assert_eq!(play.told(Moment::Failure, "curl: could not resolve host"), None, "{host}");
    }
}

#[test]
fn who_only_says_go_on_is_not_reminded() {
    let mnemic = stocked();
    for (nth, prompt) in ["no", "again", "ok, go on", "yes please", "thanks!"].iter().enumerate() {
        let play = play(&mnemic, "claude-code", &format!("filler-{nth}"));
        assert_eq!(play.told(Moment::Prompt, prompt), None, "{prompt}");
    }
    let play = play(&mnemic, "claude-code", "filler-none");
    assert!(play.told(Moment::Prompt, "which port does the database use").is_some());
}

/// However long the way to it was, and whichever door asks.
#[test]
fn the_line_that_tells_is_found_in_a_long_error() {
    let mnemic = stocked();
    let fails = "psycopg2.OperationalError: could not connect to server";
    mnemic.ok(["remember", "anti-pattern", fails, "--prevention", "start the tunnel first"]);
    let steps: Vec<String> = (0..120)
        .map(|n| {
            format!(
                "  File \"lib/step_{n}.py\", line {n}, in run\n    self.tasks[{n}].run(session)"
            )
        })
        .collect();
    let error = format!(
        "Traceback (most recent call last):\n{}\n{fails}: Connection refused",
        steps.join("\n")
    );
    let fix = play(&mnemic, "claude-code", "s-7").told(Moment::Failure, &error);
    assert!(fix.is_some_and(|text| text.contains("start the tunnel first")));
    let session = mnemic.ok(["session", "start"]).out.trim().to_owned();
    let noted = mnemic.ok(["session", "note", &session, "error", "--text", &error]);
    assert!(noted.out.contains("start the tunnel first"), "{noted:?}");
}

#[test]
fn what_matters_whatever_is_asked_has_no_place_beside_a_fix() {
    let mnemic = stocked();
    let risky = "Retrying payment calls without an idempotency key";
    mnemic.ok(["remember", "anti-pattern", risky, "--importance", "0.95"]);
    mnemic.ok(["remember", "fact", "deploy.gotcha", "wait five minutes", "--tag", "gotcha"]);
    let error = "error[E0382]: borrow of moved value: `session`\n  --> src/login.rs:3:9";
    let fix = play(&mnemic, "claude-code", "s-6").told(Moment::Failure, error).unwrap();
    assert!(fix.contains("cloning the session handle"), "{fix}");
    assert!(!fix.contains("idempotency") && !fix.contains("five minutes"), "{fix}");
}

#[test]
fn sessions_are_followed_and_citations_counted() {
    let mnemic = stocked();
    mnemic.ok(["remember", "Always connect through db.port"]);
    for host in HOSTS {
        let name = format!("followed-{host}");
        let play = play(&mnemic, host, &name);
        let text = play.told(Moment::Start, "").unwrap();
        let mark = text.split_once("[M:").unwrap().1.split_once(']').unwrap().0.to_owned();
        play.told(Moment::Tool, "");
        play.told(Moment::Stop, &format!("It is 5432.\nApplied: [M:{mark}]"));
        play.told(Moment::End, "");
        assert_eq!(waiting(&mnemic), 0, "{host}");
        let session = mnemic.ok(["session", "show", &name, "--json"]).json();
        assert_eq!(session["host"], json!(host));
        assert!(session["ended_at"].is_string(), "{session}");
        let shown = session["shown"].as_array().unwrap();
        assert!(shown.iter().any(|one| one["cited"] == json!(true)), "{session}");
        let kinds: Vec<&Value> =
            session["events"].as_array().unwrap().iter().map(|one| &one["event"]).collect();
        assert!(kinds.contains(&&json!("tool")), "{kinds:?}");
    }
}

#[test]
fn what_nobody_expected_is_answered_with_nothing() {
    let mnemic = stocked();
    let play = play(&mnemic, "claude-code", "s-6");
    let message = play.message(Moment::Start, "").to_string();
    for event in ["Notification", "PreToolUse", "AnEventOfTomorrow", "", "日本"] {
        for host in HOSTS {
            let answer = mnemic.feed(["hook", event, "--host", host], &message);
            assert_eq!((answer.code, answer.out.as_str()), (Some(0), "{}\n"), "{answer:?}");
        }
    }
    for input in ["", "null", "[]", "{", "not json", "{\"session_id\": 7}", "\u{0}\u{1}", "\"x\""] {
        for host in HOSTS {
            for moment in MOMENTS {
                let event = Play { host, ..play_of(&mnemic, host) }.event(*moment);
                let answer = mnemic.feed(["hook", event, "--host", host], input);
                assert_eq!(answer.code, Some(0), "{answer:?}");
                let empty = answer.json();
                assert!(empty == json!({}) || empty == json!({"continue": true}), "{answer:?}");
            }
        }
    }
    for args in [&["hook"][..], &["hook", "Stop", "--host", "nobody"], &["hook", "Stop", "--what"]]
    {
        let answer = mnemic.feed(args, &message);
        assert_eq!((answer.code, answer.out.as_str()), (Some(0), "{}\n"), "{answer:?}");
    }
    assert_eq!(waiting(&mnemic), 0);
}

fn play_of<'a>(mnemic: &'a Mnemic, host: &'static str) -> Play<'a> {
    play(mnemic, host, "s-7")
}

#[test]
fn a_host_that_says_no_name_is_known_by_its_message() {
    let mnemic = stocked();
    for host in ["claude-code", "codex", "gemini", "cursor"] {
        let play = play(&mnemic, host, "s-8");
        let mut message = play.message(Moment::Start, "");
        if host == "codex" {
            message["turn_id"] = json!("t");
        }
        let answer = mnemic.feed(["hook", play.event(Moment::Start)], &message.to_string());
        let text = play.text_in(Moment::Start, &answer);
        assert!(text.is_some(), "{host}");
    }
}

#[test]
fn a_long_memory_does_not_break_the_limit_of_a_host() {
    let mnemic = patient();
    mnemic.ok(["config", "set", "hook.budget", "8000"]);
    let mut lines = String::new();
    for n in 0..60 {
        let text =
            format!("Rule {n} of the deployment: ") + &"keep the database small. ".repeat(40);
        let rule = json!({ "kind": "pattern", "statement": text, "importance": 0.95 });
        lines.push_str(&format!("{rule}\n"));
    }
    assert_eq!(mnemic.feed(["remember", "-"], &lines).code, Some(0));
    for host in HOSTS {
        let play = play(&mnemic, host, "s-9");
        for moment in [Moment::Start, Moment::Prompt, Moment::Compacted] {
            let text = play.told(moment, "how is the database deployed, by which rules?");
            if let Some(text) = text {
                let fence = text.lines().last().unwrap();
                assert!(fence.starts_with("</recalled-by-mnemic"), "{host}: {fence}");
            }
        }
    }
}
