//! Pairs of statements about one thing: what was said first, what was said later, what is asked. The
//! command line is asked the same with vectors.

use super::attribute::is_same;
use super::statement::{Said, serve_other_ends};
use mnemic_text::stems::query_terms;

const APART: &str = include_str!("../../tests/pairs/apart.txt");
const CHANGED: &str = include_str!("../../tests/pairs/changed.txt");

/// How near such pairs lie to one another, for the most part.
const NEAR: f32 = 0.8;

/// The pairs of which the later one replaces the first, and the others.
fn judged(pairs: &'static str) -> (Vec<&'static str>, Vec<&'static str>) {
    let pairs = pairs.lines().filter(|line| !line.starts_with('#'));
    pairs.partition(|line| {
        let [before, after, question] =
            line.split('|').collect::<Vec<_>>().try_into().expect("three parts");
        let asked = query_terms(question).into_iter().collect();
        is_same(&Said::by(after), &Said::by(before), &asked, NEAR)
    })
}

#[test]
fn who_tells_of_another_side_of_a_thing_replaces_nothing() {
    let (wrong, right) = judged(APART);
    assert!(right.len() >= 95 && wrong.len() <= 1, "{wrong:#?}");
}

/// The others name what was left, or are so near one another that nothing else counts.
#[test]
fn who_tells_how_it_is_now_replaces_what_was() {
    let (right, wrong) = judged(CHANGED);
    assert!(right.len() >= 57, "{} {wrong:#?}", right.len());
}

#[test]
fn what_a_thing_is_for_is_no_time() {
    for (one, other, expected) in [
        ("Use Terraform for DNS", "Use Pulumi instead of Terraform for the cluster", true),
        ("We use Redis for the job queue", "We replaced Redis for the queue of jobs", false),
        ("Logs are kept for 30 days", "Logs are now kept for two weeks", false),
        ("The demo is scheduled for Monday", "The demo is scheduled for Tuesday now", false),
        ("Use Terraform for DNS", "Use Pulumi", false),
    ] {
        assert_eq!(serve_other_ends(one, other), expected, "{one} / {other}");
    }
}
