//! `mnemic mcp`: serves an agent over standard input and output.

use super::context::profiles;
use crate::allocator;
use crate::invocation::Invocation;
use crate::report::Done;
use mnemic_engine::tokens::{Counter, Encoding};
use mnemic_server::mcp::{self, Manner};

/// Serve an agent over the Model Context Protocol, on standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  claude mcp add mnemic -- mnemic mcp

Started by an agent's host, not by hand; it ends when the host closes its input. It speaks the
revisions 2026-07-28 and 2025-11-25 and those before. What comes in is kept as the word of an agent:
only a person can confirm it.")]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, call: &Invocation) -> Done {
    allocator::large_pieces(true);
    let model = &call.resolved()?.context_model;
    let counter = match model.is_empty() {
        true => Counter::default(),
        false => Encoding::for_model(model),
    };
    let manner = Manner { profiles: profiles(call)?, counter };
    Ok(mcp::serve(call.finding_engine()?, manner)?)
}
