//! A clock that jumps, runs backwards, or has never been set.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Fact, Ledger};
use mnemic_engine::model::{At, Draft, Filter, Kind, Patch, Timestamp, Truth, Version};
use mnemic_engine::{Engine, Note, StoreName};
use mnemic_testkit::generate::Dice;
use mnemic_testkit::{Home, at, size};
use std::collections::{BTreeMap, BTreeSet};

fn fact(key: usize, value: String) -> Draft {
    Draft::new(Body::Fact(Fact { key: format!("k{key}"), value, ..Fact::default() }))
}

/// Where clocks have been seen: unset, ahead by decades, back by hours for a changed zone.
fn odd_time(dice: &mut Dice, now: Timestamp) -> Timestamp {
    match dice.below(10) {
        0 => at("1970-01-01T00:00:00Z"),
        1 => at("9999-01-01T00:00:00Z"),
        2 => at("1969-12-31T23:59:59.999999Z"),
        3 => at("-000044-03-15T12:00:00Z"),
        4 => now.plus_seconds(14 * 3600),
        5 => now.plus_seconds(-12 * 3600),
        6 => now.plus_seconds(-3600),
        7 => now,
        _ => dice.time(),
    }
}

fn all_versions(engine: &Engine) -> Vec<Version> {
    let kinds = Kind::ALL.to_vec();
    let mut ids = BTreeSet::new();
    let audit = engine.audit(StoreName::Project, 0, usize::MAX).unwrap();
    ids.extend(audit.iter().flat_map(|entry| entry.subject.split(' ').map(str::to_owned)));
    let listed = engine.list(&Filter { kinds, ..Filter::new(At::LATEST) }).unwrap();
    ids.extend(listed.items.iter().map(|item| item.version.id.to_string()));
    let histories = ids.iter().filter_map(|id| engine.history(id, None).ok());
    histories.flatten().map(|event| event.version).collect()
}

/// Everything that must hold of both time lines, whatever the clock did.
fn check_times(engine: &Engine, seed: u64) -> usize {
    let audit = engine.audit(StoreName::Project, 0, usize::MAX).unwrap();
    for pair in audit.windows(2) {
        assert!(pair[0].at < pair[1].at, "seed {seed}: audit {} and {}", pair[0].at, pair[1].at);
    }
    let versions = all_versions(engine);
    let mut recorded = BTreeSet::new();
    for version in &versions {
        assert!(recorded.insert(version.recorded.from()), "seed {seed}: {version:?}");
        for interval in [&version.recorded, &version.content.valid] {
            assert!(interval.to().is_none_or(|end| end > interval.from()), "seed {seed}");
        }
    }
    let mut by_record: BTreeMap<&str, Vec<&Version>> = BTreeMap::new();
    for version in &versions {
        by_record.entry(version.id.as_str()).or_default().push(version);
    }
    for history in by_record.values() {
        for pair in history.windows(2) {
            let ends = pair[0].recorded.to().unwrap();
            assert!(ends <= pair[1].recorded.from(), "seed {seed}: believed twice at one time");
        }
    }
    check_slots(&versions, seed);
    versions.len()
}

/// No two records hold a slot at one (valid, known) point: intervals of both lines never overlap.
fn check_slots(versions: &[Version], seed: u64) {
    let mut by_slot: BTreeMap<_, Vec<&Version>> = BTreeMap::new();
    for version in versions {
        if let Some(slot) = version.content.slot() {
            by_slot.entry((slot, version.content.scope.level)).or_default().push(version);
        }
    }
    for holders in by_slot.values() {
        for (index, a) in holders.iter().enumerate() {
            for b in holders[index + 1..].iter().filter(|b| b.id != a.id) {
                let twice =
                    a.recorded.overlaps(&b.recorded) && a.content.valid.overlaps(&b.content.valid);
                assert!(!twice, "seed {seed}: one slot held twice\n{a:?}\n{b:?}");
            }
        }
    }
}

