//! What a failure teaches, and whether it teaches anything: most that fails while somebody works is
//! the work itself.

use crate::command::{Purpose, parts, purpose, purpose_of_part};
use crate::extract::errors;
use crate::remedy;
use mnemic_model::body::Failure;
use mnemic_text::normalise::loosened;

/// Longer messages are logs, not something to recognise an error by.
const LONGEST: usize = 1_000;

/// What capture calls a failure of a command, and how it words what resolved one.
const COMMAND: &str = "command";
const AFTER_EDITING: &str = "succeeded after editing ";
const AFTER_RUNNING: &str = "succeeded after running ";
/// Between what was edited and what was run, where it was both.
const AND_RUNNING: &str = " and running `";
const RUN_IN: &str = "succeeded when run in ";
const RUN_AGAIN: &str = "succeeded when run again";

/// How an edit or a command that helped is told in turn.
const RESOLVED: &str = " resolved it";

/// What failed, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taught {
    pub(super) what_fails: String,
    pub(super) prevention: String,
}

impl Taught {
    /// As a step of an approach: what to do, and against what where nobody put it into words.
    pub(super) fn in_a_line(&self) -> String {
        match self.prevention.ends_with(RESOLVED) {
            true => format!("when {}, {}", self.what_fails, self.prevention),
            false => self.prevention.clone(),
        }
    }
}

/// What somebody put into words is a lesson. What was only seen is one where the edit or the command
/// can have mended the error, and where the error is more than a step of unfinished work.
pub(super) fn taught(failure: &Failure) -> Option<Taught> {
    let message = failure.message.trim();
    let resolution = failure.resolution.as_deref().map(str::trim).unwrap_or_default();
    if resolution.is_empty() || message.is_empty() || message.len() > LONGEST {
        return None;
    }
    // Nobody knows what made the difference.
    if resolution == RUN_AGAIN {
        return None;
    }
    if let Some(files) = resolution.strip_prefix(AFTER_EDITING) {
        let files = files.split_once(AND_RUNNING).map_or(files, |(files, _)| files);
        return taught_by_edit(message, files);
    }
    if let Some(commands) = resolution.strip_prefix(AFTER_RUNNING) {
        return taught_by_command(message, commands);
    }
    if let Some(dir) = resolution.strip_prefix(RUN_IN) {
        return taught_by_command(message, &format!("it in {dir}"));
    }
    Some(Taught { what_fails: in_words(failure), prevention: resolution.to_owned() })
}

fn taught_by_edit(message: &str, files: &str) -> Option<Taught> {
    let (command, error) = command_and_error(message);
    if errors::is_passing(error) {
        return None;
    }
    let mended: Vec<&str> =
        files.split(", ").filter(|file| errors::may_be_mended_in(error, file)).collect();
    if mended.is_empty() {
        return None;
    }
    let prevention = format!("editing {}{RESOLVED}", mended.join(", "));
    Some(Taught { what_fails: what_fails(command, error), prevention })
}

/// A missing tool or module is a lesson here: the same command works once it is installed.
fn taught_by_command(message: &str, commands: &str) -> Option<Taught> {
    let (command, error) = command_and_error(message);
    // Who only looked for something that was not there yet learns nothing.
    let does_something =
        purpose(command) != Purpose::Other || remedy::remedy(command, "").is_some();
    let in_progress = errors::is_assertion(error) || errors::is_unfinished_work(error);
    if !does_something || in_progress || errors::tells_nothing(error) {
        return None;
    }
    let prevention = format!("running {commands}{RESOLVED}");
    Some(Taught { what_fails: what_fails(command, error), prevention })
}

fn what_fails(command: &str, error: &str) -> String {
    match failing_part(command, error) {
        Some(part) => format!("`{part}` fails: {}", errors::message(error)),
        None => errors::message(error).to_owned(),
    }
}

/// What happened, as a sentence that can stand alone.
fn in_words(failure: &Failure) -> String {
    let message = failure.message.trim();
    match failure.error_type.trim() {
        "" => message.to_owned(),
        COMMAND => message.replacen("`: ", "` failed: ", 1),
        kind => format!("{kind}: {message}"),
    }
}

/// Capture writes a command in backticks and then what it said; older warnings other words between.
fn command_and_error(message: &str) -> (&str, &str) {
    let bare = message.trim();
    let bare = bare.strip_prefix("command: ").unwrap_or(bare);
    let Some(rest) = bare.strip_prefix('`') else { return ("", bare) };
    let ends = ["`: ", "` failed: ", "` fails: "].iter();
    let first = ends.filter_map(|end| Some((rest.find(end)?, end.len()))).min();
    first.map_or(("", bare), |(at, length)| (&rest[..at], &rest[at + length..]))
}

/// The command of a line of several that the error is of, as far as one can tell.
fn failing_part(command: &str, error: &str) -> Option<String> {
    let parts = parts(command);
    let is_lint = |part: &&String| purpose_of_part(part) == Purpose::Lint;
    let lint = parts.iter().find(is_lint).filter(|_| errors::names_rule(error));
    let check = || parts.iter().find(|part| purpose_of_part(part) != Purpose::Other);
    lint.or_else(check).or(parts.first()).cloned()
}

