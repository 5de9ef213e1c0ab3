//! What the tools, resources and prompts do for an agent.

use super::agent::{Agent, mnemic};
use serde_json::{Value, json};

#[test]
fn reading_goes_in_layers() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let themes = ["sailing", "gardens", "music", "trains", "bread", "chess"];
    for (n, theme) in themes.iter().cycle().take(36).enumerate() {
        let text = format!("Entry {n} is about {theme} and how people learn it.");
        agent.done("remember", json!({ "kind": "pattern", "text": text }));
    }
    for n in 0..12 {
        let text = format!("The database cluster {n} listens on port {}.", 5_000 + n);
        agent.done("remember", json!({ "kind": "pattern", "text": text, "tags": ["net"] }));
    }
    let mut seen: Vec<Value> = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut ask =
            json!({ "query": "which port does the database cluster listen on", "limit": 5 });
        if cursor.is_string() {
            ask["cursor"] = cursor;
        }
        let page = agent.done("search", ask);
        seen.extend(page["found"].as_array().unwrap().iter().map(|one| one["id"].clone()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let mut ids: Vec<String> = seen.iter().map(ToString::to_string).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), seen.len(), "no memory on two pages");
    assert!(seen.len() > 5, "{seen:?}");

    let around = agent.done("timeline", json!({ "around": seen[0], "each": 2 }));
    assert!((1..=4).contains(&around["moments"].as_array().unwrap().len()), "{around}");
    let whole = agent.done("get", json!({ "ids": [seen[0], "fact-nowhere"] }));
    assert!(whole["memories"][0]["text"].as_str().unwrap().contains("The database cluster"));
    assert_eq!(whole["missing"][0]["id"], json!("fact-nowhere"));
    agent.done("feedback", json!({ "used": [seen[0]], "succeeded": true }));
    let id = seen[0].as_str().unwrap();
    let usage = mnemic.ok(["show", id, "--json"]).json()["usage"].clone();
    assert_eq!((&usage["referenced"], &usage["succeeded"]), (&json!(1), &json!(1)), "{usage}");
}

#[test]
fn a_context_is_cited_and_counted() {
    let mnemic = mnemic();
    mnemic.ok([
        "remember",
        "pattern",
        "Deploys go through the staging cluster first.",
        "--importance",
        "1",
    ]);
    let mut agent = Agent::new(&mnemic);
    let ask = json!({ "task": "deploy to the cluster", "session": "host-1", "budget": 800 });
    let context = agent.done("context", ask);
    assert!(context["text"].as_str().unwrap().contains("staging"), "{context}");
    assert!(context["tokens"].as_u64().unwrap() <= 800);
    let mark = context["shown"][0]["citation"].as_str().unwrap();
    let words = json!({ "text": format!("Applied: [{mark}]"), "session": "host-1" });
    assert_eq!(agent.done("feedback", words)["cited"][0], context["shown"][0]["id"]);
}

#[test]
fn values_change_and_history_stays() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let fact = |value: &str| json!({ "kind": "fact", "key": "db.port", "value": value });
    let old = agent.done("remember", fact("5432"));
    assert_eq!(agent.done("remember", fact("5432"))["outcome"], json!("known"));
    let new = agent.done("remember", fact("5433"));
    assert_eq!(new["replaced"][0], old["id"]);
    let read = agent.done("get", json!({ "ids": [old["id"], new["id"]] }));
    let valid: Vec<&Value> =
        read["memories"].as_array().unwrap().iter().map(|m| &m["valid"]).collect();
    assert_eq!(valid, [&json!(false), &json!(true)]);
    agent.done("forget", json!({ "ids": [old["id"], new["id"]], "reason": "asked to" }));
    let said = agent.refused("remember", fact("5433"));
    assert!(said.contains("[forgotten]"), "{said}");
}

#[test]
fn an_agent_hears_at_once_what_its_words_contradict() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let pattern = |text: &str| json!({ "kind": "pattern", "text": text });
    let said = |made: &Value| made["contradicts"].to_string();
    agent.done("remember", json!({ "kind": "fact", "key": "staging.port", "value": "5544" }));
    let apart = agent.done("remember", pattern("The production port is 6000"));
    assert_eq!(apart.get("contradicts"), None, "{apart}");
    let other = agent.done("remember", pattern("The staging port is 6000"));
    assert!(said(&other).contains("5544"), "{other}");
    let words = agent.call("remember", pattern("The staging port is 6001"))["content"].to_string();
    assert!(words.contains("`contradicts`") && !words.contains("6000"), "{words}");
    assert!(words.contains("this one holds from now on"), "{words}");
    mnemic.ok(["remember", "fact", "api.port", "7000"]);
    let lost = agent.call("remember", pattern("The API port is 7001"))["content"].to_string();
    assert!(lost.contains("the other one holds"), "{lost}");
    agent.done("remember", pattern("The nightly export always waits for the scheduler"));
    let open = agent.done("remember", pattern("The nightly export never waits for the scheduler"));
    assert!(said(&open).contains("open"), "{open}");
    assert_eq!(agent.done("contradictions", json!({}))["open"].as_array().unwrap().len(), 1);
}

