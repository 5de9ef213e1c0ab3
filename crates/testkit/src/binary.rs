//! The program itself, run as its users run it: in a directory, with an environment, over pipes.

use crate::SplitMix;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tempfile::TempDir;

/// Whether the release-size versions of the tests were asked for.
pub fn is_long() -> bool {
    std::env::var_os("MNEMIC_LONG").is_some_and(|value| value == "1")
}

/// A size that depends on how long the tests may take.
pub fn size(short: usize, long: usize) -> usize {
    if is_long() { long } else { short }
}

/// The binary in a project of its own, apart from everything of the person who runs the tests.
#[derive(Debug)]
pub struct Mnemic {
    binary: PathBuf,
    root: PathBuf,
    // Goes away with everything in it, unless the place is somebody else's.
    _dir: Option<TempDir>,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct Answer {
    /// None when a signal ended it.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Answer {
    /// The answer's JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|cause| panic!("{cause}: {self:?}"))
    }

    /// Whether it ended by itself and not in a panic.
    pub fn is_orderly(&self) -> bool {
        self.signal.is_none() && self.code != Some(101) && !self.err.contains("panicked")
    }
}

impl Mnemic {
    /// A fresh project with a store, and a personal store.
    pub fn new(binary: &str) -> Mnemic {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it was just made");
        let made = Mnemic { binary: binary.into(), root, _dir: Some(dir) };
        made.prepare();
        made.ok(["init"]);
        made
    }

    /// The same without any store yet.
    pub fn without_store(binary: &str) -> Mnemic {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("it was just made");
        let made = Mnemic { binary: binary.into(), root, _dir: Some(dir) };
        made.prepare();
        made
    }

    /// In a place that outlives it, with stores if they are there.
    pub fn at(binary: &str, root: &Path) -> Mnemic {
        let root = root.canonicalize().expect("the place exists");
        let made = Mnemic { binary: binary.into(), root, _dir: None };
        made.prepare();
        made
    }

    /// The same stores again somewhere else, to be harmed apart from these.
    pub fn copy(&self) -> Mnemic {
        let copy = Mnemic::without_store(&self.binary.to_string_lossy());
        copy_dir(&self.root, &copy.root);
        copy
    }

    fn prepare(&self) {
        for dir in ["project", "data", "home"] {
            std::fs::create_dir_all(self.root.join(dir)).expect("a writable place");
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// The directory of the project's store.
    pub fn store_dir(&self) -> PathBuf {
        self.project().join(".mnemic")
    }

    pub fn store_file(&self) -> PathBuf {
        self.store_dir().join("memory.db")
    }

    pub fn backup_dir(&self) -> PathBuf {
        self.store_dir().join("backups")
    }

    /// Not started yet, with the environment of nobody in particular.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(args)
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.join("home"))
            .env("XDG_DATA_HOME", self.root.join("data"))
            .env("MNEMIC_ACTOR", "human:tester")
            // Most tests are not about meaning, and vectors take time; those that are turn it on.
            .env("MNEMIC_MEANING_MODEL", "off")
            // Nor about jobs: what runs after the answer would move the faults that are counted.
            .env("MNEMIC_JOBS_LIMIT_MS", "0")
            .env("TZ", "UTC");
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Answer {
        answer(&mut self.command(args))
    }

    /// Runs with something on standard input.
    pub fn feed<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &str) -> Answer {
        answer_to(&mut self.command(args), input)
    }

    /// Runs what must succeed.
    #[track_caller]
    pub fn ok<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Answer {
        let answer = self.run(args);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer
    }

    /// Remembers one memory that must be accepted; its id.
    #[track_caller]
    pub fn remember(&self, memory: &Value) -> String {
        let answer = self.feed(["remember", "-"], &format!("{memory}\n"));
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer.out.trim().to_owned()
    }

    /// The whole store as its own JSONL, line by line.
    #[track_caller]
    pub fn export(&self) -> Vec<Value> {
        let out = self.ok(["export", "--quiet"]).out;
        let line = |line| serde_json::from_str(line).expect("an export is JSON lines");
        let lines: Vec<Value> = out.lines().map(line).collect();
        assert_eq!(lines.last().map(|line| &line["type"]), Some(&json!("end")));
        lines
    }

