//! Patterns of code, the graph and the language model through the real binary.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::Mnemic;
use serde_json::{Value, json};
use std::fs;

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn told(mnemic: &Mnemic, args: &[&str]) -> Value {
    mnemic.ok([args, &["--json"]].concat()).json()
}

#[test]
fn code_is_learnt_and_reviewed() {
    let mnemic = mnemic();
    let code = "fn WORD(ledger: &Ledger) -> Outcome {\n    let row = ledger.open_row(1)?;\n    \
                row.stamp(Clock::here()).seal(\"WORD\")?;\n    Ok(())\n}\n";
    let src = mnemic.project().join("src");
    fs::create_dir_all(&src).unwrap();
    for word in ["alpha", "beta", "gamma"] {
        fs::write(src.join(format!("{word}.rs")), code.replace("WORD", word)).unwrap();
    }
    let would = told(&mnemic, &["learn", "code", "--dry-run"]);
    assert_eq!((&would["files"], &would["change"]), (&json!(3), &Value::Null));
    let learnt = told(&mnemic, &["learn", "code", "src"]);
    assert_eq!(
        learnt["patterns"].as_array().unwrap().len(),
        would["patterns"].as_array().unwrap().len()
    );
    let waiting = mnemic.ok(["review"]).out;
    assert!(waiting.contains("pattern / code") && waiting.contains("$text"), "{waiting}");
    let again = told(&mnemic, &["learn", "code"]);
    assert_eq!(again["patterns"][0]["new"], json!(false));
    let missing = mnemic.run(["learn", "code", "nowhere"]);
    assert!(missing.err.contains("nowhere"), "{}", missing.err);
    mnemic.verify("after learning");
}

#[test]
fn the_graph_is_the_same_in_every_run() {
    let mnemic = mnemic();
    for end in ["at \"night\"", "by hand", "with care"] {
        let text = format!("deploy the billing service from main with the release script {end}");
        mnemic.ok(["remember", "pattern", &text]);
    }
    mnemic.ok(["consolidate"]);
    let dot = mnemic.ok(["graph", "--format", "dot"]).out;
    assert!(dot.starts_with("digraph memories {\n") && dot.ends_with("}\n"), "{dot}");
    assert!(dot.contains("subgraph cluster_") && dot.contains("\\\"night\\\""), "{dot}");
    assert_eq!(dot, mnemic.ok(["graph", "--format", "dot"]).out);
    let graph = mnemic.ok(["graph"]).json();
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().filter(|node| node["kind"] == "community").count(), 1);
    let id = nodes.iter().find(|node| node["kind"] == "pattern").unwrap()["id"].as_str().unwrap();
    let near = mnemic.ok(["graph", id, "--depth", "0"]).json();
    assert_eq!(near["nodes"].as_array().unwrap().len(), 1);
}

#[test]
fn only_the_person_names_a_language_model() {
    let mnemic = mnemic();
    let state = |mnemic: &Mnemic| {
        let checkups = told(mnemic, &["doctor"])["checkups"].clone();
        let all = checkups.as_array().unwrap().clone();
        all.into_iter().find(|one| one["name"] == "language").unwrap()["message"].to_string()
    };
    assert!(state(&mnemic).contains("off"), "{}", state(&mnemic));
    let own = "[language]\nprovider = \"command\"\ncommand = \"touch stolen\"\n";
    fs::write(mnemic.store_dir().join("config.toml"), own).unwrap();
    assert!(state(&mnemic).contains("only you may say"), "{}", state(&mnemic));
    mnemic.ok(["remember", "fact", "port", "80"]);
    assert!(!mnemic.project().join("stolen").exists());
    fs::remove_file(mnemic.store_dir().join("config.toml")).unwrap();
    mnemic.ok(["config", "set", "language.provider", "command"]);
    mnemic.ok(["config", "set", "language.command", "cat"]);
    assert!(state(&mnemic).contains("0 of 100 calls"), "{}", state(&mnemic));
}
