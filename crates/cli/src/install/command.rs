//! The command lines that hosts run, and how ours are known among others.

use crate::hooks::{Host, Wired};
use std::path::Path;

/// The program as a host starts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program(String);

impl Program {
    pub(crate) fn new(path: impl Into<String>) -> Program {
        Program(path.into())
    }

    pub(crate) fn path(&self) -> &str {
        &self.0
    }

    /// The command line for one event.
    pub(super) fn hook(&self, host: Host, event: Wired) -> String {
        format!("{} hook {} --host {}", quoted(&self.0), event.name, host.as_str())
    }
}

/// As a shell reads it.
pub(crate) fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@:".contains(c);
    match path.chars().all(is_plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// The program of a command line that is one of our hooks; none when it is somebody else's.
pub(super) fn program_of(command: &str) -> Option<String> {
    let (program, rest) = command.split_once(" hook ")?;
    let program = program.trim();
    let program = match program.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => inner.replace(r"'\''", "'"),
        None => program.to_owned(),
    };
    let is_ours = is_ours(&program) && rest.contains("--host ");
    is_ours.then_some(program)
}

/// Whether a program is mnemic, wherever it lies.
pub(super) fn is_ours(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "mnemic" || name == "mnemic.exe")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_command_lines_are_known_again() {
        let event = Wired { name: "Stop", matcher: None };
        for path in ["mnemic", "/usr/local/bin/mnemic", "/My Programs/it's/mnemic"] {
            let command = Program::new(path).hook(Host::Codex, event);
            assert_eq!(program_of(&command).as_deref(), Some(path), "{command}");
        }
        for other in ["my-mnemic hook Stop --host x", "mnemic recall hook x", "echo hook", ""] {
            assert_eq!(program_of(other), None, "{other}");
        }
    }
}
