//! Errors with what resolved them: a command fails, something is edited or run, the same command
//! succeeds.

use super::errors::{
    file_name, is_assertion, is_unfinished_work, may_be_mended_in, names_rule, position,
    tells_nothing,
};
use super::runs::{Event, Run};
use crate::capture::{Place, clipped, error_line};
use crate::command::{Purpose, parts, purpose_of_part};
use crate::remedy;
use std::collections::{BTreeSet, VecDeque};

/// Failures that are followed at once, and the events after which one is given up.
const MOST_OPEN: usize = 16;
const PATIENCE: usize = 60;
const MOST_EDITED: usize = 1000;

/// A failure and what mended it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fix {
    pub(super) failed: Run,
    /// The line that says why.
    pub(super) error: String,
    pub(super) edits: Vec<Edit>,
    /// The commands that were run instead, where nothing was edited.
    pub(super) remedies: Vec<String>,
    /// Where the command succeeded at last, or failed over something else.
    pub(super) ended: Place,
    /// It only came further.
    pub(super) fails_otherwise: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edit {
    pub(super) file: String,
    pub(super) removed: Option<String>,
    pub(super) added: Option<String>,
}

#[derive(Debug)]
struct Open {
    run: Run,
    checks: Vec<String>,
    error: String,
    edits: Vec<Edit>,
    remedies: Vec<String>,
    age: usize,
}

#[derive(Debug, Default)]
pub(super) struct Fixes {
    open: VecDeque<Open>,
    /// Names of the files that were edited in this session.
    edited: BTreeSet<String>,
}

impl Fixes {
    pub(super) fn see(&mut self, event: &Event) -> Vec<Fix> {
        if !matches!(event, Event::Began(_)) {
            self.open.iter_mut().for_each(|open| open.age += 1);
        }
        self.open.retain(|open| open.age <= PATIENCE);
        match event {
            Event::Edited { files, removed, added, .. } => {
                let file = files.first().cloned().unwrap_or_default();
                if self.edited.len() < MOST_EDITED {
                    self.edited.extend(files.iter().map(|file| file_name(file).to_owned()));
                }
                for open in self.open.iter_mut().filter(|open| open.edits.len() < 8) {
                    let (removed, added) = (removed.clone(), added.clone());
                    open.edits.push(Edit { file: file.clone(), removed, added });
                }
                Vec::new()
            }
            Event::Began(command) => {
                for open in &mut self.open {
                    if let Some(found) = open.remedy(command) {
                        remedy::keep(&mut open.remedies, found);
                    }
                }
                Vec::new()
            }
            Event::Ran(run) if run.ok => self.succeed(run),
            Event::Ran(run) => {
                for open in &mut self.open {
                    let failed = open.remedy(&run.command);
                    open.remedies.retain(|known| Some(known) != failed.as_ref());
                }
                let overcome = self.overcome(run);
                self.fail(run);
                overcome
            }
            Event::Spoke => {
                // Who speaks may have done something as well.
                self.open.iter_mut().for_each(|open| open.remedies.clear());
                Vec::new()
            }
        }
    }

    /// A command that fails over something else than before has come further. An edit may have
    /// traded one error for another; a command that was run instead has mended the first.
    fn overcome(&mut self, run: &Run) -> Vec<Fix> {
        let now = checks(run);
        let mut fixed = Vec::new();
        self.open.retain(|open| {
            let is_gone = open.is_covered_by(&now) && !run.output.contains(&open.error);
            let is_mended = is_gone && open.edits.is_empty() && !open.remedies.is_empty();
            if is_mended {
                fixed.push(open.fix(Vec::new(), open.remedies.clone(), run.places.1, true));
            }
            !is_mended
        });
        fixed
    }

