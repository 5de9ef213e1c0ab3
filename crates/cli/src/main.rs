//! The `mnemic` command line: parse, act, report.

mod allocator;
mod args;
mod commands;
mod hooks;
mod install;
mod invocation;
mod output;
mod patience;
mod progress;
mod prompt;
mod report;
mod root;
mod settings;
mod source;
mod times;

use invocation::Invocation;
use mnemic_server::wire as view;
use std::process::ExitCode;

fn main() -> ExitCode {
    allocator::large_pieces(false);
    if let Some(done) = commands::hook::shortcut(std::env::args_os().skip(1)) {
        return done;
    }
    let root = match root::Root::read() {
        Ok(root) => root,
        Err(usage) => {
            return commands::hook::spared(&usage).unwrap_or_else(|| report::usage(&usage));
        }
    };
    let json = root.global.json;
    patience::is_told_of(&root.global);
    let done = Invocation::begin(root.global).and_then(|call| {
        let leaves_work = root.command.leaves_work();
        let done = commands::files::around(root.command, &call);
        call.tell_replaced();
        // What was already answered reaches the reader even when the rest failed.
        let done = call.out.flush().and(done);
        if done.is_ok() && leaves_work {
            commands::work_briefly(&call);
        }
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report::failure(&failure, json),
    }
}
