//! Flags that verbs share, and those that all of them take.

mod ask;
mod choice;
mod depth;
mod number;
mod step;
mod stores;
mod times;

pub(crate) use ask::AskArgs;
pub(crate) use choice::{actor, choice, id, namespace, pair, unit};
pub(crate) use depth::Depth;
pub(crate) use number::{number, whole, within};
pub(crate) use stores::StoreArgs;
pub(crate) use times::TimeArgs;

use std::path::PathBuf;

/// Flags that every verb takes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Answer in JSON, for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Act as if started in DIR
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) dir: Option<PathBuf>,
    /// Who acts, e.g. human:alice or agent:codex [env: MNEMIC_ACTOR]
    #[arg(long, global = true, value_name = "WHO")]
    pub(crate) actor: Option<String>,
    /// The namespace to work in [env: MNEMIC_NAMESPACE]
    #[arg(long, global = true, value_name = "NS")]
    pub(crate) namespace: Option<String>,
    /// Say nothing but the answer and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}
