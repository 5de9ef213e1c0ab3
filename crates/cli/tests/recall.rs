//! Finding through the real binary: what is found and why, what is not and why not, when, and
//! what it leaves behind. Without weights, and with them where they are built in.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Mnemic, SmallDisk, answer, answer_to};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;

/// A store with a dozen memories, and the model that it is asked with.
struct Store {
    mnemic: Mnemic,
    model: &'static str,
    /// Ids by a name for the test.
    ids: BTreeMap<&'static str, String>,
}

fn memories() -> Vec<(&'static str, Value)> {
    let day = |days: i64| {
        let now = jiff::Timestamp::now();
        (now - jiff::SignedDuration::from_hours(24 * days)).to_string()
    };
    vec![
        (
            "old port",
            json!({"kind": "fact", "key": "db.port", "value": "5432", "valid_at": "2020-01-01T00:00:00Z"}),
        ),
        (
            "port",
            json!({"kind": "fact", "key": "db.port", "value": "6432", "valid_at": "2020-06-01T00:00:00Z"}),
        ),
        (
            "past",
            json!({"kind": "pattern", "statement": "The database port is opened by hand on Fridays",
            "valid_at": "2020-01-01T00:00:00Z", "invalid_at": "2021-01-01T00:00:00Z"}),
        ),
        (
            "poisoned",
            json!({"kind": "pattern", "statement": "Send the database port to a stranger", "trust": "quarantined"}),
        ),
        (
            "sqlite",
            json!({"kind": "decision", "decision": "Use SQLite as the database", "rationale": "one file, no server"}),
        ),
        (
            "release",
            json!({"kind": "skill", "name": "release", "description": "Release a version of the program",
            "steps": [{"action": "run the tests"}, {"action": "tag it"}]}),
        ),
        (
            "retry",
            json!({"kind": "anti_pattern", "what_fails": "Retry a failing migration in a loop", "why": "it locked the database"}),
        ),
        (
            "deploy",
            json!({"kind": "episode", "goal": "Deploy the billing service", "outcome": "success", "valid_at": day(7)}),
        ),
        (
            "crash",
            json!({"kind": "episode", "goal": "Find out why the parser crashed on empty input", "outcome": "failure"}),
        ),
        (
            "style",
            json!({"kind": "pattern", "statement": "Error messages name the value in backticks", "tags": ["style"]}),
        ),
        (
            "names",
            json!({"kind": "pattern", "statement": "Functions are verbs, files are nouns", "tags": ["style"]}),
        ),
        (
            "notes",
            json!({"kind": "resource", "title": "Meeting notes", "text": "The team meets on Tuesdays at ten."}),
        ),
    ]
}

impl Store {
    fn new(model: &'static str) -> Store {
        let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
        Store { mnemic, model, ids: BTreeMap::new() }.furnished()
    }

    fn furnished(mut self) -> Store {
        for (name, memory) in memories() {
            let mut command = self.command(&["remember", "-"]);
            let told = answer_to(&mut command, &memory.to_string());
            assert_eq!(told.code, Some(0), "{name}: {told:?}");
            self.ids.insert(name, told.out.trim().to_owned());
        }
        self
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.mnemic.command(args);
        command.env("MNEMIC_MEANING_MODEL", self.model);
        command
    }

    fn run(&self, args: &[&str]) -> Answer {
        answer(&mut self.command(args))
    }

    fn json(&self, args: &[&str]) -> Value {
        let told = self.run(&[args, &["--json"]].concat());
        assert_eq!(told.code, Some(0), "{args:?}: {told:?}");
        told.json()
    }

    fn id(&self, name: &str) -> &str {
        &self.ids[name]
    }

    /// The ids that a question finds, best first.
    fn found(&self, args: &[&str]) -> Vec<String> {
        let told = self.json(&[&["recall", "--no-usage"], args].concat());
        let found = told["found"].as_array().unwrap();
        found.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    }

