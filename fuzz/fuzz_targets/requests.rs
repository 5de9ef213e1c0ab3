//! Any bytes may be the body, the query or a part of the path of a request: the server answers in
//! JSON, and nothing is ever its own fault.

#![no_main]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use mnemic_engine::recall::context::Profiles;
use mnemic_fuzz::Stores;
use mnemic_server::http::token::{Reach, TOKENS_FILE, Tokens, Wish};
use mnemic_server::http::{Door, Limits, Names, router};
use mnemic_testkit::{Home, SeededRandom, at};
use std::sync::{Arc, LazyLock};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

const ADDRESS: &str = "127.0.0.1:7777";

/// `{}` is where the bytes go; without it they are the body.
const ADDRESSES: &[(&str, &str)] = &[
    ("POST", "/v1/memories"),
    ("POST", "/v1/episodes"),
    ("PATCH", "/v1/memories/fact-fuzz"),
    ("POST", "/v1/recall"),
    ("POST", "/v1/explain"),
    ("POST", "/v1/feedback"),
    ("POST", "/v1/context/assemble"),
    ("POST", "/v1/context/task"),
    ("POST", "/v1/context/predict"),
    ("POST", "/v1/links"),
    ("POST", "/v1/contradictions"),
    ("POST", "/v1/review"),
    ("POST", "/v1/sessions"),
    ("POST", "/v1/sessions/s/events"),
    ("POST", "/v1/sessions/s/end"),
    ("POST", "/v1/consolidate"),
    ("POST", "/v1/redact"),
    ("POST", "/v1/import"),
    ("GET", "/v1/memories?{}"),
    ("GET", "/v1/timeline?{}"),
    ("GET", "/v1/memories/{}"),
    ("GET", "/v1/graph/{}"),
    ("DELETE", "/v1/memories/{}"),
    ("GET", "/{}"),
];

struct Served {
    router: Router,
    token: String,
}

fn serve(home: &Home) -> Served {
    let engine = home.engine();
    let tokens = Tokens::at(home.project_dir().join(TOKENS_FILE));
    let wish = Wish { person: true, ..Wish::new("fuzz", Reach::Admin) };
    let made = tokens.create(wish, at("2026-01-05T10:00:00Z"), &SeededRandom::new(1));
    let token = made.expect("a token").token.reveal().to_owned();
    let fact = serde_json::json!({ "kind": "fact", "id": "fact-fuzz", "key": "a", "value": "b" });
    let draft = fact.as_object().cloned().expect("an object");
    let draft = mnemic_engine::model::Draft::from_fields(draft).expect("a draft");
    engine.remember(draft, &mnemic_engine::Note::default()).expect("it is taken in");
    let names = Names::of(ADDRESS.parse().expect("an address"), &[]);
    let (_, closing) = tokio::sync::watch::channel(false);
    let limits = Limits { per_second: 0, ..Limits::default() };
    let door = Door::new(home.settings(), tokens, names, limits, Profiles::built_in(), closing);
    Served { router: router(Arc::new(door), Router::new()), token }
}

static STORES: LazyLock<Stores<Served>> = LazyLock::new(|| Stores::new(serve));
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime"));

/// What may stand in an address; everything else as `%` and two digits.
fn encoded(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'&' | b'=' | b'-' | b'_' | b'.' | b'%' => {
            char::from(*byte).to_string()
        }
        other => format!("%{other:02x}"),
    };
    bytes.iter().map(letter).collect()
}

fn request(served: &Served, bytes: &[u8]) -> Option<Request<Body>> {
    let (which, rest) = bytes.split_first()?;
    let (method, template) = ADDRESSES[usize::from(*which) % ADDRESSES.len()];
    let is_body = !template.contains("{}");
    let path = template.replace("{}", &if is_body { String::new() } else { encoded(rest) });
    let media = match template {
        "/v1/import" => "application/x-ndjson",
        _ => "application/json",
    };
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", ADDRESS)
        .header("authorization", format!("Bearer {}", served.token))
        .header("content-type", media)
        .header("if-match", "*")
        .body(if is_body { Body::from(rest.to_vec()) } else { Body::empty() })
        .ok()
}

fuzz_target!(|bytes: &[u8]| {
    STORES.with(|served| {
        let Some(request) = request(served, bytes) else { return };
        RUNTIME.block_on(async {
            let answer = served.router.clone().oneshot(request).await.expect("it always answers");
            let status = answer.status();
            assert!(status < StatusCode::INTERNAL_SERVER_ERROR, "{status}");
            let media = answer.headers().get("content-type").map(|media| media.as_bytes().to_vec());
            if !media.is_some_and(|media| media.ends_with(b"json")) {
                return;
            }
            let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
            let json = serde_json::from_slice::<serde_json::Value>(&body);
            assert!(json.is_ok(), "{status}: {}", String::from_utf8_lossy(&body));
        });
    });
});
