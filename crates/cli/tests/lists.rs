//! Lists as a person reads them, through the real binary: what is cut says so, what is shown is what
//! it goes by, and nothing is said where something would be.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Mnemic, answer};
use serde_json::json;

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn pattern(mnemic: &Mnemic, statement: &str) -> String {
    mnemic.remember(&json!({"kind": "pattern", "statement": statement}))
}

#[test]
fn a_line_that_leaves_something_out_says_so() {
    let mnemic = mnemic();
    let cut = [
        "User: I had lunch with Priya from Globex. She signs the contract in May.",
        "Max upload size is 25 MB. Bigger files go through the worker.",
        "We keep every write in one queue of its own, because locks were slow and hard to reason \
         about for anybody who was new",
    ];
    let whole = ["Makefiles are indented with tabs.", "Dr. Ada answers mail"];
    for text in cut.iter().chain(&whole) {
        pattern(&mnemic, text);
    }
    mnemic
        .remember(&json!({"kind": "decision", "decision": "Use SQLite", "rationale": "one file"}));
    for verb in [&["list"][..], &["timeline", "--around", "now", "--each", "9"]] {
        let told = mnemic.ok(verb).out;
        for text in [
            "Priya from Globex…",
            "Max upload size is 25 MB…",
            "in one queue of its own…",
            "indented with tabs",
            "Dr. Ada answers mail",
            "Use SQLite",
        ] {
            let line = told.lines().find(|line| line.contains(text));
            let line = line.unwrap_or_else(|| panic!("{verb:?}, {text}: {told}"));
            assert_eq!(line.contains('…'), text.ends_with('…'), "{line}");
        }
    }
}

#[test]
fn the_age_of_a_line_is_what_it_is_sorted_by() {
    let mnemic = mnemic();
    pattern(&mnemic, "The first that was said");
    mnemic.remember(
        &json!({"kind": "episode", "goal": "Long ago", "valid_at": "2020-01-01T00:00:00Z"}),
    );
    let told = mnemic.ok(["list"]).out;
    assert_eq!(told.matches("just now").count(), 2, "{told}");
    assert!(
        mnemic.ok(["list", "--help"]).out.contains("timeline"),
        "where to look for when it was"
    );
}

#[test]
fn kinds_are_named_as_they_are_typed() {
    let mnemic = mnemic();
    let id = mnemic.remember(&json!({"kind": "anti_pattern", "what_fails": "Retrying in a loop"}));
    for verb in
        [&["list"][..], &["show", &id], &["timeline", "--around", "now"], &["recall", "loop"]]
    {
        let told = mnemic.ok(verb).out;
        assert!(
            told.contains("anti-pattern") && !told.contains("anti_pattern"),
            "{verb:?}: {told}"
        );
    }
    assert_eq!(mnemic.ok(["show", &id, "--json"]).json()["kind"], json!("anti_pattern"));
}

#[test]
fn of_one_thing_it_is_said_that_it_is_one() {
    let mnemic = mnemic();
    pattern(&mnemic, "Alone");
    let told = mnemic.run(["doctor"]).out;
    assert!(told.contains("1 record, 1 version,"), "{told}");
}

#[test]
fn where_there_is_nothing_it_is_said() {
    let mnemic = mnemic();
    for list in [
        &["block", "list"][..],
        &["vault", "list"],
        &["namespace", "list"],
        &["backup", "--list"],
        &["changes"],
    ] {
        let told = mnemic.ok(list);
        assert!(told.out.is_empty() && told.err.contains("there are none"), "{list:?}: {told:?}");
        let json = mnemic.ok([list, &["--json"]].concat()).json();
        assert_eq!(json["items"], json!([]), "{list:?}");
    }
}

#[test]
fn changes_name_what_they_are_of() {
    let mnemic = mnemic();
    let id = pattern(&mnemic, "Backups run on Sundays");
    let gone = pattern(&mnemic, "The password of the old router is on the fridge");
    mnemic.ok(["forget", &gone, "--yes", "--reason", "it is private"]);
    let told = mnemic.ok(["changes"]).out;
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].contains("forget by human:tester: it is private"), "{told}");
    assert_eq!(lines[1].trim(), gone, "{told}");
    let made = lines.iter().position(|line| line.contains(&id)).unwrap_or_else(|| panic!("{told}"));
    assert!(lines[made - 1].contains("remember by human:tester"), "{told}");
    assert!(lines[made].contains("Backups run on Sundays"), "{told}");
    assert!(!told.contains("router"), "{told}");
    let json = mnemic.ok(["changes", "--json"]).json();
    assert_eq!(json["forgotten"][0]["id"], json!(gone), "{json}");
    let first = mnemic.ok(["changes", "--limit", "1"]).out;
    assert_eq!(first.lines().count(), 2, "{first}");
}

