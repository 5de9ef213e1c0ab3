//! Tokens: shown once, limited, signed for, taken back.

use crate::client::Server;
use mnemic_testkit::files_with;
use serde_json::json;

#[test]
fn the_first_start_shows_a_token_once_and_keeps_no_copy() {
    let server = Server::start(&[]);
    assert!(server.token.starts_with("mnemic_"), "{}", server.token);
    assert_eq!(files_with(server.home.root(), &server.token), Vec::<std::path::PathBuf>::new());
    let listed = server.home.ok(["token", "list"]);
    assert!(!listed.out.contains(&server.token));
    let again = Server::over(server.home.copy(), &[]);
    assert_eq!(again.token, "", "the second start shows nothing");
    again.ask_as(&server.token, "GET", "/v1/stats", &[], None).ok(200);
}

#[test]
fn scopes_hold_and_writes_are_signed() {
    let server = Server::start(&[]);
    let reader = server.token("reader", &["--scope", "read"]);
    let writer = server.token("codex", &["--scope", "write"]);
    let alice = server.token("alice", &["--scope", "write", "--person"]);
    let draft = json!({ "kind": "fact", "key": "a", "value": "1" });
    server.ask_as(&reader, "POST", "/v1/memories", &[], Some(&draft)).problem(403, "denied");
    let id = server.ask_as(&writer, "POST", "/v1/memories", &[], Some(&draft)).json()["id"].clone();
    let place = format!("/v1/memories/{}", id.as_str().expect("an id"));
    let shown = server.ask_as(&reader, "GET", &place, &[], None).json();
    assert_eq!((&shown["writer"], &shown["trust"]), (&json!("agent:codex"), &json!("unreviewed")));
    // No token but a person's speaks for a person, in whatever words.
    for claim in [
        json!({ "kind": "fact", "key": "b", "value": "1", "writer": "human:alice" }),
        json!({ "kind": "fact", "key": "b", "value": "1", "writer": "human:alice", "trust": "unreviewed" }),
        json!({ "kind": "fact", "key": "b", "value": "1", "confirmed_by": "human:alice" }),
    ] {
        server.ask_as(&writer, "POST", "/v1/memories", &[], Some(&claim)).problem(403, "denied");
    }
    for claim in [
        json!({ "kind": "fact", "key": "b", "value": "1", "trust": "trusted" }),
        json!({ "kind": "fact", "key": "b", "value": "1", "tier": "mandate" }),
        json!({ "kind": "fact", "key": "b", "value": "1", "visibility": "shared" }),
    ] {
        server.ask_as(&writer, "POST", "/v1/memories", &[], Some(&claim)).problem(422, "invalid");
    }
    let said = json!({ "kind": "fact", "key": "c", "value": "1" });
    let id = server.ask_as(&alice, "POST", "/v1/memories", &[], Some(&said)).json()["id"].clone();
    let place = format!("/v1/memories/{}", id.as_str().expect("an id"));
    let shown = server.ask_as(&reader, "GET", &place, &[], None).json();
    assert_eq!((&shown["writer"], &shown["trust"]), (&json!("human:alice"), &json!("trusted")));
}

#[test]
fn a_limited_token_sees_its_part_and_nothing_else() {
    let server = Server::start(&[]);
    server.home.ok(["namespace", "create", "web"]);
    server.home.ok(["namespace", "create", "api"]);
    let web = server.token("web", &["--scope", "admin", "--only-namespace", "web"]);
    let facts = server.token("facts", &["--scope", "admin", "--only-kind", "fact"]);
    let hidden = server.remember(
        &json!({ "kind": "fact", "key": "api.key", "value": "hidden words", "namespace": "api" }),
    );
    let decision = server.remember(&json!({ "kind": "decision", "decision": "hidden words" }));
    let own = json!({ "kind": "fact", "key": "web.a", "value": "own words" });
    let own = server.ask_as(&web, "POST", "/v1/memories", &[], Some(&own)).ok(201).json();
    let own = own["id"].as_str().expect("an id");
    for (token, id) in [(&web, &hidden), (&facts, &decision)] {
        let any = [("if-match", "*")];
        let value = json!({ "pinned": true });
        let place = format!("/v1/memories/{id}");
        for path in ["", "/history", "/versions", "/versions/1", "/links", "/similar"] {
            let path = format!("{place}{path}");
            server.ask_as(token, "GET", &path, &[], None).problem(404, "not_found");
        }
        server
            .ask_as(token, "GET", &format!("/v1/graph/{id}"), &[], None)
            .problem(404, "not_found");
        server.ask_as(token, "PATCH", &place, &any, Some(&value)).problem(404, "not_found");
        server.ask_as(token, "DELETE", &place, &any, None).problem(404, "not_found");
        for (path, body) in [
            ("/v1/links", json!({ "from": own, "relation": "supports", "to": id })),
            ("/v1/feedback", json!({ "event": "cited", "ids": [id] })),
            ("/v1/explain", json!({ "query": "hidden words", "id": id })),
        ] {
            let refused = server.ask_as(token, "POST", path, &[], Some(&body));
            refused.problem(404, "not_found");
        }
        let ask = json!({ "query": "hidden words", "fill": true, "limit": 50 });
        let answer = server.ask_as(token, "POST", "/v1/recall", &[], Some(&ask));
        assert!(!answer.ok(200).body.contains(id.as_str()), "{answer:?}");
        let list = server.ask_as(token, "GET", "/v1/memories?all=true&limit=200", &[], None);
        assert!(!list.ok(200).body.contains(id.as_str()), "{list:?}");
        for path in ["/v1/export", "/v1/stats", "/v1/changes", "/v1/events", "/v1/sessions"] {
            server.ask_as(token, "GET", path, &[], None).problem(403, "denied");
        }
    }
    let elsewhere = json!({ "kind": "fact", "key": "x", "value": "1", "namespace": "api" });
    server.ask_as(&web, "POST", "/v1/memories", &[], Some(&elsewhere)).problem(403, "denied");
    server.ask_as(&web, "GET", "/v1/memories?namespace=api", &[], None).problem(403, "denied");
    let moved = json!({ "namespace": "api" });
    let place = format!("/v1/memories/{own}");
    server.ask_as(&web, "PATCH", &place, &[("if-match", "*")], Some(&moved)).problem(403, "denied");
    let other = json!({ "kind": "decision", "decision": "x" });
    server.ask_as(&facts, "POST", "/v1/memories", &[], Some(&other)).problem(403, "denied");
    eprintln!("R26: 2 limited tokens, every address that reads: 0 foreign memories");
}

#[test]
fn a_revoked_token_is_refused_from_the_next_request_on() {
    let server = Server::start(&[]);
    let token = server.token("ci", &["--days", "1"]);
    server.ask_as(&token, "GET", "/v1/stats", &[], None).ok(200);
    server.home.ok(["token", "revoke", "ci"]);
    server.ask_as(&token, "GET", "/v1/stats", &[], None).problem(401, "unauthorized");
    // An expired one as well; the file says when.
    let token = server.token("old", &["--days", "1"]);
    let file = server.home.store_dir().join("tokens.json");
    let text = std::fs::read_to_string(&file).expect("the file of tokens");
    let mut tokens: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let all = tokens["tokens"].as_array_mut().expect("tokens");
    let old = all.iter_mut().find(|one| one["name"] == "old").expect("it was made");
    old["expires_at"] = json!("2020-01-01T00:00:00Z");
    std::fs::write(&file, tokens.to_string()).expect("it can be written");
    server.ask_as(&token, "GET", "/v1/stats", &[], None).problem(401, "unauthorized");
}
