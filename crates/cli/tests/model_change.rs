//! The embedding model changes, and the process that reads everything again is killed: what is asked
//! meanwhile is answered by one model or the other, and in the end all vectors are of the new one.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{Answer, Calls, Fault, FaultKind, Faults, Mnemic, answer, answer_to, size};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;

const MEMORIES: usize = 40;

/// A service that speaks the OpenAI protocol; the model's name says how long its vectors are.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || reply(&stream));
        }
    });
    url
}

/// Answers one request. Whoever was killed does not hear it.
fn reply(mut stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked: Value = serde_json::from_slice(&body).ok()?;
    let dimensions = asked["model"].as_str()?.rsplit('-').next()?.parse().ok()?;
    let texts = asked["input"].as_array()?.iter().filter_map(Value::as_str);
    let data: Vec<Value> = texts
        .enumerate()
        .map(|(index, text)| json!({ "index": index, "embedding": vector(text, dimensions) }))
        .collect();
    let said = json!({ "data": data }).to_string();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n", said.len());
    stream.write_all(format!("{head}content-type: application/json\r\n\r\n{said}").as_bytes()).ok()
}

/// A word of its own for each memory.
fn topic(n: usize) -> String {
    let syllables = ["ba", "de", "fi", "go", "ku", "la", "me"];
    [n / 49, n / 7, n].iter().map(|digit| syllables[digit % 7]).collect::<String>() + "rn"
}

/// Texts that share words are near.
fn vector(text: &str, dimensions: usize) -> Vec<f64> {
    let mut vector = vec![0.01; dimensions];
    for word in text.to_lowercase().split_whitespace() {
        let hash = word.bytes().fold(7_usize, |hash, byte| hash * 31 + usize::from(byte));
        vector[hash % dimensions] += 1.0;
    }
    vector
}

struct Store {
    mnemic: Mnemic,
    url: String,
}

impl Store {
    fn command(&self, model: &str, args: &[&str]) -> Command {
        let mut command = self.mnemic.command(args);
        command
            .env("MNEMIC_MEANING_MODEL", "remote")
            .env("MNEMIC_MEANING_URL", &self.url)
            .env("MNEMIC_MEANING_REMOTE_MODEL", model);
        command
    }

    fn ok(&self, model: &str, args: &[&str]) -> Answer {
        let answer = answer(&mut self.command(model, args));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer
    }

    /// Whatever is half done, each question finds the memory it is about.
    fn answers(&self, model: &str, when: &str) {
        for n in [0, MEMORIES / 2, MEMORIES - 1] {
            let asked = self
                .ok(model, &["recall", &format!("tell {} please", topic(n)), "--all", "--json"]);
            let found = asked.json()["found"].clone();
            let texts = found.as_array().into_iter().flatten().map(|one| one["text"].to_string());
            assert!(texts.take(3).any(|text| text.contains(&topic(n))), "{when}: {found:#}");
        }
    }

    /// How many vectors each model has in the project's store, and how many memories wait.
    fn census(&self, model: &str) -> (Vec<(String, u64)>, u64) {
        let status = self.ok(model, &["embed", "--status", "--json"]).json();
        let store = status["stores"].as_array().unwrap()[0].clone();
        let models = store["models"].as_array().unwrap().iter();
        let models = models.map(|one| {
            (one["name"].as_str().unwrap().to_owned(), one["vectors"].as_u64().unwrap())
        });
        (models.collect(), store["waiting"].as_u64().unwrap())
    }
}

fn store() -> Store {
    let store = Store { mnemic: Mnemic::new(env!("CARGO_BIN_EXE_mnemic")), url: serve() };
    let lines: String = (0..MEMORIES)
        .map(
            |n| json!({"kind": "decision", "decision": format!("about {} we chose its way", topic(n))}),
        )
        .map(|memory| format!("{memory}\n"))
        .collect();
    let remembered = answer_to(&mut store.command("old-24", &["remember", "-"]), &lines);
    assert_eq!(remembered.code, Some(0), "{remembered:?}");
    store
}

#[test]
fn a_killed_change_of_model_goes_on_and_never_mixes() {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let template = store();
    assert_eq!(template.census("old-24").1, 0);
    let mut kills = 0;
    for at in (1..).step_by(size(7, 1)) {
        let store = Store { mnemic: template.mnemic.copy(), url: template.url.clone() };
        let dir = store.mnemic.store_dir();
        let fault =
            Fault { calls: Calls::Write, at, kind: FaultKind::Kill, sticky: false, dir: &dir };
        let mut command = store.command("new-36", &["embed"]);
        answer(faults.plan(&mut command, fault));
        if !faults.happened() {
            break;
        }
        kills += 1;
        let when = format!("killed at call {at}");
        store.answers("new-36", &when);
        store.answers("old-24", &when);
        store.ok("new-36", &["embed"]);
        let (models, waiting) = store.census("new-36");
        assert_eq!(waiting, 0, "{when}");
        assert!(models.iter().all(|(name, n)| name == "new-36" || *n == 0), "{when}: {models:?}");
        store.answers("new-36", &when);
        store.mnemic.verify(&when);
    }
    assert!(kills > 3, "{kills} kills mean nothing");
    eprintln!("R11: {kills} kills while the model changed, answered all along, no model mixed");
}
