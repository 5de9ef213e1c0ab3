//! Frames that nobody should send, and clients that leave in the middle.

use super::agent::{Agent, mnemic, text};
use mnemic_testkit::Mnemic;
use serde_json::{Value, json};

/// Bytes that are no request, each on a line.
fn hostile() -> Vec<Vec<u8>> {
    let mut frames: Vec<Vec<u8>> = [
        "",
        " ",
        "\r",
        "hello",
        "{",
        "null",
        "42",
        "\"text\"",
        "[]",
        "[{}]",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"1.0","id":1000,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1001,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":1002,"method":"tools/call","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1003,"method":"tools/call","params":{"name":5}}"#,
        r#"{"jsonrpc":"2.0","id":1004,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1005,"error":{"code":1,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard-of","params":{"a":[1]}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    frames.push(b"\xff\xfe\x00\x01{".to_vec());
    frames.push("[".repeat(100_000).into_bytes());
    frames.push(format!(r#"{{"a":{}1{}}}"#, "[".repeat(50_000), "]".repeat(50_000)).into_bytes());
    frames
}

#[test]
fn no_frame_ends_a_conversation() {
    let mnemic = mnemic();
    let mut agent = Agent::silent(&mnemic);
    for frame in hostile() {
        agent.write(&frame);
    }
    assert!(agent.shake_hands()["serverInfo"].is_object());
    for frame in hostile() {
        agent.write(&frame);
        let shown = String::from_utf8_lossy(&frame).chars().take(80).collect::<String>();
        assert_eq!(agent.ask("ping", json!({}))["result"], json!({}), "after {shown}");
    }
    assert_eq!(agent.leave().code(), Some(0));
    mnemic.verify("after hostile frames");
}

/// The answer to one frame, which has the id of nobody's request or its own.
fn said(agent: &mut Agent, frame: &str) -> Option<(Value, Value)> {
    agent.notices.clear();
    agent.write(frame.as_bytes());
    agent.ask("ping", json!({}));
    let said = agent.notices.pop()?;
    assert!(agent.notices.is_empty(), "{frame}: {:?}", agent.notices);
    Some((said["id"].clone(), said["error"]["code"].clone()))
}

#[test]
fn mistakes_are_answered_as_json_rpc_asks() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    for (frame, id, code) in [
        ("hello", Value::Null, -32_700),
        ("{\"jsonrpc\":", Value::Null, -32_700),
        ("[]", Value::Null, -32_600),
        ("{}", Value::Null, -32_600),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), -32_600),
        (r#"{"jsonrpc":"2.0","id":"b","method":"unheard/of"}"#, json!("b"), -32_601),
    ] {
        assert_eq!(said(&mut agent, frame), Some((id, json!(code))), "{frame}");
    }
    for frame in [
        "",
        r#"{"jsonrpc":"2.0","method":"unheard/of"}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
    ] {
        assert_eq!(said(&mut agent, frame), None, "{frame}");
    }
    // The same before any handshake.
    let mut silent = Agent::silent(&mnemic);
    silent.write(b"hello");
    silent.shake_hands();
    assert_eq!(silent.notices[0]["error"]["code"], json!(-32_700));
}

#[test]
fn what_is_unknown_is_named() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    assert_eq!(agent.ask("memories/list", json!({}))["error"]["code"], json!(-32601));
    let tool = agent.ask("tools/call", json!({ "name": "nothing" }));
    assert_eq!(tool["error"]["code"], json!(-32602));
    let uri = agent.ask("resources/read", json!({ "uri": "mnemic://nothing" }));
    assert_eq!(uri["error"]["data"]["uri"], json!("mnemic://nothing"), "{uri}");
    let prompt = agent.ask("prompts/get", json!({ "name": "nothing" }));
    assert_eq!(prompt["error"]["code"], json!(-32602));
    let cursor = agent.ask("tools/list", json!({ "cursor": "after-1" }));
    assert_eq!(cursor["error"]["code"], json!(-32602));
    for (method, params) in [
        ("tools/call", json!({})),
        ("tools/call", json!({ "name": 5 })),
        ("tools/call", json!({ "name": "search", "arguments": "x" })),
        ("resources/read", json!({})),
        ("prompts/get", json!({ "name": [] })),
    ] {
        let wrong = agent.ask(method, params)["error"].clone();
        assert_eq!(wrong["code"], json!(-32602), "{method}: {wrong}");
        assert!(wrong["message"].as_str().unwrap().contains("need"), "{wrong}");
    }
    for (tool, arguments) in [
        ("search", json!({})),
        ("search", json!({ "query": 7 })),
        ("search", json!({ "query": "x", "kinds": ["fax"] })),
        ("search", json!({ "query": "x", "colour": "red" })),
        ("search", json!({ "query": "x", "cursor": "elsewhere" })),
        ("get", json!({ "ids": [] })),
        ("remember", json!({ "kind": "fact", "key": "a" })),
        ("conversation_search", json!({ "since": "soon" })),
        ("memory", json!({ "command": "create", "path": "/memories/a" })),
    ] {
        let said = agent.refused(tool, arguments.clone());
        assert!(said.len() > 20, "{tool} {arguments}: {said}");
    }
    let said = agent.refused("get", json!({ "ids": ["fact-nowhere"] }));
    assert!(said.contains("[not_found]") && said.contains("`search`"), "what to do: {said}");
}

