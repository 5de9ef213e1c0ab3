//! `mnemic graph`: memories and their links, for drawing or for other programs.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::report::Done;
use crate::view;

/// Export memories with their links, communities and sagas
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic graph --format dot | dot -Tsvg > memories.svg
  mnemic graph sem-8f3k --depth 2

Communities, sagas and most links are made by `mnemic consolidate`. The same memories always give
the same bytes. Secrets are never part of it.")]
pub(crate) struct Args {
    /// Only what can be reached from this id, or from enough of its beginning
    id: Option<String>,
    /// Links to follow from there
    #[arg(long, value_name = "N", default_value_t = 1, requires = "id", value_parser = whole::<usize>("2"))]
    depth: usize,
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Json,
    /// For Graphviz
    Dot,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let graph = call.engine()?.graph(args.id.as_deref(), args.depth)?;
    match args.format {
        Format::Json => call.out.line(&view::graph::json(&graph).to_string()),
        Format::Dot => call.out.line(view::graph::dot(&graph).trim_end()),
    }
}