/// What an error is known again by: not by where it was met, nor by what the command was run on.
pub(super) fn recognised(what_fails: &str) -> String {
    let (command, error) = command_and_error(what_fails);
    let message = errors::message(error);
    // A rule of a linter is the same whoever runs it.
    let tool = match errors::names_rule(error) {
        true => String::new(),
        false => failing_part(command, error).unwrap_or_default(),
    };
    let tool = tool.split(' ').next().unwrap_or_default();
    loosened(format!("{tool} {message}").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(kind: &str, message: &str, resolution: &str) -> Failure {
        let resolution = Some(resolution.to_owned()).filter(|it| !it.is_empty());
        Failure { error_type: kind.to_owned(), message: message.to_owned(), resolution }
    }

    #[test]
    fn what_teaches_is_told_without_its_place() {
        for (kind, message, resolution, what_fails, prevention) in [
            (
                "command",
                "`cd x && go build && golangci-lint run 2>&1`: pkg/a.go:3:1: Close is not checked (errcheck)",
                "succeeded after editing pkg/a.go, pkg/b.go",
                "`golangci-lint run` fails: Close is not checked (errcheck)",
                "editing pkg/a.go resolved it",
            ),
            (
                "command",
                "`make test`: error: listen on port 1: permission denied",
                "succeeded after editing conf/app.toml, src/a.rs",
                "`make test` fails: error: listen on port 1: permission denied",
                "editing conf/app.toml resolved it",
            ),
            (
                "command",
                "`make test`: error: listen on port 1: permission denied",
                "succeeded after editing conf/app.toml and running `make deps` and `make db`",
                "`make test` fails: error: listen on port 1: permission denied",
                "editing conf/app.toml resolved it",
            ),
            (
                "command",
                "`cd web && pnpm build`: Error: no exports found in @acme/ui",
                "succeeded after running `pnpm --filter @acme/ui build`",
                "`pnpm build` fails: Error: no exports found in @acme/ui",
                "running `pnpm --filter @acme/ui build` resolved it",
            ),
            (
                "command",
                "`pytest`: ModuleNotFoundError: No module named 'yaml'",
                "succeeded after running `pip install pyyaml`",
                "`pytest` fails: ModuleNotFoundError: No module named 'yaml'",
                "running `pip install pyyaml` resolved it",
            ),
            (
                "TypeError",
                "x is not a function",
                "pin it",
                "TypeError: x is not a function",
                "pin it",
            ),
            ("command", "`cargo test`: E0432", "pin it", "`cargo test` failed: E0432", "pin it"),
            ("", " disk full ", "empty the bin", "disk full", "empty the bin"),
        ] {
            let found = taught(&failure(kind, message, resolution));
            let expected =
                Taught { what_fails: what_fails.to_owned(), prevention: prevention.to_owned() };
            assert_eq!(found, Some(expected), "{message}");
        }
    }

    #[test]
    fn work_in_progress_teaches_nothing() {
        for (message, resolution) in [
            ("`go test ./...`: a_test.go:3: got 1, want 2", "succeeded after editing a.go"),
            ("`go build`: a.go:3:1: undefined: x", "succeeded after editing a.go"),
            ("`make`: error: no such host", "succeeded when run again"),
            ("`make`: error: no such host", "succeeded after editing README.md"),
            (
                "`make`: error: no such host",
                "succeeded after editing README.md and running `make deps`",
            ),
            ("`cat a.txt`: cat: a.txt: not found", "succeeded after running `touch a.txt`"),
            ("`go test ./...`: a_test.go:3: got 1, want 2", "succeeded after running `make gen`"),
            ("`go build`: a.go:3:1: undefined: x", "succeeded after running `make gen`"),
            ("`lint run`: a.go:1:1: bad (rule)", "succeeded after editing b.go"),
            ("`gorel check`: command not found: gorel", "succeeded after editing gorel.yml"),
            ("`make`: error: no such host", ""),
        ] {
            assert_eq!(taught(&failure("command", message, resolution)), None, "{message}");
        }
    }

    #[test]
    fn an_error_is_known_again_wherever_it_was_met() {
        let known = recognised("`golangci-lint run` fails: Close is not checked (errcheck)");
        for other in [
            "command: `golangci-lint run`: pkg/a.go:3:1: Close is not checked (errcheck)",
            "`cd x && golangci-lint run ./pkg` failed: b.go:7:1: Close is not checked (errcheck)",
        ] {
            assert_eq!(recognised(other), known);
        }
        let known = recognised("`cargo test` failed: error[E0432]");
        assert_eq!(recognised("command: `cargo test`: error[E0432]"), known);
        assert_eq!(recognised("`cargo test -p x` fails: error[E0432]"), known);
        assert_ne!(recognised("`cargo test` failed: error[E0433]"), known);
        assert_ne!(recognised("`make` failed: error[E0432]"), known);
    }
}
