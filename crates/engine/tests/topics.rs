//! Topics are kept up to date by every write, and a rebuild finds nothing to change.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Fact, Pattern};
use mnemic_engine::model::session::{EventKind, Thing, ThingKind};
use mnemic_engine::model::{Draft, Patch, RecordId, Tier, Use};
use mnemic_engine::recall::layers::{Heading, Loading};
use mnemic_engine::{Engine, Note, SessionStart, Signal, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, size};

fn headings(engine: &Engine) -> Vec<Heading> {
    let index = engine.layers_index(None, usize::MAX).unwrap();
    let mut all: Vec<Heading> = index.entries.into_iter().map(|entry| entry.heading).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// What every write kept equals what the rows say, and what a rebuild makes of them.
fn assert_kept(engine: &Engine, what: &str) {
    let kept = headings(engine);
    for store in [StoreName::Project, StoreName::User] {
        let findings = engine.verify(store).unwrap().findings;
        assert!(findings.is_empty(), "{what}: {findings:?}");
        engine.reindex(store).unwrap();
    }
    assert_eq!(headings(engine), kept, "{what}");
}

#[test]
fn a_store_that_was_lived_in_is_filed_as_a_rebuild_files_it() {
    for seed in 0..size(2, 20) as u64 {
        let home = Home::new();
        let engine = home.engine();
        lived_in(&home, &engine, seed, size(300, 2_000));
        assert!(headings(&engine).len() > 5);
        assert_kept(&engine, &format!("seed {seed}"));
    }
}

fn draft(dice: &mut Dice, n: usize) -> Draft {
    let area = dice.pick(&["db", "net", "auth", "ui"]).to_string();
    let part = dice.pick(&["pool", "port", "page"]).to_string();
    if dice.once_in(2) {
        let key = format!("{area}.{part}.{}", dice.below(6));
        return Draft::new(Body::Fact(Fact { key, value: n.to_string(), ..Fact::default() }));
    }
    let statement = format!("number {n} about {area} and {}", dice.words(30));
    let mut draft = Draft::new(Body::Pattern(Pattern { statement, ..Pattern::default() }));
    draft.about.tags = [area, part].into();
    draft.about.category = dice.once_in(4).then(|| dice.pick(&["ops", "team"]).to_string());
    draft
}

#[test]
fn whatever_is_done_in_whatever_order_the_counts_are_right() {
    for seed in 0..size(4, 60) as u64 {
        let home = Home::new();
        let engine = home.engine();
        let mut dice = Dice::new(seed);
        let mut known: Vec<RecordId> = Vec::new();
        for step in 0..60 {
            home.clock.tick(30);
            let made = engine.remember(draft(&mut dice, step), &Note::default()).unwrap();
            known.push(made.id);
            let id = dice.pick(&known).as_str().to_owned();
            // Some of it is refused, e.g. what was taken back before.
            match dice.below(8) {
                0 => drop(engine.undo(None, &Note::default())),
                1 => drop(engine.forget(&[&id], &Note::default())),
                2 => {
                    let category = Some(Some(dice.words(1)));
                    let patch = Patch { category, ..Patch::default() };
                    drop(engine.edit(&id, &patch, &Note::default()));
                }
                3 => {
                    let patch = Patch { tier: Some(Tier::Archive), ..Patch::default() };
                    drop(engine.edit(&id, &patch, &Note::default()));
                }
                4 => drop(engine.record_use(&[&id], *dice.pick(Use::ALL), None)),
                5 if step % 3 == 0 => one_session(&engine, &home, &mut dice),
                _ => {}
            }
        }
        assert_kept(&engine, &format!("seed {seed}"));
    }
}

/// A session that is dear enough for maintenance to rearrange something.
fn one_session(engine: &Engine, home: &Home, dice: &mut Dice) {
    let id = engine.session_start(SessionStart::default()).unwrap().id;
    for _ in 0..dice.below(6) {
        let question = format!("number about {}", dice.pick(&["db", "net", "auth pool"]));
        let now = mnemic_engine::model::Clock::now(home.clock.as_ref());
        engine.layers_load(&Loading::new(question, now), Some(&id)).unwrap();
    }
    engine.session_end(&id, None, &[]).unwrap();
}

#[test]
fn a_forgotten_memory_leaves_no_topic_no_rule_and_no_trace() {
    let home = Home::new();
    let engine = home.engine();
    let statement = format!("Falcon landing {}", "is decided by the crew alone. ".repeat(20));
    let mut draft = Draft::new(Body::Pattern(Pattern { statement, ..Pattern::default() }));
    draft.about.category = Some("zyxwv-unsaid-category".into());
    let id = engine.remember(draft, &Note::default()).unwrap().id;
    let session = engine.session_start(SessionStart::default()).unwrap().id;
    let now = mnemic_engine::model::Clock::now(home.clock.as_ref());
    let loaded =
        engine.layers_load(&Loading::new("falcon landing crew", now), Some(&session)).unwrap();
    assert!(!loaded.full.is_empty());
    let name = id.as_str().to_owned();
    let touched = Some(Thing::new(ThingKind::Memory, name));
    engine.session_note(&session, &Signal { touched, ..Signal::new(EventKind::Tool) }).unwrap();
    // Too dear for so small a store: the topic is sunk and merged by rules that name it.
    assert!(!engine.session_end(&session, None, &[]).unwrap().findings.is_empty());
    let said = |pieces: &[&str]| -> usize {
        let file = std::fs::read(engine.path_of(StoreName::Project).unwrap()).unwrap();
        let wal = engine.path_of(StoreName::Project).unwrap().with_extension("db-wal");
        let bytes = [file, std::fs::read(wal).unwrap_or_default()].concat();
        let holds = |piece: &str| bytes.windows(piece.len()).any(|part| part == piece.as_bytes());
        pieces.iter().filter(|piece| holds(piece)).count()
    };
    assert_eq!(said(&["zyxwv-unsaid-category", "Falcon landing"]), 2);
    let forgotten = engine.forget(&[id.as_str()], &Note::default()).unwrap();
    assert!(forgotten.proof.traces.is_empty(), "{:?}", forgotten.proof.traces);
    assert_eq!(said(&["zyxwv-unsaid-category", "Falcon landing"]), 0);
    assert!(headings(&engine).is_empty());
    assert!(engine.session_show(&session).unwrap().shown.is_empty());
    let path = engine.path_of(StoreName::Project).unwrap();
    let store = mnemic_store::sqlite::SqliteStore::open(&path, home.clock.clone()).unwrap();
    let read = store.read().unwrap();
    assert!(read.topic_rules().unwrap().is_empty());
    assert!(read.things_of(&session, 9).unwrap().is_empty());
}
