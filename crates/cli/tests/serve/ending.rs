//! Live events, and an end that loses nothing.

use crate::client::{Server, reply};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

fn listen(server: &Server, last: Option<&str>) -> BufReader<TcpStream> {
    let mut stream = server.connect();
    let last = last.map(|id| format!("last-event-id: {id}\r\n")).unwrap_or_default();
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n{last}\r\n",
        server.address, server.token
    );
    stream.write_all(request.as_bytes()).expect("it is taken");
    let mut lines = BufReader::new(stream);
    // Until the first comment nothing is being followed yet.
    until(&mut lines, ": here");
    lines
}

fn until(lines: &mut BufReader<TcpStream>, beginning: &str) -> String {
    loop {
        let mut line = String::new();
        let read = lines.read_line(&mut line).expect("the stream goes on");
        assert!(read > 0, "the stream ended before `{beginning}`");
        if let Some(rest) = line.strip_prefix(beginning) {
            return rest.trim().to_owned();
        }
    }
}

#[test]
fn changes_of_other_processes_come_as_they_happen_and_none_is_missed() {
    let server = Server::start(&[]);
    let mut lines = listen(&server, None);
    let id = server.home.remember(&json!({ "kind": "fact", "key": "a", "value": "1" }));
    let mut place = until(&mut lines, "id: ");
    let mut told: Value = serde_json::from_str(&until(&mut lines, "data: ")).expect("JSON");
    while told["subject"] != id.as_str() {
        place = until(&mut lines, "id: ");
        told = serde_json::from_str(&until(&mut lines, "data: ")).expect("JSON");
    }
    assert_eq!(
        (told["verb"].as_str(), told["store"].as_str()),
        (Some("remember"), Some("project"))
    );
    let fits: mnemic_server::http::schema::upkeep::ChangeEvent =
        serde_json::from_value(told).expect("the declared shape");
    assert!(fits.seq > 0);
    drop(lines);
    // What happened while nobody listened comes first when somebody goes on.
    let missed = server.remember(&json!({ "kind": "fact", "key": "b", "value": "2" }));
    let mut lines = listen(&server, Some(&place));
    loop {
        let told: Value = serde_json::from_str(&until(&mut lines, "data: ")).expect("JSON");
        assert_ne!(told["subject"], id.as_str(), "it was told already");
        if told["subject"] == missed.as_str() {
            break;
        }
    }
    // The end of the server is the end of the stream.
    server.terminate();
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("it ends in order");
}

#[test]
fn a_running_request_is_finished_before_the_end() {
    let mut server = Server::start(&[]);
    let body = json!({ "kind": "fact", "key": "last", "value": "words" }).to_string();
    let mut stream = server.connect();
    let head = format!(
        "POST /v1/memories HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        server.address,
        server.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it is taken");
    // Half a request is a running one as soon as its head was read; another answer says so.
    let (first, second) = body.split_at(10);
    stream.write_all(first.as_bytes()).expect("it is taken");
    server.ask("GET", "/v1/health", None).ok(200);
    server.terminate();
    // Nobody new is let in from the moment on at which it is about to end.
    while TcpStream::connect(&server.address).is_ok() {}
    stream.write_all(second.as_bytes()).expect("it is still taken");
    reply(&mut stream).expect("an answer").ok(201);
    assert!(server.child.wait().expect("it ends").success());
    let found = server.home.ok(["list", "--json"]).json();
    assert_eq!(found["items"][0]["key"], "last");
}

#[test]
fn what_was_handed_out_is_counted_at_the_latest_at_the_end() {
    let mut server = Server::start(&[]);
    let id = server.remember(&json!({ "kind": "fact", "key": "cache.size", "value": "512" }));
    let ask = json!({ "query": "cache size", "fill": true });
    server.ask("POST", "/v1/recall", Some(&ask)).ok(200);
    server.ask("POST", "/v1/recall", Some(&ask)).ok(200);
    let quiet = json!({ "query": "cache size", "fill": true, "no_usage": true });
    server.ask("POST", "/v1/recall", Some(&quiet)).ok(200);
    server.terminate();
    assert!(server.child.wait().expect("it ends").success());
    let shown = server.home.ok(["show", &id, "--json"]).json();
    assert_eq!(shown["usage"]["loaded"], 2, "{shown}");
}
