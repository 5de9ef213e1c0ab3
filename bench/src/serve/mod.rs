//! The REST door under load: questions and writes over loopback, by many clients at once.

mod client;
mod served;

use crate::corpus::Corpus;
use crate::report::{self, Figure};
use crate::speed::{load, questions, shares, stocked};
use crate::store::{Outcome, single};
use clap::{Args, ValueEnum};
use client::{Client, Done};
use mnemic_engine::inference;
use served::Served;
use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// One request in so many is a write.
const WRITE_EVERY: usize = 5;

/// Texts that are written, each under a key of its own.
const TEXTS: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Meaning {
    /// Found by words and by what they mean.
    Local,
    /// Found by words alone.
    Off,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Memories in the store.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
    /// Seconds under load.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Clients, each with one connection and one request at a time.
    #[arg(long, default_value_t = 8)]
    clients: usize,
    #[arg(long, value_enum, default_value_t = Meaning::Local)]
    meaning: Meaning,
    /// Questions are asked without counting what they found, so that reads stay reads.
    #[arg(long)]
    no_usage: bool,
    /// Questions that are asked over and over: the more, the less a server has them at hand.
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// No question is asked twice, so that each has to be embedded.
    #[arg(long)]
    fresh: bool,
    /// The mnemic binary; by default the one beside this.
    #[arg(long)]
    mnemic: Option<PathBuf>,
    /// Where to put the store, and to find that of an earlier run; by default a temporary directory.
    #[arg(long)]
    dir: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let temp = tempfile::tempdir()?;
    let base = options.dir.as_deref().unwrap_or(temp.path());
    let corpus = Corpus::load();
    eprintln!("texts: {}; load: {}", corpus.origin, load());
    let dir = stock(options, base, &corpus)?;
    let mnemic = match &options.mnemic {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("mnemic"),
    };
    let meaning = if options.meaning == Meaning::Local { "local" } else { "off" };
    let served = Served::start(&mnemic, &dir, meaning)?;
    let figures = measure(options, &served, &corpus)?;
    eprintln!("load: {}", load());
    report::print(&figures, options.json);
    let told: Vec<String> = figures
        .iter()
        .map(|one| format!("{} {:.1} {}", one.name.trim(), one.value, one.unit))
        .collect();
    eprintln!("R23: {} memories, {}", options.memories, told.join(", "));
    Ok(())
}

/// A store of so many memories, with vectors where they are wanted.
fn stock(options: &Options, base: &Path, corpus: &Corpus) -> Result<PathBuf, Box<dyn Error>> {
    let memories = options.memories;
    if options.meaning == Meaning::Local {
        let dir = base.join(format!("speed-{memories}"));
        stocked::engine(&dir, corpus, memories, &inference::local()?)?;
        return Ok(dir);
    }
    let dir = base.join(format!("serve-{memories}"));
    if !dir.exists() {
        single::batched(&dir, corpus, memories)?;
    }
    Ok(dir)
}

fn measure(
    options: &Options,
    served: &Served,
    corpus: &Corpus,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let sent = Arc::new(Sent {
        questions: questions::real(corpus, options.questions),
        writes: (0..TEXTS).map(|n| corpus.draft(n).body.substance()).collect(),
        fresh: options.fresh,
        run: SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis(),
    });
    // The first questions open the engines; what a server does once is not its pace.
    let mut first = Client::connect(served, options.no_usage)?;
    for question in sent.questions.iter().take(20) {
        first.recall(question)?;
    }
    let start = Instant::now();
    let end = start + Duration::from_secs(options.seconds);
    let clients = (0..options.clients).map(|number| {
        let client = Client::connect(served, options.no_usage)?;
        let sent = sent.clone();
        Ok(thread::spawn(move || work(client, number, end, &sent)))
    });
    let clients: Vec<_> = clients.collect::<Result<_, Box<dyn Error>>>()?;
    let mut all = Done::default();
    for client in clients {
        all.join(client.join().map_err(|_| "a client died")?);
    }
    Ok(told(all, start.elapsed().as_secs_f64()))
}

/// What the clients send.
struct Sent {
    questions: Vec<String>,
    writes: Vec<String>,
    /// No question comes twice.
    fresh: bool,
    /// Tells this run's writes from those that a store has of an earlier one: what is known already
    /// costs less to say again.
    run: u128,
}

impl Sent {
    fn question(&self, client: usize, n: usize) -> Cow<'_, str> {
        let question = &self.questions[n * 31 % self.questions.len()];
        match self.fresh {
            true => Cow::Owned(format!("{question} ({client}.{n})")),
            false => Cow::Borrowed(question),
        }
    }

    fn write(&self, n: usize) -> &str {
        &self.writes[n % self.writes.len()]
    }
}

fn work(mut client: Client, number: usize, end: Instant, sent: &Sent) -> Done {
    let mut done = Done::default();
    let mut n = number;
    while Instant::now() < end {
        n += 1;
        let begun = Instant::now();
        let is_write = n.is_multiple_of(WRITE_EVERY);
        let answered = match is_write {
            true => client.remember(&format!("load.{}.{number}.{n}", sent.run), sent.write(n)),
            false => client.recall(&sent.question(number, n)),
        };
        let took = begun.elapsed().as_secs_f64() * 1e3;
        match answered {
            Ok(()) if is_write => done.writes.push(took),
            Ok(()) => done.recalls.push(took),
            Err(why) => {
                done.errors.push(why.to_string());
                if client.reconnect().is_err() {
                    return done;
                }
            }
        }
    }
    done
}

fn told(mut done: Done, seconds: f64) -> Vec<Figure> {
    const SHARES: &[f64] = &[0.5, 0.95, 0.99];
    let requests = (done.recalls.len() + done.writes.len()) as u64;
    let mut figures = vec![Figure::new(
        "mixed load over HTTP",
        requests as f64 / seconds,
        "requests/s",
        requests,
    )];
    if !done.recalls.is_empty() {
        figures.extend(shares("recall", &mut done.recalls, SHARES));
    }
    if !done.writes.is_empty() {
        figures.extend(shares("remember", &mut done.writes, SHARES));
    }
    for why in done.errors.iter().take(5) {
        eprintln!("error: {why}");
    }
    figures.push(Figure::new("errors", done.errors.len() as f64, "requests", requests));
    figures
}
