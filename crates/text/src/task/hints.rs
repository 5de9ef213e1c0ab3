//! The finer stage: forms of speech that the table's keywords do not catch.

use super::phrases::{FILLERS, JUDGEMENT, SHAPE, TROUBLE, WISH, command};
use super::prose::{Prose, Sentence, prose};
use super::table::Spaced;
use super::{Signal, SignalKind, TaskType};

/// The first command of a goal says most about it.
const FIRST_COMMAND: u32 = 5;
const LATER_COMMAND: u32 = 2;
/// A verb that says little by itself.
const WEAK_COMMAND: u32 = 3;
const LATER_WEAK_COMMAND: u32 = 1;
const QUESTION: u32 = 4;
/// After a command, or another question, it is asked by the way.
const LATER_QUESTION: u32 = 2;
const TURN: u32 = 3;
/// Beside a command it may only be what the command is about.
const TURN_BESIDE_COMMAND: u32 = 2;
/// People tell what is wrong, or what to judge, before anything else.
const FIRST_TURN: u32 = 5;
const WISHES: u32 = 2;
const PASTED_ERROR: u32 = 5;
const PASTED: u32 = 2;
const CHANGE: u32 = 12;

/// More of the same adds nothing: a long goal would win by its length.
const MOST_PER_KIND: usize = 3;

pub(super) fn signals(goal: &str) -> Vec<Signal> {
    let prose = prose(goal);
    let mut found = Found(Vec::new());
    found.whole(&prose);
    let mut has_command = false;
    for (place, sentence) in prose.sentences.iter().enumerate() {
        has_command |= found.sentence(sentence, place == 0, has_command);
    }
    found.0
}

struct Found(Vec<Signal>);

impl Found {
    fn whole(&mut self, prose: &Prose) {
        if prose.has_change {
            self.push(TaskType::Review, "a change to look at", CHANGE);
        }
        if prose.pasted_error {
            self.push(TaskType::Debugging, "pasted error output", PASTED_ERROR);
        } else if prose.pasted > 0 {
            self.push(TaskType::Debugging, "pasted output", PASTED);
        }
    }

    /// Whether the sentence is a command.
    fn sentence(&mut self, sentence: &Sentence, is_first: bool, has_command: bool) -> bool {
        let words = without_fillers(sentence.words.as_str());
        let asked = words.split_once(" please ").map_or("", |(_, asked)| asked);
        let command = command(words.trim_end()).or_else(|| command(asked.trim_end()));
        let task = command.as_ref().map(|command| command.task);
        if let Some(command) = &command {
            let weight = match (command.is_weak, has_command) {
                (true, true) => LATER_WEAK_COMMAND,
                (true, false) => WEAK_COMMAND,
                (false, true) => LATER_COMMAND,
                (false, false) => FIRST_COMMAND,
            };
            self.push(command.task, &format!("begins with `{}`", command.verb), weight);
        }
        let asks = (sentence.is_question || asks(words)) && !is_tag(sentence.words.as_str());
        let early = match &command {
            Some(command) if !command.is_weak => TURN_BESIDE_COMMAND,
            _ if is_first => FIRST_TURN,
            _ => TURN,
        };
        let judging = if asks { early } else { TURN };
        let mut turned = false;
        for (turns, turn_task, weight) in [
            (JUDGEMENT, TaskType::Review, judging),
            (TROUBLE, TaskType::Debugging, early),
            (SHAPE, TaskType::Refactoring, TURN),
        ] {
            // The verb has already said it.
            if task != Some(turn_task) {
                turned |= self.turn(&sentence.words, turns, turn_task, weight);
            }
        }
        if command.is_none() {
            self.turn(&sentence.words, WISH, TaskType::Implementation, WISHES);
            if asks && !turned {
                let has_asked = self.0.iter().any(|signal| signal.weight == QUESTION);
                let weight = if has_command || has_asked { LATER_QUESTION } else { QUESTION };
                self.push(TaskType::Exploration, "a question", weight);
            }
        }
        command.is_some()
    }

    fn turn(&mut self, words: &Spaced, turns: &[&str], task: TaskType, weight: u32) -> bool {
        let Some(turn) = turns.iter().find(|turn| words.holds(turn)) else { return false };
        self.push(task, &format!("says `{turn}`"), weight);
        true
    }

    fn push(&mut self, task: TaskType, what: &str, weight: u32) {
        let same = self.0.iter().filter(|signal| signal.task == task && signal.weight == weight);
        if same.count() < MOST_PER_KIND {
            self.0.push(Signal { task, kind: SignalKind::Hint, what: what.to_owned(), weight });
        }
    }
}

/// The words from the one on that says what to do; numbers of lists say nothing either.
fn without_fillers(words: &str) -> &str {
    let mut rest = words.trim_start();
    while let Some(shorter) = without_filler(rest).or_else(|| without_number(rest)) {
        rest = shorter;
    }
    rest
}

fn without_filler(words: &str) -> Option<&str> {
    FILLERS.iter().find_map(|filler| words.strip_prefix(filler)?.strip_prefix(' '))
}

fn without_number(words: &str) -> Option<&str> {
    let rest = words.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix(' ').filter(|_| rest.len() < words.len())
}

/// `…, make sense?` asks for a nod.
fn is_tag(words: &str) -> bool {
    const TAGS: &[&str] = &["yeah", "right", "no", "ok", "okay", "make sense", "makes sense", "eh"];
    let words = words.trim();
    let ends = |tag: &&str| words.strip_suffix(*tag).is_some_and(|rest| rest.ends_with(' '));
    words.split(' ').count() > 4 && TAGS.iter().any(ends)
}

/// A question without its mark.
fn asks(words: &str) -> bool {
    const OPENERS: &[&str] = &[
        "what",
        "what's",
        "where",
        "where's",
        "how",
        "why",
        "which",
        "who",
        "when",
        "does",
        "is",
        "are",
        "did",
        "has",
        "was",
        "were",
        "do we",
        "do you",
        "do i",
        "should we",
        "would",
        "whats",
        "hows",
        "my question",
    ];
    OPENERS
        .iter()
        .any(|opener| words.strip_prefix(opener).is_some_and(|rest| rest.starts_with(' ')))
}