#[test]
fn times_are_told_to_the_second_and_can_be_given_back() {
    let mnemic = mnemic();
    let id = mnemic.remember(&json!({"kind": "fact", "key": "db.port", "value": "5432"}));
    for verb in ["show", "history"] {
        let told = mnemic.ok([verb, &id]).out;
        assert!(!told.contains("+00:00") && !told.contains('T'), "{told}");
    }
    let told = mnemic.ok(["show", &id]).out;
    let line = told.lines().find(|line| line.starts_with("recorded")).unwrap();
    let time = line.trim_start_matches("recorded").trim().trim_end_matches('…').trim();
    let again = mnemic.ok(["show", &id, "--known-at", time, "--as-of", time, "--json"]).json();
    assert_eq!(again["value"], json!("5432"), "{time}: {again}");
    assert!(again["recorded_at"].as_str().unwrap().contains('.'), "{again}");
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let mnemic = mnemic();
    for statement in [
        "The nightly build of the documentation runs on the small runner in the back room",
        "Anything that is deployed on a Friday is looked after by whoever deployed it until Monday",
    ] {
        pattern(&mnemic, statement);
    }
    for verb in [&["list"][..], &["timeline", "--around", "now"], &["changes"]] {
        let told = answer(mnemic.command(verb).env("COLUMNS", "60")).out;
        for line in told.lines() {
            assert!(line.chars().count() <= 60 && !line.is_empty(), "{verb:?}: {told}");
        }
    }
}

#[test]
fn what_is_alike_says_from_when_it_holds_and_what_is_not_alike_stays_away() {
    let mnemic = mnemic();
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    mnemic.ok(["remember", "fact", "db.port", "6000", "--valid-at", "in 12h"]);
    mnemic.ok(["remember", "fact", "db.host", "5432.example.org"]);
    pattern(&mnemic, "Cats sleep all day long");
    let told = mnemic.ok(["similar", "db.host"]).out;
    assert!(told.contains("holds from ") && told.contains("now: db.port = 5432 (until "), "{told}");
    assert!(!told.contains("Cats") && !told.contains("  0 %"), "{told}");
}

#[test]
fn wide_letters_keep_columns_in_line() {
    let mnemic = mnemic();
    for key in ["日本.port", "abcd.port"] {
        for n in 0..2 {
            mnemic.ok(["remember", "fact", &format!("{key}{n}"), "5432"]);
        }
    }
    let told = mnemic.ok(["index"]).out;
    let columns: Vec<usize> = told
        .lines()
        .filter_map(|line| line.split_once("  ").filter(|(name, _)| !name.is_empty()))
        .map(|(name, rest)| {
            let wide = name.chars().filter(|c| !c.is_ascii()).count();
            let spaces = rest.chars().take_while(|c| *c == ' ').count();
            name.chars().count() + wide + spaces
        })
        .collect();
    assert_eq!(columns, [4, 4], "{told}");
}

#[test]
fn topics_of_one_memory_stand_together_where_not_all_have_room() {
    let mnemic = mnemic();
    for n in 0..20 {
        let key = format!("{}.port", ["alpha", "beta", "gamma", "delta", "epsilon"][n % 5]);
        let key = format!("{}{key}", ["north", "south", "east", "west"][n / 5]);
        mnemic.ok(["remember", "fact", &key, "5432"]);
    }
    let index = mnemic.ok(["index", "--json"]).json();
    let last = index["topics"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["id"], &last["memories"]), (&json!("other"), &json!(20)), "{index}");
    assert_eq!((&index["left_out"], last["gathers"].as_array().unwrap().len()), (&json!(0), 20));
    assert!(index["cost"].as_u64().unwrap() <= 100, "{index}");
    let told = mnemic.ok(["index", "northalpha port"]).out;
    assert!(told.starts_with("northalpha") && told.contains("fits 0."), "{told}");
}