#[test]
fn nothing_that_is_given_is_dropped_or_turned_around() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    for (misplaced, field) in [
        (json!({ "kind": "fact", "key": "a", "value": "1", "text": "b" }), "text"),
        (json!({ "kind": "fact", "key": "a", "value": "1", "why": "b" }), "why"),
        (json!({ "kind": "pattern", "text": "a", "alternatives": ["b"] }), "alternatives"),
        (json!({ "kind": "decision", "text": "a", "instead": "b" }), "instead"),
    ] {
        let said = agent.refused("remember", misplaced);
        assert!(said.contains(field) && said.contains("does not belong"), "{said}");
    }
    agent.done("remember", json!({ "kind": "fact", "key": "a", "text": "1" }));
    let lesson = json!({
        "lesson": "The deploy script empties the bucket", "fails": "deploy.sh without --dry-run",
    });
    let made = agent.done("save_learning", lesson);
    let read = agent.done("get", json!({ "ids": [made["id"]] }));
    let text = read["memories"][0].to_string();
    assert!(text.contains("empties the bucket") && !text.contains("Instead"), "{text}");
}

/// An agent cannot guess which of its fields has the wrong type.
#[test]
fn a_wrong_type_is_told_by_its_field() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    for (tool, arguments, told) in [
        ("remember", json!({ "kind": "fact", "key": "a", "text": ["b"] }), "`text`: invalid type"),
        ("feedback", json!({ "used": "sem-1" }), "`used`: invalid type"),
        ("get", json!({ "ids": ["a", 7] }), "`ids[1]`: invalid type"),
        ("get", json!({}), "missing field `ids`"),
        ("get", json!({ "ids": ["a"], "limt": 3 }), "unknown field `limt`"),
    ] {
        let said = agent.refused(tool, arguments);
        assert!(said.contains(told), "{tool}: {said}");
        assert!(!said.contains("`limt`: unknown"), "named twice: {said}");
    }
}

#[test]
fn a_failure_leads_to_the_tool_that_helps() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let made = |agent: &mut Agent, text: &str| {
        agent.done("remember", json!({ "kind": "pattern", "text": text }))["id"].clone()
    };
    let id = made(&mut agent, "Deploys go through staging");
    made(&mut agent, "Tests run before each push");
    let block = |text: &str| json!({ "action": "create", "label": "human", "text": text });
    agent.done("edit_block", block("Likes tea."));
    let keyed = |lesson: &str| json!({ "lesson": lesson, "idempotency_key": "one" });
    agent.done("save_learning", keyed("The cache is cold at first"));
    for (tool, arguments, helps) in [
        ("get", json!({ "ids": ["sem-"] }), "write more of it"),
        ("save_learning", keyed("The cache is warm at last"), "use a new key"),
        (
            "resolve",
            json!({ "id": "con-1", "resolution": "a_wins", "why": "x" }),
            "`contradictions`",
        ),
        ("redact", json!({ "rule": "nope" }), "there are: "),
        ("edit_block", block("Likes coffee."), "`rethink`"),
        ("remember", json!({ "kind": "decision", "text": "a", "key": "b" }), "goes with facts"),
        ("archival_insert", json!({ "text": " " }), "give the text"),
        ("feedback", json!({ "used": [id], "text": "Applied: [R:1]" }), "gave to `context`"),
        ("feedback", json!({ "used": [id], "text": "x", "session": "?" }), "gave to `context`"),
    ] {
        let said = agent.refused(tool, arguments);
        let advice = said.split("What to do: ").nth(1).unwrap_or_default();
        assert!(advice.contains(helps) && !advice.contains("mnemic "), "{tool}: {said}");
    }
    let shown = mnemic.ok(["show", id.as_str().unwrap(), "--json"]).json();
    assert_eq!(shown["usage"]["referenced"].as_u64().unwrap_or_default(), 0, "{shown}");
}

#[test]
fn blocks_and_archives_are_kept() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let edit =
        |action: &str, text: &str| json!({ "action": action, "label": "human", "text": text });
    agent.done("edit_block", edit("create", "Likes tea."));
    agent.done("edit_block", edit("insert", "Lives in Bern."));
    let mut replace = edit("replace", "coffee");
    replace["old_text"] = json!("tea");
    let block = agent.done("edit_block", replace)["block"].clone();
    assert_eq!(block["text"], json!("Likes coffee.\nLives in Bern."));
    assert_eq!(agent.done("edit_block", edit("rethink", "A person."))["version"], json!(4));
    assert_eq!(agent.done("blocks", json!({ "label": "human" }))["blocks"][0]["used"], json!(9));
    agent.refused("edit_block", edit("rethink", &"x".repeat(3_000)));
    let nobody = json!({ "action": "rethink", "label": "nobody", "text": "x" });
    let said = agent.refused("edit_block", nobody);
    assert!(said.contains("`blocks`") && said.contains("`create`"), "{said}");
    let said = agent.refused("edit_block", json!({ "action": "rethink", "text": "x" }));
    assert!(said.contains("takes `action`, `label`, `text`, and any of `"), "{said}");

    let text = "Notes on sailing.\nWind from the west all day.";
    let kept = agent.done("archival_insert", json!({ "text": text, "tags": ["sea"] }));
    let found = agent.done("archival_search", json!({ "query": "sailing wind", "tags": ["sea"] }));
    assert_eq!(found["found"][0]["id"], kept["id"]);
    let none = agent.done("archival_search", json!({ "query": "sailing", "tags": ["land"] }));
    assert_eq!(none["found"], json!([]));
}

