//! A session of an agent through the real binary: it starts, asks, wanders off, fills its window,
//! ends, and what it cost can be looked at.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::Mnemic;
use serde_json::{Value, json};

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn told(mnemic: &Mnemic, args: &[&str]) -> Value {
    mnemic.ok([args, &["--json"]].concat()).json()
}

#[test]
fn a_session_from_start_to_end() {
    let mnemic = mnemic();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let long = "Login tokens expire at midnight. ".to_owned() + &"And so on it goes. ".repeat(30);
    let pattern = mnemic.ok(["remember", "pattern", &long, "--tag", "auth"]).out.trim().to_owned();
    let about = "rotate the signing keys of the login service";
    let start = ["session", "start", "--host", "editor", "--window", "1000", "--about", about];
    let id = mnemic.ok(start).out.trim().to_owned();
    assert!(id.starts_with("ses-"), "{id}");

    let index = told(&mnemic, &["index"]);
    let names: Vec<&str> =
        index["topics"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(names.contains(&"db") && names.contains(&"auth"), "{index}");
    assert!(index["cost"].as_u64().unwrap() <= 100);

    let ask = |question: &str| told(&mnemic, &["index", question, "--load", "--session", &id]);
    assert_eq!(ask("helm charts")["depth"], json!("index"));
    assert_eq!(ask("db port")["depth"], json!("timeline"));
    let full = ask("login tokens expire");
    assert_eq!((&full["depth"], &full["full"][0]["id"]), (&json!("full"), &json!(pattern)));

    let note = |args: &[&str]| told(&mnemic, &[&["session", "note", &id], args].concat());
    assert_eq!(note(&["prompt", "--text", "rotate the login keys"])["due"], Value::Null);
    let away = note(&["prompt", "--text", "draw an invoice as a printable letter"]);
    assert_eq!(away["due"], json!("topic_shift"));
    assert!(note(&["window-fill", "--amount", "600"])["warning"].is_string());
    assert_eq!(note(&["compaction"])["again"].as_array().unwrap().len(), 2);

    let ended =
        told(&mnemic, &["session", "end", &id, "--outcome", "success", "--cited", &pattern]);
    assert_eq!((&ended["shown"], &ended["cited"]), (&json!(2), &json!(1)));
    assert_eq!(ended["economics"]["full_loads"], json!(1));
    let shown = told(&mnemic, &["session", "show", &id]);
    assert_eq!(shown["outcome"], json!("success"));
    assert!(!shown.to_string().contains("invoice"), "what was said is not kept: {shown}");
    let economics = mnemic.ok(["economics", "--session", &id]).out;
    assert!(economics.contains('█') && economics.contains("finding to reading"), "{economics}");
    mnemic.verify("after a session");
}

#[test]
fn wrong_words_are_answered_with_a_way_on() {
    let mnemic = mnemic();
    let error = |args: &[&str]| -> Value {
        let answer = mnemic.run([args, &["--json"]].concat());
        assert_ne!(answer.code, Some(0), "{answer:?}");
        serde_json::from_str(&answer.err).unwrap()
    };
    let missing = error(&["session", "show", "nobody"]);
    assert_eq!(missing["error"]["code"], json!("not_found"));
    mnemic.ok(["session", "start", "--id", "s-1"]);
    for args in [
        vec!["session", "note", "s-1", "start"],
        vec!["session", "note", "s-1", "tool", "--amount", "NaN"],
        vec!["session", "note", "s-1", "tool", "--touched", "nowhere"],
        vec!["session", "start", "--id", "s-1"],
        vec!["session", "end", "s-1", "--cited", "nothing"],
        vec!["session", "start", "--id", "two words"],
    ] {
        assert!(error(&args)["error"]["hint"].is_string(), "{args:?}");
    }
    mnemic.ok(["session", "end", "s-1"]);
    assert_eq!(error(&["session", "end", "s-1"])["error"]["code"], json!("conflict"));
}

#[test]
fn a_known_error_is_answered_with_ids_that_open_what_is_known() {
    let mnemic = mnemic();
    let fails = "ENOSPC on the build host means the cache disk is full";
    let known = mnemic.ok(["remember", "anti-pattern", fails, "--prevention", "empty /var/cache"]);
    let known = known.out.trim().to_owned();
    let id = mnemic.ok(["session", "start", "--host", "editor"]).out.trim().to_owned();
    let note = ["session", "note", &id, "error", "--text", "ENOSPC on the build host"];
    let answer = mnemic.ok(note).out;
    assert!(answer.contains(&known) && answer.contains("empty /var/cache"), "{answer}");
    let answer = told(&mnemic, &note);
    assert_eq!((&answer["due"], &answer["known"][0]["id"]), (&json!("known_error"), &json!(known)));
    let other = ["session", "note", &id, "error", "--text", "segmentation fault in libfoo"];
    assert_eq!(told(&mnemic, &other)["known"], json!([]));
}

#[test]
fn a_working_file_that_is_not_there_yet_is_begun() {
    let mnemic = mnemic();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let missing = mnemic.run(["continuity"]);
    assert_ne!(missing.code, Some(0), "{missing:?}");
    assert!(missing.err.contains("`mnemic continuity --refresh` begins it"), "{missing:?}");
    let begun = mnemic.ok(["continuity", "--refresh"]);
    assert!(begun.err.contains("write the goal and the next steps"), "{begun:?}");
    let path = mnemic.project().join("CONTINUITY.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let written = text.replacen("## Goal\n", "## Goal\nMove the db port of the service\n", 1);
    assert_ne!(text, written);
    std::fs::write(&path, written).unwrap();
    mnemic.ok(["continuity", "--refresh"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("db.port = 5432") && text.starts_with("# Continuity"), "{text}");
}

#[test]
fn times_are_shown_to_the_second() {
    let mnemic = mnemic();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    mnemic.ok(["backup"]);
    let id = mnemic.ok(["session", "start", "--host", "editor"]).out.trim().to_owned();
    for verb in [&["audit"][..], &["doctor"], &["session", "show", &id]] {
        let told = mnemic.run(verb).out;
        let is_finer = |word: &str| word.starts_with("20") && word.contains('T');
        assert!(told.contains(":") && !told.split_whitespace().any(is_finer), "{verb:?}: {told}");
    }
}
