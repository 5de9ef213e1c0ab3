//! Commands that this machine or project does not understand, when they are tried again and again.

use super::errors::MISUSE;
use super::habits::{Ran, Seen};
use crate::capture::{Head, Origin, Voice, clipped, idempotency_key};
use crate::command::normalised;
use mnemic_model::body::AntiPattern;
use mnemic_model::{Body, Draft};
use std::collections::{BTreeMap, BTreeSet};

const MOST_PITFALLS: usize = 5_000;
/// Once may be a slip; in two sessions it is a pitfall.
const FEWEST_SESSIONS: usize = 2;
/// Commands after a failure that may be the one that worked in its place.
const PATIENCE: usize = 2;

/// Counts misuse over many sessions.
#[derive(Debug, Default)]
pub(super) struct Pitfalls {
    known: BTreeMap<String, Pitfall>,
    /// The last failure, the tool that it is about, and how many commands ago it was.
    last: Option<(String, String, usize)>,
}

#[derive(Debug, Default)]
struct Pitfall {
    times: usize,
    sessions: BTreeSet<String>,
    /// The part of the command that failed, and what worked in its place.
    tried: String,
    instead: Option<String>,
    last: Option<Seen>,
}

impl Pitfalls {
    pub(super) fn pause(&mut self) {
        self.last = None;
    }

    pub(super) fn ran(&mut self, ran: &Ran<'_>, session: &str) {
        match misuse(ran) {
            Some((error, tool)) => self.fell(ran, error, tool, session),
            None if ran.ok => self.worked(ran.command),
            None => {}
        }
    }

    fn fell(&mut self, ran: &Ran<'_>, error: String, tool: String, session: &str) {
        if self.known.len() >= MOST_PITFALLS && !self.known.contains_key(&error) {
            return;
        }
        let pitfall = self.known.entry(error.clone()).or_default();
        pitfall.times += 1;
        pitfall.sessions.insert(session.to_owned());
        if let Some(stage) = stage_of(ran.command, &tool) {
            pitfall.tried = clipped(&stage, 160).to_owned();
        }
        pitfall.last = Some(ran.seen.clone());
        self.last = Some((error, tool, 0));
    }

    fn worked(&mut self, command: &str) {
        let Some((error, tool, age)) = self.last.take() else { return };
        let stage = stage_of(command, &tool);
        if let (Some(stage), Some(pitfall)) = (stage, self.known.get_mut(&error))
            && stage != pitfall.tried
        {
            pitfall.instead = Some(clipped(&stage, 160).to_owned());
        } else if age + 1 < PATIENCE {
            self.last = Some((error, tool, age + 1));
        }
    }

    pub(super) fn drafts(&self, origin: &Origin, head: &Head) -> Vec<Draft> {
        let recurring = self.known.iter().filter(|(_, p)| p.sessions.len() >= FEWEST_SESSIONS);
        recurring.filter_map(|(error, pitfall)| pitfall.draft(error, origin, head)).collect()
    }
}

impl Pitfall {
    fn draft(&self, error: &str, origin: &Origin, head: &Head) -> Option<Draft> {
        let seen = self.last.as_ref()?;
        let tried = match self.tried.as_str() {
            "" => error.to_owned(),
            tried => format!("`{tried}`: {error}"),
        };
        let anti = AntiPattern {
            what_fails: tried,
            why: Some(format!(
                "{error} ({} times in {} sessions)",
                self.times,
                self.sessions.len()
            )),
            prevention: self.instead.as_ref().map(|instead| format!("`{instead}` worked instead")),
            learnt_from: None,
        };
        let confidence = 1.0 - 1.0 / (self.sessions.len() as f64 + 1.0);
        let mut about = origin.about(head, Voice::Agent, seen.source.clone(), confidence.min(0.95));
        about.valid_at = seen.at;
        about.category = Some("pitfall".to_owned());
        about.idempotency_key = Some(idempotency_key("pitfall", &[error]));
        Some(Draft { body: Body::AntiPattern(anti), about })
    }
}