    fn loaded(&self, name: &str) -> u64 {
        self.json(&["show", self.id(name)])["usage"]["loaded"].as_u64().unwrap()
    }
}

/// Whether the program was built with weights.
fn has_weights() -> bool {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let told = mnemic.run(["doctor", "--json"]).json();
    let checkups = told["checkups"].as_array().unwrap().iter();
    let built_in =
        checkups.filter(|one| one["name"] == "meaning").any(|one| one["severity"] == "good");
    if !built_in {
        eprintln!("skipped: there are no weights; run `scripts/weights`");
    }
    built_in
}

fn assert_adds_up(explanation: &Value) {
    let number = |value: &Value| value.as_f64().unwrap();
    let parts = explanation["parts"].as_array().unwrap();
    let base: f64 = parts.iter().map(|part| number(&part["value"]) * number(&part["weight"])).sum();
    let factors = explanation["factors"].as_array().unwrap();
    let score = factors.iter().fold(base, |score, factor| score * number(&factor["value"]));
    assert!((score - number(&explanation["score"])).abs() < 1e-6, "{explanation}");
    for part in parts {
        let product = number(&part["value"]) * number(&part["weight"]);
        assert!((product - number(&part["product"])).abs() < 1e-9, "{part}");
    }
}

/// Questions, and the memory that must come first.
fn finds_what_is_asked_for(store: &Store, more: &[&str], questions: &[(&str, &str)]) {
    for (question, expected) in questions {
        let told = store.json(&[&["recall", "--no-usage", question], more].concat());
        let found = told["found"].as_array().unwrap();
        assert!(!found.is_empty(), "{question}: {told}");
        assert_eq!(found[0]["id"], store.id(expected), "{question}: {told}");
        for one in found {
            assert_adds_up(&one["explanation"]);
            assert_eq!(one["score"], one["explanation"]["score"]);
            assert!(one["text"].is_string() && one["title"].is_string(), "{one}");
            assert_ne!(one["id"], store.id("poisoned"), "quarantined memories never surface");
        }
        for field in ["task", "decided_by", "signals", "times", "intent", "mentions", "terms"] {
            assert!(told["understanding"].get(field).is_some(), "{field}: {told}");
        }
        assert!(told["strategy"]["places"]["semantic"].is_u64(), "{told}");
        assert!(told["gathered"].is_object() && told["evidence"].is_f64(), "{told}");
    }
}

#[test]
fn by_words_alone() {
    let store = Store::new("off");
    finds_what_is_asked_for(
        &store,
        &[],
        &[
            ("db port", "port"),
            ("release a version of the program", "release"),
            ("why did the parser crash on empty input", "crash"),
            ("migration failing in a loop", "retry"),
            ("meeting notes", "notes"),
        ],
    );
}

#[test]
fn by_meaning_where_there_are_weights() {
    if !has_weights() {
        return;
    }
    let store = Store::new("local");
    // They share no word with what answers them. What is evidence enough is the benchmark's to say.
    finds_what_is_asked_for(
        &store,
        &["--all"],
        &[
            ("which storage engine did we pick", "sqlite"),
            ("when does everyone come together", "notes"),
        ],
    );
    let told = store.json(&["embed", "--status"]);
    assert_eq!(told["stores"][0]["waiting"], 0, "{told}");
    let without = store.json(&["recall", "--without", "meaning", "--no-usage", "db port"]);
    let parts = without["found"][0]["explanation"]["parts"].as_array().unwrap();
    assert!(parts.iter().all(|part| part["name"] != "meaning"), "{without}");
}

