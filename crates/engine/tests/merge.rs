//! Stores that were merged in another order and say something else, or lose what one of them knew.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::{Draft, Patch, Relation, Tier, Unit, Use};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Note, Settings, StoreName};
use mnemic_testkit::generate::Dice;
use mnemic_testkit::{FakeClock, SeededRandom, at, copy_dir, seeds};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const PROJECT: StoreName = StoreName::Project;

/// In memory where the system has a place for that: thousands of stores are made.
fn scratch() -> tempfile::TempDir {
    match Path::new("/dev/shm").is_dir() {
        true => tempfile::tempdir_in("/dev/shm").unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// Makes stores by copying an empty one.
struct Bench {
    dir: tempfile::TempDir,
    clock: Arc<FakeClock>,
    made: std::cell::Cell<u64>,
}

impl Bench {
    fn new() -> Bench {
        let dir = scratch();
        let clock = Arc::new(FakeClock::new(at("2026-01-01T00:00:00Z")));
        let bench = Bench { dir, clock, made: std::cell::Cell::new(0) };
        let mut settings = bench.settings(&bench.dir.path().join("empty"), 1);
        Engine::init_project(&mut settings).unwrap();
        // The ballast is for full disks, and large.
        let _ = std::fs::remove_file(bench.dir.path().join("empty/ballast"));
        bench
    }

    fn settings(&self, dir: &Path, seed: u64) -> Settings {
        let exists = dir.join("memory.db").exists();
        let place = Place { dir: dir.to_owned(), exists };
        let actor = mnemic_engine::model::Actor::parse("human:tester").unwrap();
        let mut settings = Settings::new(Some(place), None, actor);
        settings.clock = self.clock.clone();
        settings.random = Arc::new(SeededRandom::new(seed));
        settings
    }

    fn copy(&self, of: &str) -> Store {
        self.made.set(self.made.get() + 1);
        let dir = self.dir.path().join(format!("s{}", self.made.get()));
        copy_dir(&self.dir.path().join(of), &dir);
        let engine = Engine::open(self.settings(&dir, self.made.get() << 32)).unwrap();
        Store { engine, dir }
    }

    /// Takes the stores of the last case away.
    fn tidy(&self) {
        for n in 1..=self.made.replace(0) {
            let _ = std::fs::remove_dir_all(self.dir.path().join(format!("s{n}")));
        }
        self.clock.set(at("2026-01-01T00:00:00Z"));
    }

    fn empty(&self) -> Store {
        self.copy("empty")
    }

    /// The same store again, to go on apart.
    fn twin(&self, of: &Store) -> Store {
        self.copy(of.dir.file_name().unwrap().to_str().unwrap())
    }
}

struct Store {
    engine: Engine,
    dir: PathBuf,
}

impl Store {
    fn file(&self) -> PathBuf {
        self.dir.join("memory.db")
    }

    fn digest(&self) -> String {
        self.engine.content_digest(PROJECT).unwrap().to_hex()
    }

    fn fact(&self, key: &str, value: &str) -> String {
        let draft = draft(json!({"kind": "fact", "key": key, "value": value}));
        self.engine.remember(draft, &Note::default()).unwrap().id.to_string()
    }

    fn take(&self, other: &Store) -> mnemic_engine::Merged {
        self.engine.merge(PROJECT, &other.file(), false, &Note::default()).unwrap()
    }

    fn values(&self, key: &str) -> Vec<String> {
        let filter = mnemic_engine::model::Filter::new(mnemic_engine::model::At::LATEST);
        let items = self.engine.list(&filter).unwrap().items;
        let facts = items.into_iter().filter_map(|item| match item.version.content.body {
            mnemic_engine::model::Body::Fact(fact) if fact.key == key => Some(fact.value),
            _ => None,
        });
        facts.collect()
    }

    fn is_sound(&self) {
        let report = self.engine.verify(PROJECT).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
}

fn draft(json: serde_json::Value) -> Draft {
    Draft::from_fields(json.as_object().unwrap().clone()).unwrap()
}

/// `a` with `b` in it; both stay as they are.
fn merged(bench: &Bench, a: &Store, b: &Store) -> Store {
    let made = bench.twin(a);
    made.take(b);
    made
}

/// Lives a little: few keys and few words, so that stores agree and disagree often.
fn live(store: &Store, bench: &Bench, dice: &mut Dice, steps: usize) {
    let (engine, note) = (&store.engine, Note::default());
    for _ in 0..steps {
        bench.clock.tick(dice.between(1, 50));
        let word = dice.pick(&["red", "green", "blue"]).to_string();
        let known = || {
            let filter = mnemic_engine::model::Filter::new(mnemic_engine::model::At::LATEST);
            let page = engine.list(&filter).unwrap();
            page.items.into_iter().map(|item| item.version.id.to_string()).collect::<Vec<_>>()
        };
        let mut ids = known();
        ids.sort();
        let any = |dice: &mut Dice| ids.get(dice.below(ids.len())).cloned().unwrap_or_default();
        let (one, two) = (any(dice), any(dice));
        match dice.below(13) {
            0 | 1 => {
                let key = *dice.pick(&["port", "host"]);
                let mut fact = draft(json!({"kind": "fact", "key": key, "value": word}));
                if dice.once_in(4) {
                    fact.about.valid_at =
                        Some(at("2026-01-01T00:00:00Z").plus_seconds(dice.between(0, 9) * 60));
                    let end = fact.about.valid_at.map(|from| from.plus_seconds(600));
                    fact.about.invalid_at = end.filter(|_| dice.once_in(2));
                }
                drop(engine.remember(fact, &note));
            }
            2 => {
                let pattern = json!({"kind": "pattern", "statement": format!("paint it {word}")});
                drop(engine.remember(draft(pattern), &note));
            }
            3 => {
                let goal = json!({"kind": "episode", "goal": format!("paint {word}")});
                drop(engine.remember(draft(goal), &note));
            }
            4 => {
                let block = json!({"kind": "block", "label": "project", "text": word});
                drop(engine.remember(draft(block), &note));
            }
            5 | 6 => {
                let mut patch = Patch::default();
                let field = ["statement", "value", "text"][dice.below(3)];
                patch.body.insert(field.into(), json!(format!("edited {word}")));
                drop(engine.edit(&one, &patch, &note));
            }
            7 => {
                let patch = Patch { add_tags: vec![word], ..Patch::default() };
                drop(engine.edit(&one, &patch, &note));
            }
            8 => drop(engine.link(&one, Relation::Supports, &two, Unit::ONE, &note)),
            9 => drop(engine.unlink(&one, Relation::Supports, &two, &note)),
            10 => drop(engine.record_use(&[&one], Use::Loaded, Some(Unit::HALF))),
            11 => drop(engine.undo(None, &note)),
            _ if dice.once_in(4) => {
                let patch = Patch { tier: Some(Tier::Archive), ..Patch::default() };
                drop(engine.edit(&one, &patch, &note));
            }
            _ if dice.once_in(3) => drop(engine.forget(&[&one], &note)),
            _ => {}
        }
    }
}

/// Three stores with a common past, or none, some of which met before.
fn three(bench: &Bench, dice: &mut Dice) -> [Store; 3] {
    let past = bench.empty();
    let steps = dice.below(6);
    live(&past, bench, dice, steps);
    let mut stores = [0, 1, 2].map(|_| match dice.once_in(4) {
        true => bench.empty(),
        false => bench.twin(&past),
    });
    for store in &stores {
        let steps = 1 + dice.below(7);
        live(store, bench, dice, steps);
    }
    if dice.once_in(3) {
        let (first, rest) = stores.split_first_mut().unwrap();
        first.take(&rest[0]);
        let steps = dice.below(4);
        live(first, bench, dice, steps);
    }
    stores
}

/// What an earlier merge had made and somebody had used since came without its uses; what one store
/// had brought back after forgetting it kept in the other what was to be forgotten; uses went over to
/// what stood for another for a while.
const ONCE_WRONG: [u64; 3] = [565, 5802, 2778];

#[test]
fn the_order_of_merging_does_not_matter() {
    let seeds = seeds(25, 10_000);
    let bench = Bench::new();
    for seed in seeds.clone().chain(ONCE_WRONG) {
        bench.tidy();
        let mut dice = Dice::new(seed);
        let [a, b, c] = three(&bench, &mut dice);
        let (ab, ba) = (merged(&bench, &a, &b), merged(&bench, &b, &a));
        assert_eq!(ab.digest(), ba.digest(), "seed {seed}: a+b is b+a");
        if seed % 10 == 0 {
            ab.is_sound();
        }
        let before = ab.digest();
        let again = ab.take(&b);
        assert_eq!(
            (again.change, ab.digest()),
            (None, before.clone()),
            "seed {seed}: twice is once"
        );
        let back = ab.take(&a);
        assert_eq!(
            (back.change, ab.digest()),
            (None, before),
            "seed {seed}: its own past is known"
        );
        let bc = merged(&bench, &b, &c);
        let (left, right) = (merged(&bench, &ab, &c), merged(&bench, &a, &bc));
        assert_eq!(left.digest(), right.digest(), "seed {seed}: (a+b)+c is a+(b+c)");
        if seed % 10 == 0 {
            left.is_sound();
            right.is_sound();
        }
    }
    eprintln!("merge: {} triples, commutative, associative, idempotent", seeds.count());
}

#[test]
fn the_same_content_is_one_memory() {
    let bench = Bench::new();
    let (a, b) = (bench.empty(), bench.empty());
    let first = a.fact("port", "5432");
    bench.clock.tick(100);
    b.fact("port", "5432");
    let done = a.take(&b);
    assert_eq!(a.values("port"), ["5432"]);
    assert_eq!((done.one_memory, done.contradictions), (1, 0));
    assert!(a.engine.show(&first, mnemic_engine::model::At::LATEST).is_ok());
    a.is_sound();
}

#[test]
fn two_values_of_one_slot_are_a_contradiction_that_a_person_settles() {
    let bench = Bench::new();
    let (a, b) = (bench.empty(), bench.empty());
    let first = a.fact("port", "5432");
    bench.clock.tick(100);
    b.fact("port", "5433");
    let done = a.take(&b);
    assert_eq!(done.contradictions, 1);
    a.is_sound();
    let kinds = vec![mnemic_engine::model::Kind::Contradiction];
    let filter = mnemic_engine::model::Filter {
        kinds,
        ..mnemic_engine::model::Filter::new(mnemic_engine::model::At::LATEST)
    };
    let found = a.engine.list(&filter).unwrap().items;
    assert_eq!(found.len(), 1);
    let id = found[0].version.id.to_string();
    let mnemic_engine::model::Body::Contradiction(pair) = &found[0].version.content.body else {
        panic!("a contradiction")
    };
    use mnemic_engine::model::body::Resolution;
    let wins = if pair.a.as_str() == first { Resolution::AWins } else { Resolution::BWins };
    a.engine.resolve(&id, wins, None, &Note::default()).unwrap();
    assert_eq!(a.values("port"), ["5432"], "the earlier value holds again");
    a.is_sound();
    let settled = a.digest();
    assert_eq!(a.take(&b).change, None, "what was settled stays settled");
    assert_eq!(a.digest(), settled);
}

#[test]
fn both_edits_are_versions_under_their_authors() {
    let bench = Bench::new();
    let a = bench.empty();
    let pattern = draft(json!({"kind": "pattern", "statement": "as it was", "id": "sem-1"}));
    a.engine.remember(pattern, &Note::default()).unwrap();
    let b = bench.twin(&a);
    let edit = |store: &Store, text: &str, why: &str| {
        bench.clock.tick(10);
        let mut patch = Patch::default();
        patch.body.insert("statement".into(), json!(text));
        store.engine.edit("sem-1", &patch, &Note::because(why)).unwrap();
    };
    edit(&a, "ours", "because a");
    edit(&b, "theirs", "because b");
    let done = a.take(&b);
    assert_eq!((done.grown, done.contradictions), (1, 1));
    let history = a.engine.history("sem-1", None).unwrap();
    let reasons: Vec<_> = history.iter().filter_map(|event| event.change.reason.clone()).collect();
    assert!(reasons.contains(&"because a".to_owned()) && reasons.contains(&"because b".to_owned()));
    assert_eq!(history.last().unwrap().version.content.body.title(), "theirs", "the later edit");
    a.is_sound();
}

#[test]
fn a_merge_is_undone_as_a_whole() {
    let cases = if mnemic_testkit::is_long() { 400 } else { 20 };
    for seed in 0..cases {
        let bench = Bench::new();
        let mut dice = Dice::new(seed ^ 0xabcd);
        let [a, b, _] = three(&bench, &mut dice);
        let believed = |store: &Store| {
            let filter = mnemic_engine::model::Filter::new(mnemic_engine::model::At::LATEST);
            let items = store.engine.list(&filter).unwrap().items;
            let mut all: Vec<String> = items
                .iter()
                .map(|item| format!("{} {:?}", item.version.id, item.version.content))
                .collect();
            all.sort();
            all
        };
        let before = believed(&a);
        let done = a.take(&b);
        if done.forgotten > 0 {
            continue; // What a tombstone took does not come back.
        }
        let Some(change) = done.change else { continue };
        match a.engine.undo(Some(&change), &Note::default()) {
            Ok(_) => assert_eq!(believed(&a), before, "seed {seed}"),
            // Counts and tombstones alone leave nothing to undo.
            Err(why) => assert!(why.message().contains("nothing of"), "seed {seed}: {why:?}"),
        }
        a.is_sound();
    }
}

#[test]
fn tombstones_win_and_the_other_store_is_not_touched() {
    let bench = Bench::new();
    let a = bench.empty();
    let id = a.fact("password", "hunter2 is the word");
    let b = bench.twin(&a);
    b.engine.forget(&[&id], &Note::default()).unwrap();
    let bytes = |store: &Store| {
        let mut all: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(&store.dir)
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().is_file())
            .map(|entry| (entry.path(), std::fs::read(entry.path()).unwrap()))
            .collect();
        all.sort();
        all
    };
    let before = bytes(&b);
    let done = a.take(&b);
    assert_eq!(done.forgotten, 1);
    assert!(a.values("password").is_empty());
    assert_eq!(mnemic_testkit::files_with(&a.dir, "hunter2 is the word"), Vec::<PathBuf>::new());
    assert_eq!(bytes(&b), before);
    // And the other way round: what was forgotten here does not come back.
    let c = bench.empty();
    c.fact("password", "hunter2 is the word");
    assert_eq!(a.take(&c).new, 0);
    a.is_sound();
}