    fn fail(&mut self, run: &Run) {
        let checks = checks(run);
        let Some(error) = error_line(&run.output) else { return };
        if checks.is_empty() || is_unfinished_work(error) || self.is_own_test(error) {
            return;
        }
        // The same failure again: what was done in between did not help.
        let known = self.open.iter_mut().find(|open| open.error == error && open.checks == checks);
        if let Some(open) = known {
            open.edits.clear();
            open.remedies.clear();
            open.age = 0;
            return;
        }
        if self.open.len() == MOST_OPEN {
            self.open.pop_front();
        }
        let error = clipped(error, 400).to_owned();
        let (run, edits, remedies) = (run.clone(), Vec::new(), Vec::new());
        self.open.push_back(Open { run, checks, error, edits, remedies, age: 0 });
    }

    /// Tests fail while they and the code they test are written; only a test that was there before
    /// says that something broke.
    fn is_own_test(&self, error: &str) -> bool {
        let file = position(error).map_or("", |(file, _)| file_name(file));
        (is_assertion(error) && self.edited.contains(file)) || tells_nothing(error)
    }

    fn succeed(&mut self, run: &Run) -> Vec<Fix> {
        let now = checks(run);
        let mut fixed = Vec::new();
        self.open.retain(|open| {
            let covered = open.is_covered_by(&now);
            let edits = relevant(&open.edits, &open.error);
            // What a test expected means little without the change that satisfied it.
            let told = !is_assertion(&open.error) || edits.iter().any(shows_change);
            // Where something was edited, nobody knows that the commands made the difference.
            let remedies = if open.edits.is_empty() { open.remedies.clone() } else { Vec::new() };
            if covered && told && !(edits.is_empty() && remedies.is_empty()) {
                fixed.push(open.fix(edits, remedies, run.places.1, false));
            }
            !covered
        });
        fixed
    }
}

impl Open {
    fn is_covered_by(&self, ran: &[String]) -> bool {
        self.checks.iter().all(|check| ran.iter().any(|ran| covers(ran, check)))
    }

    fn fix(
        &self,
        edits: Vec<Edit>,
        remedies: Vec<String>,
        ended: Place,
        fails_otherwise: bool,
    ) -> Fix {
        let (failed, error) = (self.run.clone(), self.error.clone());
        Fix { failed, error, edits, remedies, ended, fails_otherwise }
    }

    /// What this command may have done about the failure.
    fn remedy(&self, command: &str) -> Option<String> {
        remedy::remedy(command, &self.checks.join(" && "))
    }
}

/// The parts of a command that check something.
fn checks(run: &Run) -> Vec<String> {
    let is_check = |part: &String| !matches!(purpose_of_part(part), Purpose::Other);
    parts(&run.command).into_iter().filter(is_check).collect()
}

/// Whether one check includes another: the same, or the same tool on everything.
fn covers(ran: &str, check: &str) -> bool {
    let (ran, check) = (unwrapped(ran), unwrapped(check));
    if ran == check {
        return true;
    }
    let tool = |part: &str| part.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let on_everything = ran.ends_with("./...") || ran == tool(ran);
    on_everything && tool(ran) == tool(check) && !ran.contains(" -run ")
}

/// A check without the program that only runs it in its own environment.
fn unwrapped(check: &str) -> &str {
    const WRAPPERS: &[&str] = &[
        "uv run ",
        "poetry run ",
        "pipenv run ",
        "hatch run ",
        "pdm run ",
        "python -m ",
        "python3 -m ",
        "bundle exec ",
        "npx ",
    ];
    WRAPPERS.iter().find_map(|wrapper| check.strip_prefix(wrapper)).unwrap_or(check)
}

fn shows_change(edit: &Edit) -> bool {
    first_difference(edit).is_some()
}

fn relevant(edits: &[Edit], error: &str) -> Vec<Edit> {
    edits.iter().filter(|edit| may_be_mended_in(error, &edit.file)).cloned().collect()
}