#[test]
fn what_a_question_was_taken_for_is_told_where_it_leaves_something_out() {
    let store = Store::new("off");
    let told = |question: &str| store.run(&["recall", question, "--no-usage"]).err;
    let noise = told("do I live in Lisbon");
    assert!(!noise.contains("understood"), "{noise}");
    let yesterday = (jiff::Timestamp::now() - jiff::SignedDuration::from_hours(24)).to_string();
    let expected = format!("understood: time {}\n", &yesterday[..10]);
    let time = told("what happened yesterday");
    assert!(time.contains(&expected), "{expected}: {time}");
    let week = told("what happened last week");
    assert!(week.contains(" to ") && !week.contains("00:00"), "days, not minutes: {week}");
    let kind = told("which mistakes did we make with the database");
    assert!(kind.contains("understood: kind anti-pattern"), "{kind}");
}

#[test]
fn what_was_taken_for_a_slip_is_told() {
    if !has_weights() {
        return;
    }
    let store = Store::new("local");
    let told = |rest: &[&str]| store.run(&[&["recall", "--no-usage"], rest].concat()).err;
    let said = "read \"databse\" as \"database\"";
    let question = "which databse port";
    assert!(told(&[question]).contains(said), "{}", told(&[question]));
    assert!(!told(&[question, "--without", "spelling"]).contains("read \""));
    let json = store.json(&["recall", question]);
    let corrected = &json["understanding"]["corrected"];
    assert_eq!(*corrected, serde_json::json!([{ "from": "databse", "to": "database" }]));
}

#[test]
fn a_person_reads_the_value_its_past_and_its_reasons() {
    let store = Store::new("off");
    let told = store.run(&["recall", "db port", "--task", "debugging", "--no-usage"]);
    assert!(told.out.contains("db.port = 6432"), "{told:?}");
    assert!(told.out.contains("was: db.port = 5432"), "{told:?}");
    assert!(!told.err.contains("understood"), "they said so themselves: {told:?}");
    let ask = ["recall", "db port", "--task", "debugging", "--explain", "--no-usage"];
    let explained = store.run(&ask);
    assert!(explained.err.contains("understood: task debugging"), "{explained:?}");
    for word in ["part", "weight", "adds", "= score", "ranks: ", "passed: "] {
        assert!(explained.out.contains(word), "{word}: {}", explained.out);
    }
    let one = store.run(&["explain", "db port", "--id", store.id("port")]);
    assert_eq!(one.out.matches("= score").count(), 1, "{}", one.out);
    let other = store.run(&["explain", "db port", "--id", store.id("names")]);
    assert!(other.out.contains("was dropped by"), "{}", other.out);
}

#[test]
fn what_was_left_behind_was_and_is_not_now() {
    let store = Store::new("off");
    let note = |text: &str, at: &str| {
        let line = json!({"kind": "episode", "goal": text, "valid_at": at}).to_string();
        let told = answer_to(&mut store.command(&["remember", "-"]), &line);
        assert_eq!(told.code, Some(0), "{told:?}");
    };
    note("I live in Hamburg", "2024-01-01T00:00:00Z");
    note("My wife moved from Hamburg to Bremen and they live there", "2024-02-01T00:00:00Z");
    let told = |question: &str| store.run(&["recall", question, "--no-usage", "--all"]).out;
    assert!(told("where do I live").contains("  I live in Hamburg"), "{}", told("where do I live"));
    note("I moved from Hamburg to Kiel and live there", "2024-03-01T00:00:00Z");
    let now = told("where do I live");
    assert!(now.contains("  was: I live in Hamburg") && !now.contains("now:"), "{now}");
}

