//! The verbs: one file each, or one per handful that belong together.

mod audit;
mod backup;
mod block;
mod capture;
mod changes;
mod cite;
mod completions;
mod config;
mod confirm;
mod consolidate;
pub(crate) mod context;
mod continuity;
mod contradictions;
mod diff;
mod doctor;
mod economics;
mod edit;
mod embed;
mod episode;
mod explain;
mod export;
pub(crate) mod files;
mod forget;
mod graph;
mod handoff;
mod history;
pub(crate) mod hook;
mod import;
mod index;
mod init;
pub(crate) mod install;
mod jobs;
mod learn;
mod ledger;
mod link;
mod list;
mod man;
mod mcp;
mod memory_tool;
mod merge;
mod namespace;
mod pin;
mod predict;
mod recall;
mod redact;
mod reindex;
mod remember;
mod replay;
mod restore;
mod review;
mod scan;
mod serve;
mod session;
mod show;
mod similar;
mod stats;
mod timeline;
mod token;
mod undo;
mod used;
mod vault;
mod verify;
mod worker;

use crate::invocation::Invocation;
use crate::report::Done;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Init(init::Args),
    Remember(Box<remember::Args>),
    #[command(alias = "search")]
    Recall(Box<recall::Args>),
    Explain(Box<explain::Args>),
    Context(Box<context::Args>),
    Continuity(continuity::Args),
    Predict(predict::Args),
    Cite(cite::Args),
    Capture(capture::Args),
    Episode(Box<episode::Args>),
    Replay(replay::Args),
    Review(review::Args),
    Similar(similar::Args),
    Timeline(timeline::Args),
    Index(index::Args),
    Show(show::Args),
    List(Box<list::Args>),
    Edit(Box<edit::Args>),
    #[command(aliases = ["delete", "rm"])]
    Forget(forget::Args),
    Redact(redact::Args),
    Scan(scan::Args),
    History(history::Args),
    Diff(diff::Args),
    Link(link::LinkArgs),
    Unlink(link::UnlinkArgs),
    Pin(pin::Args),
    Confirm(confirm::Args),
    Used(used::Args),
    Session(Box<session::Args>),
    Economics(economics::Args),
    Block(block::Args),
    Vault(vault::Args),
    Namespace(namespace::Args),
    Learn(learn::Args),
    Ledger(ledger::Args),
    Graph(graph::Args),
    Handoff(Box<handoff::Args>),
    Contradictions(contradictions::Args),
    Consolidate(consolidate::Args),
    Undo(undo::Args),
    Changes(changes::Args),
    Audit(audit::Args),
    Stats(stats::Args),
    Backup(backup::Args),
    Restore(restore::Args),
    Verify(verify::Args),
    Reindex(reindex::Args),
    Embed(embed::Args),
    Jobs(jobs::Args),
    Worker(worker::Args),
    Doctor(doctor::Args),
    Hook(hook::Args),
    Install(install::InstallArgs),
    Uninstall(install::UninstallArgs),
    Export(export::Args),
    Files(files::Args),
    Import(import::Args),
    Mcp(mcp::Args),
    MemoryTool(memory_tool::Args),
    Serve(serve::Args),
    Token(token::Args),
    Merge(merge::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Whether jobs may be queued by it that nobody waits for.
    pub(crate) fn leaves_work(&self) -> bool {
        matches!(
            self,
            Command::Remember(_)
                | Command::Capture(_)
                | Command::Episode(_)
                | Command::Edit(_)
                | Command::Import(_)
                | Command::Ledger(_)
                | Command::Handoff(_)
                | Command::Review(_)
                | Command::Session(_)
        )
    }
}

pub(crate) use worker::work_briefly;

pub(crate) fn run(command: Command, call: &Invocation) -> Done {
    match command {
        Command::Init(args) => init::run(args, call),
        Command::Remember(args) => remember::run(*args, call),
        Command::Recall(args) => recall::run(*args, call),
        Command::Explain(args) => explain::run(*args, call),
        Command::Context(args) => context::run(*args, call),
        Command::Continuity(args) => continuity::run(args, call),
        Command::Predict(args) => predict::run(args, call),
        Command::Cite(args) => cite::run(args, call),
        Command::Capture(args) => capture::run(args, call),
        Command::Episode(args) => episode::run(*args, call),
        Command::Replay(args) => replay::run(args, call),
        Command::Review(args) => review::run(args, call),
        Command::Similar(args) => similar::run(args, call),
        Command::Timeline(args) => timeline::run(args, call),
        Command::Index(args) => index::run(args, call),
        Command::Show(args) => show::run(args, call),
        Command::List(args) => list::run(*args, call),
        Command::Edit(args) => edit::run(*args, call),
        Command::Forget(args) => forget::run(args, call),
        Command::Redact(args) => redact::run(args, call),
        Command::Scan(args) => scan::run(args, call),
        Command::History(args) => history::run(args, call),
        Command::Diff(args) => diff::run(args, call),
        Command::Link(args) => link::link(args, call),
        Command::Unlink(args) => link::unlink(args, call),
        Command::Pin(args) => pin::run(args, call),
        Command::Confirm(args) => confirm::run(args, call),
        Command::Used(args) => used::run(args, call),
        Command::Session(args) => session::run(*args, call),
        Command::Economics(args) => economics::run(args, call),
        Command::Block(args) => block::run(args, call),
        Command::Vault(args) => vault::run(args, call),
        Command::Namespace(args) => namespace::run(args, call),
        Command::Learn(args) => learn::run(args, call),
        Command::Ledger(args) => ledger::run(args, call),
        Command::Graph(args) => graph::run(args, call),
        Command::Handoff(args) => handoff::run(*args, call),
        Command::Contradictions(args) => contradictions::run(args, call),
        Command::Consolidate(args) => consolidate::run(args, call),
        Command::Undo(args) => undo::run(args, call),
        Command::Changes(args) => changes::run(args, call),
        Command::Audit(args) => audit::run(args, call),
        Command::Stats(args) => stats::run(args, call),
        Command::Backup(args) => backup::run(args, call),
        Command::Restore(args) => restore::run(args, call),
        Command::Verify(args) => verify::run(args, call),
        Command::Reindex(args) => reindex::run(args, call),
        Command::Embed(args) => embed::run(args, call),
        Command::Jobs(args) => jobs::run(args, call),
        Command::Worker(args) => worker::run(args, call),
        Command::Doctor(args) => doctor::run(args, call),
        Command::Hook(args) => hook::run(args, call),
        Command::Install(args) => install::install(args, call),
        Command::Uninstall(args) => install::uninstall(args, call),
        Command::Export(args) => export::run(args, call),
        Command::Files(args) => files::run(args, call),
        Command::Import(args) => import::run(args, call),
        Command::Mcp(args) => mcp::run(args, call),
        Command::MemoryTool(args) => memory_tool::run(args, call),
        Command::Serve(args) => serve::run(args, call),
        Command::Token(args) => token::run(args, call),
        Command::Merge(args) => merge::run(args, call),
        Command::Config(args) => config::run(args, call),
        Command::Completions(args) => completions::run(args, call),
        Command::Man(args) => man::run(args, call),
    }
}
