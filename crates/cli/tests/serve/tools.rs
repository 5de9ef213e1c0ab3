//! MCP over the same port: a token decides which tools may be used, and signs what they write.

use super::client::{Reply, Server};
use serde_json::{Value, json};

const LATEST: &str = "2026-07-28";

/// Calls a tool as clients of the stateless revision do.
pub(crate) fn call(server: &Server, token: &str, tool: &str, arguments: &Value) -> Reply {
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": tool, "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": LATEST,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "someone else", "version": "1" },
            },
        },
    });
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", LATEST),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    server.ask_as(token, "POST", "/mcp", &headers, Some(&body))
}

/// The result of a call, as one JSON value or as the data of an event stream.
pub(crate) fn result(reply: &Reply) -> Value {
    reply.ok(200);
    let data = reply.body.lines().find_map(|line| line.strip_prefix("data: {"));
    let text = data.map_or_else(|| reply.body.clone(), |data| format!("{{{data}"));
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{reply:?}"));
    answer["result"].clone()
}

#[test]
fn a_token_decides_which_tools_may_be_used() {
    let server = Server::start(&[]);
    let fact = json!({ "kind": "fact", "key": "db.port", "value": "5433" });
    let id = server.remember(&fact);
    let read = server.token("reader", &["--scope", "read"]);
    let write = server.token("writer", &["--scope", "write"]);
    let ids = json!({ "ids": [id] });

    let got = result(&call(&server, &read, "get", &ids));
    assert!(got.to_string().contains("5433"), "{got}");
    let note = json!({ "kind": "decision", "text": "the port stays as it is" });
    let refused = result(&call(&server, &read, "remember", &note));
    assert_eq!(refused["isError"], json!(true), "{refused}");
    assert!(refused.to_string().contains("reader"), "{refused}");

    let kept = result(&call(&server, &write, "remember", &note));
    assert_ne!(kept["isError"], json!(true), "{kept}");
    let listed = server.home.ok(["list", "--match", "stays", "--json"]).json();
    assert_eq!(listed["items"][0]["writer"], json!("agent:writer"), "{listed}");
    let refused = result(&call(&server, &write, "forget", &ids));
    assert_eq!(refused["isError"], json!(true), "{refused}");
    assert!(server.home.run(["show", &id]).code == Some(0), "it is still there");
}

#[test]
fn whoever_may_not_see_the_whole_store_finds_no_tools() {
    let server = Server::start(&[]);
    server.home.ok(["namespace", "create", "web"]);
    let web = server.token("web", &["--scope", "admin", "--only-namespace", "web"]);
    call(&server, &web, "get", &json!({ "ids": ["x"] })).problem(403, "denied");
    call(&server, "mnemic_wrong", "get", &json!({ "ids": ["x"] })).problem(401, "unauthorized");
}
