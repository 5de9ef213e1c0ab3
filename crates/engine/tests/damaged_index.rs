//! Derived data that is damaged, and the drill of coming back from a backup.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

mod pages;

use mnemic_engine::model::body::{Body, Fact};
use mnemic_engine::model::{At, Content, Draft, Filter, Interval, Kind, Patch, RecordId, Version};
use mnemic_engine::{Engine, ErrorKind, Note, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, size};
use pages::{Pages, Tree};
use std::collections::BTreeMap;

const STORE: StoreName = StoreName::Project;

fn exported(engine: &Engine) -> String {
    let mut out = Vec::new();
    engine.export(STORE, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn found(engine: &Engine, words: &str) -> Vec<RecordId> {
    let filter = Filter { words: Some(words.into()), ..Filter::new(At::LATEST) };
    let mut ids: Vec<RecordId> =
        engine.list(&filter).unwrap().items.into_iter().map(|item| item.version.id).collect();
    ids.sort();
    ids
}

fn fact(key: impl Into<String>, value: impl Into<String>) -> Draft {
    Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
}

/// Damages leaves of one derived tree: zeroes, garbage or single flips.
fn damage(pages: &Pages, tree: &Tree, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = pages.bytes.clone();
    let leaves = pages.leaves(tree);
    let page = pages.range_of(*dice.pick(&leaves));
    match dice.below(3) {
        0 => bytes[page].fill(0),
        1 => bytes[page].iter_mut().for_each(|byte| *byte = dice.bits() as u8),
        _ => {
            let rows: Vec<_> = pages.rows(tree).into_iter().filter(|row| !row.is_empty()).collect();
            for _ in 0..3 {
                let row = dice.pick(&rows).clone();
                bytes[row.start + dice.below(row.len())] ^= 1 << dice.below(8);
            }
        }
    }
    bytes
}

#[test]
fn damaged_words_and_indexes_are_named_as_derived_and_made_anew_from_rows() {
    let cases = size(40, 600) as u64;
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 9, 60);
    for n in 0..40 {
        let value = format!("the unmistakable pelican number {n}");
        engine.remember(fact(format!("pelican.{n}"), value), &Note::default()).unwrap();
    }
    let whole = exported(&engine);
    let pelicans = found(&engine, "unmistakable pelican");
    assert_eq!(pelicans.len(), 40);
    let path = engine.path_of(STORE).unwrap();
    drop(engine);
    let pages = Pages::read(&path);
    let derived: Vec<Tree> = pages
        .trees()
        .into_iter()
        .filter(|tree| !tree.is_table || tree.name.starts_with("words"))
        .filter(|tree| pages.rows(tree).iter().any(|row| !row.is_empty()))
        .collect();
    let mut harmless = 0;
    let mut problems = Vec::new();
    for seed in 0..cases {
        let mut dice = Dice::new(seed);
        let tree = dice.pick(&derived).clone();
        std::fs::write(&path, damage(&pages, &tree, &mut dice)).unwrap();
        match repaired(&home, &whole, &pelicans) {
            Ok(findings) => harmless += usize::from(findings == 0),
            Err(problem) => problems.push(format!("seed {seed}, {}: {problem}", tree.name)),
        }
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(path.with_file_name(format!("memory.db{suffix}")));
        }
    }
    eprintln!(
        "R9: {cases} damages to derived data, {harmless} harmless, {} not repaired",
        problems.len()
    );
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Lets the doctor at a store of which only derived data is damaged; how much was found wrong.
fn repaired(home: &Home, whole: &str, pelicans: &[RecordId]) -> Result<usize, String> {
    let settings = home.settings();
    let engine = Engine::open(settings.clone()).map_err(|e| format!("does not open: {e:?}"))?;
    let findings = engine.verify(STORE).map_err(|e| format!("verify failed: {e:?}"))?.findings;
    drop(engine);
    if let Some(row) = findings.iter().find(|finding| !finding.derived) {
        return Err(format!("no row was touched, and yet: {}: {}", row.place, row.problem));
    }
    let checkups = Engine::doctor(&settings, true);
    let engine = Engine::open(settings).map_err(|e| format!("does not open again: {e:?}"))?;
    let left = engine.verify(STORE).map_err(|e| format!("{e:?}"))?.findings;
    if let Some(left) = left.first() {
        let told: Vec<_> = checkups.iter().filter(|c| c.name.ends_with("indexes")).collect();
        return Err(format!("still {}: {} ({told:?})", left.place, left.problem));
    }
    if exported(&engine) != whole {
        return Err("rows changed".into());
    }
    match found(&engine, "unmistakable pelican") == pelicans {
        true => Ok(findings.len()),
        false => Err("its words are not found".into()),
    }
}

/// Every version of every record by id, as one engine sees them.
fn histories(engine: &Engine, ids: &[RecordId]) -> BTreeMap<RecordId, Vec<Version>> {
    let versions = |id: &RecordId| -> Vec<Version> {
        let events = engine.history(id.as_str(), None).unwrap_or_default();
        events.into_iter().map(|event| event.version).collect()
    };
    ids.iter().map(|id| (id.clone(), versions(id))).collect()
}

type Said = (u32, Interval, Content);

/// What versions say and when, without the changes that made them.
fn words(histories: &BTreeMap<RecordId, Vec<Version>>) -> Vec<(&RecordId, Vec<Said>)> {
    let said = |version: &'_ Version| (version.n, version.recorded, version.content.clone());
    histories.iter().map(|(id, all)| (id, all.iter().map(said).collect())).collect()
}

/// Backs a store up, lives on with it, and zeroes leaves of its tables.
fn drill(seed: u64, table: &str) {
    let mut dice = Dice::new(seed);
    let home = Home::new();
    let engine = home.engine();
    let note = Note::default();
    let tell = |n: usize, value: String| engine.remember(fact(format!("k{n}"), value), &note);
    let text = "and a longer text so that rows fill their pages soon enough ".repeat(4);
    let mut ids = Vec::new();
    for n in 0..60 {
        home.clock.tick(5);
        ids.push(tell(n, format!("value {n} {text}")).unwrap().id);
    }
    let made = engine.backup(STORE, None).unwrap();
    let backed_up = histories(&engine, &ids);
    for n in 0..60 {
        home.clock.tick(5);
        match dice.below(4) {
            0 => ids.push(tell(100 + n, format!("later {n} {text}")).unwrap().id),
            1 => ids.push(tell(dice.below(60), format!("instead {n} {text}")).unwrap().id),
            2 => {
                let patch = Patch { add_tags: vec![format!("t{n}")], ..Patch::default() };
                drop(engine.edit(dice.pick(&ids).as_str(), &patch, &note));
            }
            _ => drop(engine.pin(dice.pick(&ids).as_str(), n % 2 == 0, &note)),
        }
    }
    let before = histories(&engine, &ids);
    let path = engine.path_of(STORE).unwrap();
    drop(engine);
    let pages = Pages::read(&path);
    let tree = pages.tree(table);
    let mut bytes = pages.bytes.clone();
    let page = *dice.pick(&pages.leaves(&tree));
    bytes[pages.range_of(page)].fill(0);
    // The text of what was not hit is still in the file, and must come out of it.
    let untouched = |version: &Version| {
        let Body::Fact(fact) = &version.content.body else { unreachable!() };
        let needle = fact.value.as_bytes();
        bytes.windows(needle.len()).any(|window| window == needle)
    };
    std::fs::write(&path, &bytes).unwrap();
    let what = format!("seed {seed}: page {page} of {table}");

    let restored = Engine::restore(&home.settings(), STORE, None);
    let restored = restored.unwrap_or_else(|error| panic!("{what}: {error:?}"));
    assert_eq!(restored.from.as_ref(), Some(&made.path), "{what}");
    let engine = home.engine();
    let after = histories(&engine, &ids);
    for (id, versions) in &backed_up {
        let now: Vec<_> = after[id].iter().map(|v| (v.n, &v.content.body)).collect();
        for version in versions {
            let kept = now.contains(&(version.n, &version.content.body));
            assert!(kept, "{what}: {id} v{} of the backup is gone: {now:?}", version.n);
        }
    }
    if table == "version" {
        for (id, versions) in before.iter().filter(|(id, _)| !backed_up.contains_key(*id)) {
            let first = versions.first().unwrap();
            assert!(
                !untouched(first) || !after[id].is_empty(),
                "{what}: {id} was not hit and is gone"
            );
        }
    } else if table == "change" {
        assert_eq!(words(&before), words(&after), "{what}: no version was hit");
    } else if table != "record" {
        assert_eq!(before, after, "{what}: no version was hit");
    }
    let findings = engine.verify(STORE).unwrap().findings;
    // What is gone for good is named for good: a hole in a history or in the audit chain.
    let holes = |problem: &str| problem == "versions are missing from its history";
    let honest =
        findings.iter().all(|f| f.place == "audit" || table == "version" && holes(&f.problem));
    assert!(honest, "{what}: {findings:?}");
    // It is a store like any other: it takes new memories and finds them.
    engine.remember(fact("new", "albatross"), &note).unwrap();
    assert_eq!(found(&engine, "albatross").len(), 1, "{what}");
}

fn drills(table: &str) {
    let cases = size(8, 150) as u64;
    let failed = (0..cases)
        .filter(|seed| std::panic::catch_unwind(|| drill(*seed, table)).is_err())
        .collect::<Vec<_>>();
    eprintln!("R9: {cases} restores after a page of `{table}` was zeroed, failed: {failed:?}");
    assert!(failed.is_empty());
}

#[test]
fn a_zeroed_page_of_versions_costs_at_most_what_lay_on_it_alone() {
    drills("version");
}

#[test]
fn a_zeroed_page_of_records_costs_at_most_what_lay_on_it_alone() {
    drills("record");
}

#[test]
fn a_zeroed_page_of_changes_costs_at_most_what_lay_on_it_alone() {
    drills("change");
}

#[test]
fn a_zeroed_page_of_the_audit_chain_costs_no_memory() {
    drills("audit");
}

type Harm = fn(&mut Pages);

fn whole(pages: &Pages) -> usize {
    pages.bytes.len() / pages.range_of(1).len()
}

fn cut_behind(pages: &mut Pages, last: usize) {
    let end = pages.range_of(last).end;
    pages.bytes.truncate(end);
}

/// How many facts come back of a store without a backup that is harmed, and how many it had.
fn back_from(harm: Harm) -> (usize, usize) {
    let home = Home::new();
    let engine = home.engine();
    let facts = |of: std::ops::Range<usize>| {
        of.map(|n| fact(format!("key {n}"), format!("the {n}th of many things worth knowing")))
    };
    for batch in 0..10 {
        let drafts = facts(batch * 100..batch * 100 + 100).collect();
        for told in engine.remember_each(drafts, &Note::default()).unwrap() {
            told.unwrap();
        }
    }
    let path = engine.path_of(STORE).unwrap();
    drop(engine);
    let mut pages = Pages::read(&path);
    harm(&mut pages);
    std::fs::write(&path, &pages.bytes).unwrap();

    let restored = Engine::restore(&home.settings(), STORE, None).unwrap();
    let aside = restored.kept_aside.unwrap();
    assert_eq!(std::fs::read(&aside).unwrap(), pages.bytes, "the damaged file was changed");
    let beside: Vec<_> = std::fs::read_dir(aside.parent().unwrap()).unwrap().flatten().collect();
    let drafts = beside.iter().filter(|at| at.file_name().to_string_lossy().contains("restore"));
    assert_eq!(drafts.count(), 0, "something was left behind: {beside:?}");
    let engine = home.engine();
    let list = Filter { limit: 2_000, ..Filter::new(At::LATEST) };
    let back = engine.list(&list).unwrap().items.len();
    engine.remember(fact("new", "albatross"), &Note::default()).unwrap();
    assert_eq!(found(&engine, "albatross").len(), 1, "a store like any other");
    (back, 1_000)
}

#[test]
fn a_file_that_was_cut_off_gives_back_what_lay_before_the_cut() {
    let cuts: [(&str, Harm); 4] = [
        ("one page", |pages| cut_behind(pages, whole(pages) - 1)),
        ("three pages", |pages| cut_behind(pages, whole(pages) - 3)),
        ("a tenth", |pages| cut_behind(pages, whole(pages) - whole(pages) / 10)),
        ("the end of the versions", |pages| {
            let last = *pages.leaves(&pages.tree("version")).last().unwrap();
            cut_behind(pages, last - 1);
        }),
    ];
    for (what, cut) in cuts {
        let (back, all) = back_from(cut);
        eprintln!("R9: {what} cut off: {back} of {all} facts came back");
        assert!(back * 10 >= all * 8, "{what}: {back} of {all}");
    }
}

#[test]
fn what_lies_between_two_pages_that_are_gone_comes_back() {
    let (back, all) = back_from(|pages| {
        let leaves = pages.leaves(&pages.tree("version"));
        // Without the last one nobody knows how far the table went.
        for leaf in [leaves[leaves.len() / 3], *leaves.last().unwrap()] {
            let page = pages.range_of(leaf);
            pages.bytes[page].fill(0);
        }
    });
    assert!(back * 10 >= all * 9, "{back} of {all}");
}

#[test]
fn garbage_without_a_backup_is_left_as_it_is() {
    for seed in 0..size(10, 100) as u64 {
        let home = Home::new();
        drop(home.engine());
        let path = home.project_dir().join("memory.db");
        let mut dice = Dice::new(seed);
        let garbage: Vec<u8> = (0..dice.below(40_000)).map(|_| dice.bits() as u8).collect();
        std::fs::write(&path, &garbage).unwrap();
        let refused = Engine::restore(&home.settings(), STORE, None);
        let kind = refused.map(|_| ()).map_err(|error| error.kind);
        assert_eq!(kind, Err(ErrorKind::Damaged), "seed {seed}");
        assert_eq!(std::fs::read(&path).unwrap(), garbage, "seed {seed}: the file was changed");
        let bad = Engine::doctor(&home.settings(), true);
        assert!(bad.iter().any(|c| c.severity == mnemic_engine::Severity::Bad), "seed {seed}");
        assert_eq!(std::fs::read(&path).unwrap(), garbage, "seed {seed}: doctor changed it");
    }
}

#[test]
fn everything_of_every_kind_comes_back_from_a_backup() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 10, 200);
    let kinds = Kind::ALL.to_vec();
    let listed = |engine: &Engine| {
        engine.list(&Filter { kinds: kinds.clone(), ..Filter::new(At::LATEST) }).unwrap().items
    };
    let (before, export) = (listed(&engine), exported(&engine));
    engine.backup(STORE, None).unwrap();
    let path = engine.path_of(STORE).unwrap();
    drop(engine);
    std::fs::write(&path, b"not a database at all").unwrap();
    let restored = Engine::restore(&home.settings(), STORE, None).unwrap();
    assert!(restored.kept_aside.is_some());
    let engine = home.engine();
    assert_eq!(listed(&engine), before);
    assert_eq!(exported(&engine), export);
    assert!(engine.verify(STORE).unwrap().findings.is_empty());
}
