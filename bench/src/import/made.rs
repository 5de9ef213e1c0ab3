//! Transcripts in the shape of Claude Code's: of real sessions where there are some, else made up.

use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Writes files below `dir` until they hold so many bytes; how many it became.
pub(super) fn transcripts(
    dir: &Path,
    bytes: u64,
    data: Option<&Path>,
) -> Result<u64, Box<dyn Error>> {
    let sessions = match data {
        Some(data) => real(&data.join("sessions/coding.jsonl.gz"))?,
        None => {
            eprintln!("MNEMIC_BENCH_DATA is not set: sessions are made up");
            (0..40).map(made_up).collect()
        }
    };
    let mut written = 0;
    for round in 0.. {
        for (at, turns) in sessions.iter().enumerate() {
            if written >= bytes {
                return Ok(written);
            }
            let folder = dir.join(format!("-home-ann-project-{}", at % 7));
            fs::create_dir_all(&folder)?;
            let name = format!("session-{round}-{at}");
            let mut file = BufWriter::new(File::create(folder.join(format!("{name}.jsonl")))?);
            for (nth, (role, content)) in turns.iter().enumerate() {
                let line = line(&name, nth, role, content).to_string();
                written += line.len() as u64 + 1;
                writeln!(file, "{line}")?;
            }
            file.flush()?;
        }
    }
    Ok(written)
}

/// One line as the host writes it.
pub(super) fn line(session: &str, nth: usize, role: &str, content: &Value) -> Value {
    let at = format!(
        "2026-01-{:02}T{:02}:{:02}:{:02}Z",
        1 + nth / 86_400 % 28,
        nth / 3_600 % 24,
        nth / 60 % 60,
        nth % 60
    );
    json!({
        "type": role,
        "uuid": format!("{session}-{nth}"),
        "sessionId": session,
        "timestamp": at,
        "cwd": "/home/ann/project",
        "gitBranch": "main",
        "message": { "role": role, "content": content },
    })
}

type Turns = Vec<(String, Value)>;

fn real(path: &Path) -> Result<Vec<Turns>, Box<dyn Error>> {
    let mut sessions = Vec::new();
    for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
        let session: Value = serde_json::from_str(&line?)?;
        let turns = session["turns"].as_array().cloned().unwrap_or_default();
        sessions
            .push(turns.iter().enumerate().flat_map(|(nth, turn)| turn_of(nth, turn)).collect());
    }
    Ok(sessions)
}

/// A tool's turn is a call and what came of it.
fn turn_of(nth: usize, turn: &Value) -> Turns {
    let text = turn["text"].as_str().unwrap_or_default();
    if turn["kind"] == "tool" {
        let id = format!("call-{nth}");
        let input = json!({ "command": text.chars().take(200).collect::<String>() });
        let call = json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": input }]);
        let answer = json!([{ "type": "tool_result", "tool_use_id": id, "content": text }]);
        return vec![("assistant".to_owned(), call), ("user".to_owned(), answer)];
    }
    let role = if turn["role"] == "user" { "user" } else { "assistant" };
    vec![(role.to_owned(), json!([{ "type": "text", "text": text }]))]
}

/// A session that asks, runs, reads and tells, with outputs as long as real ones.
fn made_up(seed: usize) -> Turns {
    let mut turns = Turns::new();
    for task in 0..20 {
        let goal =
            format!("Task {task} of plan {seed}: make module {} faster", (seed * 31 + task) % 97);
        turns.push(("user".to_owned(), goal.into()));
        for step in 0..15 {
            let id = format!("call-{task}-{step}");
            let command = format!("cargo test module_{} -- --nocapture", (task + step) % 13);
            let output: String = (0..60)
                .map(|n| format!("test case_{n} of {seed}.{task}.{step} ... ok\n"))
                .collect();
            let input = json!({ "command": command });
            turns.push((
                "assistant".to_owned(),
                json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": input }]),
            ));
            turns.push((
                "user".to_owned(),
                json!([{ "type": "tool_result", "tool_use_id": id, "content": output }]),
            ));
        }
        let told = format!("Module {} is faster by {} percent now.", task, seed + task);
        turns.push(("assistant".to_owned(), json!([{ "type": "text", "text": told }])));
    }
    turns
}
