//! Both revisions: with a handshake and without.

use super::agent::{Agent, LATEST, PREVIOUS, meta, mnemic};
use serde_json::json;

#[test]
fn the_previous_revision_shakes_hands() {
    let mnemic = mnemic();
    let mut agent = Agent::silent(&mnemic);
    let hello = agent.shake_hands();
    assert_eq!(hello["protocolVersion"], json!(PREVIOUS));
    assert_eq!(hello["serverInfo"]["name"], json!("mnemic"));
    let instructions = hello["instructions"].as_str().unwrap();
    assert!((200..2_048).contains(&instructions.len()));
    for capability in ["tools", "resources", "prompts"] {
        assert!(hello["capabilities"][capability].is_object(), "{capability}: {hello}");
    }
    let listed = agent.ask("tools/list", json!({}))["result"].clone();
    assert!(listed.get("resultType").is_none(), "older clients do not know it");
    let names: Vec<&str> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[..3], ["search", "timeline", "get"], "the layers come first");
    assert_eq!(agent.ask("ping", json!({}))["result"], json!({}));
    assert_eq!(agent.leave().code(), Some(0));
}

#[test]
fn the_latest_revision_needs_none() {
    let mnemic = mnemic();
    let mut agent = Agent::silent(&mnemic);
    let found = agent.ask("server/discover", json!({ "_meta": meta() }))["result"].clone();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(LATEST)) && versions.contains(&json!(PREVIOUS)), "{found}");
    assert_eq!(found["resultType"], json!("complete"));
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], json!("mnemic"));

    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        let listed = agent.ask(method, json!({ "_meta": meta() }))["result"].clone();
        assert_eq!(listed["resultType"], json!("complete"), "{method}");
        assert!(listed["ttlMs"].as_u64().unwrap() > 0, "{method} is stable");
        assert_eq!(listed["cacheScope"], json!("public"), "{method}");
    }
    let call = json!({
        "_meta": meta(), "name": "remember",
        "arguments": { "kind": "fact", "key": "db.port", "value": "5432" },
    });
    let result = agent.ask("tools/call", call)["result"].clone();
    assert_eq!(result["structuredContent"]["outcome"], json!("created"), "{result}");
    let read = json!({ "_meta": meta(), "uri": "mnemic://timeline" });
    let read = agent.ask("resources/read", read)["result"].clone();
    assert_eq!((&read["ttlMs"], &read["cacheScope"]), (&json!(0), &json!("private")), "{read}");
    assert!(read["contents"][0]["text"].as_str().unwrap().contains("db.port"));
    assert_eq!(agent.leave().code(), Some(0));
}

#[test]
fn a_request_must_say_what_it_speaks() {
    let mnemic = mnemic();
    let mut agent = Agent::silent(&mnemic);
    let bare = agent.ask("tools/list", json!({}));
    assert_eq!(bare["error"]["code"], json!(-32602), "{bare}");
    let mut odd = meta();
    odd["io.modelcontextprotocol/protocolVersion"] = json!("1999-01-01");
    let odd = agent.ask("tools/list", json!({ "_meta": odd }));
    assert!(odd["error"]["data"]["supported"].is_array(), "{odd}");
    assert!(agent.shake_hands()["serverInfo"].is_object(), "a handshake is still possible");
}
