//! Against a service of a few lines that says what it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::*;

/// What the service answers, one after the other.
#[derive(Clone)]
enum Act {
    Say(u16, String),
    /// Takes the request and never answers.
    HangUp,
    /// Keeps the line open without a word.
    Silence,
}

struct Service {
    base_url: String,
    /// Head and body of each request.
    heard: Arc<Mutex<Vec<(String, serde_json::Value)>>>,
}

fn service(acts: Vec<Act>) -> Service {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    thread::spawn(move || {
        let mut silent = Vec::new();
        for act in acts {
            let (mut stream, _) = listener.accept().unwrap();
            ears.lock().unwrap().push(hear(&stream));
            match act {
                Act::Say(status, body) => {
                    let length = body.len();
                    let head = format!(
                        "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
                    );
                    stream.write_all((head + &body).as_bytes()).unwrap();
                }
                Act::HangUp => {}
                Act::Silence => silent.push(stream),
            }
        }
        // Held until the test is over and nobody listens any more.
        if !silent.is_empty() {
            thread::park();
        }
    });
    Service { base_url, heard }
}

fn hear(stream: &TcpStream) -> (String, serde_json::Value) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "the request ends in its head");
    }
    let lower = head.to_lowercase();
    let length = lower.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
    let length = length.map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (lower, serde_json::from_slice(&body).unwrap())
}

fn settings(base_url: &str) -> RemoteSettings {
    RemoteSettings {
        base_url: base_url.to_owned(),
        model: "some-model".to_owned(),
        api_key: Some(Secret::new("hush")),
        dimensions: None,
        query_prefix: "query: ".to_owned(),
        passage_prefix: String::new(),
        timeout_seconds: 5,
        batch: 2,
    }
}

fn at_once(settings: RemoteSettings) -> Remote {
    Remote::new(settings, [Duration::ZERO; 2]).unwrap()
}

fn say(vectors: &[[f32; 2]]) -> Act {
    let items: Vec<String> =
        vectors.iter().map(|[a, b]| format!("{{\"embedding\":[{a},{b}]}}")).collect();
    Act::Say(200, format!("{{\"data\":[{}]}}", items.join(",")))
}

#[test]
fn texts_go_out_in_batches_and_come_back_in_order() {
    let service = service(vec![say(&[[2.0, 0.0], [0.0, 2.0]]), say(&[[3.0, 4.0]])]);
    let remote = at_once(settings(&service.base_url));
    assert_eq!(remote.model().dimensions, 0);
    let vectors = remote.embed(&["a", "b", "c"], Role::Query).unwrap();
    assert_eq!(vectors, [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]);
    assert_eq!(remote.model().dimensions, 2);
    assert!(remote.is_remote());
    let heard = service.heard.lock().unwrap();
    let (head, body) = &heard[0];
    assert!(head.starts_with("post /v1/embeddings "), "{head}");
    assert!(head.contains("authorization: bearer hush"), "{head}");
    assert_eq!(body["input"], serde_json::json!(["query: a", "query: b"]));
    assert_eq!(body["model"], "some-model");
    assert_eq!(heard[1].1["input"], serde_json::json!(["query: c"]));
}

#[test]
fn an_empty_passage_is_sent_as_a_space() {
    let service = service(vec![say(&[[1.0, 0.0]])]);
    at_once(settings(&service.base_url)).embed(&[""], Role::Passage).unwrap();
    assert_eq!(service.heard.lock().unwrap()[0].1["input"], serde_json::json!([" "]));
}

#[test]
fn a_busy_service_is_asked_three_times() {
    let busy = Act::Say(429, "slow down".to_owned());
    let stumble = Act::Say(503, String::new());
    let patient = service(vec![busy.clone(), stumble, say(&[[1.0, 0.0]])]);
    at_once(settings(&patient.base_url)).embed(&["a"], Role::Query).unwrap();
    let stubborn = service(vec![busy.clone(), busy.clone(), busy]);
    let error = at_once(settings(&stubborn.base_url)).embed(&["a"], Role::Query).unwrap_err();
    assert!(matches!(&error, Error::Refused { status: 429, said, .. } if said == "slow down"));
    assert_eq!(stubborn.heard.lock().unwrap().len(), 3);
}

#[test]
fn a_refusal_is_final_and_says_what_to_do() {
    let body = r#"{"error":{"message":"Incorrect API key"}}"#;
    let service = service(vec![Act::Say(401, body.to_owned())]);
    let error = at_once(settings(&service.base_url)).embed(&["a"], Role::Query).unwrap_err();
    let endpoint = format!("{}/embeddings", service.base_url);
    assert_eq!(
        error.to_string(),
        format!("the endpoint `{endpoint}` answered with status 401: Incorrect API key")
    );
    assert_eq!(error.hint(), Some("check the API key"));
}

#[test]
fn answers_of_no_use_are_told() {
    for (act, dimensions, expected) in [
        (say(&[[1.0, 0.0], [1.0, 0.0]]), None, "it has 2 vectors for 1 texts"),
        (say(&[[1.0, 0.0]]), Some(3), "it has vectors of 2 dimensions where 3 are due"),
        (Act::Say(200, "hello".to_owned()), None, "it cannot be read"),
    ] {
        let service = service(vec![act]);
        let settings = RemoteSettings { dimensions, ..settings(&service.base_url) };
        let error = at_once(settings).embed(&["a"], Role::Query).unwrap_err();
        assert!(matches!(error, Error::Answer { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn silence_and_a_broken_line_are_told_apart() {
    let silent = service(vec![Act::Silence]);
    let impatient = RemoteSettings { timeout_seconds: 1, ..settings(&silent.base_url) };
    let error = at_once(impatient).embed(&["a"], Role::Query).unwrap_err();
    assert!(error.to_string().ends_with("did not answer within 1 s"), "{error}");
    let broken = service(vec![Act::HangUp]);
    let error = at_once(settings(&broken.base_url)).embed(&["a"], Role::Query).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
}

#[test]
fn settings_are_checked_and_secrets_stay_hidden() {
    let fine = settings("http://localhost:11434/v1/");
    assert_eq!(fine.endpoint(), "http://localhost:11434/v1/embeddings");
    assert!(settings::is_loopback(&fine.base_url));
    assert!(!format!("{fine:?}").contains("hush"));
    let other = RemoteSettings { passage_prefix: "passage: ".to_owned(), ..fine.clone() };
    assert_ne!(fine.generation(), other.generation());
    assert!(!settings::is_loopback("https://localhost.example.com/v1"));
    for (bad, name) in [
        (settings("localhost:11434"), "base_url"),
        (settings("https://user:hush@example.com/v1"), "base_url"),
        (RemoteSettings { model: " ".to_owned(), ..fine.clone() }, "model"),
        (RemoteSettings { dimensions: Some(0), ..fine.clone() }, "dimensions"),
        (RemoteSettings { timeout_seconds: 0, ..fine.clone() }, "timeout_seconds"),
        (RemoteSettings { batch: 0, ..fine }, "batch"),
    ] {
        let error = remote(bad).unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}`")) && !error.contains("hush"), "{error}");
    }
}