/// The line that tells of misuse, without the shell's own prefix, and the tool that it is about.
fn misuse(ran: &Ran<'_>) -> Option<(String, String)> {
    let line = ran.output.lines().take(60).find(|line| {
        let low = line.to_ascii_lowercase();
        line.len() <= 200 && MISUSE.iter().any(|sign| low.contains(sign))
    })?;
    let line = without_shell(line.trim());
    // A search for such words prints them too, and succeeds.
    let begins = line.split(':').next().unwrap_or_default();
    let told_by_tool = !begins.contains(['/', '"', '(', '=']) && begins.split(' ').count() <= 3;
    if !told_by_tool || (ran.ok && !line.contains("command not found")) {
        return None;
    }
    let tool = match line.split_once("command not found") {
        Some((_, after)) if after.starts_with(": ") => after[2..].to_owned(),
        Some((before, _)) => before.trim_end_matches([':', ' ']).to_owned(),
        None if begins.contains(' ')
            || begins.eq_ignore_ascii_case("error")
            || begins == "fatal" =>
        {
            first_word(&normalised(ran.command))
        }
        None => begins.to_owned(),
    };
    let tool = tool.trim().to_owned();
    (!tool.is_empty() && !tool.contains(' ') && tool.len() <= 40).then(|| (line.to_owned(), tool))
}

/// `(eval):1: `, `bash: line 3: `, `zsh:1: ` come from the shell.
fn without_shell(line: &str) -> &str {
    let mut rest = line;
    for shell in ["(eval)", "bash", "zsh", "sh", "/bin/sh", "/bin/bash"] {
        if let Some(after) = rest.strip_prefix(shell).filter(|after| after.starts_with(':')) {
            rest = after.trim_start_matches([':', ' ']);
            let bare = rest.strip_prefix("line ").unwrap_or(rest);
            let digits = bare.trim_start_matches(|c: char| c.is_ascii_digit());
            if digits.len() < bare.len() {
                rest = digits.trim_start_matches([':', ' ']);
            }
            break;
        }
    }
    rest
}

fn first_word(command: &str) -> String {
    command.split(' ').next().unwrap_or_default().to_owned()
}

/// The part of a line of commands and pipes that runs the tool.
fn stage_of(command: &str, tool: &str) -> Option<String> {
    let stages = command.split(['|', ';', '\n', '&']).map(str::trim);
    let mut fitting = stages.filter(|stage| stage.split(' ').next() == Some(tool));
    fitting.next().map(|stage| stage.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran<'a>(command: &'a str, ok: bool, output: &'a str) -> Ran<'a> {
        Ran { command, ok, output, seen: Seen { source: "log".to_owned(), at: None } }
    }

    #[test]
    fn tools_say_what_they_do_not_understand() {
        for (command, ok, output, expected) in [
            (
                "x | cat -A",
                false,
                "cat: illegal option -- A",
                Some(("cat: illegal option -- A", "cat")),
            ),
            (
                "foo",
                false,
                "(eval):1: command not found: foo",
                Some(("command not found: foo", "foo")),
            ),
            (
                "foo",
                false,
                "bash: line 1: foo: command not found",
                Some(("foo: command not found", "foo")),
            ),
            (
                "git log --x",
                false,
                "fatal: unrecognized argument: --x",
                Some(("fatal: unrecognized argument: --x", "git")),
            ),
            ("grep -rn 'unknown flag' .", true, "cmd.go:3: unknown flag", None),
            ("make", false, "error: it broke", None),
        ] {
            let found = misuse(&ran(command, ok, output));
            let found = found.as_ref().map(|(error, tool)| (error.as_str(), tool.as_str()));
            assert_eq!(found, expected, "{output}");
        }
    }

    #[test]
    fn a_pitfall_recurs_and_knows_what_worked() {
        let mut pitfalls = Pitfalls::default();
        for session in ["a", "b"] {
            pitfalls.pause();
            pitfalls.ran(&ran("sed -n 1p f | cat -A", false, "cat: illegal option -- A"), session);
            pitfalls.ran(&ran("sed -n 1p f | cat -vet", true, "x$"), session);
        }
        let pitfall = &pitfalls.known["cat: illegal option -- A"];
        assert_eq!((pitfall.times, pitfall.sessions.len()), (2, 2));
        assert_eq!(
            (pitfall.tried.as_str(), pitfall.instead.as_deref()),
            ("cat -A", Some("cat -vet"))
        );
    }
}
