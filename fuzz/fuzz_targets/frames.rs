//! Any bytes may come over the pipe of MCP: every line that goes back is JSON-RPC, and no tool breaks.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::Engine;
use mnemic_fuzz::Stores;
use mnemic_server::mcp::{Door, Manner, until_closed};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::runtime::{Builder, Runtime};

static STORES: LazyLock<Stores<Arc<Engine>>> =
    LazyLock::new(|| Stores::new(|home| Arc::new(home.engine())));
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build().expect("a runtime"));

const TOOLS: [&str; 18] = [
    "search",
    "timeline",
    "get",
    "context",
    "remember",
    "save_learning",
    "feedback",
    "contradictions",
    "resolve",
    "forget",
    "blocks",
    "edit_block",
    "archival_insert",
    "archival_search",
    "conversation_search",
    "consolidate",
    "memory",
    "redact",
];

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// The bytes as they are, or as the arguments of a tool: random bytes would seldom name one.
fn frame(bytes: &[u8]) -> (Vec<u8>, Value) {
    let ping = json!({ "jsonrpc": "2.0", "id": "last", "method": "ping" });
    match bytes.split_first() {
        Some((which, rest)) if usize::from(*which) < TOOLS.len() => {
            let tool = TOOLS[usize::from(*which)];
            let mut frame = format!(
                r#"{{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{{"name":"{tool}","arguments":"#
            )
            .into_bytes();
            frame.extend(rest.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }));
            // When the arguments are no JSON, nobody answers to this name; the ping does.
            frame.extend_from_slice(
                format!("}}}}\n{}", json!({ "jsonrpc": "2.0", "id": "end", "method": "ping" }))
                    .as_bytes(),
            );
            let is_json =
                serde_json::from_slice::<Value>(rest).is_ok_and(|value| value.is_object());
            (frame, if is_json { json!("last") } else { json!("end") })
        }
        _ => {
            let mut frame = bytes.to_vec();
            frame.extend_from_slice(format!("\n{ping}").as_bytes());
            (frame, json!("last"))
        }
    }
}

/// Reads until the answer that is waited for, one to a frame that nobody could read, or the end.
async fn until(answer: &Value, lines: &mut Lines<BufReader<DuplexStream>>) {
    while let Ok(Some(line)) = lines.next_line().await {
        let said: Value = serde_json::from_str(&line).expect("a line is JSON");
        assert_eq!(said["jsonrpc"], "2.0", "{line}");
        assert!(!line.contains("mnemic failed over"), "{line}");
        if said["id"] == *answer || said["id"].is_null() {
            return;
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    STORES.with(|engine| {
        let door = Door::new(engine.clone(), Arc::new(Manner::default()));
        RUNTIME.block_on(async {
            let (mut ours, theirs) = tokio::io::duplex(1 << 20);
            let (answers, out) = tokio::io::duplex(1 << 20);
            let served = tokio::spawn(until_closed(door, theirs, out));
            let (frame, last) = frame(bytes);
            ours.write_all(HELLO.as_bytes()).await.expect("there is room");
            ours.write_all(&frame).await.expect("there is room");
            ours.write_all(b"\n").await.expect("there is room");
            let mut lines = BufReader::new(answers).lines();
            until(&last, &mut lines).await;
            drop(ours);
            until(&Value::Null, &mut lines).await;
            let _ = served.await.expect("serving does not panic");
        });
    });
});
