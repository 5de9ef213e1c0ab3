//! Asks a person: yes or no, or for a value that must not be seen on the screen.

use crate::report::{self, Done, to_stderr};
use mnemic_engine::{Error, ErrorKind};
use rustix::termios::{self, LocalModes, OptionalActions};
use std::io::{self, BufRead, IsTerminal};

/// Whether somebody sits there who can answer.
pub(crate) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Goes on only when a person agrees, here or beforehand with `--yes`.
pub(crate) fn agree(question: &str, yes: bool, command: &str) -> Done {
    if yes {
        return Ok(());
    }
    if !is_possible() {
        return Err(report::invalid(
            format!("`mnemic {command}` wants a yes, and nobody is here to ask"),
            "say `--yes` if you mean it",
        )
        .into());
    }
    to_stderr(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(unanswered)?;
    if matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        Ok(())
    } else {
        Err(report::invalid("nothing was done", "answer `y`, or say `--yes`, to go on").into())
    }
}

/// Reads one line with the terminal's echo off.
pub(crate) fn hidden(question: &str) -> Done<String> {
    let stdin = io::stdin();
    let before = termios::tcgetattr(&stdin).map_err(|cause| unanswered(cause.into()))?;
    let mut silent = before.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    // What was typed before the question counts: a program may answer before it is asked.
    termios::tcsetattr(&stdin, OptionalActions::Drain, &silent)
        .map_err(|cause| unanswered(cause.into()))?;
    to_stderr(question);
    let mut answer = String::new();
    let read = stdin.lock().read_line(&mut answer);
    // The echo comes back before anything else can fail.
    let restored = termios::tcsetattr(&stdin, OptionalActions::Drain, &before);
    to_stderr("\n");
    read.map_err(unanswered)?;
    restored.map_err(|cause| unanswered(cause.into()))?;
    Ok(answer.trim_end_matches(['\n', '\r']).to_owned())
}

fn unanswered(cause: io::Error) -> Error {
    Error::new(ErrorKind::Io, "the terminal gave no answer")
        .because(cause)
        .hint("pipe the answer in, or say `--yes` where the command takes it")
}
