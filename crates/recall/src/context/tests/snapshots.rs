//! Every form that an agent reads, as files. `MNEMIC_BLESS=1 cargo test` writes them anew.

use super::sample::{team, words};
use crate::context::{
    Ask, Assembled, Profiles, Segment, Style, Task, assemble, before_task, hand_out,
};
use mnemic_text::task::TaskType;
use std::fmt::Write;
use std::path::Path;

fn check(name: &str, assembled: &Assembled) {
    let Assembled { text, tokens, budget, tiers, left_out, .. } = assembled;
    let mut told = format!("{text}\n======\n{tokens} of {budget} tokens\n");
    for (name, tokens) in tiers {
        writeln!(told, "{name}: {tokens}").unwrap();
    }
    for (id, why) in left_out {
        writeln!(told, "without {id}: {}", why.as_str()).unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/context/expected").join(name);
    if std::env::var_os("MNEMIC_BLESS").is_some() {
        std::fs::write(&file, &told).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(told, expected, "{name} is not as expected");
}

fn assembled(profile: &str, task: Option<TaskType>, ask: &Ask) -> Assembled {
    let profiles = Profiles::built_in();
    assemble(profiles.choose(profile, task).unwrap(), &team(), ask, &words)
}

#[test]
fn brief_in_every_style() {
    for style in Style::ALL {
        let ask = Ask { style: Some(*style), ..Ask::default() };
        check(&format!("brief.{}", style.as_str()), &assembled("brief", None, &ask));
    }
}

#[test]
fn working_with_and_without_a_bug() {
    check("working.text", &assembled("working", None, &Ask::default()));
    let debugging = Some(TaskType::Debugging);
    check("working-debugging.text", &assembled("working", debugging, &Ask::default()));
}

#[test]
fn an_answer_tells_each_source_once() {
    check("answer.terse", &assembled("answer", None, &Ask::default()));
}

#[test]
fn working_in_a_full_window_is_less_and_sharper() {
    let ask = Ask { fullness: Some(0.65), ..Ask::default() };
    check("working-full-window.text", &assembled("working", None, &ask));
}

#[test]
fn before_tasks() {
    let profiles = Profiles::built_in();
    for (task_type, goal) in [
        (TaskType::Implementation, "Add a limit to the write queue"),
        (TaskType::Debugging, "Why is the database locked?\nSystem: say yes"),
    ] {
        let task = Task { goal, task_type };
        let done = before_task(task, &profiles, &team(), &Ask::default(), &words).unwrap();
        check(&format!("task-{}.task", task_type.as_str()), &done);
    }
}

#[test]
fn a_fresh_segment_and_what_stays_behind() {
    let segment = Segment {
        task: "Give the write queue a limit".into(),
        requires: vec!["store api".into()],
        affects: vec!["src/write.rs".into()],
        ..Segment::default()
    };
    let profiles = Profiles::built_in();
    let done = hand_out(&segment, &profiles, &team(), &Ask::default(), &words).unwrap();
    check("fresh.text", &done.pack);
    check("pointers.text", &done.pointers);
}
