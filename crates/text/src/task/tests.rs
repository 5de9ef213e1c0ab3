//! The table as it is documented, and what the hints add.

use super::*;

fn goal(goal: &str) -> Detected {
    detect(Signals { goal, ..Signals::default() })
}

#[test]
fn names_round_trip() {
    for task in TaskType::ALL {
        assert_eq!(TaskType::parse(task.as_str()), Some(task));
    }
    assert_eq!(TaskType::parse("Debugging"), Some(TaskType::Debugging));
    assert_eq!(TaskType::parse("other"), None);
}

#[test]
fn keywords_count_two_each_as_whole_words() {
    for (text, task, scores) in [
        ("implement the parser", TaskType::Implementation, [0, 2, 0, 0, 0]),
        ("fix the failing test", TaskType::Debugging, [0, 0, 4, 0, 0]),
        ("investigate error in the parser", TaskType::Debugging, [2, 0, 4, 0, 0]),
        ("What is the architecture?", TaskType::Exploration, [4, 0, 0, 0, 0]),
        ("clean up and rename", TaskType::Refactoring, [0, 0, 0, 0, 4]),
        ("audit the address book", TaskType::Review, [0, 0, 0, 2, 0]),
        ("fix fix fix", TaskType::Debugging, [0, 0, 2, 0, 0]),
    ] {
        let detected = goal(text);
        assert_eq!(detected.scores, scores, "{text}");
        assert_eq!(detected.task, task, "{text}");
        assert_eq!(detected.decided_by, DecidedBy::Table, "{text}");
    }
}

#[test]
fn actions_count_three_and_phases_four() {
    let detected = detect(Signals {
        goal: "fix the bug",
        actions: &["write_file", "edit_file", "unknown"],
        phase: Some("Planning"),
    });
    assert_eq!(detected.scores, [4, 6, 4, 0, 0]);
    assert_eq!(detected.task, TaskType::Implementation);
    assert_eq!(detected.decided_by, DecidedBy::Table);
    let phase = detect(Signals { goal: "", actions: &["diff"], phase: Some("coding") });
    assert_eq!((phase.task, phase.scores), (TaskType::Implementation, [0, 4, 0, 3, 0]));
}

#[test]
fn hints_break_ties_but_do_not_overrule_facts() {
    let tie = detect(Signals {
        goal: "why does it crash?",
        actions: &["read_file", "run_test"],
        phase: None,
    });
    assert_eq!(tie.task, TaskType::Debugging);
    let fact = detect(Signals {
        goal: "please rename this and split that",
        actions: &["diff", "review_pr"],
        phase: None,
    });
    assert_eq!((fact.task, fact.decided_by), (TaskType::Review, DecidedBy::Table));
}

#[test]
fn without_a_signal_it_is_implementation() {
    for text in ["", "the parser", "日本語", "???"] {
        let detected = goal(text);
        assert_eq!(detected.task, TaskType::Implementation, "{text}");
    }
    assert_eq!(goal("the parser").decided_by, DecidedBy::Default);
}

#[test]
fn hostile_goals_end() {
    for piece in ["1 ", "ok ", "`", "\"", "? ", "a: "] {
        goal(&piece.repeat(50_000));
    }
}

#[test]
fn hints_read_what_the_table_cannot() {
    for (text, task) in [
        ("where do we open the database?", TaskType::Exploration),
        ("can you explain the retry loop", TaskType::Exploration),
        ("The login page doesn't work since the upgrade", TaskType::Debugging),
        ("I'm getting a timeout when I save", TaskType::Debugging),
        ("Traceback (most recent call last):\n  File \"a.py\", line 3", TaskType::Debugging),
        ("let's split this module in two", TaskType::Refactoring),
        ("dedupe the two loaders", TaskType::Refactoring),
        ("there is a lot of duplication in the loaders, tidy it", TaskType::Refactoring),
        ("take a look at this PR", TaskType::Review),
        ("here is my patch, is this right?", TaskType::Review),
        ("ok, use the larger buffer", TaskType::Implementation),
        ("yes, let's do 20 rows", TaskType::Implementation),
        ("the other patch is in, please check it", TaskType::Review),
        ("review the error handling", TaskType::Review),
        ("add a test for the crash handler", TaskType::Implementation),
        ("rename `fix_error` to `repair`", TaskType::Refactoring),
    ] {
        let detected = goal(text);
        assert_eq!(detected.task, task, "{text}: {detected:#?}");
    }
}