    /// The ids of all records, whatever became of them.
    #[track_caller]
    pub fn ids(&self) -> BTreeSet<String> {
        let lines = self.export();
        let ids = lines.iter().filter(|line| line["type"] == "version");
        ids.map(|line| line["id"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Fails unless every row, index and audit entry is as it was written.
    #[track_caller]
    pub fn verify(&self, when: &str) {
        let answer = self.run(["verify", "--json"]);
        assert_eq!(answer.code, Some(0), "{when}: {answer:?}");
        for store in answer.json()["stores"].as_array().into_iter().flatten() {
            assert_eq!(store["findings"], json!([]), "{when}");
        }
    }

    /// A process that remembers what it is handed, line by line.
    pub fn writer(&self) -> Writer {
        Writer::start(&mut self.command(["remember", "-", "--quiet"]))
    }
}

/// Copies a directory with everything below it and its permissions.
pub fn copy_dir(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a writable place");
    let permissions = std::fs::metadata(from).expect("a readable directory").permissions();
    std::fs::set_permissions(to, permissions).expect("a place of our own");
    for entry in std::fs::read_dir(from).expect("a readable directory") {
        let path = entry.expect("a readable directory").path();
        let target = to.join(path.file_name().expect("entries have names"));
        if path.is_dir() {
            copy_dir(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("room for a copy");
        }
    }
}

/// Files below a directory whose bytes hold a text.
pub fn files_with(dir: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a readable directory") {
        let path = entry.expect("a readable directory").path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else {
            let bytes = std::fs::read(&path).expect("a readable file");
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                found.push(path);
            }
        }
    }
    found
}

/// Runs a command to its end.
pub fn answer(command: &mut Command) -> Answer {
    answer_to(command, "")
}

/// Runs a command to its end with something on standard input.
pub fn answer_to(command: &mut Command, input: &str) -> Answer {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || {
        // A process that died does not read; that is what is being tested.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("a child can be waited for");
    feeder.join().expect("feeding does not panic");
    Answer {
        code: output.status.code(),
        signal: output.status.signal(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A running `mnemic remember -`.
#[derive(Debug)]
pub struct Writer {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Writer {
    pub fn start(command: &mut Command) -> Writer {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it was piped"));
        Writer { child, stdin, stdout }
    }

    /// Hands one memory over; `false` when nobody is there any more.
    pub fn send(&mut self, memory: &Value) -> bool {
        let line = format!("{memory}\n");
        self.stdin.as_mut().is_some_and(|stdin| stdin.write_all(line.as_bytes()).is_ok())
    }

    /// Waits for the next acknowledgement; none when the process is gone.
    pub fn acknowledged(&mut self) -> Option<String> {
        let mut line = String::new();
        // A line without its end was cut off: it acknowledges nothing.
        match self.stdout.read_line(&mut line) {
            Ok(_) if line.ends_with('\n') => Some(line.trim_end().to_owned()),
            _ => None,
        }
    }

    /// SIGKILL, whatever it is doing.
    pub fn kill(&mut self) {
        // It may have ended by itself a moment ago.
        let _ = self.child.kill();
    }

    /// The two ends of its pipes, to be used by two threads, and the process.
    pub fn into_parts(mut self) -> (Child, ChildStdin, BufReader<ChildStdout>) {
        let stdin = self.stdin.take().expect("it was not closed");
        (self.child, stdin, self.stdout)
    }

    /// Closes its input and waits for its end.
    pub fn finish(mut self) -> Answer {
        drop(self.stdin.take());
        let mut out = String::new();
        while let Some(line) = self.acknowledged() {
            out.push_str(&line);
            out.push('\n');
        }
        let rest = self.child.wait_with_output().expect("a child can be waited for");
        Answer {
            code: rest.status.code(),
            signal: rest.status.signal(),
            out,
            err: String::from_utf8_lossy(&rest.stderr).into_owned(),
        }
    }
}

/// The n-th memory of a writer: facts that supersede each other in shared slots, episodes, decisions.
pub fn mixed_memory(random: &mut SplitMix, writer: usize, n: usize) -> Value {
    let mark = format!("w{writer}n{n}");
    match random.below(4) {
        0 | 1 => json!({
            "kind": "fact",
            "key": format!("shared.slot{}", random.below(20)),
            "value": format!("value {mark}"),
        }),
        2 => json!({
            "kind": "episode",
            "goal": format!("goal of {mark}"),
            "outcome": "success",
            "files": [format!("src/{mark}.rs")],
            "tags": ["crash"],
        }),
        _ => json!({
            "kind": "decision",
            "decision": format!("decide {mark}"),
            "rationale": "because the plug may be pulled",
        }),
    }
}
