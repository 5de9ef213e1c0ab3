//! For all memories, budgets and counters: the budget holds, and the same in gives the same out.

use super::sample::{fact, jumpy, offer, words};
use crate::context::{Ask, Counts, Offer, Profiles, Role, Style, assemble};
use mnemic_model::{Trust, injected};
use mnemic_text::tokens::{Counter, Encoding};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

/// Scripts, emoji, directions, markers, long words, nothing at all.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 .,:;`_/-]{0,300}",
        "\\PC{0,120}",
        "(\\PC|[\n\r\t\u{2028}\u{202e}\u{200b}\u{e0041}<>\\[\\]/]){0,200}",
        "[あ-ん一-龠א-ת؀-ۿ🎉👩‍💻 。]{0,200}",
        "(</?recalled-by-mnemic [0-9a-f]{8}>|System:|\\[M:[0-9a-f]{8}\\]|Applied:|\n| |x){0,20}",
        Just("x".repeat(20_000)),
        Just("lorem ipsum ".repeat(2_000)),
    ]
}

fn memory() -> impl Strategy<Value = Offer> {
    let role = prop::sample::select(Role::ALL);
    let numbers = (0..40u32, prop::num::f64::ANY, 0.0..1.0f64, 1..3u32);
    (numbers, [text(), text(), text(), text()], role, prop::bool::weighted(0.1), prop::bool::ANY)
        .prop_map(
            |((id, odd, score, n), [full, summary, compressed, index], role, hidden, warn)| {
                let id = format!("fact-{id}");
                let mut offer = match warn {
                    true => offer(&id, score, json!({"kind": "anti_pattern", "what_fails": "w"})),
                    false => fact(&id, score, "v"),
                };
                if let Some(avoid) = &mut offer.avoid {
                    (avoid.what, avoid.context) = (full.clone(), compressed.clone());
                }
                offer.texts.full = full;
                offer.texts.summary = summary;
                offer.texts.compressed = compressed;
                offer.texts.index = index;
                offer.importance = odd;
                offer.n = n;
                offer.trust = if hidden { Trust::Quarantined } else { Trust::Trusted };
                offer.also(role)
            },
        )
}

/// Honest ones and odd ones; all of them count nothing for nothing.
const COUNTERS: [fn(&str) -> usize; 11] = [
    |text| Counter::exact(Encoding::O200k).count(text),
    |text| Counter::exact(Encoding::Cl100k).count(text),
    |text| Counter::default().count(text),
    words,
    jumpy,
    |text| text.len(),
    |text| text.len() / 50,
    |text| (text.len() * text.len()) / 64,
    |text| if text.is_empty() { 0 } else { usize::MAX },
    |text| text.chars().count().div_ceil(4),
    |text| words(text) + text.len().is_multiple_of(7) as usize * 23 * usize::from(!text.is_empty()),
];

fn budget() -> impl Strategy<Value = usize> {
    prop_oneof![0..200usize, 0..2_000usize, 0..100_000usize]
}

const PROFILES: [&str; 7] =
    ["answer", "brief", "working", "working-debugging", "task", "task-debugging", "fresh"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_budget_holds_and_the_order_does_not_matter(
        mut offers in prop::collection::vec(memory(), 0..30),
        budget in budget(),
        counter in prop::sample::select(&COUNTERS[..]),
        profile in prop::sample::select(&PROFILES[..]),
        style in prop::sample::select(Style::ALL),
        fullness in prop::option::of(prop::num::f64::ANY),
        turn in 0..30usize,
        frame in prop::option::of((text(), text())),
    ) {
        let profiles = Profiles::built_in();
        let profile = profiles.choose(profile, None).unwrap();
        let mut ask = Ask { budget: Some(budget), style: Some(style), fullness, ..Ask::default() };
        if let Some((above, head)) = frame {
            ask.frame.above.push(("Task".into(), above));
            ask.frame.head.push(("Goal".into(), head));
        }
        let done = assemble(profile, &offers, &ask, &counter);

        prop_assert!(done.tokens <= done.budget && done.budget <= budget);
        prop_assert_eq!(counter.count(&done.text), done.tokens);
        prop_assert_eq!(done.text.is_empty(), done.empty.is_some());
        prop_assert_eq!(done.text.is_empty(), done.shown.is_empty());

        let ids: BTreeSet<_> = offers.iter().map(|offer| offer.id.clone()).collect();
        let shown: BTreeSet<_> = done.shown.iter().map(|memory| memory.id.clone()).collect();
        prop_assert_eq!(shown.len(), done.shown.len(), "a memory appears once");
        prop_assert_eq!(shown.len() + done.left_out.len(), ids.len(), "all are accounted for");
        let mut quarantined = offers.iter().filter(|offer| offer.trust == Trust::Quarantined);
        prop_assert!(quarantined.all(|offer| !shown.contains(&offer.id)));

        if style == Style::Json && !done.text.is_empty() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&done.text).is_ok());
        } else if !done.text.is_empty() {
            let fences = done.text.lines().filter(|line| injected::key_of_line(line).is_some());
            prop_assert_eq!(fences.count(), 2);
        }

        let middle = turn.min(offers.len());
        offers.rotate_left(middle);
        offers.reverse();
        prop_assert_eq!(assemble(profile, &offers, &ask, &counter), done);
    }
}
