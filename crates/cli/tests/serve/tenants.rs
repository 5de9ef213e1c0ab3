//! Tenants of one server, each with a token of its own: whatever they ask, by whatever door and in
//! whatever order, none ever reads a word of another.

use super::tools::call;
use crate::client::{Reply, Server};
use crate::endpoints::is;
use mnemic_testkit::{Mnemic, SplitMix, size};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;

const TENANTS: [&str; 3] = ["acme", "blue", "coral"];
/// Requests that are under way at the same time.
const AT_ONCE: usize = 4;

struct Tenant {
    name: &'static str,
    token: String,
    /// Stands in everything that it writes, and nowhere else.
    canary: String,
    ids: Mutex<Vec<String>>,
}

impl Tenant {
    fn new(server: &Server, name: &'static str) -> Tenant {
        server.home.ok(["namespace", "create", name]);
        let token = server.token(name, &["--scope", "admin", "--only-namespace", name]);
        let canary = format!("canary{name}");
        let tenant = Tenant { name, token, canary, ids: Mutex::default() };
        for n in 0..3 {
            let made = step(server, &tenant, &remember(&tenant.canary, n));
            tenant.keep(made.ok(201));
        }
        tenant
    }

    fn keep(&self, made: &Reply) {
        if matches!(made.status, 200 | 201)
            && let Some(id) = made.json()["id"].as_str()
        {
            self.ids.lock().expect("nobody panics here").push(id.to_owned());
        }
    }

    fn some_id(&self, random: &mut SplitMix) -> String {
        let ids = self.ids.lock().expect("nobody panics here");
        ids[random.below(ids.len() as u64) as usize].clone()
    }
}

