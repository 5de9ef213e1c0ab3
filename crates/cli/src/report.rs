//! Tells a person or a program what failed, why and what to do next, and picks the exit code.

use anstyle::{AnsiColor, Style};
use mnemic_engine::model::Invalid;
use mnemic_engine::{Error, ErrorKind, defuse};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ends when it does not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Still to be told.
    Error(Error),
    /// Everything was said already, on stdout or stderr.
    Reported(u8),
    /// The reader of our output has left; that is their right.
    ReaderLeft,
}

pub(crate) type Done<T = ()> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Failure {
        Failure::Error(invalid.into())
    }
}

impl Failure {
    /// A failure to write the answer.
    pub(crate) fn output(cause: io::Error) -> Failure {
        if cause.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ReaderLeft;
        }
        Failure::Error(
            Error::new(ErrorKind::Io, "the answer could not be written")
                .because(cause)
                .hint("check where standard output goes; what was done stays done"),
        )
    }
}

/// Wrong input, in one line.
pub(crate) fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, message).hint(hint)
}

/// A file that could not be used: `doing` is a verb such as `read`.
pub(crate) fn file(doing: &str, path: impl fmt::Display, cause: io::Error) -> Error {
    let (kind, hint) = match cause.kind() {
        io::ErrorKind::NotFound => (ErrorKind::NotFound, "check the path"),
        io::ErrorKind::StorageFull => (ErrorKind::DiskFull, "free some space, then try again"),
        io::ErrorKind::ReadOnlyFilesystem => (ErrorKind::ReadOnly, "name a place that is writable"),
        _ => (ErrorKind::Io, "check the path and its permissions"),
    };
    Error::new(kind, format!("cannot {doing} `{path}`")).because(cause).hint(hint)
}

pub(crate) fn failure(failure: &Failure, json: bool) -> ExitCode {
    match failure {
        Failure::ReaderLeft => ExitCode::SUCCESS,
        Failure::Reported(code) => ExitCode::from(*code),
        Failure::Error(error) => {
            let text = if json { format!("{}\n", error_view(error)) } else { told(error) };
            to_stderr(&text);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// What clap says: help and version on stdout, a wrong command line on stderr.
pub(crate) fn usage(usage: &clap::Error) -> ExitCode {
    // The arguments could not be parsed, so whether JSON was asked for is read off the words.
    let json = std::env::args_os().any(|word| word == "--json");
    if !usage.use_stderr() || !json {
        // A reader that left does not want to hear about it.
        let _ = usage.print();
        return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2));
    }
    let text = usage.to_string();
    // The first paragraph says what is wrong; the others are the help that the hint names.
    let message = text.trim().split("\n\n").next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let error = invalid(message, "`mnemic --help` lists the verbs; each has a --help of its own");
    failure(&Failure::Error(error), true)
}

/// The JSON form of an error.
pub(crate) fn error_view(error: &Error) -> Value {
    let causes: Vec<String> = error.chain().into_iter().skip(1).collect();
    json!({ "error": {
        "code": error.kind.code(),
        "message": error.message(),
        "causes": causes,
        "hint": error.hint,
    }})
}

/// The plain form of an error.
pub(crate) fn told(error: &Error) -> String {
    let red = AnsiColor::Red.on_default().bold();
    let mut text = labelled(red, "error", error.message());
    for cause in error.chain().iter().skip(1) {
        text.push_str(&labelled(Style::new().dimmed(), "because", cause));
    }
    if let Some(hint) = &error.hint {
        text.push_str(&labelled(AnsiColor::Cyan.on_default(), "hint", hint));
    }
    text
}

/// One line for stderr; anstream takes the colour out again where it does not belong.
pub(crate) fn labelled(style: Style, label: &str, text: &str) -> String {
    format!("{style}{label}{style:#}: {}\n", defuse(text))
}

pub(crate) fn to_stderr(text: &str) {
    // There is nobody left to tell when stderr is gone.
    let _ = anstream::stderr().write_all(text.as_bytes());
}
