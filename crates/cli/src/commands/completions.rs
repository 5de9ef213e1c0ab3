//! `mnemic completions`: what a shell needs to complete our commands.

use crate::invocation::Invocation;
use crate::report::{Done, Failure};
use crate::root::Root;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic completions bash > ~/.local/share/bash-completion/completions/mnemic
  mnemic completions zsh > ~/.zfunc/_mnemic")]
pub(crate) struct Args {
    shell: Shell,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Root::command(), "mnemic", &mut script);
    call.out.raw().write_all(&script).map_err(Failure::output)
}