/// A request: method, path and body.
type Step = (&'static str, String, Option<Value>);

fn remember(canary: &str, n: u64) -> Step {
    let draft =
        json!({ "kind": "fact", "key": format!("key.{n}"), "value": format!("{canary} says {n}") });
    ("POST", "/v1/memories".into(), Some(draft))
}

/// Everything that can be asked, about a memory `id`, with words of the one who asks. Whether that
/// memory is its own, the server has to find out.
#[rustfmt::skip]
fn steps(id: &str, own: &str, canary: &str, n: u64) -> Vec<Step> {
    let at = |rest: &str| format!("/v1/memories/{id}{rest}");
    let question = "what says the canary? says canaryacme canaryblue canarycoral";
    vec![
        remember(canary, n % 40),
        ("GET", "/v1/memories?all=true&limit=200".into(), None),
        ("GET", "/v1/memories?words=says".into(), None),
        ("GET", at(""), None),
        ("GET", at("/history"), None),
        ("GET", at("/versions"), None),
        ("GET", at("/versions/1"), None),
        ("GET", at("/similar"), None),
        ("GET", at("/links"), None),
        ("GET", format!("/v1/graph/{id}?depth=3"), None),
        ("PATCH", at(""), Some(json!({ "value": format!("{canary} edits {n}") }))),
        ("POST", at("/confirmation"), None),
        ("POST", "/v1/links".into(), Some(json!({ "from": own, "relation": "supports", "to": id }))),
        ("DELETE", format!("/v1/memories/{own}/links/supports/{id}"), None),
        ("POST", "/v1/recall".into(), Some(json!({ "query": question, "fill": true, "limit": 50 }))),
        ("POST", "/v1/explain".into(), Some(json!({ "query": question, "id": id }))),
        ("POST", "/v1/feedback".into(), Some(json!({ "event": "cited", "ids": [id] }))),
        ("POST", "/v1/context/assemble".into(), Some(json!({ "task": question, "fill": true }))),
        ("POST", "/v1/context/task".into(), Some(json!({ "task": question, "fill": true }))),
        ("POST", "/v1/context/predict".into(), Some(json!({ "signals": [{ "kind": "file", "name": "a" }] }))),
        ("GET", "/v1/index?budget=2000".into(), None),
        ("GET", "/v1/topics".into(), None),
        ("GET", "/v1/timeline?each=20".into(), None),
        ("GET", format!("/v1/timeline?id={id}"), None),
        ("POST", "/v1/episodes".into(), Some(json!({ "kind": "episode", "goal": format!("{canary} goal {n}"), "outcome": "success" }))),
        ("GET", "/v1/episodes".into(), None),
        ("GET", format!("/v1/episodes/{id}/replay"), None),
        ("GET", "/v1/contradictions".into(), None),
        ("POST", "/v1/contradictions".into(), Some(json!({ "a": own, "b": id }))),
        ("POST", format!("/v1/contradictions/{id}/resolution"), Some(json!({ "resolution": "a_wins" }))),
        ("GET", "/v1/review?limit=200".into(), None),
        ("POST", "/v1/review".into(), Some(json!({ "verdict": "accept", "ids": [id] }))),
        ("GET", "/v1/sessions".into(), None),
        ("POST", "/v1/sessions".into(), Some(json!({ "id": format!("s-{n}") }))),
        ("GET", format!("/v1/sessions/s-{n}"), None),
        ("POST", format!("/v1/sessions/s-{n}/events"), Some(json!({ "event": "tool" }))),
        ("POST", format!("/v1/sessions/s-{n}/end"), Some(json!({ "outcome": "success" }))),
        ("GET", "/v1/economics".into(), None),
        ("POST", "/v1/consolidate".into(), Some(json!({}))),
        ("GET", "/v1/changes".into(), None),
        ("POST", format!("/v1/changes/chg-{n}/undo"), None),
        ("GET", "/v1/jobs".into(), None),
        ("POST", "/v1/jobs/run".into(), None),
        ("POST", format!("/v1/jobs/{n}/retry"), None),
        ("POST", "/v1/redact".into(), Some(json!({ "pattern": "canary[a-z]+" }))),
        ("GET", "/v1/stats".into(), None),
        ("GET", "/v1/namespaces".into(), None),
        ("GET", "/v1/metrics".into(), None),
        ("GET", "/v1/export".into(), None),
        ("POST", "/v1/import".into(), Some(json!({ "type": "header" }))),
        ("GET", "/v1/events".into(), None),
        ("DELETE", at(""), None),
    ]
}

/// Paths that say nothing about anybody's memories, and need no token.
const OPEN: [&str; 2] = ["/v1/health", "/v1/openapi.json"];

fn step(server: &Server, tenant: &Tenant, (method, path, body): &Step) -> Reply {
    let any = [("if-match", "*")];
    let more: &[(&str, &str)] = if matches!(*method, "PATCH" | "DELETE") { &any } else { &[] };
    server.ask_as(&tenant.token, method, path, more, body.as_ref())
}

/// Fails when an answer to one holds a word of another.
fn only_own(tenant: &Tenant, what: &str, reply: &Reply) {
    for other in TENANTS.iter().filter(|other| **other != tenant.name) {
        let canary = format!("canary{other}");
        // The question is repeated in some answers; what it names is no memory.
        let told = reply.body.replace("says canaryacme canaryblue canarycoral", "");
        assert!(!told.contains(&canary), "{} got {canary} by {what}: {reply:?}", tenant.name);
    }
    assert!(reply.status < 500, "{what}: {reply:?}");
}

/// One thread: some tenant does something, then some other.
fn interleave(server: &Server, tenants: &[Tenant], seed: u64, requests: usize) {
    let mut random = SplitMix::new(seed);
    for n in 0..requests as u64 {
        let tenant = &tenants[random.below(tenants.len() as u64) as usize];
        let about = &tenants[random.below(tenants.len() as u64) as usize];
        let (id, own) = (about.some_id(&mut random), tenant.some_id(&mut random));
        let mut all = steps(&id, &own, &tenant.canary, n);
        let tools = ["get", "search", "timeline", "context", "forget"];
        let at = random.below((all.len() + tools.len()) as u64) as usize;
        if let Some(tool) = at.checked_sub(all.len()).map(|at| tools[at]) {
            let reply = call(server, &tenant.token, tool, &json!({ "ids": [id] }));
            reply.problem(403, "denied");
            only_own(tenant, tool, &reply);
            continue;
        }
        let asked = all.swap_remove(at);
        // What is erased must leave something to ask about.
        let spared = asked.0 == "DELETE" && about.name == tenant.name && n % 4 != 0;
        if spared {
            continue;
        }
        let reply = step(server, tenant, &asked);
        only_own(tenant, &format!("{} {}", asked.0, asked.1), &reply);
        let is_write = matches!(asked.0, "PATCH" | "DELETE") || asked.1.ends_with("/confirmation");
        if is_write && asked.1.contains(&id) && about.name != tenant.name {
            assert!(reply.status >= 400, "{} wrote to {}: {reply:?}", tenant.name, about.name);
        }
        if matches!(asked.1.as_str(), "/v1/memories" | "/v1/episodes") && asked.0 == "POST" {
            tenant.keep(&reply);
        }
    }
}

#[test]
fn interleaved_tenants_read_no_word_of_each_other() {
    let server = Server::start(&["--rate", "0"]);
    let tenants = TENANTS.map(|name| Tenant::new(&server, name));
    let requests = size(1_000, 20_000);
    thread::scope(|scope| {
        for seed in 0..AT_ONCE as u64 {
            let (server, tenants) = (&server, &tenants);
            scope.spawn(move || interleave(server, tenants, seed, requests / AT_ONCE));
        }
    });
    let verbs = every_verb_was_tried(&server);
    each_wrote_into_its_own(&server.home);
    server.home.verify("after the tenants");
    eprintln!(
        "R26: {} tenants × {verbs} verbs over REST and MCP, {requests} requests interleaved by \
         {AT_ONCE}: 0 foreign memories",
        TENANTS.len()
    );
}

/// The table above knows every operation of the document.
fn every_verb_was_tried(server: &Server) -> usize {
    let document: Value =
        serde_json::from_str(mnemic_server::http::document::text()).expect("JSON");
    let table = steps("ID", "OWN", "", 0);
    let mut verbs = 0;
    for (template, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("operations").keys() {
            let fits =
                |(other, path, _): &Step| other.eq_ignore_ascii_case(method) && is(path, template);
            let is_known = OPEN.contains(&template.as_str()) || table.iter().any(fits);
            assert!(is_known, "{method} {template} is not in the table");
            verbs += 1;
        }
    }
    let asked = server.asked.lock().expect("nobody panics here");
    let paths: BTreeSet<&str> = asked.iter().map(|(_, path, _)| path.as_str()).collect();
    assert!(paths.len() > verbs, "too little was asked to mean anything");
    verbs
}

fn each_wrote_into_its_own(home: &Mnemic) {
    let mut written = 0;
    for line in home.export().iter().filter(|line| line["type"] == "version") {
        let content = &line["content"];
        for name in TENANTS {
            if content.to_string().contains(&format!("canary{name}")) {
                written += 1;
                assert_eq!(content["namespace"], name, "{line}");
                assert_eq!(content["writer"], format!("agent:{name}"), "{line}");
            }
        }
    }
    assert!(written > 9, "{written} versions are too few to mean anything");
}

#[test]
fn a_tenant_that_is_not_there_gets_an_error_from_every_verb() {
    let server = Server::start(&["--rate", "0"]);
    let acme = Tenant::new(&server, "acme");
    let id = acme.some_id(&mut SplitMix::new(1));
    server.home.ok(["namespace", "create", "ghost"]);
    let token = server.token("ghost", &["--scope", "admin", "--only-namespace", "ghost"]);
    server.home.ok(["namespace", "delete", "ghost", "--yes"]);
    let nobody = [token.as_str(), "", "mnemic_wrong"];
    let table = steps(&id, &id, "canaryghost", 1);
    for token in nobody {
        for (method, path, body) in &table {
            let more = [("if-match", "*")];
            let reply = server.ask_as(token, method, path, &more, body.as_ref());
            assert!((400..500).contains(&reply.status), "{method} {path}: {reply:?}");
            assert!(!reply.body.contains(&acme.canary), "{method} {path}: {reply:?}");
        }
    }
    let exported = server.home.ok(["export", "--quiet"]).out;
    assert!(!exported.contains("canaryghost"), "a tenant that is not there wrote something");
    eprintln!("R26: 3 tokens of nobody × {} verbs: each an error, nothing written", table.len());
}
