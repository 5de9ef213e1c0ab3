//! Which memories get which place.

use super::sample::{fact, levels_of, offer, team, words};
use crate::context::{
    Ask, Empty, Injected, LeftOut, Level, Offer, Profiles, Role, assemble, hard_clear, soft_trim,
};
use serde_json::json;
use std::collections::BTreeMap;

fn brief(offers: &[Offer], budget: usize) -> crate::context::Assembled {
    let profiles = Profiles::built_in();
    let ask = Ask { budget: Some(budget), ..Ask::default() };
    assemble(profiles.choose("brief", None).unwrap(), offers, &ask, &words)
}

#[test]
fn gotchas_come_before_all_that_is_important() {
    let mut offers: Vec<Offer> = (0..12)
        .map(|n| {
            let mut offer = fact(&format!("fact-{n}"), 0.9, "Something of importance to us all");
            offer.importance = 1.0;
            offer
        })
        .collect();
    let mut gotcha = fact("fact-gotcha", 0.0, "Deploys only from main").also(Role::Gotcha);
    gotcha.importance = 0.1;
    offers.push(gotcha);
    let done = brief(&offers, 400);
    assert_eq!(done.shown[0].id.as_str(), "fact-gotcha");
    assert_eq!(done.shown[0].tier, "mandates");
}

#[test]
fn guardrails_need_a_score_and_references_take_the_rest() {
    let done = brief(&team(), 2_000);
    let tier_of = |id: &str| {
        let shown = done.shown.iter().find(|memory| memory.id.as_str() == id);
        shown.map(|memory| memory.tier.as_str())
    };
    assert_eq!(tier_of("anti-g1"), Some("guardrails"));
    // Too far from the question, and not vouched for.
    assert_eq!(tier_of("anti-g3"), Some("reference"));
    assert_eq!(tier_of("anti-g2"), Some("reference"));
    assert_eq!(tier_of("dec-m2"), Some("mandates"));
}

#[test]
fn what_a_tier_leaves_goes_on_and_what_the_last_leaves_goes_back() {
    let long = "word ".repeat(150);
    let done = brief(&[fact("fact-1", 0.9, &long)], 400);
    assert_eq!(levels_of(&done.shown), [("fact-1", Level::Full)]);
    assert!(done.tokens > 150, "a share alone would not hold it");
    let gotcha = fact("fact-1", 0.9, &long).also(Role::Gotcha);
    let done = brief(&[gotcha], 400);
    assert_eq!(done.shown[0].tier, "mandates");
    assert_eq!(done.shown[0].level, Level::Full);
}

#[test]
fn less_room_means_shorter_levels() {
    let decision = offer(
        "dec-1",
        0.9,
        json!({"kind": "decision", "decision": "Writes go through one queue in the store",
            "rationale": "two processes locked each other out for minutes. ".repeat(8)}),
    );
    let mut seen = Vec::new();
    for budget in (40..400).rev() {
        if let Some(shown) = brief(std::slice::from_ref(&decision), budget).shown.first() {
            seen.push(shown.level);
        }
    }
    seen.dedup();
    assert_eq!(seen, [Level::Full, Level::Summary, Level::Compressed]);
}

#[test]
fn tiny_budgets_give_no_text_and_say_why() {
    for budget in [0, 1, 20] {
        let done = brief(&team(), budget);
        assert_eq!((done.text.as_str(), done.tokens), ("", 0));
        assert_eq!(done.empty, Some(Empty::TooSmall { budget }));
        assert_eq!(done.left_out.len(), team().len());
    }
    assert_eq!(brief(&[], 400).empty, Some(Empty::NothingOffered));
    let unfit = offer(
        "con-1",
        0.9,
        json!({"kind": "contradiction", "a": "x", "b": "y",
        "detected_by": "r", "status": "open"}),
    );
    let done = brief(&[unfit], 400);
    assert_eq!(done.empty, Some(Empty::NothingSuits));
    assert_eq!(done.left_out[0].1, LeftOut::NoTier);
}

#[test]
fn a_record_is_shown_once_as_its_latest_version() {
    let old = fact("fact-1", 0.9, "port 5432");
    let mut new = fact("fact-1", 0.3, "port 5433");
    new.n = 2;
    let done = brief(&[old.clone(), new.clone(), old], 400);
    assert_eq!(done.shown.len(), 1);
    assert!(done.text.contains("5433") && !done.text.contains("5432"), "{}", done.text);
}