fn one_step(engine: &Engine, dice: &mut Dice, step: usize) {
    let note = Note::default();
    match dice.below(10) {
        0..=5 => {
            let mut draft = match dice.once_in(6) {
                true => Draft::new(Body::Ledger(Ledger {
                    agent_id: format!("agent {}", dice.below(2)),
                    tasks_completed: step as u64,
                    ..Ledger::default()
                })),
                false => fact(dice.below(3), format!("value {step}")),
            };
            if dice.once_in(2) {
                let from = dice.time();
                draft.about.valid_at = Some(from);
                let end = from.plus_seconds(dice.between(1, 1_000_000_000));
                draft.about.invalid_at = (end > from && dice.once_in(2)).then_some(end);
            }
            engine.remember(draft, &note).unwrap();
        }
        6..=8 => {
            let items = engine.list(&Filter::new(At::LATEST)).unwrap().items;
            if items.is_empty() {
                return;
            }
            let id = dice.pick(&items).version.id.clone();
            let mut patch = Patch { pinned: Some(dice.once_in(2)), ..Patch::default() };
            if dice.once_in(3) {
                patch.valid_at = Some(dice.time());
                patch.invalid_at = Some(None);
            }
            engine.edit(id.as_str(), &patch, &note).unwrap();
        }
        _ => drop(engine.undo(None, &note)),
    }
}

#[test]
fn recorded_time_goes_forward_and_no_slot_is_held_twice_whatever_the_clock_says() {
    let cases = size(12, 400) as u64;
    let mut versions = 0;
    for seed in 0..cases {
        let home = Home::new();
        let engine = home.engine();
        let mut dice = Dice::new(seed);
        for step in 0..40 {
            home.clock.set(odd_time(&mut dice, mnemic_engine::model::Clock::now(&*home.clock)));
            one_step(&engine, &mut dice, step);
        }
        versions += check_times(&engine, seed);
        let report = engine.verify(StoreName::Project).unwrap();
        assert!(report.findings.is_empty(), "seed {seed}: {:?}", report.findings);
    }
    eprintln!("R12: {cases} lives with odd clocks, {versions} versions, strictly in order");
}

#[test]
fn a_memory_told_before_1970_is_found_where_it_was_told() {
    let home = Home::new();
    let engine = home.engine();
    home.clock.set(at("1969-07-20T20:17:40Z"));
    let id = engine.remember(fact(0, "landed".into()), &Note::default()).unwrap().id;
    let when = |time: &str| At { truth: Truth::At(at(time)), known: Some(at(time)) };
    assert!(engine.list(&Filter::new(when("1969-07-20T20:17:39Z"))).unwrap().items.is_empty());
    assert_eq!(engine.list(&Filter::new(when("1969-07-21T00:00:00Z"))).unwrap().items.len(), 1);
    home.clock.set(at("1969-07-20T00:00:00Z"));
    engine.pin(id.as_str(), true, &Note::default()).unwrap();
    assert_eq!(check_times(&engine, 0), 2);
}

/// The last point that a calendar shows.
fn last_moment() -> Timestamp {
    let (mut inside, mut outside) = (253_402_000_000_000_000, i64::MAX);
    while outside - inside > 1 {
        let middle = inside + (outside - inside) / 2;
        match Timestamp::from_micros(middle) {
            Ok(_) => inside = middle,
            Err(_) => outside = middle,
        }
    }
    Timestamp::from_micros(inside).unwrap()
}

#[test]
fn at_the_calendars_end_writing_is_refused_or_goes_on_in_order() {
    let home = Home::new();
    let engine = home.engine();
    let kept = engine.remember(fact(0, "from before".into()), &Note::default()).unwrap().id;
    let end = last_moment();
    assert_eq!(end.next(), end);
    home.clock.set(end);
    for step in 0..5 {
        for answer in [
            engine.remember(fact(1, format!("value {step}")), &Note::default()).map(drop),
            engine.pin(kept.as_str(), step % 2 == 0, &Note::default()).map(drop),
        ] {
            if let Err(error) = answer {
                assert_ne!(error.kind.code(), "internal", "step {step}: {error:?}");
            }
        }
    }
    home.clock.set(at("2026-02-01T00:00:00Z"));
    let after = engine.pin(kept.as_str(), true, &Note::default());
    assert!(after.is_ok(), "one bad moment of a clock stops all later writes: {after:?}");
    check_times(&engine, 0);
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}