#[test]
fn conversations_are_found_by_word_and_by_date() {
    let mnemic = mnemic();
    for (day, goal) in [
        ("2026-01-10", "Fix the login"),
        ("2026-01-12", "Draw the invoice"),
        ("2026-01-14", "Fix the logout"),
    ] {
        mnemic.ok(["remember", "episode", goal, "--valid-at", day]);
    }
    let mut agent = Agent::new(&mnemic);
    let mut goals = |ask: Value| -> Vec<String> {
        let found = agent.done("conversation_search", ask)["found"].clone();
        let found = found.as_array().unwrap().iter();
        found.map(|one| one["text"].as_str().unwrap().to_owned()).collect()
    };
    let all = goals(json!({}));
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all[0].contains("logout"), "newest first: {all:?}");
    let days = goals(json!({ "since": "2026-01-11", "until": "2026-01-12" }));
    assert_eq!(days.len(), 1, "{days:?}");
    assert!(days[0].contains("invoice"));
    let both = goals(json!({ "query": "invoice", "since": "2026-01-01", "until": "2026-01-31" }));
    assert!(both[0].contains("invoice"), "{both:?}");
    assert_eq!(goals(json!({ "query": "invoice", "until": "2026-01-11" })), Vec::<String>::new());
}

#[test]
fn long_calls_say_how_far_they_are() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    agent.done("remember", json!({ "kind": "pattern", "text": "Words matter." }));
    let call = json!({
        "name": "consolidate", "arguments": {}, "_meta": { "progressToken": "p-1" },
    });
    let result = agent.ask("tools/call", call)["result"].clone();
    assert_eq!(result["structuredContent"]["dry_run"], json!(true), "a dry run unless told");
    let steps: Vec<f64> = agent
        .notices
        .iter()
        .filter(|notice| notice["params"]["progressToken"] == json!("p-1"))
        .map(|notice| notice["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(steps.len() > 3 && steps.is_sorted(), "{steps:?}");
}

#[test]
fn files_are_kept_and_their_words_are_exact() {
    let mnemic = mnemic();
    let mut agent = Agent::new(&mnemic);
    let create =
        json!({ "command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\n" });
    let made = agent.call("memory", create.clone());
    assert_eq!(super::agent::text(&made), "File created successfully at: /memories/a.md");
    assert_eq!(agent.refused("memory", create), "File /memories/a.md already exists");
    let seen = agent.done("memory", json!({ "command": "view", "path": "/memories" }));
    assert!(seen["text"].as_str().unwrap().ends_with("8B\t/memories/a.md"), "{seen}");
    let same = mnemic.feed(["memory-tool", "--json"], r#"{"command":"view","path":"/memories"}"#);
    assert_eq!(same.json()["text"], seen["text"], "the command line says the same");
    let wrong = mnemic.feed(["memory-tool"], r#"{"command":"view"}"#);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn resources_and_prompts_carry_what_is_remembered() {
    let mnemic = mnemic();
    let id =
        mnemic.ok(["remember", "pattern", "Deploys go through staging."]).out.trim().to_owned();
    mnemic.ok(["remember", "fact", "staging.host", "box-7"]);
    let mut agent = Agent::new(&mnemic);
    let mut read = |uri: &str| {
        let answer = agent.ask("resources/read", json!({ "uri": uri }));
        answer["result"]["contents"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert!(read("mnemic://index").contains("2 memories"));
    assert!(read("mnemic://timeline").contains("staging"));
    assert!(read(&format!("mnemic://memory/{id}")).contains("Deploys go through staging."));
    std::fs::write(mnemic.project().join("CONTINUITY.md"), "# Now\nDeploy to staging.\n").unwrap();
    let continuity = read("mnemic://continuity");
    assert!(continuity.contains("Deploy to staging.") && continuity.contains(&id), "{continuity}");

    let mut prompt = |name: &str, arguments: Value| {
        let answer = agent.ask("prompts/get", json!({ "name": name, "arguments": arguments }));
        answer["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_default().to_owned()
    };
    let recall = prompt("recall_before_task", json!({ "task": "deploy the service to staging" }));
    assert!(recall.contains("Deploys go through staging"), "{recall}");
    assert!(recall.contains("staging.host = box-7"), "a fact bears on it too: {recall}");
    assert!(prompt("hand_over", json!({ "to": "the tester" })).contains("the tester"));
    assert_eq!(prompt("recall_before_task", json!({})), "", "without a task it is refused");
}