#[test]
fn a_fuller_window_gets_less_and_sharper() {
    let profiles = Profiles::built_in();
    let working = profiles.choose("working", None).unwrap();
    let offers: Vec<Offer> = (0..100)
        .map(|n| {
            let text = format!("decision number {n} about the store and its queue");
            fact(&format!("dec-{n}"), f64::from(n) / 100.0, &text).also(Role::Decision)
        })
        .collect();
    let mut before = (usize::MAX, usize::MAX);
    for fullness in [0.1, 0.4, 0.6, 0.9] {
        let ask = Ask { fullness: Some(fullness), ..Ask::default() };
        let done = assemble(working, &offers, &ask, &words);
        assert!((done.tokens, done.shown.len()) < before, "at {fullness}");
        before = (done.tokens, done.shown.len());
        if fullness >= 0.7 {
            assert!(done.left_out.iter().any(|(_, why)| *why == LeftOut::TooLow));
        }
    }
}

#[test]
fn what_is_at_hand_is_read_however_full_the_window_is() {
    let profiles = Profiles::built_in();
    let working = profiles.choose("working", None).unwrap();
    let ask = Ask { fullness: Some(0.95), ..Ask::default() };
    let done = assemble(working, &team(), &ask, &words);
    assert!(done.shown.iter().any(|memory| memory.id.as_str() == "con-1"), "{}", done.text);
}

#[test]
fn a_breath_of_score_does_not_change_the_text() {
    let plain = brief(&team(), 400);
    let mut faded = team();
    for offer in &mut faded {
        offer.score *= 0.999;
    }
    assert_eq!(brief(&faded, 400).text, plain.text);
}

#[test]
fn what_was_shown_can_be_trimmed_and_rendered_anew() {
    let profiles = Profiles::built_in();
    let profile = profiles.choose("brief", None).unwrap();
    let before = assemble(profile, &team(), &Ask::default(), &words);
    let injected: Vec<Injected> = before
        .shown
        .iter()
        .map(|shown| {
            let offer = team().into_iter().find(|offer| offer.id == shown.id).unwrap();
            Injected::of(&offer, shown, profile.style, &words)
        })
        .collect();
    let mut trims = soft_trim(&injected, 60);
    trims.extend(hard_clear(&injected[injected.len() - 1..], 1));
    let trimmed: BTreeMap<_, _> = trims.iter().map(|trim| (trim.id.clone(), trim.to)).collect();
    let ask = Ask { budget: Some(before.tokens), trimmed: trimmed.clone(), ..Ask::default() };
    let after = assemble(profile, &team(), &ask, &words);
    assert!(after.tokens + 60 <= before.tokens, "{} {}", after.tokens, before.tokens);
    for (id, to) in &trimmed {
        let shown = after.shown.iter().find(|memory| memory.id == *id);
        match to {
            None => assert_eq!(shown, None),
            Some(level) => assert!(shown.unwrap().level <= *level),
        }
    }
    assert!(after.left_out.iter().any(|(_, why)| *why == LeftOut::Trimmed));
}

fn answer(offers: &[Offer], budget: usize) -> crate::context::Assembled {
    let profiles = Profiles::built_in();
    let ask = Ask { budget: Some(budget), ..Ask::default() };
    assemble(profiles.choose("answer", None).unwrap(), offers, &ask, &words)
}

#[test]
fn answers_show_texts_whole_and_shorten_only_what_fits_nowhere() {
    let long = |n: usize| {
        let full: Vec<String> = (0..60).map(|word| format!("m{n}w{word}")).collect();
        fact(&format!("fact-{n}"), 0.9 - n as f64 / 10.0, &full.join(" "))
    };
    let offers: Vec<Offer> = (0..3).map(long).collect();
    let done = answer(&offers, 170);
    assert!(done.shown.iter().all(|memory| memory.level == Level::Full), "{}", done.text);
    assert_eq!(done.shown.len(), 2);
    let done = answer(&offers[..1], 50);
    assert!(done.shown.iter().any(|memory| memory.level < Level::Full), "{}", done.text);
}

#[test]
fn answers_put_the_best_before_what_is_merely_short() {
    let mut offers: Vec<Offer> =
        (0..9).map(|n| fact(&format!("fact-{n}"), 0.2, &format!("short {n}"))).collect();
    offers.push(fact("fact-best", 0.9, &"word ".repeat(60)));
    let done = answer(&offers, 100);
    assert!(done.shown.iter().any(|memory| memory.id.as_str() == "fact-best"), "{}", done.text);
}

#[test]
fn one_source_is_told_once_and_fills_the_budget_as_well() {
    let mut offers: Vec<Offer> = (0..30)
        .map(|n| fact(&format!("fact-{n}"), 0.9 - f64::from(n) / 100.0, &format!("says {n}")))
        .collect();
    for offer in offers.iter_mut().step_by(2) {
        offer.attribution.writer.name = "bob".into();
    }
    let done = answer(&offers, 120);
    for name in ["alice", "bob"] {
        assert_eq!(done.text.matches(name).count(), 1, "{}", done.text);
    }
    assert!(done.tokens > 105, "{} tokens of {}", done.tokens, done.budget);
}
