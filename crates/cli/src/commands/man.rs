//! `mnemic man`: the manual pages, one for the program and one for each verb.

use crate::invocation::Invocation;
use crate::report::{self, Done, Failure};
use crate::root::Root;
use clap::CommandFactory;
use clap_mangen::Man;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Print the manual page, or write a page for every verb
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic man | man -l -
  mnemic man --out ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write a page for the program and for each verb into this directory
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let Some(dir) = args.out else {
        let mut page = Vec::new();
        Man::new(Root::command()).render(&mut page).map_err(Failure::output)?;
        return call.out.raw().write_all(&page).map_err(Failure::output);
    };
    let failed = |cause| report::file("write", dir.display(), cause);
    std::fs::create_dir_all(&dir).map_err(failed)?;
    clap_mangen::generate_to(Root::command(), &dir).map_err(failed)?;
    call.out.answer(
        || json!({ "path": dir }),
        || call.out.line(&format!("manual pages are in {}", dir.display())),
    )
}
