//! A person's first day with mnemic, through the real binary: what is printed parses, what is shown
//! can be acted upon, and every verb explains itself.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Mnemic};
use serde_json::{Value, json};
use std::process::Command;

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

/// The only line on stdout.
fn line(answer: &Answer) -> String {
    let mut lines = answer.out.lines();
    let line = lines.next().unwrap_or_else(|| panic!("{answer:?}")).to_owned();
    assert_eq!(lines.next(), None, "{answer:?}");
    line
}

#[test]
fn a_fact_changes_and_every_moment_stays_askable() {
    let mnemic = mnemic();
    let old = line(&mnemic.ok(["remember", "fact", "db.port", "5432"]));
    let new = line(&mnemic.ok(["remember", "fact", "--key", "db.port", "--value", "6432"]));
    assert_ne!(old, new);
    let listed = |args: &[&str]| -> Vec<String> {
        let page = mnemic.ok([&["list", "--json"], args].concat()).json();
        let items = page["items"].as_array().unwrap();
        items.iter().map(|item| item["value"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(&[]), ["6432"]);
    assert_eq!(listed(&["--all"]).len(), 2);
    let first = &mnemic.ok(["history", &old, "--json"]).json()["versions"][0];
    let then = first["recorded_at"].as_str().unwrap_or_else(|| panic!("{first}"));
    assert_eq!(listed(&["--known-at", then, "--as-of", then]), ["5432"]);

    mnemic.ok(["edit", &new, "--value", "6433", "--reason", "a slip of the pen"]);
    assert!(mnemic.ok(["history", &new]).out.contains("a slip of the pen"));
    mnemic.ok(["undo"]);
    assert_eq!(listed(&[]), ["6432"]);
    mnemic.ok(["undo"]);
    assert_eq!(listed(&[]), ["5432"]);
    mnemic.verify("at the end of the day");
}

#[test]
fn a_fact_goes_by_its_key() {
    let mnemic = mnemic();
    let old = line(&mnemic.ok(["remember", "fact", "db.port", "5432"]));
    let new = line(&mnemic.ok(["remember", "fact", "db.port", "6432"]));
    assert_eq!(mnemic.ok(["show", "db.port", "--json"]).json()["id"], json!(new));
    mnemic.ok(["edit", &new, "--value", "6433", "--reason", "a slip of the pen"]);
    let future = ["--valid-at", "2999-01-01"];
    let next = line(&mnemic.ok(["remember", "fact", "db.host", "new", future[0], future[1]]));
    let host = line(&mnemic.ok(["remember", "fact", "db.host", "old"]));
    assert_eq!(mnemic.ok(["show", "db.host", "--json"]).json()["id"], json!(host), "not {next}");
    // The beginning of an id gives way to a key.
    let named = line(&mnemic.ok(["remember", "fact", "fact", "a key"]));
    assert_eq!(mnemic.ok(["show", "fact", "--json"]).json()["id"], json!(named));

    let history = mnemic.ok(["history", "db.port", "--json"]).json();
    let values = |key: &str| -> Vec<String> {
        let versions = history["versions"].as_array().unwrap();
        versions.iter().map(|version| version[key].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(values("value"), ["5432", "5432", "6432", "6433"]);
    assert_eq!(values("id"), [&old[..], &old, &new, &new]);
    let told = mnemic.ok(["history", "db.port"]).out;
    assert!(told.find(&old).unwrap() < told.find(&new).unwrap(), "{told}");

    // A key has a past that this would leave behind.
    let refused = mnemic.run(["forget", "db.port"]);
    assert!(refused.err.contains("is a key"), "{refused:?}");
    for verb in [&["forget", "db.port", "--yes"][..], &["pin", "db.port"], &["show", "db.name"]] {
        let refused = mnemic.run(verb);
        assert_eq!(refused.code, Some(3), "{verb:?}");
        // Whoever names the key of something is told its name.
        assert_eq!(refused.err.contains(&new), verb[1] == "db.port", "{refused:?}");
    }
    assert_eq!(mnemic.ok(["show", "db.port", "--json"]).json()["value"], json!("6433"));
}

#[test]
fn the_store_is_found_from_below_and_from_linked_work_trees() {
    let mnemic = mnemic();
    let project = mnemic.project();
    let git = |args: &[&str]| -> bool {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        command.current_dir(&project).output().is_ok_and(|output| output.status.success())
    };
    let tree = mnemic.root().join("side");
    let made = git(&["init", "-q", "."])
        && git(&["commit", "-q", "--allow-empty", "-m", "first"])
        && git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    if !made {
        eprintln!("skipped: git is not here or makes no work trees");
        return;
    }
    let id = line(&mnemic.ok(["remember", "pattern", "Seen from every work tree"]));
    let below = project.join("src/deep");
    std::fs::create_dir_all(&below).unwrap();
    for dir in [&below, &tree] {
        let shown = mnemic.ok(["--dir", dir.to_str().unwrap(), "show", &id, "--json"]).json();
        assert_eq!(shown["id"], json!(id));
    }
    let status = Command::new("git").args(["status", "--short"]).current_dir(&project).output();
    assert_eq!(
        String::from_utf8_lossy(&status.unwrap().stdout),
        "",
        "git sees nothing of the store"
    );
}

#[test]
fn every_answer_for_programs_parses() {
    let mnemic = mnemic();
    let fact = line(&mnemic.ok(["remember", "fact", "a", "b"]));
    let other = line(&mnemic.ok(["remember", "decision", "Use x", "--because", "y"]));
    mnemic.ok(["block", "new", "persona", "I am brief"]);
    mnemic.ok(["ledger", "write", "agent-1", "--task", "t"]);
    mnemic.ok(["handoff", "write", "--from", "a", "--to", "b", "--done", "all"]);
    mnemic.ok(["namespace", "create", "team"]);
    let conflict = mnemic.ok(["contradictions", "add", &fact, &other, "--json"]).json();
    assert!(conflict["id"].is_string(), "{conflict}");
    for args in [
        vec!["init"],
        vec!["list"],
        vec!["show", &fact],
        vec!["recall", "a"],
        vec!["explain", "a"],
        vec!["explain", "a", "--why-not", &other],
        vec!["similar", &fact],
        vec!["timeline", "--around", &fact],
        vec!["embed", "--status"],
        vec!["history", &fact],
        vec!["diff", "1h ago", "now"],
        vec!["edit", &fact, "--value", "c"],
        vec!["link", &fact, "supports", &other],
        vec!["unlink", &fact, "supports", &other],
        vec!["pin", &fact],
        vec!["confirm", &fact],
        vec!["used", &fact, "--as", "referenced"],
        vec!["index"],
        vec!["index", "a", "--load"],
        vec!["session", "start", "--id", "s-1"],
        vec!["session", "note", "s-1", "tool"],
        vec!["session", "show", "s-1"],
        vec!["session", "list"],
        vec!["economics", "--session", "s-1"],
        vec!["session", "end", "s-1"],
        vec!["economics"],
        vec!["block", "list"],
        vec!["block", "show", "persona"],
        vec!["block", "replace", "persona", "brief", "kind"],
        vec!["vault", "list"],
        vec!["namespace", "list"],
        vec!["namespace", "stats"],
        vec!["namespace", "detect"],
        vec!["ledger", "show", "agent-1"],
        vec!["handoff", "list"],
        vec!["contradictions", "list"],
        vec!["changes"],
        vec!["audit"],
        vec!["undo"],
        vec!["backup"],
        vec!["backup", "--list"],
        vec!["verify"],
        vec!["reindex"],
        vec!["doctor"],
        vec!["stats"],
        vec!["config"],
        vec!["restore", "--latest", "--yes"],
        vec!["forget", &other, "--yes"],
    ] {
        let answer = mnemic.ok([args.as_slice(), &["--json"]].concat());
        let lines: Vec<Value> = serde_json::Deserializer::from_str(&answer.out)
            .into_iter()
            .collect::<Result<_, _>>()
            .unwrap_or_else(|cause| panic!("{args:?}: {cause}: {answer:?}"));
        assert!(!lines.is_empty(), "{args:?} says nothing: {answer:?}");
    }
    let wrong = mnemic.run(["show", "nobody", "--json"]);
    let error: Value = serde_json::from_str(&wrong.err).unwrap();
    assert_eq!((wrong.code, &error["error"]["code"]), (Some(3), &json!("not_found")));
    assert!(error["error"]["hint"].is_string());
}

/// The verbs that a help page lists.
fn verbs(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let rows = listed.take_while(|line| !line.trim().is_empty());
    let names = rows.filter(|row| row.starts_with("  ") && !row.starts_with("   "));
    names.filter_map(|row| row.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_verb_explains_itself_with_an_example() {
    let mnemic = mnemic();
    let names = verbs(&mnemic.ok(["--help"]).out);
    assert!(names.len() > 30, "{names:?}");
    for name in names.iter().filter(|name| *name != "help") {
        let help = mnemic.ok([name, "--help"]).out;
        assert!(help.contains("Example"), "`{name} --help` has no example:\n{help}");
        assert!(help.contains(&format!("mnemic {name}")), "{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(mnemic.ok(["completions", shell]).out.contains("remember"), "{shell}");
    }
    let pages = mnemic.root().join("man");
    mnemic.ok(["man", "--out", pages.to_str().unwrap()]);
    let count = std::fs::read_dir(&pages).unwrap().count();
    assert!(count > names.len(), "{count} pages for {} verbs", names.len());
}

#[test]
fn memories_come_in_by_the_thousand_and_the_broken_ones_are_named() {
    let mnemic = mnemic();
    let mut lines: Vec<String> = (0..2_000)
        .map(|n| json!({"kind": "pattern", "statement": format!("number {n}")}).to_string())
        .collect();
    lines[700] = "{\"kind\": \"fact\", \"key\": \"no value\"}".to_owned();
    lines[1_500] = "not json".to_owned();
    let answer = mnemic.feed(["remember", "-"], &lines.join("\n"));
    assert_eq!(answer.code, Some(2), "{}", answer.err);
    assert_eq!(answer.out.lines().count(), 1_998);
    assert!(answer.err.contains("line 701") && answer.err.contains("line 1501"), "{}", answer.err);
    let undone = mnemic.ok(["undo", "--json"]).json();
    assert_eq!(undone["retracted"].as_array().unwrap().len(), 1_998);

    let dated = r#"{"kind":"fact","key":"d","value":"1","valid_at":"2026-02-01"}"#;
    let dated = line(&mnemic.feed(["remember", "-"], dated));
    let flagged = mnemic.ok(["remember", "fact", "e", "1", "--valid-at", "2026-02-01"]);
    let since = |id: &str| mnemic.ok(["show", id, "--json"]).json()["valid_at"].clone();
    assert_eq!(since(&dated), since(&line(&flagged)));

    let document = "---\nkind: resource\ntitle: Notes\ntags: [a, b]\n---\nThe text itself.\n";
    let id = line(&mnemic.feed(["remember", "-"], document));
    let shown = mnemic.ok(["show", &id, "--json"]).json();
    assert_eq!((&shown["title"], &shown["tags"]), (&json!("Notes"), &json!(["a", "b"])));
}

#[test]
fn a_sentence_is_enough_and_a_slip_is_told() {
    let mnemic = mnemic();
    let said = "The staging database listens on port 5433";
    let id = line(&mnemic.ok(["remember", said]));
    let shown = mnemic.ok(["show", &id, "--json"]).json();
    assert_eq!((&shown["kind"], &shown["statement"]), (&json!("pattern"), &json!(said)));
    mnemic.ok(["remember", "the", "server", "is", "slow", "on", "mondays"]);
    for (wrong, told) in [
        (&["remember", "fcat"][..], "did you mean `fact`"),
        (&["remember", "fcat", "db.port", "5432"], "did you mean `fact`"),
        (&["remember", "decison", "Use", "Redis"], "did you mean `decision`"),
        (&["edit", "fact-1", "5433"], "`--value` is the value of a fact, `--text` the text"),
        (&["similar", "what restarts at night"], "`mnemic recall"),
        (&["remember", "--tag", "a", "fact", "db.port", "5432"], "name the kind first"),
        (&["remember", "-", "--tag", "a"], "flags such as `--tag` speak of one memory"),
        (&["remember", ""], "the text is empty"),
        (&["remember", "word"], "`word` is neither a kind of memory nor a sentence"),
    ] {
        let answer = mnemic.run(wrong);
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(answer.err.contains(told), "{}", answer.err);
    }
    assert_eq!(mnemic.ok(["list", "--json"]).json()["items"].as_array().unwrap().len(), 2);
    let tagged = line(&mnemic.ok(["remember", "Deploys run at night", "--tag", "deploy"]));
    assert_eq!(mnemic.ok(["show", &tagged, "--json"]).json()["tags"], json!(["deploy"]));
    let again = mnemic.ok(["remember", "Deploys run at night", "--tag", "night"]);
    assert!(again.err.contains(&format!("left out: `mnemic edit {tagged}`")), "{again:?}");
}

#[test]
fn what_is_not_there_is_said_before_anything_is_asked() {
    let mnemic = mnemic();
    assert_eq!(mnemic.run(["forget", "fact-nope"]).code, Some(3));
    let answer = mnemic.run(["import", "nowhere.jsonl"]);
    assert_eq!(answer.code, Some(3), "{answer:?}");
    assert!(answer.err.contains("cannot read"), "{}", answer.err);
    assert!(mnemic.ok(["contradictions"]).err.contains("there are none"));
}

#[test]
fn a_store_that_does_not_open_is_named_with_the_reason_and_what_helps() {
    let mnemic = mnemic();
    let file = mnemic.store_file();
    let path = file.display().to_string();
    let told = |args: &[&str], code: i32| {
        let answer = mnemic.run(args);
        assert_eq!(answer.code, Some(code), "{answer:?}");
        answer.err
    };
    std::fs::write(&file, "no store at all, but a text of some length".repeat(100)).unwrap();
    let err = told(&["verify"], 11);
    assert!(err.contains(&path) && err.contains("not that of an SQLite file"), "{err}");
    assert!(err.contains("`mnemic restore --latest`") && !err.contains("mnemic verify"), "{err}");

    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    for args in [&["verify"][..], &["restore", "--latest", "--yes"]] {
        let err = told(args, 13);
        assert!(err.contains(&path) && err.contains("s a directory"), "{err}");
        assert!(!err.contains("check the disk"), "{err}");
    }
    std::fs::remove_dir(&file).unwrap();
    let err = told(&["restore", "/nope", "--yes"], 3);
    assert!(err.contains("`/nope`") && err.contains("No such file"), "{err}");
    let err = told(&["serve", "--port", "abc"], 2);
    assert!(err.contains("a port is a number from 0 to 65535"), "{err}");
}

#[test]
fn a_file_that_may_not_be_read_is_not_blamed_on_the_disk() {
    use std::os::unix::fs::PermissionsExt;
    let mnemic = mnemic();
    let file = mnemic.store_file();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&file).is_ok() {
        return eprintln!("not tested: this user may read everything");
    }
    for args in [&["verify"][..], &["restore", "--latest", "--yes"]] {
        let answer = mnemic.run(args);
        assert_eq!(answer.code, Some(13), "{answer:?}");
        let named = answer.err.contains(&file.display().to_string());
        assert!(named && answer.err.contains("Permission denied"), "{}", answer.err);
    }
}

#[test]
fn a_settled_contradiction_shows_what_was_and_comes_back_as_a_question() {
    let mnemic = mnemic();
    mnemic.ok(["remember", "The queue is RabbitMQ in production", "--valid-at", "2026-01-05"]);
    mnemic.ok(["remember", "The queue is Kafka in production"]);
    mnemic.ok(["consolidate"]);
    let found = mnemic.ok(["recall", "which queue in production"]).out;
    assert!(found.contains("was: The queue is RabbitMQ in production"), "{found}");
    mnemic.ok(["undo"]);
    let told = mnemic.ok(["consolidate"]).out;
    assert!(told.contains("opened: ") && !told.contains("settled: "), "{told}");
    assert!(mnemic.ok(["contradictions"]).out.contains("  open  "));
    assert!(mnemic.ok(["review"]).err.contains("1 contradiction is open"));
    let edited = mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let edited = mnemic.ok(["edit", &line(&edited), "--text", "6000"]);
    assert!(edited.err.contains("value: `5432` → `6000`"), "{}", edited.err);
}

#[test]
fn verbs_of_other_tools_are_understood() {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let id = mnemic.ok(["remember", "fact", "db.port", "5432"]).out.trim().to_owned();
    assert!(mnemic.ok(["search", "db", "port"]).out.contains("5432"));
    mnemic.ok(["rm", &id, "--yes"]);
    let other = mnemic.ok(["remember", "fact", "db.name", "main"]).out.trim().to_owned();
    mnemic.ok(["delete", &other, "--yes"]);
    assert_eq!(mnemic.run(["show", &other]).code, Some(6), "forgotten");
}

#[test]
fn a_namespace_has_a_name_in_every_part() {
    let mnemic = mnemic();
    for name in ["../x", "a//b", "/a", "a/", "a/./b"] {
        let answer = mnemic.run(["namespace", "create", name]);
        assert!(answer.err.contains("has a part without a name"), "{name}: {answer:?}");
        assert!(answer.err.contains("team/web"), "{name}: {answer:?}");
    }
    mnemic.ok(["namespace", "create", "team/v1.2"]);
}
