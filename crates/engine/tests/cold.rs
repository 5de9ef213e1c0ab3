//! Cold storage: old text takes less room, reads as before, and is forgotten like any other.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Action, Body, Episode, Message, Outcome};
use mnemic_engine::model::{Actor, At, Author, Draft, Patch, RecordId, Version};
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Meaning, Note, StoreName};
use mnemic_testkit::Home;
use std::fs;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    settings.actor = Actor::new(Author::Agent, "tester");
    Engine::open(settings).expect("an engine")
}

/// Words that stand nowhere but in the middle of one episode.
const DEEP: &str = "the quokka gateway answers on the harbour line";

fn episode(n: usize) -> Episode {
    let line = |m: usize| format!("step {m} of {n}: looked at module_{m}.rs and ran the checks");
    let mut messages: Vec<Message> = (0..20)
        .map(|m| Message { role: "assistant".to_owned(), text: line(m), at: None })
        .collect();
    if n == 7 {
        messages[11].text = DEEP.to_owned();
    }
    Episode {
        goal: format!("task number {n}"),
        task_id: Some(format!("t{n}")),
        actions: vec![Action { action: "run".to_owned(), ..Action::default() }],
        messages,
        outcome: Some(Outcome::Success),
        ..Episode::default()
    }
}

fn stocked(home: &Home) -> (Engine, Vec<RecordId>) {
    let engine = engine(home);
    let drafts = (0..20).map(|n| Draft::new(Body::Episode(episode(n)))).collect();
    let answers = engine.remember_each(drafts, &Note::default()).expect("stored");
    let ids = answers.into_iter().map(|answer| answer.expect("stored").id).collect();
    (engine, ids)
}

fn versions(engine: &Engine, ids: &[RecordId]) -> Vec<Version> {
    let show = |id: &RecordId| engine.show(id.as_str(), At::LATEST).expect("shown").version;
    ids.iter().map(show).collect()
}

fn exported(engine: &Engine) -> String {
    let mut out = Vec::new();
    engine.export(StoreName::Project, &mut out).expect("exported");
    String::from_utf8(out).expect("text")
}

/// What the last copy of the file holds: the file itself has a journal beside it.
fn file_holds(home: &Home, text: &str) -> bool {
    let bytes = fs::read(home.dir.path().join("b.db")).expect("the copy");
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn is_sound(engine: &Engine) {
    let report = engine.verify(StoreName::Project).expect("verified");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

/// Cools and makes a copy of the file without free pages; its size.
fn settle(home: &Home, engine: &Engine) -> u64 {
    engine.cool_all().expect("cooled");
    engine.reindex(StoreName::Project).expect("the file is written anew");
    let copy = home.dir.path().join("b.db");
    let _ = fs::remove_file(&copy);
    engine.backup(StoreName::Project, Some(&copy)).expect("backed up");
    fs::metadata(copy).expect("the copy").len()
}

#[test]
fn old_text_lies_cold_and_reads_as_before() {
    let home = Home::new();
    let (engine, ids) = stocked(&home);
    let (before, whole) = (versions(&engine, &ids), exported(&engine));
    let large = settle(&home, &engine);
    assert!(file_holds(&home, "ran the checks"), "what is new lies open");
    home.clock.tick(31 * 86_400);
    let small = settle(&home, &engine);
    assert!(!file_holds(&home, "step 5 of 3: looked at"), "what is old does not");
    assert!(small < large, "{small} of {large}");
    assert_eq!(versions(&engine, &ids), before);
    assert_eq!(exported(&engine), whole);
    is_sound(&engine);
    let mut question = engine.question("which line does the quokka gateway use");
    // The words of the whole text are still indexed; how much an old hit counts is another matter.
    question.switches.bounds = false;
    assert_eq!(engine.recall(&question).expect("recalled").found[0].version.id, ids[7]);
    assert_eq!(engine.cool_all().map(|()| exported(&engine)).expect("again"), whole);
}

#[test]
fn pinned_text_stays_and_edits_go_on_from_the_whole() {
    let home = Home::new();
    let (engine, ids) = stocked(&home);
    engine.pin(ids[3].as_str(), true, &Note::default()).expect("pinned");
    home.clock.tick(31 * 86_400);
    settle(&home, &engine);
    assert!(file_holds(&home, "step 5 of 3: looked at"), "pinned");
    let patch = Patch { category: Some(Some("kept".to_owned())), ..Patch::default() };
    engine.edit(ids[7].as_str(), &patch, &Note::default()).expect("edited");
    let Body::Episode(edited) = versions(&engine, &ids[7..8]).remove(0).content.body else {
        panic!("an episode");
    };
    assert_eq!(edited, episode(7));
    let history = engine.history(ids[7].as_str(), None).expect("history");
    assert_eq!(history.len(), 2);
    is_sound(&engine);
}

#[test]
fn forgotten_text_is_gone_from_cold_storage_and_from_backups() {
    let home = Home::new();
    let (engine, ids) = stocked(&home);
    home.clock.tick(31 * 86_400);
    settle(&home, &engine);
    let forgotten = engine.forget(&[ids[7].as_str()], &Note::default()).expect("forgotten");
    let left = forgotten.proof.traces.iter().filter(|trace| !trace.contains("says too"));
    assert_eq!((left.count(), forgotten.waiting), (0, Vec::new()));
    is_sound(&engine);
    assert!(!exported(&engine).contains(DEEP));
    let mut settings = home.settings();
    let other = home.dir.path().join("elsewhere");
    fs::create_dir(&other).expect("a place");
    fs::copy(home.dir.path().join("b.db"), other.join("memory.db")).expect("copied");
    settings.project = Some(Place { dir: other, exists: true });
    let backup = Engine::open(settings).expect("the backup opens");
    assert!(!exported(&backup).contains(DEEP), "the backup forgot it too");
    assert!(exported(&backup).contains("step 5 of 3: looked at"), "and nothing else");
}

#[test]
fn a_backup_of_cold_text_is_restored_whole() {
    let home = Home::new();
    let (engine, ids) = stocked(&home);
    home.clock.tick(31 * 86_400);
    engine.cool_all().expect("cooled");
    let (before, whole) = (versions(&engine, &ids), exported(&engine));
    let copy = home.dir.path().join("copy.db");
    engine.backup(StoreName::Project, Some(&copy)).expect("backed up");
    engine.forget(&[ids[0].as_str()], &Note::default()).expect("forgotten");
    let settings = engine.settings().clone();
    drop(engine);
    fs::remove_file(home.project_dir().join("memory.db")).expect("the store is lost");
    Engine::restore(&settings, StoreName::Project, Some(&copy)).expect("restored");
    let engine = Engine::open(settings).expect("an engine");
    assert_eq!(versions(&engine, &ids[1..]), before[1..]);
    assert!(exported(&engine).len() < whole.len(), "what was forgotten stays forgotten");
    is_sound(&engine);
}