#[test]
fn large_frames_pass_and_endless_ones_are_dropped() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let large = "many words ".repeat(200_000);
    let kept = agent.done("archival_insert", json!({ "text": large, "title": "large" }));
    let read = agent.done("get", json!({ "ids": [kept["id"]] }));
    assert!(read["memories"][0]["text"].as_str().unwrap().contains(large.trim()));
    let said = agent.refused("archival_insert", json!({ "text": "x".repeat(9 << 20) }));
    assert!(said.contains("too long"), "{said}");
    agent.write(&vec![b'x'; 17 << 20]);
    assert_eq!(agent.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn a_cancelled_call_leaves_the_rest_as_it_was() {
    let mnemic = mnemic();
    for n in 0..30 {
        mnemic.ok(["remember", "pattern", &format!("Pattern {n} says that words matter.")]);
    }
    let mut agent = Agent::new(&mnemic);
    let call = json!({ "name": "consolidate", "arguments": { "dry_run": false } });
    let id = agent.begin("tools/call", call);
    agent.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": id, "reason": "the person changed their mind" },
    }));
    assert_eq!(agent.ask("ping", json!({}))["result"], json!({}));
    let found = agent.call("search", json!({ "query": "words matter" }));
    assert!(text(&found).contains("words matter"), "{found}");
    assert_eq!(agent.leave().code(), Some(0));
    mnemic.verify("after a cancelled call");
}

#[test]
fn without_a_store_an_agent_is_told_what_is_missing() {
    let mnemic = Mnemic::without_store(env!("CARGO_BIN_EXE_mnemic"));
    let mut agent = Agent::new(&mnemic);
    let said = agent.refused("search", json!({ "query": "anything" }));
    assert!(said.contains("[no_store]") && said.contains("mnemic init"), "{said}");
    let pattern =
        |scope: Option<&str>| json!({ "kind": "pattern", "text": "a b c", "scope": scope });
    let said = agent.refused("remember", pattern(Some("project")));
    assert!(said.contains("[no_store]"), "{said}");
    assert_eq!(agent.leave().code(), Some(0));

    mnemic.ok(["init", "--user"]);
    let mut agent = Agent::new(&mnemic);
    let kept = agent.done("remember", pattern(None));
    assert!(kept["warnings"].to_string().contains("all their projects"), "{kept}");
    assert_eq!(agent.leave().code(), Some(0));
    assert!(!mnemic.store_dir().exists(), "nothing is made unasked");
}

#[test]
fn whoever_leaves_leaves_nothing_behind() {
    let mnemic = mnemic();
    // Before a word, after a handshake, in the middle of a call, in the middle of a frame.
    assert_eq!(Agent::silent(&mnemic).leave().code(), Some(0));
    assert_eq!(Agent::new(&mnemic).leave().code(), Some(0));
    let mut busy = Agent::new(&mnemic);
    busy.begin("tools/call", json!({ "name": "consolidate", "arguments": { "dry_run": false } }));
    assert_eq!(busy.leave().code(), Some(0));
    let mut torn = Agent::new(&mnemic);
    torn.write(br#"{"jsonrpc":"2.0","id":9,"meth"#);
    assert_eq!(torn.leave().code(), Some(0));
    assert_eq!(still_there(&mnemic), Vec::<String>::new());
    mnemic.verify("after everybody left");
}

/// Processes that work in the project.
fn still_there(mnemic: &Mnemic) -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let here = |path: &std::path::Path| std::fs::read_link(path.join("cwd")).ok();
    let project = mnemic.project();
    all.map(|entry| entry.path())
        .filter(|path| here(path).is_some_and(|cwd| cwd.starts_with(&project)))
        .map(|path| path.display().to_string())
        .collect()
}
