//! What an error says: which of its lines tell what went wrong, and whether a text speaks of it.

use crate::mentions::error_names;

/// How many words make a line that is not met by chance, and how long they are together.
const PHRASE: usize = 4;
const LONG_ENOUGH: usize = 18;

/// An error of so many lines is short: all of it is asked about.
const SHORT: usize = 3;

/// So many lines of a longer one are, and so much of each.
const TELLING: usize = 4;
const LONGEST_LINE: usize = 600;

/// What complains says so, in one of these words.
const COMPLAINTS: &[&str] = &[
    "error",
    "errors",
    "fatal",
    "failed",
    "failure",
    "fails",
    "panicked",
    "panic",
    "exception",
    "cannot",
    "can't",
    "couldn't",
    "could",
    "denied",
    "refused",
    "missing",
    "undefined",
    "invalid",
    "unexpected",
    "unknown",
    "unable",
    "not",
    "timeout",
    "abort",
    "aborted",
    "killed",
    "conflict",
];

/// The lines that tell what went wrong, in their order. How it came about, step by step, is as long
/// as one likes and speaks of everything; what is known of the error would be lost among it.
pub fn telling(error: &str) -> String {
    let lines: Vec<&str> =
        error.lines().map(str::trim).filter(|line| !line.is_empty() && !is_frame(line)).collect();
    let mut chosen: Vec<usize> = (0..lines.len()).collect();
    if lines.len() > SHORT {
        chosen.retain(|at| weight(lines[*at]) > 0);
        // Stable: of equals the first, which the others mostly follow from.
        chosen.sort_by_key(|at| std::cmp::Reverse(weight(lines[*at])));
        chosen.truncate(TELLING);
        chosen.sort_unstable();
    }
    if chosen.is_empty() {
        // Nothing complains: programs say what it is about first or last.
        chosen =
            (0..lines.len().min(1)).chain(lines.len().saturating_sub(1)..lines.len()).collect();
        chosen.dedup();
    }
    let cut = |at: &usize| lines[*at].chars().take(LONGEST_LINE).collect::<String>();
    chosen.iter().map(cut).collect::<Vec<String>>().join("\n")
}

/// How much a line says of which error it is.
fn weight(line: &str) -> u32 {
    let complains = line
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .any(|word| COMPLAINTS.contains(&word.to_ascii_lowercase().as_str()));
    let is_named = !error_names(line).is_empty();
    3 * u32::from(is_named) + 2 * u32::from(complains)
}

/// Where something was when it failed, and what was done before.
fn is_frame(line: &str) -> bool {
    let begins =
        ["at ", "File \"", "--> ", "from ", "in ", "Compiling ", "Downloading ", "note: run "];
    let is_numbered = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.trim_start().starts_with('|') || (rest.len() < line.len() && rest.starts_with(':'))
    };
    let is_drawn = || line.chars().all(|c| !c.is_alphanumeric());
    begins.iter().any(|begin| line.starts_with(begin)) || is_drawn() || is_numbered()
}

/// Whether a text names the error itself or repeats what a line of it begins with.
pub fn speaks_of(text: &str, error: &str) -> bool {
    error_names(error).iter().any(|name| mentions(text, name)) || repeats(text, error)
}

fn repeats(text: &str, error: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<String>>()
    };
    let text = format!(" {} ", words(text).join(" "));
    error.lines().any(|line| {
        let line = words(line);
        let usual = line
            .iter()
            .take_while(|word| matches!(word.as_str(), "output" | "error" | "fatal"))
            .count();
        let begins = line[usual..].get(..PHRASE).map(|words| words.join(" "));
        begins.is_some_and(|begins| {
            begins.len() >= LONG_ENOUGH && text.contains(&format!(" {begins} "))
        })
    })
}

/// As a word of its own, not as a part of another.
fn mentions(text: &str, name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_spoken_of_by_name_or_by_how_they_begin() {
        for (error, text, known) in [
            ("error[E0382]: borrow of moved value", "- E0382 is mended by cloning", true),
            ("error[E0382]: borrow of moved value", "- E03821 is another", false),
            ("ORA-00942: table or view does not exist", "ORA-00942 needs the grants", true),
            ("ENOENT: no such file", "on ENOENT run make assets first", true),
            ("ModuleNotFoundError: No module named x", "ModuleNotFoundError: use uv", true),
            ("curl: could not resolve host", "the host is db.example.org", false),
            ("ERROR: it FAILED", "ERROR and FAILED are usual", false),
            ("Error: x", "Error: y", false),
            (
                "error: linking with `cc` failed: exit status: 1",
                "fails: linking with `cc` failed",
                true,
            ),
            ("cat: no such file or directory", "ls: no such file or directory", false),
            ("exit code 101", "101 dalmatians", false),
            ("", "", false),
        ] {
            assert_eq!(speaks_of(text, error), known, "{error} | {text}");
        }
    }

    #[test]
    fn a_short_error_is_told_whole() {
        for error in ["", "boom", "one\ntwo\nthree", "curl: (6) Could not resolve host: db"] {
            assert_eq!(telling(error), error);
        }
    }

    #[test]
    fn of_a_long_error_what_went_wrong() {
        let python = "Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\n    \
             import requests\n  File \"lib.py\", line 9, in f\n    g()\n\
             ModuleNotFoundError: No module named 'requests'";
        assert_eq!(telling(python), "ModuleNotFoundError: No module named 'requests'");
        let rust = "   Compiling app v0.1.0\nerror[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:5\n  \
             |\n4 |     x\n  |     ^ value borrowed here\n\nerror: could not compile `app` due to 1 previous error";
        assert_eq!(
            telling(rust),
            "error[E0382]: borrow of moved value: `x`\n\
             error: could not compile `app` due to 1 previous error"
        );
        let node = "node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module 'left-pad'\n    \
             at Module._resolve (node:internal:1:2)\n    at load (node:internal:3:4)\n\nNode.js v22";
        assert_eq!(telling(node), "Error: Cannot find module 'left-pad'");
        assert_eq!(telling("one\ntwo\nthree\nfour\nfive"), "one\nfive");
    }

    #[test]
    fn a_long_line_is_cut() {
        assert_eq!(telling(&"ß".repeat(9_000)).chars().count(), LONGEST_LINE);
    }
}
