//! Hooks from process start to exit, as a host starts them, with `mnemic --version` beside each.

use crate::corpus::Corpus;
use crate::report::{self, Figure, percentile};
use crate::speed::{load, questions, stocked};
use crate::store::Outcome;
use clap::Args;
use mnemic_engine::inference;
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Memories in the store.
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// Conversations that are played, each with every event once.
    #[arg(long, default_value_t = 100)]
    rounds: usize,
    /// Measure while somebody else is writing and does not end.
    #[arg(long)]
    locked: bool,
    #[arg(long)]
    json: bool,
    /// The mnemic binary; by default the one beside this.
    #[arg(long)]
    mnemic: Option<PathBuf>,
    /// Where to put the store, and to find that of an earlier run; by default a temporary directory.
    #[arg(long)]
    dir: Option<PathBuf>,
}

/// An event that is measured.
struct Event {
    name: &'static str,
    what: &'static str,
    message: fn(&str) -> Value,
}

const EVENTS: &[Event] = &[
    Event {
        name: "SessionStart",
        what: "session start",
        message: |_| json!({ "source": "startup" }),
    },
    Event {
        name: "UserPromptSubmit",
        what: "first prompt",
        message: |text| json!({ "prompt": text }),
    },
    Event {
        name: "UserPromptSubmit",
        what: "later prompt",
        message: |text| json!({ "prompt": text }),
    },
    Event {
        name: "PostToolUse",
        what: "tool used",
        message: |_| json!({ "tool_name": "Edit", "tool_input": { "file_path": "/src/main.rs" } }),
    },
    Event {
        name: "PostToolUseFailure",
        what: "tool failed",
        message: |text| json!({ "tool_name": "Bash", "error": format!("error: {text}") }),
    },
    Event { name: "Stop", what: "stop", message: |_| json!({ "last_assistant_message": "Done." }) },
    Event { name: "SessionEnd", what: "session end", message: |_| json!({ "reason": "other" }) },
];

pub(crate) fn run(options: &Options) -> Outcome {
    let temp = tempfile::tempdir()?;
    let base = options.dir.as_deref().unwrap_or(temp.path());
    let corpus = Corpus::load();
    eprintln!("texts: {}; load: {}", corpus.origin, load());
    let dir = base.join(format!("speed-{}", options.memories));
    stocked::engine(&dir, &corpus, options.memories, &inference::local()?)?;
    let mnemic = match &options.mnemic {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("mnemic"),
    };
    let texts = questions::real(&corpus, options.rounds);
    let _somebody = options.locked.then(|| hold(&dir)).transpose()?;
    let figures = measure(&dir, &mnemic, &texts)?;
    eprintln!("load: {}", load());
    report::print(&figures, options.json);
    Ok(())
}

/// The threshold of writers, held as long as the file is.
fn hold(dir: &Path) -> Result<File, Box<dyn Error>> {
    let path = dir.join(".mnemic/memory.db-turn");
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    file.lock()?;
    Ok(file)
}

fn measure(dir: &Path, mnemic: &Path, texts: &[String]) -> Result<Vec<Figure>, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let run = |arguments: &[&str], input: &str| -> Result<(f64, bool), Box<dyn Error>> {
        let mut command = Command::new(mnemic);
        command.args(arguments).current_dir(dir).env("HOME", home.path());
        command.env_remove("XDG_DATA_HOME").stdin(Stdio::piped()).stdout(Stdio::piped());
        let start = Instant::now();
        let mut child = command.stderr(Stdio::inherit()).spawn()?;
        child.stdin.take().ok_or("no pipe")?.write_all(input.as_bytes())?;
        let output = child.wait_with_output()?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        match output.status.success() {
            true => Ok((took, output.stdout.len() > 4)),
            false => Err(format!("{arguments:?} failed").into()),
        }
    };
    let mut times: Vec<Vec<f64>> = EVENTS.iter().map(|_| Vec::new()).collect();
    let mut spoke = vec![0u64; EVENTS.len()];
    let mut versions = Vec::new();
    for (round, text) in texts.iter().enumerate() {
        for (index, event) in EVENTS.iter().enumerate() {
            versions.push(run(&["--version"], "")?.0);
            let mut message = (event.message)(text);
            message["session_id"] = json!(format!("bench-{}-{round}", std::process::id()));
            message["cwd"] = json!(dir);
            let arguments = ["hook", event.name, "--host", "claude-code"];
            let (took, said) = run(&arguments, &message.to_string())?;
            times[index].push(took);
            spoke[index] += u64::from(said);
        }
    }
    Ok(figures(&mut times, &spoke, &mut versions))
}

fn figures(times: &mut [Vec<f64>], spoke: &[u64], versions: &mut [f64]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for ((event, times), spoke) in EVENTS.iter().zip(times).zip(spoke) {
        let n = times.len() as u64;
        let name = format!("cold hook, {}, p50", event.what);
        figures.push(Figure::new(name, percentile(times, 0.5), "ms", n));
        figures.push(Figure::new("  p99", percentile(times, 0.99), "ms", n));
        figures.push(Figure::new("  answers with a text", *spoke as f64, "of n", n));
    }
    let n = versions.len() as u64;
    let name = "`mnemic --version`, same run, p50";
    figures.push(Figure::new(name, percentile(versions, 0.5), "ms", n));
    figures.push(Figure::new("  p99", percentile(versions, 0.99), "ms", n));
    figures
}
