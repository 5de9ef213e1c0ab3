//! Questions that an agent put to a person, with the answer: decisions that need no guessing.

use crate::capture::{Seat, Turn};

/// A question and what the person answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    pub(super) question: String,
    pub(super) answer: String,
    /// What else was offered.
    pub(super) others: Vec<String>,
}

/// Tools with which agents ask.
const ASKING: &[&str] = &["AskUserQuestion", "ask_user_question", "ask_followup_question"];

pub(super) fn answered(turn: &Turn) -> Vec<Answered> {
    let found = match &turn.seat {
        Seat::Result(answer) if ASKING.contains(&answer.tool.as_str()) => in_result(&turn.text),
        Seat::Call(call) if ASKING.contains(&call.tool.as_str()) => rendered(&turn.text),
        _ => Vec::new(),
    };
    found.into_iter().filter(decides).collect()
}

/// An answer that asks back, or waves the question away, decides nothing; nor does one about what
/// to do just now.
fn decides(found: &Answered) -> bool {
    #[rustfmt::skip]
    const VAGUE: &[&str] = &[
        "not sure", "i don't", "don't", "no preference", "explain", "other", "you decide",
        "discuss", "probably", "skip", "wait", "hold on",
    ];
    #[rustfmt::skip]
    const MOMENT: &[&str] = &[
        "today", "this run", "would you like to work", "this session", "right now", "proceed",
        "shall i", "should i continue", "next step",
    ];
    let (answer, question) = (found.answer.to_lowercase(), found.question.to_lowercase());
    let vague = VAGUE.iter().any(|word| answer.trim().starts_with(word));
    let passing =
        question.starts_with("should i ") || MOMENT.iter().any(|word| question.contains(word));
    let length = answer.split_whitespace().count();
    let asks = answer.contains('?') || answer.contains("discuss");
    !(asks || vague || passing) && answer.trim().len() >= 2 && length <= 60
}

/// `"Question?"="Answer"`, as the tool's result tells it.
fn in_result(text: &str) -> Vec<Answered> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\"=\"") {
        let question = rest[..at].rsplit('"').next().unwrap_or_default();
        let after = &rest[at + 3..];
        let Some(end) = after.find('"') else { break };
        let answer = after[..end].to_owned();
        found.push(Answered { question: question.to_owned(), answer, others: Vec::new() });
        rest = &after[end + 1..];
    }
    found
}

/// `**Question?**`, the options as a list, `**Answer:** …`, as Markdown tells it. Where several
/// questions share one answer nobody can tell which is answered how.
fn rendered(text: &str) -> Vec<Answered> {
    let mut questions: Vec<&str> = Vec::new();
    let mut options: Vec<&str> = Vec::new();
    let mut answers: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(answer) = line.strip_prefix("**Answer:**") {
            answers.push(bare_answer(answer));
        } else if let Some(option) = line.strip_prefix("- **") {
            options.extend(option.split("**").next());
        } else if let Some(asked) = line.strip_prefix("**").and_then(|l| l.strip_suffix("**")) {
            questions.push(asked);
        }
    }
    let ([question], [answer]) = (questions.as_slice(), answers.as_slice()) else {
        return Vec::new();
    };
    let chosen = |option: &&&str| bare_answer(option) == *answer;
    let others = options.iter().filter(|option| !chosen(option));
    vec![Answered {
        question: (*question).to_owned(),
        answer: (*answer).to_owned(),
        others: others.map(|option| (*option).to_owned()).collect(),
    }]
}

/// Without what the host adds behind it.
fn bare_answer(answer: &str) -> &str {
    let end = ["\" selected preview", "\". Read the answers", "\" user notes"]
        .iter()
        .filter_map(|tail| answer.find(tail))
        .min();
    let answer = answer[..end.unwrap_or(answer.len())].trim();
    answer.strip_suffix(" (Recommended)").unwrap_or(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_telling_are_read() {
        let text = "User has answered your questions: \"Which db?\"=\"SQLite\", \"Port?\"=\"80\".";
        let found = in_result(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].question.as_str(), found[1].answer.as_str()), ("Port?", "80"));
        let text = "**Which db?**\n\nOptions:\n- **SQLite (Recommended)** - small\n- **Postgres** - big\n\n**Answer:** SQLite (Recommended)";
        let found = rendered(text);
        assert_eq!(found[0].answer, "SQLite");
        assert_eq!(found[0].others, ["Postgres"]);
    }

    #[test]
    fn asking_back_decides_nothing() {
        for (answer, expected) in [("What is a db?", false), ("not sure", false), ("SQLite", true)]
        {
            let found = Answered { question: "q".into(), answer: answer.into(), others: vec![] };
            assert_eq!(decides(&found), expected, "{answer}");
        }
    }
}
