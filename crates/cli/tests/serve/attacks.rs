//! The attack script: what a hostile page, program or network sends, and that nothing comes of it.

use crate::client::{Server, reply};
use serde_json::json;
use std::io::{Read, Write};

const DRAFT: &str = r#"{"kind":"fact","key":"k","value":"planted"}"#;

/// One request as it is, with the server's address and token filled in.
fn request(server: &Server, text: &str) -> Vec<u8> {
    let token = format!("Bearer {}", server.token);
    text.replace("HOST", &server.address)
        .replace("TOKEN", &token)
        .replace('\n', "\r\n")
        .into_bytes()
}

fn post(headers: &str) -> String {
    let length = DRAFT.len();
    format!(
        "POST /v1/memories HTTP/1.1\n{headers}content-length: {length}\nconnection: close\n\n{DRAFT}"
    )
}

#[test]
fn every_request_of_the_attack_script_is_refused() {
    let server = Server::start(&[]);
    let good = "host: HOST\nauthorization: TOKEN\ncontent-type: application/json\n";
    let other = server.token("other", &["--scope", "write"]);
    server.home.ok(["token", "revoke", "other"]);
    let revoked =
        format!("host: HOST\nauthorization: Bearer {other}\ncontent-type: application/json\n");
    let cut = format!("Bearer {}", &server.token[..server.token.len() - 1]);
    let script: Vec<(&str, String, &[u16])> = vec![
        ("rebound name", post(&good.replace("HOST", "evil.test")), &[421]),
        ("rebound name with our port", post(&good.replace("HOST", "evil.test:80")), &[421]),
        ("no host", post(&good.replace("host: HOST\n", "")), &[400]),
        ("two hosts", post(&format!("host: evil.test\n{good}")), &[400]),
        ("null origin", post(&format!("{good}origin: null\n")), &[403]),
        ("another site", post(&format!("{good}origin: https://evil.test\n")), &[403]),
        ("another site, same name", post(&format!("{good}origin: http://HOST.evil.test\n")), &[403]),
        ("cross-site by the browser's word", post(&format!("{good}sec-fetch-site: cross-site\n")), &[403]),
        ("preflight", "OPTIONS /v1/memories HTTP/1.1\nhost: HOST\norigin: https://evil.test\naccess-control-request-method: POST\nconnection: close\n\n".into(), &[403]),
        ("no token", post(&good.replace("authorization: TOKEN\n", "")), &[401]),
        ("wrong token", post(&good.replace("TOKEN", &cut)), &[401]),
        ("token in the wrong scheme", post(&good.replace("TOKEN", "Basic YTpi")), &[401]),
        ("two tokens", post(&format!("{good}authorization: TOKEN\n")), &[401]),
        ("revoked token", post(&revoked), &[401]),
        ("text/plain from a form", post(&good.replace("application/json", "text/plain")), &[415]),
        ("a form", post(&good.replace("application/json", "application/x-www-form-urlencoded")), &[415]),
        ("no media type", post(&good.replace("content-type: application/json\n", "")), &[415]),
        ("absolute address elsewhere", post(good).replace("/v1/memories HTTP", "http://evil.test/v1/memories HTTP"), &[421]),
        ("traversal", "GET /v1/../../../etc/passwd HTTP/1.1\nhost: HOST\nauthorization: TOKEN\nconnection: close\n\n".into(), &[404]),
        ("traversal, encoded", "GET /v1/memories/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1\nhost: HOST\nauthorization: TOKEN\nconnection: close\n\n".into(), &[404]),
        ("traversal in the page", "GET /docs/..%2f..%2fCargo.toml HTTP/1.1\nhost: HOST\nauthorization: TOKEN\nconnection: close\n\n".into(), &[404]),
        ("NUL in the address", "GET /v1/memories/%00 HTTP/1.1\nhost: HOST\nauthorization: TOKEN\nconnection: close\n\n".into(), &[404, 422]),
        ("bytes that are no text", "GET /v1/memories/%ff%fe HTTP/1.1\nhost: HOST\nauthorization: TOKEN\nconnection: close\n\n".into(), &[400]),
        ("two lengths", post(good).replace("content-length", "content-length: 4\ncontent-length"), &[400]),
        ("a length and chunks", post(&format!("{good}transfer-encoding: chunked\n")), &[400]),
        ("a strange coding", post(good).replace("content-length: 43", "transfer-encoding: xchunked"), &[400, 501]),
        ("a negative length", post(good).replace("content-length: ", "content-length: -"), &[400]),
        ("a folded header", post(&format!("{good}x-a: b\n c\n")), &[400]),
        ("a space before the colon", post(&good.replace("authorization:", "authorization :")), &[400]),
        ("a bare line feed in a value", post(&format!("{good}x-a: b\rc\n")), &[400]),
        ("an unknown method", post(good).replace("POST ", "TRACE "), &[405]),
        ("no HTTP at all", "\u{16}\u{3}\u{1}hello\n\n".into(), &[400]),
        ("deep JSON", format!("POST /v1/memories HTTP/1.1\n{good}content-length: 4000\nconnection: close\n\n{}", "[".repeat(4_000)), &[400]),
    ];
    let requests = script.len();
    for (what, text, expected) in script {
        let answer = server.raw(&request(&server, &text));
        let answer = answer.unwrap_or_else(|| panic!("{what}: no answer"));
        assert!(expected.contains(&answer.status), "{what}: {answer:?}");
        assert!(!answer.body.contains("root:"), "{what}: {answer:?}");
        let open = answer.headers.iter().any(|(name, _)| name.starts_with("access-control"));
        assert!(!open, "{what} opens CORS: {answer:?}");
    }
    // Nothing of it was stored, and the server is as it was.
    let list = server.ask("GET", "/v1/memories?all=true", None);
    assert_eq!(list.json()["items"], json!([]));
    server.remember(&json!({ "kind": "fact", "key": "k", "value": "v" }));
    eprintln!("R30: {requests} attacks refused, nothing stored");
}

