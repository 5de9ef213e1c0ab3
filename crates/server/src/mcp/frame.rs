//! One line of a client as JSON-RPC understands it: a message, nothing, or a mistake and its answer.

use mnemic_engine::defuse;
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Map, Value, json};

/// RFC 8259 lets a reader pass over it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

const NO_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const WRONG_PARAMETERS: i32 = -32_602;

#[derive(Debug)]
pub(super) enum Frame {
    Message(Box<ClientJsonRpcMessage>),
    /// Nothing to do and nothing to say: an empty line, a notification that we do not know, an
    /// answer that nobody waits for.
    Nothing,
    /// What is said back.
    Wrong(Value),
}

pub(super) fn read(line: &[u8]) -> Frame {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Frame::Nothing;
    }
    if let Ok(message) = serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        return Frame::Message(Box::new(message));
    }
    match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => mistake(&fields),
        Ok(_) => wrong(Value::Null, NO_REQUEST, "a message is one object on a line of its own"),
        Err(cause) => wrong(Value::Null, NO_JSON, &format!("this line is no JSON: {cause}")),
    }
}

/// What is said about a line of which no more than this was read.
pub(super) fn too_long(most: usize) -> Value {
    answer(Value::Null, NO_JSON, &format!("this line is longer than {most} bytes"))
}

/// What is wrong with an object that is no message of MCP. Only requests are answered: an answer to
/// an answer would never end.
fn mistake(fields: &Map<String, Value>) -> Frame {
    let id = match fields.get("id") {
        Some(id @ Value::String(_)) => id.clone(),
        Some(Value::Number(id)) if id.is_i64() || id.is_u64() => Value::Number(id.clone()),
        _ => Value::Null,
    };
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        return wrong(id, NO_REQUEST, "a message says `\"jsonrpc\": \"2.0\"`");
    }
    match fields.get("method") {
        None if fields.contains_key("result") || fields.contains_key("error") => Frame::Nothing,
        Some(Value::String(_)) if !fields.contains_key("id") => Frame::Nothing,
        Some(Value::String(method)) if !id.is_null() => {
            let method: String = method.chars().take(60).collect();
            let what = format!("`params` is not what `{}` takes", defuse(&method));
            wrong(id, WRONG_PARAMETERS, &what)
        }
        Some(Value::String(_)) => {
            wrong(id, NO_REQUEST, "the `id` of a request is a text or a whole number")
        }
        _ => wrong(id, NO_REQUEST, "a request has a `method`, which is a text"),
    }
}

fn wrong(id: Value, code: i32, what: &str) -> Frame {
    Frame::Wrong(answer(id, code, what))
}

fn answer(id: Value, code: i32, what: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": what } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The id and the code of the answer; none where nothing is said.
    fn said(line: &str) -> Option<(Value, i64)> {
        match read(line.as_bytes()) {
            Frame::Wrong(answer) => {
                Some((answer["id"].clone(), answer["error"]["code"].as_i64().expect("a code")))
            }
            Frame::Message(_) | Frame::Nothing => None,
        }
    }

    #[test]
    fn mistakes_are_answered_as_json_rpc_asks() {
        let null = Value::Null;
        let table: &[(&str, Value, i64)] = &[
            ("hello", null.clone(), -32_700),
            ("{", null.clone(), -32_700),
            ("[1,", null.clone(), -32_700),
            ("42", null.clone(), -32_600),
            ("[]", null.clone(), -32_600),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, null.clone(), -32_600),
            ("{}", null.clone(), -32_600),
            (r#"{"jsonrpc":"2.0"}"#, null.clone(), -32_600),
            (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, json!(7), -32_600),
            (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, null.clone(), -32_600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, null.clone(), -32_600),
            (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), -32_600),
        ];
        for (line, id, code) in table {
            assert_eq!(said(line), Some((id.clone(), *code)), "{line}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(said(&deep), Some((Value::Null, -32_700)));
    }

    #[test]
    fn what_asks_for_no_answer_gets_none() {
        for line in [
            "",
            " \r",
            "\u{feff}",
            r#"{"jsonrpc":"2.0","method":"notifications/unheard-of","params":7}"#,
            r#"{"jsonrpc":"2.0","method":"textDocument/didOpen"}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":7}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":7}"#,
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn messages_pass() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"unheard/of"}"#,
        ] {
            assert!(matches!(read(line.as_bytes()), Frame::Message(_)), "{line}");
        }
    }

    proptest! {
        #[test]
        fn an_answer_is_never_answered(line in ".{0,80}", id in 0u64..9, text in "[a-z/]{0,9}") {
            let requests = [
                line,
                json!({ "jsonrpc": "2.0", "id": id, "method": text, "params": 7 }).to_string(),
                json!({ "id": [id], "method": text }).to_string(),
            ];
            for request in requests {
                if let Frame::Wrong(answer) = read(request.as_bytes()) {
                    prop_assert_eq!(said(&answer.to_string()), None);
                }
            }
        }
    }
}
