//! The documented table of signals: goal keywords, actions and phases of each type.

use super::{Signal, SignalKind, Signals, TaskType};

pub const KEYWORD_WEIGHT: u32 = 2;
pub const ACTION_WEIGHT: u32 = 3;
pub const PHASE_WEIGHT: u32 = 4;

struct Row {
    task: TaskType,
    keywords: &'static [&'static str],
    actions: &'static [&'static str],
    phases: &'static [&'static str],
}

#[rustfmt::skip]
const TABLE: [Row; 5] = [
    Row {
        task: TaskType::Exploration,
        keywords: &[
            "explore", "understand", "research", "investigate", "analyze", "discover", "find",
            "what is", "how does", "architecture", "structure", "overview",
        ],
        actions: &["read_file", "search", "list_files"],
        phases: &["planning", "discovery", "research"],
    },
    Row {
        task: TaskType::Implementation,
        keywords: &[
            "implement", "create", "build", "add", "write", "develop", "make", "construct",
            "new feature",
        ],
        actions: &["write_file", "create_file", "edit_file"],
        phases: &["development", "implementation", "coding"],
    },
    Row {
        task: TaskType::Debugging,
        keywords: &[
            "fix", "debug", "error", "bug", "issue", "broken", "failing", "crash", "exception",
            "investigate error",
        ],
        actions: &["run_test", "check_logs", "trace"],
        phases: &["debugging", "troubleshooting", "fixing"],
    },
    Row {
        task: TaskType::Review,
        keywords: &[
            "review", "check", "validate", "verify", "audit", "inspect", "quality", "standards",
            "lint",
        ],
        actions: &["diff", "review_pr", "check_style"],
        phases: &["review", "qa", "validation"],
    },
    Row {
        task: TaskType::Refactoring,
        keywords: &[
            "refactor", "restructure", "reorganize", "clean up", "improve structure", "extract",
            "rename", "move",
        ],
        actions: &["rename", "move_file", "extract_function"],
        phases: &["refactoring", "cleanup", "optimization"],
    },
];

/// Every entry of the table that the signals meet. Each keyword and action counts once.
pub(super) fn signals(given: &Signals<'_>) -> Vec<Signal> {
    let goal = Spaced::words(given.goal);
    let mut found = Vec::new();
    for row in &TABLE {
        let mut push = |kind, what: &str, weight| {
            found.push(Signal { task: row.task, kind, what: what.to_owned(), weight });
        };
        for keyword in row.keywords.iter().filter(|keyword| goal.holds(keyword)) {
            push(SignalKind::Keyword, keyword, KEYWORD_WEIGHT);
        }
        for action in row.actions.iter().filter(|action| is_among(given.actions, action)) {
            push(SignalKind::Action, action, ACTION_WEIGHT);
        }
        let phase = given.phase.unwrap_or_default().trim();
        for known in row.phases.iter().filter(|known| known.eq_ignore_ascii_case(phase)) {
            push(SignalKind::Phase, known, PHASE_WEIGHT);
        }
    }
    found
}

fn is_among(actions: &[&str], action: &str) -> bool {
    actions.iter().any(|given| given.trim().eq_ignore_ascii_case(action))
}

/// Words in lower case with one space around each, so that whole words can be looked for.
pub(super) struct Spaced {
    words: String,
    /// One bit for what each word begins with: hundreds of phrases are asked for in every goal, and
    /// hardly any word begins like one of them.
    beginnings: u64,
}

impl Spaced {
    pub(super) fn words(text: &str) -> Spaced {
        let words = spaced_words(text);
        let begins = |[before, first, second]: &[u8; 3]| match before {
            b' ' => beginning(*first, *second),
            _ => 0,
        };
        let beginnings = words.as_bytes().array_windows().fold(0, |bits, at| bits | begins(at));
        Spaced { words, beginnings }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.words
    }

    /// Whether a word or phrase is among them as a whole.
    pub(super) fn holds(&self, phrase: &str) -> bool {
        let (spaced, phrase) = (self.words.as_bytes(), phrase.as_bytes());
        let Some(first) = phrase.first() else { return false };
        // A word of one letter is followed by a space.
        let second = phrase.get(1).unwrap_or(&b' ');
        if self.beginnings & beginning(*first, *second) == 0 {
            return false;
        }
        let begins = |at: usize| spaced[at] == b' ' && spaced[at + 1] == *first;
        let is_whole = |at: usize| {
            spaced[at + 1..].strip_prefix(phrase).is_some_and(|rest| rest.first() == Some(&b' '))
        };
        (0..spaced.len().saturating_sub(1)).any(|at| begins(at) && is_whole(at))
    }
}

/// One of 64 bits for the first two bytes of a word.
fn beginning(first: u8, second: u8) -> u64 {
    1 << (first.wrapping_mul(7).wrapping_add(second) % 64)
}

/// What is written in one, as `read_file` or `address`, is one word.
fn spaced_words(text: &str) -> String {
    let mut words = String::from(" ");
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || matches!(c, '_' | '\'');
        match c {
            '’' => words.push('\''),
            _ if is_word => words.extend(c.to_lowercase()),
            _ if !words.ends_with(' ') => words.push(' '),
            _ => {}
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}
