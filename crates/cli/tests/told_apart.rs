//! Through the real binary and its model: what is told later about a thing answers only for the side of
//! it that it tells. `cargo test -p mnemic-cli --test told_apart -- --nocapture` prints the figures.

use mnemic_testkit::{Mnemic, answer_to};
use serde_json::json;

const APART: &str = include_str!("../../recall/tests/pairs/apart.txt");
const CHANGED: &str = include_str!("../../recall/tests/pairs/changed.txt");

struct Pair {
    before: &'static str,
    after: &'static str,
    question: &'static str,
}

fn pairs(text: &'static str) -> Vec<Pair> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let pair = |line: &'static str| {
        let [before, after, question] =
            line.split('|').collect::<Vec<_>>().try_into().expect("three parts");
        Pair { before, after, question }
    };
    lines.map(pair).collect()
}

/// Whether the program was built with weights.
fn has_weights() -> bool {
    let told = Mnemic::new(env!("CARGO_BIN_EXE_mnemic")).run(["doctor", "--json"]).json();
    let mut checkups = told["checkups"].as_array().into_iter().flatten();
    let is_there = checkups.any(|one| one["name"] == "meaning" && one["severity"] == "good");
    if !is_there {
        eprintln!("skipped: there are no weights; run `scripts/weights`");
    }
    is_there
}

/// All that was said first, then all that was said later, then every question: how many are answered by
/// `right` first.
fn answered(pairs: &[Pair], right: impl Fn(&Pair) -> &'static str) -> usize {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    mnemic.ok(["init"]);
    let said: [fn(&Pair) -> &'static str; 2] = [|pair| pair.before, |pair| pair.after];
    for said in said {
        let line = |pair: &Pair| json!({"kind": "pattern", "statement": said(pair)}).to_string();
        let lines: Vec<String> = pairs.iter().map(line).collect();
        let mut command = mnemic.command(["remember", "-"]);
        let stored = answer_to(command.env("MNEMIC_MEANING_MODEL", "local"), &lines.join("\n"));
        assert_eq!(stored.code, Some(0), "{}", stored.err);
    }
    let is_right = |pair: &&Pair| {
        let mut command = mnemic.command(["recall", pair.question, "--no-usage", "--json"]);
        let told = answer_to(command.env("MNEMIC_MEANING_MODEL", "local"), "").json();
        let is_right = told["found"][0]["text"] == right(pair);
        if !is_right {
            eprintln!("{}: {}", pair.question, told["found"][0]["text"]);
        }
        is_right
    };
    pairs.iter().filter(is_right).count()
}

#[test]
fn what_tells_another_side_of_a_thing_is_no_answer() {
    if !has_weights() {
        return;
    }
    let pairs = pairs(APART);
    let right = answered(&pairs, |pair| pair.before);
    eprintln!("told apart: {right} of {}", pairs.len());
    assert!(right >= 92, "{right} of {}", pairs.len());
}

#[test]
fn what_tells_how_it_is_now_is_the_answer() {
    if !has_weights() {
        return;
    }
    let pairs = pairs(CHANGED);
    let right = answered(&pairs, |pair| pair.after);
    eprintln!("replaced: {right} of {}", pairs.len());
    assert!(right >= 54, "{right} of {}", pairs.len());
}
