//! `mnemic-bench`: measures mnemic through its public doors and prints what it saw.

mod context;
mod contradict;
mod corpus;
mod economics;
mod hook;
mod import;
mod judge;
mod lifecycle;
mod predict;
mod recall;
mod report;
mod secrets;
mod serve;
mod speed;
mod store;

use clap::{Parser, Subcommand};

/// The same as in `mnemic`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(
    name = "mnemic-bench",
    version,
    about = "Measures mnemic; every figure in the docs names its command here."
)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The store: durable writes, many writers, opening, cold reads, bytes.
    Store(store::Options),
    /// Recall: how well and how fast real questions find what answers them.
    Recall(recall::Options),
    /// Speed: the embedder, each channel, recall warm, cold and fresh.
    Speed(speed::Options),
    /// Judgement: silence, precision, the value that holds now.
    Judge(judge::Options),
    /// Contradictions and near-duplicates, judged by rules alone.
    Contradict(contradict::Options),
    /// Prediction: is what comes next named, and is what is injected used?
    Predict(predict::Options),
    /// Economics: what memory costs and saves in replayed sessions.
    Economics(economics::Options),
    /// Context: how much of what answers a question stands in it, and how fast it is there.
    Context(context::Options),
    /// Import: how fast transcripts come in, in how much memory, and a second time.
    Import(import::Options),
    /// Lifecycle: how long consolidation takes, and what is forgotten too early.
    Lifecycle(lifecycle::Options),
    /// Secrets and orders to agents: how many are found, and what is taken for one.
    Secrets(secrets::Options),
    /// Hooks: how long a host waits for each event, from process start to exit.
    Hook(hook::Options),
    /// Serving: questions and writes over HTTP by many clients at once.
    Serve(serve::Options),
    /// One of the writers of `store`; started by it.
    #[command(hide = true)]
    Writer(store::many_writers::WriterOptions),
}

fn main() -> std::process::ExitCode {
    let outcome = match Cli::parse().what {
        What::Store(options) => store::run(&options),
        What::Recall(options) => recall::run(&options),
        What::Speed(options) => speed::run(&options),
        What::Judge(options) => judge::run(&options),
        What::Contradict(options) => contradict::run(&options),
        What::Predict(options) => predict::run(&options),
        What::Economics(options) => economics::run(&options),
        What::Context(options) => context::run(&options),
        What::Import(options) => import::run(&options),
        What::Lifecycle(options) => lifecycle::run(&options),
        What::Secrets(options) => secrets::run(&options),
        What::Hook(options) => hook::run(&options),
        What::Serve(options) => serve::run(&options),
        What::Writer(options) => store::many_writers::write(&options),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mnemic-bench: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
