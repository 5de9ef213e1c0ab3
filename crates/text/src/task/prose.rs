//! The person's own words in a goal: without code, quotations and pasted output.

use super::table::Spaced;
use crate::code;
use crate::sentences::sentences;

pub(super) struct Prose {
    /// In order; each with whether it asks.
    pub(super) sentences: Vec<Sentence>,
    /// Lines of a program's output that were pasted along.
    pub(super) pasted: usize,
    /// Some of them tell of an error.
    pub(super) pasted_error: bool,
    /// The text carries a diff or the description of a pull request.
    pub(super) has_change: bool,
}

pub(super) struct Sentence {
    pub(super) words: Spaced,
    pub(super) is_question: bool,
}

pub(super) fn prose(goal: &str) -> Prose {
    let bare = without_code(goal);
    let mut kept = String::new();
    let (mut pasted, mut pasted_error) = (0, false);
    for line in bare.lines() {
        if is_output(line) {
            pasted += 1;
            pasted_error |= tells_error(line);
            kept.push('\n');
        } else if is_set_apart(line) {
            kept.push('\n');
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let has_change = has_change(goal);
    Prose { sentences: read(&without_quotes(&kept)), pasted, pasted_error, has_change }
}

/// Blocks go, inline code leaves a word in its place so that the sentence keeps its form.
fn without_code(goal: &str) -> String {
    let mut bare = String::with_capacity(goal.len());
    let mut at = 0;
    for span in code::spans(goal) {
        bare.push_str(&goal[at..span.outer.start]);
        bare.push_str(if span.is_block { "\n" } else { "code" });
        at = span.outer.end;
    }
    bare.push_str(&goal[at..]);
    bare
}

/// Quotations on one line leave a word in their place. Single quotes are mostly apostrophes.
fn without_quotes(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some((start, end)) = quotation(rest) {
            bare.push_str(&rest[..start]);
            bare.push_str("quote");
            rest = &rest[end..];
        }
        bare.push_str(rest);
    }
    bare
}

fn quotation(line: &str) -> Option<(usize, usize)> {
    let start = line.find(['"', '“'])?;
    let inner = start + line[start..].chars().next()?.len_utf8();
    let end = inner + line[inner..].find(['"', '”'])?;
    Some((start, end + line[end..].chars().next()?.len_utf8()))
}

fn read(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        for sentence in sentences(paragraph) {
            let words = Spaced::words(sentence);
            if words.as_str().len() > 1 {
                found.push(Sentence { words, is_question: sentence.ends_with('?') });
            }
        }
    }
    found
}

/// Quotations, headings, configuration and lines of code without a fence.
fn is_set_apart(line: &str) -> bool {
    let line = line.trim();
    let code = line.trim_start_matches(['+', '-', ' ']);
    let name = code.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(0);
    let is_call = name > 0 && code[name..].starts_with('(') && code.contains(')');
    line.starts_with(['>', '#'])
        || line.starts_with('[') && line.ends_with(']')
        || line.ends_with(['{', '}', ';'])
        || is_call
        || name > 0 && (code[name..].starts_with(" = ") || code[name..].starts_with(" := "))
}

/// A line that a program wrote: a place in a file, a log level, a prompt, a stack frame.
fn is_output(line: &str) -> bool {
    let line = line.trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    let has_place = line
        .split([':', '(', ')', ' '])
        .collect::<Vec<_>>()
        .windows(2)
        .any(|pair| pair[0].contains('.') && pair[1].len() < 6 && is_number(pair[1]));
    let has_level = ["ERROR", "WARN", "INFO", "DEBUG", "FATAL", "Warning:", "Error:", "error:"];
    // `[01/23/26` or `[10:31:02]`: a log line or a prompt with the time.
    let has_time = first.contains(['/', ':']) && first.contains(|c: char| c.is_ascii_digit());
    first.starts_with('[') && has_time
        || first.starts_with(['❌', '⚠', '✗', '✓', '✅', '$'])
        || has_level.iter().any(|level| line.starts_with(level))
        || line.starts_with("error[")
        || line.starts_with("Traceback ")
        || line.starts_with("at ") && line.contains('(')
        || line.starts_with("File \"")
        || line.starts_with("npm ERR")
        || line.starts_with("panic:")
        || line.starts_with("goroutine ")
        || line.starts_with("--- FAIL")
        || has_place && line.matches(':').count() >= 3
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn tells_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["error", "fail", "panic", "exception", "traceback", "❌", "warn", "not found", "incomplete"]
        .iter()
        .any(|word| lower.contains(word))
}

fn has_change(goal: &str) -> bool {
    let lower = goal.to_lowercase();
    let is_diff = lower.contains("diff --git") || lower.contains("\n@@ -");
    let about_it = ["pull request", "reviewers:", "additions:", "merge request"];
    let told = about_it.iter().filter(|word| lower.contains(*word)).count();
    is_diff || told >= 2
}
