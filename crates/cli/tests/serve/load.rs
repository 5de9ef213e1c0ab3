//! A server under load in small: four questions to one write by many at once. Every answer must be
//! sound, what was acknowledged must be found by the next question, and none may wait for long.
//! Rates are measured by `mnemic-bench serve`, on a build that is made for speed.

use crate::client::Server;
use mnemic_testkit::{SplitMix, size};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

const CLIENTS: usize = 8;
const MEMORIES: usize = 1_000;
/// One request in so many writes.
const WRITES: u64 = 5;
/// The bar of a build for speed is 50 ms; this one is made for tests, and others use the machine.
const SLOWEST: Duration = Duration::from_secs(5);

const THINGS: [&str; 8] =
    ["billing", "search", "login", "export", "backup", "queue", "cache", "report"];

fn stocked() -> Server {
    let server = Server::start(&["--rate", "0"]);
    let lines: Vec<String> = (0..MEMORIES)
        .map(|n| {
            let (thing, key) = (THINGS[n % THINGS.len()], format!("{}.setting.{n}", n % 7));
            json!({ "kind": "fact", "key": format!("{thing}.{key}"), "value": n.to_string() })
                .to_string()
        })
        .collect();
    let stored = server.home.feed(["remember", "-", "--quiet"], &lines.join("\n"));
    assert_eq!(stored.code, Some(0), "{}", stored.err);
    server
}

/// One client's requests, with how long each took.
fn work(server: &Server, client: u64, requests: usize) -> Vec<Duration> {
    let mut random = SplitMix::new(client);
    let mut took = Vec::with_capacity(requests);
    let mut timed = |path: &str, body: serde_json::Value, status: u16| {
        let began = Instant::now();
        let reply = server.ask("POST", path, Some(&body));
        took.push(began.elapsed());
        reply.ok(status);
        reply
    };
    for n in 0..requests as u64 {
        if random.below(WRITES) > 0 {
            let thing = THINGS[random.below(THINGS.len() as u64) as usize];
            let found = timed("/v1/recall", json!({ "query": format!("{thing} setting") }), 200);
            assert!(!found.json()["found"].as_array().expect("answers").is_empty(), "{found:?}");
            continue;
        }
        let word = format!("canary{client}x{n}");
        let draft = json!({ "kind": "pattern", "statement": format!("{word} is what we call it") });
        let id = timed("/v1/memories", draft, 201).json()["id"].clone();
        let found = timed("/v1/recall", json!({ "query": word }), 200).json();
        assert_eq!(found["found"][0]["id"], id, "written and not found: {found}");
    }
    took
}

#[test]
fn many_ask_and_write_at_once_and_every_answer_is_sound() {
    let server = stocked();
    let each = size(60, 2_000);
    let began = Instant::now();
    let mut took: Vec<Duration> = thread::scope(|scope| {
        let server = &server;
        let clients =
            (0..CLIENTS as u64).map(|client| scope.spawn(move || work(server, client, each)));
        let clients: Vec<_> = clients.collect();
        clients.into_iter().flat_map(|client| client.join().expect("no client fails")).collect()
    });
    let rate = took.len() as f64 / began.elapsed().as_secs_f64();
    took.sort();
    let p99 = took[took.len() * 99 / 100];
    server.home.verify("after the load");
    eprintln!(
        "R23: {} requests by {CLIENTS} clients, 0 errors, every write found by the next question, \
         {rate:.0} a second, p99 {} ms (unoptimised)",
        took.len(),
        p99.as_millis()
    );
    assert!(p99 < SLOWEST, "p99 {p99:?}");
}
