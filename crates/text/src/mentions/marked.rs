//! Things that the writer marked: backticks, shell prompts, quotation marks.

use std::ops::Range;

use super::shapes::{in_block, shape};
use super::{Found, MentionKind};
use crate::code;

/// Longer quotations and backticked texts are passages rather than names.
const LONGEST_NAME: usize = 80;

/// Programs that begin the commands people write about.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "apt", "apt-get", "awk", "aws", "az", "bash", "bazel", "brew", "bun", "bundle", "cargo", "cat",
    "cd", "chmod", "cmake", "composer", "conda", "cp", "curl", "deno", "dig", "docker",
    "docker-compose", "dotnet", "du", "echo", "export", "find", "flutter", "gcloud", "gem", "gh",
    "git", "go", "gradle", "grep", "helm", "java", "jest", "journalctl", "jq", "just", "kill",
    "kubectl", "ls", "make", "meson", "mkdir", "mv", "mvn", "mypy", "ninja", "node", "npm", "npx",
    "perl", "pip", "pip3", "pnpm", "poetry", "psql", "pytest", "python", "python3", "rake", "rg",
    "rm", "rsync", "ruby", "ruff", "rustc", "rustup", "scp", "sed", "sh", "source", "sqlite3",
    "ssh", "sudo", "systemctl", "tail", "tar", "terraform", "tox", "tsc", "uv", "vim", "wget",
    "yarn", "zig",
];

pub(super) fn code(found: &mut Found<'_>) {
    for span in code::spans(found.text) {
        if span.is_block {
            in_block(found, span.inner);
            found.blocks.push(span.outer);
        } else if found.is_free(&span.outer) {
            inline(found, span.inner, span.outer.clone());
            found.take(span.outer);
        }
    }
}

fn inline(found: &mut Found<'_>, inner: Range<usize>, outer: Range<usize>) {
    let content = found.text[inner].trim();
    if content.is_empty() || content.chars().count() > LONGEST_NAME {
        return;
    }
    if let Some(command) = command(content) {
        return found.push(MentionKind::Command, command, outer);
    }
    match shape(content, None) {
        Some((kind, text)) => found.push(kind, text, outer),
        None => found.push(MentionKind::Symbol, content.trim_end_matches("()"), outer),
    }
}

/// A known program with arguments, or anything after a prompt; in single spaces.
fn command(content: &str) -> Option<String> {
    let prompted = content.strip_prefix("$ ");
    let mut words = prompted.unwrap_or(content).split_whitespace();
    let first = words.next()?;
    let is_known = PROGRAMS.binary_search(&first).is_ok() && words.next().is_some();
    (prompted.is_some() || is_known).then(|| spaced(prompted.unwrap_or(content)))
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines after `$ `, in code blocks as well.
pub(super) fn prompts(found: &mut Found<'_>) {
    let mut at = 0;
    for line in found.text.split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        if let Some(command) = line.trim().strip_prefix("$ ") {
            let span = start..start + line.trim().len();
            found.push(MentionKind::Command, spaced(command), span.clone());
            found.take(span);
        }
    }
}

/// Several words between quotation marks; one word says what it is by its own shape.
pub(super) fn quotations(found: &mut Found<'_>) {
    let mut at = 0;
    for line in found.text.split_inclusive('\n') {
        let mut from = 0;
        while let Some((start, end)) = quotation(line, from) {
            let inner = line[start..end].trim_matches(['"', '“', '”', '«', '»']).trim();
            let span = at + start..at + end;
            let is_name =
                inner.contains(char::is_whitespace) && inner.chars().count() <= LONGEST_NAME;
            if is_name && found.is_free(&span) && !found.is_in_block(&span) {
                found.push(MentionKind::Quoted, spaced(inner), span.clone());
                found.take(span);
            }
            from = end;
        }
        at += line.len();
    }
}

fn quotation(line: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + line[from..].find(['"', '“', '«'])?;
    let opening = line[start..].chars().next()?;
    let closing = match opening {
        '“' => '”',
        '«' => '»',
        _ => '"',
    };
    let inner = start + opening.len_utf8();
    let end = inner + line[inner..].find(closing)?;
    Some((start, end + closing.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_can_be_searched() {
        assert!(PROGRAMS.is_sorted());
    }
}
