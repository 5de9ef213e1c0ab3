//! An export that loses something on its way back in, or a broken one that comes in half.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::draft::About;
use mnemic_engine::model::{At, Filter, Relation, Unit};
use mnemic_engine::{Engine, Imported, Note, StoreName};
use mnemic_testkit::generate::{Dice, drafts, lived_in};
use mnemic_testkit::{Home, at, size};

const STORES: [StoreName; 2] = [StoreName::Project, StoreName::User];

fn exported(engine: &Engine, store: StoreName) -> String {
    let mut out = Vec::new();
    engine.export(store, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn import(engine: &Engine, store: StoreName, bytes: &[u8]) -> mnemic_engine::Result<Imported> {
    let mut input = bytes;
    // Generated text is hostile, and here a person stands for it.
    let note = Note { vouched: true, ..Note::default() };
    engine.import(store, &mut input, &note, &mut |_| ())
}

/// The first place at which two exports differ, for a message that can be read.
fn first_difference(before: &str, after: &str) -> Option<String> {
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| {
        let from = text.floor_char_boundary(same.saturating_sub(60));
        let to = text.floor_char_boundary(same + 60);
        text[from.min(text.len())..to].to_owned()
    };
    (before != after).then(|| format!("…{}… became …{}…", part(before), part(after)))
}

#[test]
fn an_export_taken_in_by_an_empty_store_is_exported_again_byte_by_byte() {
    let n = size(1_000, 10_000);
    let home = Home::new();
    let engine = home.engine();
    let began = std::time::Instant::now();
    lived_in(&home, &engine, 1, n);
    let lived = began.elapsed();
    let mut lines = 0;
    for store in STORES {
        let before = exported(&engine, store);
        assert!(engine.verify(store).unwrap().findings.is_empty());
        let other = Home::new();
        let second = other.engine();
        let landed = import(&second, store, before.as_bytes()).unwrap();
        assert_eq!(landed.skipped, Vec::<String>::new(), "{store}");
        let after = exported(&second, store);
        assert_eq!(first_difference(&before, &after), None, "{store}");
        assert!(second.verify(store).unwrap().findings.is_empty(), "{store}");
        let again = import(&second, store, before.as_bytes()).unwrap();
        assert_eq!((again.records, again.links), (0, 0), "{store}: twice is once");
        assert_eq!(first_difference(&before, &exported(&second, store)), None, "{store}: twice");
        lines += before.lines().count();
    }
    eprintln!(
        "round trip: {n} memories, {lines} lines, identical (made in {lived:.1?}, all in {:.1?})",
        began.elapsed()
    );
}

#[test]
fn a_link_from_a_machine_whose_clock_is_ahead_can_be_taken_away() {
    let home = Home::new();
    let engine = home.engine();
    let made = drafts(5, 40);
    let made: Vec<_> =
        made.into_iter().filter(|draft| draft.body.slot().is_none()).take(2).collect();
    let mut ids = Vec::new();
    for mut draft in made {
        draft.about = About::default();
        ids.push(engine.remember(draft, &Note::default()).unwrap().id);
    }
    let without = exported(&engine, StoreName::Project);
    home.clock.tick(3_600);
    let note = Note::default();
    engine.link(ids[0].as_str(), Relation::Supports, ids[1].as_str(), Unit::ONE, &note).unwrap();
    let with = exported(&engine, StoreName::Project);
    let other = Home::new();
    let second = other.engine();
    import(&second, StoreName::Project, without.as_bytes()).unwrap();
    assert_eq!(import(&second, StoreName::Project, with.as_bytes()).unwrap().links, 1);
    second.unlink(ids[0].as_str(), Relation::Supports, ids[1].as_str(), &note).unwrap();
    assert!(second.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn what_is_believed_survives_the_trip_to_a_machine_whose_clock_is_behind() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 2, 120);
    let before = exported(&engine, StoreName::Project);
    let other = Home::new();
    other.clock.set(at("2001-01-01T00:00:00Z"));
    let second = other.engine();
    import(&second, StoreName::Project, before.as_bytes()).unwrap();
    let filter = Filter::new(At::LATEST);
    for item in second.list(&filter).unwrap().items {
        let id = item.version.id.as_str();
        second.pin(id, !item.version.content.pinned, &Note::default()).unwrap();
        for link in second.show(id, At::LATEST).unwrap().links {
            let ends = (link.from.as_str(), link.to.as_str());
            second.unlink(ends.0, link.relation, ends.1, &Note::default()).unwrap();
        }
    }
    assert!(second.verify(StoreName::Project).unwrap().findings.is_empty());
}

/// One way to spoil an export.
fn spoil(dice: &mut Dice, export: &[u8]) -> Vec<u8> {
    let mut bytes = export.to_vec();
    let place = dice.below(bytes.len());
    match dice.below(8) {
        0 => bytes.truncate(place),
        1 => bytes[place] ^= 1 << dice.below(8),
        2 => bytes[place] = dice.bits() as u8,
        3 => drop(bytes.drain(place..(place + dice.below(400)).min(export.len()))),
        4 => {
            let from = dice.below(bytes.len());
            let piece = bytes[from..(from + dice.below(3_000)).min(export.len())].to_vec();
            bytes.splice(place..place, piece);
        }
        5 => {
            let mut lines: Vec<&[u8]> = export.split_inclusive(|byte| *byte == b'\n').collect();
            let (a, b) = (1 + dice.below(lines.len() - 1), 1 + dice.below(lines.len() - 1));
            lines.swap(a, b);
            bytes = lines.concat();
        }
        6 => {
            let mut lines: Vec<&[u8]> = export.split_inclusive(|byte| *byte == b'\n').collect();
            let out = dice.below(lines.len());
            if dice.once_in(2) {
                lines.remove(out);
            } else {
                lines.insert(out, lines[out]);
            }
            bytes = lines.concat();
        }
        _ => {
            let text = String::from_utf8(bytes).unwrap();
            let (old, new) = *dice.pick(&[
                ("\"n\":2", "\"n\":4294967295"),
                ("\"n\":1,", "\"n\":0,"),
                ("2026-", "9999-"),
                ("2026-", "-009999-"),
                ("\"change\":\"chg-", "\"change\":\"chg-x"),
                ("\"kind\":\"fact\"", "\"kind\":\"entity\""),
                ("\"importance\":", "\"importance\":-"),
                ("\"scope\":\"project\"", "\"scope\":\"user\""),
                ("\"key\":\"key.1", "\"key\":\"key.2"),
                ("\"expired_at\"", "\"unknown\""),
                ("№", "\\ud800"),
                ("№", "\\u0000"),
            ]);
            let times = 1 + dice.below(3);
            bytes = text.replacen(old, new, times).into_bytes();
        }
    }
    bytes
}

#[test]
fn a_spoilt_export_names_what_it_lost_and_leaves_nothing_half() {
    let n = size(40, 3_000);
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 3, 60);
    let export = exported(&engine, StoreName::Project);
    let (mut refused, mut named, mut whole) = (0, 0, 0);
    for seed in 0..n as u64 {
        let spoilt = spoil(&mut Dice::new(seed), export.as_bytes());
        let other = Home::new();
        let second = other.engine();
        match import(&second, StoreName::Project, &spoilt) {
            Err(error) => {
                assert_ne!(error.kind.code(), "internal", "seed {seed}: {error:?}");
                refused += 1;
            }
            Ok(landed) if landed.skipped.is_empty() => whole += 1,
            Ok(landed) => {
                assert!(landed.skipped.iter().all(|line| line.starts_with("line ")), "{seed}");
                named += 1;
            }
        }
        let report = second.verify(StoreName::Project).unwrap();
        assert!(report.findings.is_empty(), "seed {seed}: {:?}", report.findings);
        // Whatever came in goes on: it reads, it can be written to, and it travels again.
        if seed % 4 > 0 {
            continue;
        }
        let again = exported(&second, StoreName::Project);
        let third = Home::new();
        let landed = import(&third.engine(), StoreName::Project, again.as_bytes()).unwrap();
        assert!(landed.skipped.is_empty(), "seed {seed}: {:?}", landed.skipped);
    }
    eprintln!("spoilt exports: {n}, {refused} refused, {named} with lines named, {whole} harmless");
}
