//! A server of the real binary, and a client so plain that it can also be rude.

use mnemic_testkit::Mnemic;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// Longer than any answer takes on a busy machine; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server over stores of its own.
pub(crate) struct Server {
    pub(crate) home: Mnemic,
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
    /// Method, path and status of every request, for the question what was never asked.
    pub(crate) asked: Mutex<Vec<(String, String, u16)>>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The answer in the shape that the document declares.
    pub(crate) fn fits<T: DeserializeOwned>(&self) -> Value {
        if let Err(why) = serde_json::from_str::<T>(&self.body) {
            panic!("{why}: {}", self.body);
        }
        self.json()
    }

    /// A problem of this kind, well told.
    pub(crate) fn problem(&self, status: u16, kind: &str) -> &Reply {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        self.fits::<mnemic_server::http::Problem>();
        let problem = self.json();
        assert_eq!((self.status, problem["kind"].as_str()), (status, Some(kind)), "{self:?}");
        assert_eq!(problem["status"], status);
        assert!(problem["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{self:?}");
        self
    }

    pub(crate) fn ok(&self, status: u16) -> &Reply {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

impl Server {
    pub(crate) fn start(args: &[&str]) -> Server {
        Server::over(Mnemic::new(env!("CARGO_BIN_EXE_mnemic")), args)
    }

    pub(crate) fn over(home: Mnemic, args: &[&str]) -> Server {
        let mut command = home.command(["serve", "--port", "0", "--json"]);
        let mut child =
            command.args(args).stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        out.read_line(&mut line).expect("it says where it listens");
        let told: Value = serde_json::from_str(&line).expect("one line of JSON");
        let url = told["url"].as_str().expect("an address");
        let address = url.trim_start_matches("http://").to_owned();
        let token = told["token"].as_str().unwrap_or_default().to_owned();
        Server { home, child, address, token, asked: Mutex::default() }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Sends bytes as they are and reads until the server closes.
    pub(crate) fn raw(&self, request: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // A server that refuses early may close before it has read everything.
        let _ = stream.write_all(request);
        reply(&mut stream)
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.address);
        head.push_str("connection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        let reply = self.raw(format!("{head}\r\n{body}").as_bytes()).expect("an answer");
        let asked = (method.to_owned(), path.to_owned(), reply.status);
        self.asked.lock().expect("nobody panics here").push(asked);
        reply
    }

    /// With the server's own token.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        self.ask_as(&self.token, method, path, &[], body)
    }

    pub(crate) fn ask_as(
        &self,
        token: &str,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Reply {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("authorization", bearer.as_str())];
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        headers.extend_from_slice(more);
        let body = body.map(Value::to_string).unwrap_or_default();
        self.send(method, path, &headers, &body)
    }

    /// Makes another token with the command line.
    pub(crate) fn token(&self, name: &str, args: &[&str]) -> String {
        let all = ["token", "create", "--json", "--name", name];
        let made = self.home.ok(all.iter().chain(args)).json();
        made["token"].as_str().expect("a token").to_owned()
    }

    pub(crate) fn remember(&self, draft: &Value) -> String {
        let reply = self.ask("POST", "/v1/memories", Some(draft));
        assert!(matches!(reply.status, 200 | 201), "{reply:?}");
        reply.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Asks politely to end, as a supervisor would.
    pub(crate) fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One answer; `None` where the connection was closed without one.
pub(crate) fn reply(stream: &mut TcpStream) -> Option<Reply> {
    let mut bytes = Vec::new();
    // What came before a reset still counts.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let is_chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
    let body = if is_chunked { dechunked(body) } else { body.to_owned() };
    Some(Reply { status, headers, body })
}

fn dechunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || size > rest.len() {
            break;
        }
        whole.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}