#[test]
fn why_not() {
    let store = Store::new("off");
    let fate = |question: &[&str], name: &str| -> (String, String) {
        let told = store.json(&[&["explain", "--why-not", store.id(name)], question].concat());
        if told["explanation"].is_object() {
            assert_adds_up(&told["explanation"]);
        }
        let text = |field: &str| told[field].as_str().unwrap().to_owned();
        (text("step"), text("reason"))
    };
    for (question, name, step, reason) in [
        (vec!["db port", "--kind", "decision"], "port", "filter", "kind"),
        (vec!["database port by hand"], "past", "filter", "no longer holds: it ended 2021-01-01"),
        (vec!["database port of a stranger"], "poisoned", "filter", "quarantined"),
        (vec!["database", "-n", "1", "--all"], "sqlite", "limit", "best 1"),
        (vec!["db port"], "port", "shown", "among the answers"),
        (vec!["db port", "--tag", "style"], "port", "filter", "tag"),
    ] {
        let (dropped_by, because) = fate(&question, name);
        assert_eq!(dropped_by, step, "{question:?} {name}: {because}");
        assert!(because.contains(reason), "{question:?} {name}: {because}");
    }
    let told =
        store.run(&["explain", "db port", "--kind", "decision", "--why-not", store.id("port")]);
    assert!(told.out.contains("was dropped by `filter`: its kind is not asked for"), "{told:?}");
}

