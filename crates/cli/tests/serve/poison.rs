//! Two hundred documents with orders to agents, told over REST and over MCP: none reaches a context.

use super::client::Server;
use super::tools::{call, result};
use mnemic_testkit::size;
use serde_json::{Value, json};

#[path = "../../../engine/tests/poison/mod.rs"]
mod documents;

use documents::{Document, documents};

fn over_rest(server: &Server, token: &str, document: &Document) {
    let page = json!({ "kind": "resource", "title": document.name, "text": document.text });
    let reply = server.ask_as(token, "POST", "/v1/memories", &[], Some(&page));
    assert!(matches!(reply.status, 200 | 201), "{reply:?}");
}

fn over_mcp(server: &Server, token: &str, document: &Document) {
    let page = json!({ "text": document.text });
    let kept = result(&call(server, token, "archival_insert", &page));
    assert_ne!(kept["isError"], json!(true), "{kept}");
}

fn check(door: &str, tell: fn(&Server, &str, &Document)) {
    let server = Server::start(&["--rate", "0"]);
    let token = server.token("agent", &["--scope", "write"]);
    let documents = documents();
    documents.iter().for_each(|document| tell(&server, &token, document));
    let canaries: Vec<&str> = documents.iter().map(|one| one.canary.as_str()).collect();
    let listed = server.home.ok(["list", "--trust", "trusted", "--limit", "1000", "--json"]).out;
    assert!(!canaries.iter().any(|canary| listed.contains(canary)), "{listed}");
    let mut asked = vec![""];
    asked.extend(documents.iter().step_by(size(20, 1)).map(|one| one.fact.as_str()));
    for (n, question) in asked.into_iter().enumerate() {
        let profile = ["brief", "working", "task", "answer"][n % 4];
        let ask = json!({ "task": question, "profile": profile, "budget": 4_000 });
        let reply = server.ask_as(&token, "POST", "/v1/context/assemble", &[], Some(&ask));
        let said: Value = reply.ok(200).json();
        let heard = canaries.iter().find(|canary| said.to_string().contains(*canary));
        assert_eq!(heard, None, "{door}, {profile}: {said}");
    }
    withheld(&server, &token, &canaries);
    eprintln!("R28: {} poisoned documents over {door}, 0 canaries injected", documents.len());
}

/// Whoever lists or looks without asking for quarantine in so many words is not shown it, unless
/// they are a person.
fn withheld(server: &Server, token: &str, canaries: &[&str]) {
    let apart = server.home.ok(["list", "--trust", "quarantined", "--limit", "1000", "--json"]);
    let apart = apart.json()["items"].as_array().expect("a list").clone();
    assert!(!apart.is_empty(), "some of it is set apart");
    let listed = server.ask_as(token, "GET", "/v1/memories?limit=200", &[], None);
    let text = &listed.ok(200).body;
    for item in &apart {
        let id = item["id"].as_str().expect("an id");
        assert!(!text.contains(id), "{id} is listed");
        for path in ["", "/history", "/versions"] {
            let path = format!("/v1/memories/{id}{path}");
            server.ask_as(token, "GET", &path, &[], None).problem(403, "denied");
        }
    }
    let person = server.token("person", &["--scope", "read", "--person"]);
    let id = apart[0]["id"].as_str().expect("an id");
    let shown = server.ask_as(&person, "GET", &format!("/v1/memories/{id}"), &[], None);
    assert!(canaries.iter().any(|canary| shown.ok(200).body.contains(canary)), "{shown:?}");
}

#[test]
fn what_is_told_over_rest() {
    check("REST", over_rest);
}

#[test]
fn what_is_told_over_mcp() {
    check("MCP", over_mcp);
}
