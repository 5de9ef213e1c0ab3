//! Import: how fast a home directory of transcripts comes in, in how much memory, and a second time.

mod made;

use crate::report::{self, Figure};
use mnemic_engine::model::{Actor, Author};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, ImportAsk, ImportSource, Note, Settings, Takeover};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many MB of transcripts to make
    #[arg(long, default_value_t = 64)]
    mb: u64,
    /// Real sessions to make them of; made up ones without it
    #[arg(long, env = "MNEMIC_BENCH_DATA")]
    data: Option<PathBuf>,
    /// Only make them, as a home directory, for a program to be measured from outside
    #[arg(long, value_name = "DIR")]
    make: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

/// Where a host keeps them below a home directory.
const PROJECTS: &str = ".claude/projects";

/// What a first user must not wait longer for, or pay more memory for.
const LEAST_MB_A_SECOND: f64 = 5.0;
const MOST_MB_OF_MEMORY: f64 = 300.0;

pub(crate) fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    if let Some(home) = &options.make {
        let (dir, bytes) = (home.join(PROJECTS), options.mb * 1_000_000);
        let made = made::transcripts(&dir, bytes, options.data.as_deref())?;
        eprintln!("{} MB of transcripts in {}", made / 1_000_000, dir.display());
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let transcripts = dir.path().join("home").join(PROJECTS);
    let bytes = made::transcripts(&transcripts, options.mb * 1_000_000, options.data.as_deref())?;
    let engine = engine(dir.path())?;
    let sources = Engine::import_sources(&transcripts, None).map_err(|wrong| wrong.why)?;
    let megabytes = bytes as f64 / 1e6;
    let before = cpu_seconds();
    let (first, seconds) = timed(&engine, &sources)?;
    let cpu = cpu_seconds() - before;
    let (second, again) = timed(&engine, &sources)?;
    grow(&sources[0].path)?;
    let (third, grown) = timed(&engine, &sources)?;
    let count = |taken: &Takeover| taken.files.iter().map(|file| file.created()).sum::<u64>();
    let read = |taken: &Takeover| taken.files.iter().filter(|file| !file.unchanged).count() as f64;
    let (n, memory) = (sources.len() as u64, peak_memory());
    report::print(
        &[
            Figure::new("transcripts", megabytes, "MB", n),
            Figure::new("first import", megabytes / seconds, "MB/s", n),
            // What a busy machine cannot hide.
            Figure::new("first import, by its own CPU time", megabytes / cpu, "MB/s", n),
            Figure::new("episodes", count(&first) as f64, "", n),
            Figure::new("peak memory", memory, "MB", n),
            Figure::new("second import", again, "s", n),
            Figure::new("second import, files read", read(&second), "", n),
            Figure::new("second import, new", count(&second) as f64, "", n),
            Figure::new("after one file grew", grown, "s", n),
            Figure::new("after one file grew, files read", read(&third), "", n),
            Figure::new("after one file grew, new", count(&third) as f64, "", n),
        ],
        options.json,
    );
    check(megabytes / seconds, memory, &second)
}

fn check(speed: f64, memory: f64, second: &Takeover) -> Result<(), Box<dyn Error>> {
    if !second.changes.is_empty() {
        return Err("the second import changed something".into());
    }
    let meets = |is: bool| if is { "met" } else { "MISSED" };
    let bar = LEAST_MB_A_SECOND;
    eprintln!("at least {bar} MB/s: {}", meets(speed >= bar));
    eprintln!("at most {MOST_MB_OF_MEMORY} MB: {}", meets(memory <= MOST_MB_OF_MEMORY));
    Ok(())
}

fn engine(dir: &Path) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join("project/.mnemic"), exists: false };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
    Engine::init_project(&mut settings)?;
    Ok(Engine::open(settings)?)
}

fn timed(engine: &Engine, sources: &[ImportSource]) -> Result<(Takeover, f64), Box<dyn Error>> {
    let start = Instant::now();
    let ask = ImportAsk::default();
    let taken = engine.import_files(sources, &ask, &Note::default(), &mut |_| ())?;
    if let Some(broken) = taken.files.iter().find_map(|file| file.broken.as_ref()) {
        return Err(format!("a made transcript is broken: {broken}").into());
    }
    Ok((taken, start.elapsed().as_secs_f64()))
}

/// One more task at the end of a transcript.
fn grow(path: &Path) -> Result<(), Box<dyn Error>> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().append(true).open(path)?;
    let line = made::line("grown", 1, "user", &"Now write the documentation".into());
    Ok(writeln!(file, "{line}")?)
}

/// What this process has computed so far, where the system tells, in hundredths as it counts.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks =
        after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory that this process ever held, where the system tells.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib * 1_024.0 / 1e6)
}