#[test]
fn bodies_that_are_too_large_or_too_slow_are_cut_off() {
    let server = Server::start(&["--time-limit", "1", "--body-limit", "1000"]);
    let value = "x".repeat(2_000);
    let large = json!({ "kind": "fact", "key": "k", "value": value });
    server.ask("POST", "/v1/memories", Some(&large)).problem(413, "too_large");
    // The same without saying so before.
    let chunk = format!("{:x}\r\n{}\r\n", large.to_string().len(), large);
    let head = "POST /v1/memories HTTP/1.1\nhost: HOST\nauthorization: TOKEN\ncontent-type: application/json\ntransfer-encoding: chunked\nconnection: close\n\n";
    let mut bytes = request(&server, head);
    bytes.extend_from_slice(format!("{chunk}0\r\n\r\n").as_bytes());
    server.raw(&bytes).expect("an answer").problem(413, "too_large");
    // A body that never ends holds nothing up for longer than the limit.
    let mut slow = server.connect();
    let begun = "POST /v1/memories HTTP/1.1\nhost: HOST\nauthorization: TOKEN\ncontent-type: application/json\ncontent-length: 500\n\n{";
    slow.write_all(&request(&server, begun)).expect("it is taken");
    reply(&mut slow).expect("an answer").problem(408, "timeout");
    assert_eq!(server.ask("GET", "/v1/memories", None).json()["items"], json!([]));
}

#[test]
fn a_head_that_never_ends_is_cut_off() {
    let server = Server::start(&[]);
    let mut slow = server.connect();
    slow.write_all(b"GET /v1/health HTTP/1.1\r\nhost: ").expect("it is taken");
    let mut rest = Vec::new();
    // The server hangs up by itself, with or without a word.
    slow.read_to_end(&mut rest).expect("it hangs up");
    let mut long = server.connect();
    let _ = long.write_all(b"GET /v1/health HTTP/1.1\r\n");
    for n in 0..2_000 {
        if long.write_all(format!("x-{n}: {}\r\n", "a".repeat(100)).as_bytes()).is_err() {
            break;
        }
    }
    if let Some(answer) = reply(&mut long) {
        assert!(matches!(answer.status, 400 | 431), "{answer:?}");
    }
    server.ask("GET", "/v1/memories", None).ok(200);
}

#[test]
fn whoever_asks_too_often_waits() {
    let server = Server::start(&["--rate", "5"]);
    let statuses: Vec<u16> =
        (0..40).map(|_| server.ask("GET", "/v1/namespaces", None).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(statuses[0], 200);
    let other = server.token("other", &[]);
    let answer = server.ask_as(&other, "GET", "/v1/namespaces", &[], None);
    answer.ok(200);
}

#[test]
fn other_machines_are_kept_out_unless_somebody_thought_of_it() {
    let home = mnemic_testkit::Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for args in [
        &["serve", "--host", "0.0.0.0", "--port", "0"][..],
        &["serve", "--host", "0.0.0.0", "--port", "0", "--behind-proxy"],
        &["serve", "--host", "::", "--port", "0"],
    ] {
        let refused = home.run(args);
        assert_eq!(refused.code, Some(7), "{args:?}: {}", refused.err);
    }
    let nothing = ["serve", "--port", "0", "--tls-cert", "no.pem", "--tls-key", "no.pem"];
    let refused = home.run(nothing);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("no.pem") && refused.err.contains("PEM"), "{}", refused.err);
    assert_eq!(home.run(["serve", "--port", "0", "--tls-cert", "no.pem"]).code, Some(2));
    assert!(!home.store_dir().join("tokens.json").exists(), "a refused start makes no token");
}
