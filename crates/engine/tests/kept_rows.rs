//! What a long-lived engine keeps of rows is what a new one reads of them, whatever anybody has done
//! to the store meanwhile.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Fact, Message, Pattern};
use mnemic_engine::model::{Clock, Draft, Patch, RecordId, Tier, Unit, Use, Version};
use mnemic_engine::recall::Found;
use mnemic_engine::{Engine, Meaning, Note, StoreName, Target};
use mnemic_testkit::{Home, size};
use std::collections::{BTreeMap, BTreeSet};

fn engine(home: &Home) -> Engine {
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    Engine::open(settings).expect("an engine")
}

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % end
    }
}

fn draft(n: usize) -> Draft {
    let body = match n % 3 {
        0 => Body::Fact(Fact {
            key: format!("service.{}.port", n % 5),
            value: format!("{}", 4000 + n),
            ..Fact::default()
        }),
        1 => Body::Pattern(Pattern {
            statement: format!("Service {n} is deployed from the release branch"),
            ..Pattern::default()
        }),
        _ => Body::Episode(Episode {
            goal: format!("deploy service {n}"),
            task_id: Some(format!("task {}", n % 4)),
            messages: (0..12)
                .map(|m| Message {
                    role: "assistant".to_owned(),
                    text: format!("step {m} of {n}: looked at the service and ran its checks"),
                    at: None,
                })
                .collect(),
            ..Episode::default()
        }),
    };
    Draft::new(body)
}

/// What rows say of everything that is found: the memories, and what depends on nothing else.
fn told_by_rows(engine: &Engine, home: &Home) -> BTreeMap<RecordId, (Version, Vec<f64>)> {
    let mut question = engine.question("how is the service deployed, and on which port");
    question.switches.bounds = false;
    question.switches.settle = false;
    question.limit = 200;
    question.now = home.clock.now();
    let found = engine.recall(&question).expect("recalled").found;
    let told = |one: Found| {
        let parts = one.explanation.parts.iter();
        let of_rows = parts.filter(|part| ["recency", "usage", "length"].contains(&part.name));
        let factors = one.explanation.factors.iter().map(|factor| factor.value);
        let numbers = of_rows.flat_map(|part| [part.raw, part.value]).chain(factors).collect();
        (one.version.id.clone(), (one.version, numbers))
    };
    found.into_iter().map(told).collect()
}

const DEEDS: usize = 13;

/// What one of two writers does to one of these memories.
fn act(
    engine: &Engine,
    home: &Home,
    dice: &mut Dice,
    ids: &mut Vec<RecordId>,
    n: usize,
) -> Option<usize> {
    let note = Note::default();
    let which = dice.below(ids.len().max(1));
    let Some(id) = ids.get(which).map(|id| id.as_str().to_owned()) else {
        ids.push(engine.remember(draft(n), &note).expect("remembered").id);
        return None;
    };
    let deed = dice.below(DEEDS);
    let done = match deed {
        0..=3 => engine.remember(draft(n), &note).map(|done| ids.push(done.id)),
        4 | 5 => engine.record_use(&[&id], Use::Loaded, None),
        6 => {
            let tier = [Tier::Guardrail, Tier::Archive][n % 2];
            let importance = Unit::new((n % 10) as f64 / 10.0).ok();
            let patch = Patch { tier: Some(tier), importance, ..Patch::default() };
            engine.edit(&id, &patch, &note).map(drop)
        }
        7 => engine.undo(None, &note).map(drop),
        8 => {
            ids.swap_remove(which);
            engine.forget(&[&id], &note).map(drop)
        }
        9 => {
            home.clock.tick(31 * 86_400);
            engine.cool_all()
        }
        10 => engine.reindex(StoreName::Project).map(drop),
        11 => engine.redact(&Target::Pattern(format!("service {n}")), false).map(drop),
        _ => engine.pin(&id, n.is_multiple_of(2), &note).map(drop),
    };
    // Not all can be done each time: there may be nothing to undo, or no such memory any more.
    done.is_ok().then_some(deed)
}

#[test]
fn what_is_kept_is_what_would_be_read() {
    let home = Home::new();
    drop(home.engine());
    let (reader, writer) = (engine(&home), engine(&home));
    let (mut dice, mut ids) = (Dice(11), Vec::new());
    let (rounds, mut done) = (size(160, 2_000), BTreeSet::new());
    for n in 0..rounds {
        // The reader writes too: its own changes are no exception.
        let who = if dice.below(4) == 0 { &reader } else { &writer };
        done.extend(act(who, &home, &mut dice, &mut ids, n));
        let (kept, read) = (told_by_rows(&reader, &home), told_by_rows(&engine(&home), &home));
        assert_eq!(kept, read, "after deed {n}");
    }
    assert!(ids.len() > 10, "only {} memories were left to look at", ids.len());
    assert_eq!(done, (0..DEEDS).collect(), "each deed was done at least once");
}

#[test]
fn who_was_away_for_long_reads_anew() {
    let home = Home::new();
    drop(home.engine());
    let (reader, writer) = (engine(&home), engine(&home));
    let remember = |n| writer.remember(draft(n), &Note::default()).expect("remembered").id;
    let ids: Vec<RecordId> = (0..60).map(remember).collect();
    told_by_rows(&reader, &home);
    let names: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
    let tier = Patch { tier: Some(Tier::Guardrail), ..Patch::default() };
    writer.edit(names[1], &tier, &Note::default()).expect("edited");
    // More touches than are remembered: that of the edit is among those forgotten.
    for _ in 0..80 {
        writer.record_use(&names, Use::Loaded, None).expect("counted");
    }
    assert_eq!(told_by_rows(&reader, &home), told_by_rows(&engine(&home), &home));
}

#[test]
fn another_past_of_the_same_store_is_read_anew() {
    let home = Home::new();
    drop(home.engine());
    let (reader, writer) = (engine(&home), engine(&home));
    let mut ids: Vec<RecordId> = Vec::new();
    for n in 0..12 {
        ids.push(writer.remember(draft(n), &Note::default()).expect("remembered").id);
    }
    let copy = home.dir.path().join("copy.db");
    writer.backup(StoreName::Project, Some(&copy)).expect("backed up");
    let use_each = |event: Use| {
        for id in &ids {
            writer.record_use(&[id.as_str()], event, None).expect("counted");
        }
    };
    use_each(Use::Loaded);
    let before = told_by_rows(&reader, &home);
    Engine::restore(&home.settings(), StoreName::Project, Some(&copy)).expect("restored");
    // As many touches of the same rows as before the copy was put in their place.
    use_each(Use::Referenced);
    let read = told_by_rows(&engine(&home), &home);
    assert!(before != read, "uses count for something");
    assert_eq!(told_by_rows(&reader, &home), read);
}