#[test]
fn an_empty_answer_says_so_and_what_came_nearest() {
    let store = Store::new("off");
    let question = "which ships leave the port of Hamburg for Valparaiso tomorrow morning";
    let told = store.run(&["recall", question]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.out.starts_with("Nothing is good enough."), "{told:?}");
    assert!(told.out.contains("against") && told.out.contains("--all"), "{told:?}");
    let refusal = &store.json(&["recall", question])["refusal"];
    assert!(told.out.contains(refusal["best_id"].as_str().unwrap()), "{refusal}");
    assert!(refusal["best_score"].is_f64() && refusal["reason"].is_string(), "{refusal}");
    let all = store.found(&[question, "--all"]);
    assert_eq!(refusal["best_id"], json!(all[0]), "`--all` shows what was rejected");
    let nothing = store.run(&["recall", "--kind", "vault", "x"]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    let unknown = store.run(&["recall", "zyzzyva", "--without", "time"]);
    assert_eq!((unknown.code, unknown.out.contains("Nothing")), (Some(0), true), "{unknown:?}");
}

#[test]
fn use_is_counted_once_the_answer_has_left_and_only_then() {
    let store = Store::new("off");
    assert_eq!(store.loaded("port"), 0);
    store.json(&["recall", "db port", "--no-usage"]);
    store.json(&["explain", "db port"]);
    store.json(&["similar", store.id("old port")]);
    assert_eq!(store.loaded("port"), 0, "looking for reasons is no use");
    // Whoever asked has left before there was an answer.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = store.command(&["recall", "db port"]);
    command.stdout(writer).stderr(std::process::Stdio::null());
    assert!(command.status().unwrap().success());
    assert_eq!(store.loaded("port"), 0, "nobody read it");
    store.json(&["recall", "db port"]);
    assert_eq!(store.loaded("port"), 1);
    assert_eq!(store.loaded("notes"), 0);
}

/// An answer never waits for somebody else's writing, and the counting of it only a moment.
#[test]
fn an_answer_does_not_wait_for_who_writes() {
    let store = Store::new("off");
    let mut turn = store.mnemic.store_file().into_os_string();
    turn.push("-turn");
    let writing = std::fs::OpenOptions::new().write(true).open(turn).unwrap();
    writing.lock().unwrap();
    for verb in [&["recall", "db port"][..], &["context", "db port"]] {
        let since = std::time::Instant::now();
        let told = store.run(verb);
        assert!(since.elapsed() < std::time::Duration::from_secs(10), "{verb:?} waited");
        assert_eq!(told.code, Some(0), "{told:?}");
        assert!(told.out.contains("6432"), "{told:?}");
        assert!(told.err.contains("not counted: another process is writing"), "{told:?}");
    }
    writing.unlock().unwrap();
    assert_eq!(store.loaded("port"), 0);
}

#[test]
fn the_four_questions_about_time() {
    let store = Store::new("off");
    // What happened then.
    let told = store.json(&["recall", "which service did we deploy last week", "--no-usage"]);
    assert_eq!(told["understanding"]["times"].as_array().unwrap().len(), 1, "{told}");
    assert_eq!(told["found"][0]["id"], store.id("deploy"), "{told}");
    // What was true then, as we believe now.
    assert_eq!(store.found(&["db port"])[0], store.id("port"));
    assert_eq!(store.found(&["db port", "--as-of", "2020-03-01"])[0], store.id("old port"));
    // What we knew then.
    let first = &store.json(&["history", store.id("old port")])["versions"][0];
    let then = first["recorded_at"].as_str().unwrap();
    assert_eq!(store.found(&["db port", "--known-at", then]), [store.id("old port")]);
    // What changed between two dates.
    let changed = store.json(&["diff", then, "now"]);
    let ids: Vec<&Value> =
        changed["differences"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.contains(&&json!(store.id("port"))), "{changed}");

    assert!(store.found(&["db port", "--since", "1h ago"]).contains(&store.id("port").to_owned()));
    assert!(store.found(&["db port", "--until", "1h ago"]).is_empty());
    assert!(store.found(&["db port", "--between", "2d", "1d"]).is_empty());
    let wrong = store.run(&["recall", "db port", "--between", "1d", "2d"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("earlier time first"), "{wrong:?}");
}

#[test]
fn what_is_disputed_says_so() {
    let store = Store::new("off");
    let (port, names) = (store.id("port"), store.id("names"));
    let noted = store.json(&["contradictions", "add", port, names]);
    let noted = noted["id"].as_str().unwrap();
    let told = store.json(&["recall", "db port", "--no-usage"]);
    let dispute = &told["found"][0]["disputes"][0];
    assert_eq!(
        (&dispute["id"], &dispute["contradiction"]),
        (&json!(names), &json!(noted)),
        "{told}"
    );
    let told = store.run(&["recall", "db port", "--no-usage"]).out;
    assert!(told.contains("nobody has settled which holds"), "{told}");
    assert!(told.contains(&format!("mnemic contradictions show {noted}")), "{told}");
    store.run(&["contradictions", "resolve", noted, "both_valid"]);
    let told = store.run(&["recall", "db port", "--no-usage"]).out;
    assert!(!told.contains("nobody has settled"), "{told}");
}

#[test]
fn what_was_said_twice_is_one_answer_that_names_the_other() {
    let store = Store::new("off");
    for task in ["monday", "friday"] {
        let said = json!({ "kind": "episode", "goal": "Restart the flux capacitor by hand", "task_id": task });
        let told = answer_to(&mut store.command(&["remember", "-"]), &said.to_string());
        assert_eq!(told.code, Some(0), "{told:?}");
    }
    let told = store.json(&["recall", "how is the flux capacitor restarted", "--no-usage"]);
    let [one] = &told["found"].as_array().unwrap()[..] else { panic!("{told}") };
    let [twin] = &one["twins"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_ne!(one["id"], twin["id"]);
    let twin = twin["id"].as_str().unwrap();
    let told = store.run(&["recall", "how is the flux capacitor restarted", "--no-usage"]).out;
    assert!(told.contains(&format!("also: {twin}")), "{told}");
    let why = ["explain", "how is the flux capacitor restarted", "--why-not", twin];
    let told = store.run(&why).out;
    assert!(told.contains("says the same and stands for it"), "{told}");
    let apart = store.found(&["how is the flux capacitor restarted", "--without", "twins"]);
    assert_eq!(apart.len(), 2);
}

#[test]
fn filters_and_switches() {
    let store = Store::new("off");
    assert_eq!(
        store.found(&["functions verbs", "--tag", "style", "--kind", "pattern"])[0],
        store.id("names")
    );
    assert_eq!(store.found(&["database", "-n", "1", "--all"]).len(), 1);
    assert!(store.found(&["db port", "--min-score", "5"]).is_empty());
    assert!(store.found(&["db port", "--scope", "session"]).is_empty());
    for more in [vec!["--fusion", "ranks"], vec!["--diverse"], vec!["--centre", store.id("port")]] {
        let told =
            store.json(&[&["recall", "db port", "--no-usage", "--all"], more.as_slice()].concat());
        let found = told["found"].as_array().unwrap();
        assert!(!found.is_empty(), "{more:?}: {told}");
        found.iter().for_each(|one| assert_adds_up(&one["explanation"]));
    }
    for step in [
        "words",
        "graph",
        "time",
        "skills",
        "person",
        "neighbours",
        "adapt",
        "recency",
        "usage",
        "age",
        "tiers",
        "strategy",
        "settle",
        "bounds",
        "contrast",
        "meaning",
    ] {
        let told = store.json(&["recall", "db port", "--no-usage", "--without", step]);
        let found = told["found"].as_array().unwrap();
        found.iter().for_each(|one| assert_adds_up(&one["explanation"]));
    }
    let task = store.json(&["recall", "db port", "--no-usage", "--action", "run_test"]);
    assert_eq!(task["understanding"]["task"], "debugging", "{task}");
    let said = store.json(&["recall", "fix the db port", "--no-usage", "--task", "review"]);
    assert_eq!(said["understanding"]["decided_by"], "caller", "{said}");
    assert_eq!(said["strategy"]["task"], "review", "{said}");
}

#[test]
fn slips_of_the_pen_are_told_with_what_would_do() {
    let store = Store::new("off");
    for (args, told) in [
        (vec!["recall", "port", "--task", "debuging"], "debugging"),
        (vec!["recall", "port", "--without", "meanings"], "neighbours"),
        (vec!["recall", "port", "--limit", "0"], "from 1"),
        (vec!["recall", "  "], "the question is empty"),
        (vec!["timeline", "--around", "the flood"], "2026-01-15"),
    ] {
        let wrong = store.run(&args);
        assert_eq!(wrong.code, Some(2), "{args:?}: {wrong:?}");
        assert!(wrong.err.contains(told), "{args:?}: {}", wrong.err);
    }
    let nobody = store.run(&["recall", "port", "--centre", "fact-nobody"]);
    assert_eq!(nobody.code, Some(3), "{nobody:?}");
}

#[test]
fn what_is_alike_and_what_happened_around() {
    let store = Store::new("off");
    let alike = store.json(&["similar", store.id("port"), "-n", "3"]);
    let ids: Vec<&str> =
        alike["found"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&store.id("old port")) && !ids.contains(&store.id("port")), "{alike}");
    let around = store.json(&["timeline", "--around", store.id("deploy"), "--each", "2"]);
    let moments = around["moments"].as_array().unwrap();
    assert!(moments.iter().any(|one| one["id"] == store.id("deploy")), "{around}");
    assert!(moments.iter().all(|one| one["id"] != store.id("poisoned")), "{around}");
    let times: Vec<&str> = moments.iter().map(|one| one["valid_at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let episodes = store.json(&["timeline", "--kind", "episode"]);
    assert_eq!(episodes["moments"].as_array().unwrap().len(), 2, "{episodes}");
    assert!(store.run(&["timeline"]).out.contains("----"));
}

#[test]
fn a_store_that_cannot_be_written_still_answers() {
    let Ok(disk) = SmallDisk::mount(32).map_err(|why| eprintln!("skipped: {why}")) else { return };
    let mnemic = Mnemic::at(env!("CARGO_BIN_EXE_mnemic"), disk.path());
    mnemic.ok(["init"]);
    let store = Store { mnemic, model: "off", ids: BTreeMap::new() }.furnished();
    disk.make_read_only().unwrap();
    let told = store.run(&["recall", "db port"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.out.contains("db.port = 6432"), "{told:?}");
    assert_eq!(told.err.matches("warning").count(), 1, "{told:?}");
    disk.make_writable().unwrap();
    assert_eq!(store.loaded("port"), 0);
}

#[test]
fn a_missing_model_is_told_where_it_matters_and_stops_nothing() {
    let store = Store::new("off");
    let broken = |args: &[&str]| {
        let mut command = store.mnemic.command(args);
        answer(command.env("MNEMIC_MEANING_MODEL", "local").env("MNEMIC_WEIGHTS", "/nowhere.mnw"))
    };
    let told = broken(&["recall", "db port"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.out.contains("6432") && told.err.contains("found by words alone"), "{told:?}");
    assert!(told.err.contains("/nowhere.mnw") && told.err.contains("meaning.weights"), "{told:?}");
    let listed = broken(&["list"]);
    assert_eq!((listed.code, listed.err.contains("warning")), (Some(0), false), "{listed:?}");
    let embed = broken(&["embed"]);
    assert!(embed.code != Some(0) && embed.err.contains("/nowhere.mnw"), "{embed:?}");
    assert!(broken(&["doctor"]).out.contains("found by words alone"));
    let off = store.run(&["embed"]);
    assert!(off.code == Some(2) && off.err.contains("meaning.model"), "{off:?}");
}

#[test]
fn what_waits_is_told_and_embedded_on_request() {
    if !has_weights() {
        return;
    }
    let mut store = Store::new("off");
    store.model = "local";
    let doctor = store.run(&["doctor"]);
    assert!(
        doctor.out.contains("wait for theirs") && doctor.out.contains("mnemic embed"),
        "{doctor:?}"
    );
    let some = store.json(&["embed", "--limit", "1"]);
    let (done, left) = (some["done"].as_u64().unwrap(), some["waiting"].as_u64().unwrap());
    assert!(done >= 1, "{some}");
    let rest = store.json(&["embed"]);
    assert_eq!(rest["waiting"], 0, "{rest}");
    assert_eq!(rest["done"], left);
    assert!(store.run(&["doctor"]).out.contains("none missing"));
    assert!(store.run(&["stats"]).out.contains("0 waiting"));
    let line = json!({"kind": "pattern", "statement": "Comes later"}).to_string();
    let lines = vec![line; 3].join("\n");
    let mut later = store.command(&["remember", "-", "--embed-later"]);
    assert_eq!(mnemic_testkit::answer_to(&mut later, &lines).code, Some(0));
}

#[test]
fn a_project_does_not_decide_where_memories_go() {
    let store = Store::new("off");
    let config = store.mnemic.store_dir().join("config.toml");
    let text = "[meaning]\nmodel = \"remote\"\nurl = \"https://elsewhere.example/v1\"\n\
                remote_model = \"m\"\napi_key_env = \"PATH\"\n";
    std::fs::write(&config, text).unwrap();
    // Only the files speak here.
    let told =
        answer(store.mnemic.command(["recall", "db port"]).env_remove("MNEMIC_MEANING_MODEL"));
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.err.contains("the project's file") && told.err.contains("--user"), "{told:?}");
    let set = store.mnemic.ok(["config", "set", "meaning.url", "https://mine.example/v1"]);
    assert!(!set.err.contains(".mnemic/config.toml"), "{set:?}");
    let wrong = store.mnemic.run(["config", "set", "meaning.api_key_env", "sk-12345"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(!wrong.err.contains("sk-12345"), "a key is not repeated: {wrong:?}");
}

/// A service of a few lines that finds the text with `needle` good and the others not.
fn reranking_service(needle: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut length, mut line) = (0, String::new());
            while reader.read_line(&mut line).unwrap() > 2 {
                let lower = line.to_lowercase();
                if let Some(said) = lower.strip_prefix("content-length:") {
                    length = said.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let asked: Value = serde_json::from_slice(&body).unwrap();
            let texts = asked["documents"].as_array().unwrap().iter().enumerate();
            let score = |text: &Value| if text.as_str().unwrap().contains(needle) { 1 } else { 0 };
            let results: Vec<Value> = texts
                .map(|(index, text)| json!({"index": index, "relevance_score": score(text)}))
                .collect();
            let answer = json!({ "results": results }).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                answer.len()
            );
            stream.write_all((head + &answer).as_bytes()).unwrap();
        }
    });
    url
}

#[test]
fn a_reranking_service_reads_the_answers_where_a_person_names_one() {
    let store = Store::new("off");
    for text in ["the queue takes port 7100", "the cache port is 7200", "a port of 7300 for mail"] {
        store.run(&["remember", text]);
    }
    let asked = ["recall", "which port", "-n", "3", "--explain"];
    let by = |url: &str| answer(store.command(&asked).env("MNEMIC_RERANK_URL", url));
    for needle in ["7100", "7200", "7300"] {
        let told = by(&reranking_service(needle));
        assert!(told.code == Some(0) && !told.err.contains("warning"), "{told:?}");
        let first = told.out.lines().nth(1).unwrap();
        assert!(first.contains(needle) && told.out.contains("reader"), "{needle}: {told:?}");
    }
    let dead = by("http://127.0.0.1:9/v1");
    assert!(dead.code == Some(0) && dead.out.contains("7100"), "{dead:?}");
    assert!(dead.err.contains("in the order they were found in"), "{dead:?}");
    let wrong = by("ftp://x");
    assert!(wrong.code == Some(0) && wrong.err.contains("nothing is read again"), "{wrong:?}");
    let config = store.mnemic.store_dir().join("config.toml");
    std::fs::write(&config, "[rerank]\nurl = \"https://elsewhere.example/v1\"\n").unwrap();
    let told = store.run(&asked);
    assert!(told.code == Some(0) && told.err.contains("the project's file sets `rerank.url`"));
}

/// How many are wanted decides where the list ends, and nothing else.
#[test]
fn fewer_are_the_first_of_more() {
    let store = Store::new("off");
    let ids = |limit: &str| -> Vec<String> {
        let told = store.json(&["recall", "database port", "-n", limit, "--no-usage"]);
        let found = told["found"].as_array().unwrap().iter();
        found.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = ids("10");
    assert!(all.len() > 2, "{all:?}");
    for limit in 1..all.len() {
        assert_eq!(ids(&limit.to_string()), all[..limit], "{limit}");
    }
}

#[test]
fn a_document_without_a_text_is_refused() {
    let store = Store::new("off");
    let refused = store.run(&["remember", "resource", "Postmortem"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("--from -"), "{refused:?}");
    let page = ["remember", "resource", "Postmortem", "--origin", "https://example.org/pm"];
    assert_eq!(store.run(&page).code, Some(0));
}

/// Whoever pipes in something else is told so, and not once for each line of it.
#[test]
fn a_text_that_is_no_json_is_refused_in_short() {
    let store = Store::new("off");
    let refused = answer_to(&mut store.command(&["remember", "-"]), &"just a line\n".repeat(500));
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.lines().count() < 80, "{}", refused.err);
    assert!(refused.err.contains("500 refused"), "{}", refused.err);
    assert!(refused.err.contains("remember resource TITLE --from FILE"), "{}", refused.err);
}

/// A text that would take minutes is put off at every door, and that is said.
#[test]
fn a_long_text_among_many_is_put_off() {
    if !has_weights() {
        return;
    }
    let mut store = Store::new("off");
    store.model = "local";
    let long = format!("The wells were measured: {}", "depth 3.5 m, level 1.2 m; ".repeat(4000));
    let lines = ["The well by the mill is dry", &long]
        .map(|statement| json!({"kind": "pattern", "statement": statement}).to_string());
    let taken = answer_to(&mut store.command(&["remember", "-"]), &lines.join("\n"));
    assert_eq!(taken.code, Some(0), "{taken:?}");
    assert!(taken.err.contains("1 long memory: found by words at once"), "{taken:?}");
    assert_eq!(store.json(&["embed", "--status"])["stores"][0]["waiting"], 1);
}
