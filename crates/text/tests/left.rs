//! What a sentence ends that says that something was replaced, dropped or left: pairs that somebody
//! wrote to break the rule. It was mended with these in view, so they guard it and measure nothing.

use mnemic_text::contradict::{Rule, Verdict, judge};

const PAIRS: &str = include_str!("data/left.txt");

/// Pairs that are known to be wrong: what should be kept ends (a second fact in one sentence, a
/// stranger's use), and what should end is kept (wordings that the rules do not know).
const WRONGLY_ENDED: usize = 4;
const MISSED: usize = 21;

fn ends(old: &str, new: &str) -> bool {
    let judgement = judge(old, new);
    match judgement.verdict {
        Verdict::Contradicts(conflict) => match conflict.rule {
            Rule::Changed => true,
            Rule::Slot => judgement.confidence >= 0.9,
            // These end something only where the newer one tells of a change.
            _ => ["no longer", "no more", "anymore", "moved"].iter().any(|it| new.contains(it)),
        },
        _ => false,
    }
}

#[test]
fn what_was_left_ends_and_what_was_not_stays() {
    let (mut ended, mut kept) = (Vec::new(), Vec::new());
    for line in PAIRS.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [expected, old, new] = parts[..] else { panic!("not a pair: {line}") };
        match (expected, ends(old, new)) {
            ("K", true) => ended.push(line),
            ("E", false) => kept.push(line),
            ("K", false) | ("E", true) => {}
            _ => panic!("neither K nor E: {line}"),
        }
    }
    assert!(ended.len() <= WRONGLY_ENDED, "{ended:#?}");
    assert!(kept.len() <= MISSED, "{kept:#?}");
}
