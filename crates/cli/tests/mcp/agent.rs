//! An agent's side of the pipe.

use super::schema::fits;
use mnemic_testkit::Mnemic;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};

/// The revision that needs no handshake, and the one before it.
pub(crate) const LATEST: &str = "2026-07-28";
pub(crate) const PREVIOUS: &str = "2025-11-25";

pub(crate) fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

pub(crate) struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    /// As listed, once an answer was held to its schema.
    tools: Vec<Value>,
    /// What came that nobody asked for.
    pub(crate) notices: Vec<Value>,
}

impl Agent {
    /// A server without a word spoken yet.
    pub(crate) fn silent(mnemic: &Mnemic) -> Agent {
        let mut command = mnemic.command(["mcp"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Agent { child, input, output, last: 0, tools: Vec::new(), notices: Vec::new() }
    }

    /// After the handshake of the previous revision.
    pub(crate) fn new(mnemic: &Mnemic) -> Agent {
        let mut agent = Agent::silent(mnemic);
        agent.shake_hands();
        agent
    }

    pub(crate) fn shake_hands(&mut self) -> Value {
        let client = json!({ "name": "test-agent", "version": "1" });
        let hello = json!({
            "protocolVersion": PREVIOUS, "capabilities": {}, "clientInfo": client,
        });
        let answer = self.ask("initialize", hello);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer["result"].clone()
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, frame: &Value) {
        self.write(frame.to_string().as_bytes());
    }

    /// Sends a request and gives its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request; what else comes before it is put aside.
    pub(crate) fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server left before it answered {id}");
            let frame: Value = serde_json::from_str(&line).unwrap();
            if frame["id"] == json!(id) && frame.get("method").is_none() {
                return frame;
            }
            self.notices.push(frame);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer_to(id)
    }

    /// The result of a tool call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer.get("error").is_none(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// The structured content of a call that must succeed.
    #[track_caller]
    pub(crate) fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(false), "{tool}: {result}");
        assert!(!text(&result).is_empty(), "{tool} says nothing in words");
        self.hold_to_schema(tool, &result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// As the official clients do, who refuse an answer that does not fit.
    #[track_caller]
    fn hold_to_schema(&mut self, tool: &str, answer: &Value) {
        if self.tools.is_empty() {
            let listed = self.ask("tools/list", json!({ "_meta": meta() }));
            self.tools = listed["result"]["tools"].as_array().unwrap().clone();
        }
        let found = self.tools.iter().find(|it| it["name"] == tool).expect("a tool of the list");
        if let Err(wrong) = fits(&found["outputSchema"], answer) {
            panic!("{tool} answers against its own schema: {wrong}\n{answer}");
        }
    }

    /// The words of a call that must fail.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(true), "{tool}: {result}");
        assert!(result.get("structuredContent").is_none(), "clients would hold it to the schema");
        text(&result)
    }

    /// Closes the pipe and waits for the end.
    pub(crate) fn leave(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }
}

pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// What a request of the latest revision says about itself.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