/// What failed of a line of several commands, as far as the error tells.
pub(super) fn failing_part(run: &Run, error: &str) -> String {
    let checks = checks(run);
    let ruled = names_rule(error);
    let wanted = if ruled { Purpose::Lint } else { Purpose::Test };
    let fits = |part: &&String| purpose_of_part(part) == wanted;
    let told = ruled || error.contains("_test.") || error.contains("FAIL");
    let found = if told { checks.iter().find(fits) } else { None };
    found.or(checks.first()).unwrap_or(&run.normal).clone()
}

/// What the edits changed, by file, or what was run; short enough to be read.
pub(super) fn summary(fix: &Fix) -> String {
    let mut told: Vec<String> = Vec::new();
    if !fix.remedies.is_empty() {
        told.push(format!("ran {}", remedy::told(&fix.remedies)));
    }
    for edit in &fix.edits {
        let change = match (first_difference(edit), edit.file.as_str()) {
            (Some((old, new)), file) => format!("in {file}: `{old}` became `{new}`"),
            (None, "") => continue,
            (None, file) => format!("edited {file}"),
        };
        if !told.contains(&change) && told.len() < 4 {
            told.push(change);
        }
    }
    told.join("; ")
}

/// The first line that an edit replaces, and by which.
fn first_difference(edit: &Edit) -> Option<(String, String)> {
    let (old, new) = (edit.removed.as_deref()?, edit.added.as_deref()?);
    let (old, new) = old.lines().zip(new.lines()).find(|(old, new)| old.trim() != new.trim())?;
    let short = |line: &str| clipped(line.trim(), 100).to_owned();
    Some((short(old), short(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(command: &str, ok: bool, output: &str) -> Event {
        let place = Place { first: 1, last: 1, part: None };
        Event::Ran(Run {
            command: command.to_owned(),
            normal: crate::command::normalised(command),
            ok,
            output: output.to_owned(),
            at: None,
            key: "k".to_owned(),
            places: (place, place),
        })
    }

    fn edited(file: &str) -> Event {
        Event::Edited {
            files: vec![file.to_owned()],
            removed: Some("a\nport = 1".to_owned()),
            added: Some("a\nport = 2".to_owned()),
            place: Place { first: 1, last: 1, part: None },
        }
    }

    fn fixes(events: &[Event]) -> Vec<Fix> {
        let mut fixes = Fixes::default();
        let mut found = Vec::new();
        for event in events {
            if let Event::Ran(run) = event {
                found.extend(fixes.see(&Event::Began(run.command.clone())));
            }
            found.extend(fixes.see(event));
        }
        found
    }

    const ERROR: &str = "Exit code 1\nerror: listen on port 1: permission denied";

    #[test]
    fn a_failure_an_edit_and_a_success_make_a_fix() {
        let found = fixes(&[
            ran("cd x && make test 2>&1 | tail", false, ERROR),
            edited("conf.toml"),
            ran("make test", true, "ok"),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].error, "error: listen on port 1: permission denied");
        assert_eq!(failing_part(&found[0].failed, &found[0].error), "make test");
        assert_eq!(summary(&found[0]), "in conf.toml: `port = 1` became `port = 2`");
    }

    #[test]
    fn a_failure_a_command_and_a_success_make_a_fix() {
        let filtered = "pnpm --filter @acme/ui build";
        let found = fixes(&[
            ran("pnpm build", false, ERROR),
            ran("ls packages", true, "ui"),
            ran(filtered, true, "ok"),
            ran("pnpm build", true, "ok"),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!(summary(&found[0]), format!("ran `{filtered}`"));
        let failed = ran("golangci-lint run", false, "a.go:1:1: not formatted (gofmt)");
        let silent = Event::Began("gofmt -w a.go".to_owned());
        let found = fixes(&[failed, silent, ran("golangci-lint run", true, "0 issues.")]);
        assert_eq!(summary(&found[0]), "ran `gofmt -w a.go`");
    }

    #[test]
    fn a_command_that_fails_over_something_else_has_come_further() {
        let missing = "ModuleNotFoundError: No module named 'psycopg2'";
        let refused = "OperationalError: connection to localhost refused";
        let found = fixes(&[
            ran("pytest tests -q", false, missing),
            ran("uv add psycopg2-binary", true, "added"),
            ran("uv run pytest tests -q", false, refused),
            edited("conf.toml"),
            ran("uv run pytest tests -q", true, "4 passed"),
        ]);
        let told: Vec<(&str, String)> =
            found.iter().map(|fix| (fix.error.as_str(), summary(fix))).collect();
        let edit = "in conf.toml: `port = 1` became `port = 2`".to_owned();
        assert_eq!(told, [(missing, "ran `uv add psycopg2-binary`".to_owned()), (refused, edit)]);
        assert!(found[0].fails_otherwise && !found[1].fails_otherwise);
        // The same error, within others, is still there; and an edit proves nothing yet.
        let both = format!("{refused}\n{missing}");
        for between in [ran("uv add psycopg2-binary", true, "added"), edited("conf.toml")] {
            let still = [ran("pytest", false, missing), between, ran("pytest", false, &both)];
            assert_eq!(fixes(&still), []);
        }
    }

    #[test]
    fn what_proves_nothing_makes_none() {
        let failed = || ran("make test", false, ERROR);
        let passed = || ran("make test", true, "ok");
        for events in [
            vec![failed(), passed()],
            vec![failed(), ran("git diff", true, "ok"), passed()],
            vec![failed(), ran("make test VERBOSE=1", true, "ok"), passed()],
            vec![failed(), ran("make deps", false, "error: no"), passed()],
            vec![failed(), ran("make deps", true, "ok"), failed(), passed()],
            vec![failed(), ran("make deps", true, "ok"), Event::Spoke, passed()],
            vec![failed(), edited("README.md"), ran("make deps", true, "ok"), passed()],
            vec![failed(), edited("a.toml"), ran("make build", true, "ok")],
            vec![failed(), edited("a.toml"), failed(), passed()],
            vec![failed(), edited("README.md"), passed()],
            vec![ran("ls x", false, ERROR), edited("a.toml"), ran("ls x", true, "ok")],
            vec![
                edited("a_test.go"),
                ran("go test ./...", false, "--- FAIL: TestX\na_test.go:3: got 1 want 2"),
                edited("a.go"),
                ran("go test ./...", true, "ok"),
            ],
            vec![
                ran("go test ./...", false, "./a.go:3:1: undefined: x"),
                edited("a"),
                ran("go test ./...", true, "ok"),
            ],
        ] {
            assert_eq!(fixes(&events), [], "{events:?}");
        }
    }

    #[test]
    fn a_test_that_was_there_before_is_satisfied_by_code() {
        let failed = ran("go test ./...", false, "a_test.go:3: got 1 want 2");
        let passed = ran("go test ./...", true, "ok");
        let silent = Event::Edited {
            files: vec!["a.go".to_owned()],
            removed: None,
            added: None,
            place: Place { first: 1, last: 1, part: None },
        };
        assert_eq!(fixes(&[failed.clone(), edited("pkg/a.go"), passed.clone()]).len(), 1);
        assert_eq!(fixes(&[failed.clone(), edited("a_test.go"), passed.clone()]).len(), 0);
        assert_eq!(fixes(&[failed, silent, passed]).len(), 0);
    }

    #[test]
    fn a_run_over_everything_covers_one_over_a_part() {
        for (ran, check, expected) in [
            ("go test ./...", "go test -run TestX ./pkg/a", true),
            ("cargo test", "cargo test -p x", true),
            ("cargo test -p y", "cargo test -p x", false),
            ("go test -run TestY ./...", "go test ./pkg/a", false),
        ] {
            assert_eq!(covers(ran, check), expected, "{ran} covers {check}");
        }
    }
}
