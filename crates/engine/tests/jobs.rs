//! Jobs: done once, tried again after a rest, given up with a report, never held by the dead.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Contradiction, Episode, Fact, Pattern, Status};
use mnemic_engine::model::job::{JobKind, State};
use mnemic_engine::model::{
    Actor, At, Author, Clock, Content, Draft, Filter, Kind, Patch, RecordId, Trust,
};
use mnemic_engine::{Engine, JobView, Meaning, Note, Severity, StoreName};
use mnemic_testkit::Home;
use serde_json::json;

fn engine(home: &Home, author: Author) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    settings.actor = Actor::new(author, "tester");
    Engine::open(settings).expect("an engine")
}

fn remember(engine: &Engine, body: Body) -> RecordId {
    engine.remember(Draft::new(body), &Note::default()).expect("remembered").id
}

fn pattern(text: &str) -> Body {
    Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() })
}

fn fact(key: &str, value: &str) -> Body {
    Body::Fact(Fact { key: key.to_owned(), value: value.to_owned(), ..Fact::default() })
}

fn content(engine: &Engine, id: &RecordId) -> Content {
    engine.show(id.as_str(), At::LATEST).expect("shown").version.content
}

fn kinds(engine: &Engine) -> Vec<JobKind> {
    engine.jobs().expect("jobs").iter().map(|view| view.job.kind).collect()
}

fn contradictions(engine: &Engine) -> Vec<Contradiction> {
    let filter = Filter { kinds: vec![Kind::Contradiction], ..Filter::new(At::LATEST) };
    let items = engine.list(&filter).expect("listed").items.into_iter();
    let bodies = items.filter_map(|item| match item.version.content.body {
        Body::Contradiction(contradiction) => Some(contradiction),
        _ => None,
    });
    bodies.collect()
}

#[test]
fn what_is_new_is_compared_with_what_stands_near_it() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let old = remember(&engine, fact("staging database port", "5432"));
    home.clock.tick(3600);
    let new = remember(&engine, fact("the staging database port", "5433"));
    let a = remember(&engine, pattern("The nightly export always waits for the scheduler"));
    let b = remember(&engine, pattern("The nightly export never waits for the scheduler"));
    assert_eq!(kinds(&engine), [JobKind::ScanContradictions; 4]);
    let worked = engine.work(&mut || true).expect("worked");
    assert_eq!((worked.done, worked.left, worked.failed.len()), (4, 0, 0), "{worked:?}");
    assert!(content(&engine, &old).valid.to().is_some(), "the newer value holds");
    assert!(content(&engine, &new).valid.is_open());
    let found = contradictions(&engine);
    assert_eq!(found.len(), 2, "{found:?}");
    let open = found.iter().find(|one| one.status == Status::Open).expect("one is unclear");
    assert_eq!([&open.a, &open.b].map(|id| *id == a || *id == b), [true, true]);
    let again = engine.consolidate(false, &Note::default(), &mut |_, _| {}).expect("tended");
    let counts = |report: &mnemic_engine::Consolidated| report.counts.clone();
    let found_again: Vec<_> = again.iter().map(counts).collect();
    assert_eq!(contradictions(&engine).len(), 2, "{found_again:?}");
}

#[test]
fn a_job_is_queued_only_with_its_cause() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let id = remember(&engine, fact("port", "1"));
    engine.work(&mut || true).expect("worked");
    let known = engine.remember(Draft::new(fact("port", "1")), &Note::default());
    known.expect("known already");
    engine.pin(id.as_str(), true, &Note::default()).expect("pinned");
    assert_eq!(kinds(&engine), [], "nothing new was said");
    let goal = Episode { goal: "go".to_owned(), ..Episode::default() };
    remember(&engine, Body::Episode(goal));
    assert_eq!(kinds(&engine), [], "one episode is no reason to tend everything");
    let mut patch = Patch::default();
    patch.body.insert("value".into(), json!("2"));
    engine.edit(id.as_str(), &patch, &Note::default()).expect("edited");
    assert_eq!(kinds(&engine), [JobKind::ScanContradictions]);
}

/// A store with a job that cannot be done: a backup lies where nobody can reach it.
fn with_stuck_job(home: &Home) -> Engine {
    let engine = engine(home, Author::Human);
    let id = remember(&engine, fact("gone", "soon"));
    engine.work(&mut || true).expect("worked");
    let away = home.dir.path().join("disk");
    std::fs::create_dir(&away).expect("a place");
    engine.backup(StoreName::Project, Some(&away.join("copy.db"))).expect("backed up");
    std::fs::remove_dir_all(&away).expect("the disk is taken away");
    engine.forget(&[id.as_str()], &Note::default()).expect("forgotten");
    engine
}

fn stuck(engine: &Engine) -> JobView {
    let jobs = engine.jobs().expect("jobs");
    jobs.into_iter().find(|view| view.job.kind == JobKind::ScrubBackup).expect("it waits")
}

#[test]
fn what_fails_rests_and_is_given_up_with_a_report() {
    let home = Home::new();
    let engine = with_stuck_job(&home);
    for (tries, rest) in (1..).zip([30, 120, 480, 1_920]) {
        assert_eq!((stuck(&engine).job.attempts, stuck(&engine).state), (tries, State::Resting));
        home.clock.tick(rest - 2);
        engine.work(&mut || true).expect("worked");
        assert_eq!(stuck(&engine).job.attempts, tries, "it still rests");
        home.clock.tick(3);
        let worked = engine.work(&mut || true).expect("worked");
        assert!(worked.failed[0].contains("out of reach"), "{worked:?}");
    }
    assert_eq!((stuck(&engine).job.attempts, stuck(&engine).state), (5, State::GivenUp));
    home.clock.tick(1_000_000);
    assert_eq!(engine.work(&mut || true).expect("worked").failed, Vec::<String>::new());
    let checkups = Engine::doctor(engine.settings(), false);
    let told = checkups.iter().find(|one| one.name == "project jobs").expect("doctor tells");
    assert_eq!(told.severity, Severity::Warning);
    assert!(told.message.contains("given up") && told.message.contains("out of reach"));

    std::fs::create_dir(home.dir.path().join("disk")).expect("the disk is back");
    assert_eq!(engine.retry_jobs(&|view| view.state == State::GivenUp).expect("retried"), 1);
    assert_eq!(engine.work(&mut || true).expect("worked").left, 0);
}

#[test]
fn a_clock_that_ran_ahead_holds_no_job_for_ever() {
    let home = Home::new();
    let before = home.clock.now();
    let engine = with_stuck_job(&home);
    home.clock.tick(20 * 365 * 86_400);
    engine.retry_jobs(&|_| true).expect("retried");
    engine.work(&mut || true).expect("worked");
    assert_eq!(stuck(&engine).state, State::Resting);
    home.clock.set(before);
    assert_eq!(stuck(&engine).state, State::Waiting);
    assert_eq!(engine.work(&mut || true).expect("worked").failed.len(), 1, "it is tried");
}

#[test]
fn work_that_is_stopped_is_taken_up_again() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    remember(&engine, fact("staging database port", "5432"));
    let worked = engine.work(&mut || false).expect("worked");
    assert_eq!((worked.done, worked.left), (0, 1));
    assert_eq!(engine.jobs().expect("jobs")[0].state, State::Waiting);
    assert_eq!(engine.work_briefly(0, &mut || true).expect("worked").left, 1, "no time at all");
    assert_eq!(engine.work_briefly(200, &mut || true).expect("worked").left, 0);
}

#[test]
fn a_night_makes_consolidation_due_once() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    remember(&engine, fact("staging database port", "5432"));
    engine.work(&mut || true).expect("worked");
    engine.queue_due(None).expect("asked");
    assert_eq!(kinds(&engine), [], "it is still the same day");
    home.clock.tick(30 * 3_600);
    for _ in 0..2 {
        engine.queue_due(None).expect("asked");
        assert_eq!(kinds(&engine), [JobKind::Cool, JobKind::Consolidate]);
    }
    assert_eq!(engine.work(&mut || true).expect("worked").left, 0);
    engine.queue_due(None).expect("asked");
    assert_eq!(kinds(&engine), [], "it ran this night");
}

#[test]
fn a_persons_correction_survives_consolidation_and_import() {
    let home = Home::new();
    let agent = engine(&home, Author::Agent);
    let id = remember(&agent, fact("staging database port", "5432"));
    let mut exported = Vec::new();
    agent.export(StoreName::Project, &mut exported).expect("exported");
    let person = engine(&home, Author::Human);
    let mut patch = Patch { trust: Some(Trust::Trusted), ..Patch::default() };
    patch.body.insert("value".into(), json!("6000"));
    home.clock.tick(60);
    person.edit(id.as_str(), &patch, &Note::default()).expect("corrected");
    for day in 0..5 {
        home.clock.tick(40 * 86_400);
        remember(&agent, fact("the staging database port", &format!("70{day}0")));
        agent.work(&mut || true).expect("worked");
        agent
            .import(StoreName::Project, &mut exported.as_slice(), &Note::default(), &mut |_| {})
            .expect("imported");
        agent.work(&mut || true).expect("worked");
        agent.consolidate(false, &Note::default(), &mut |_, _| {}).expect("tended");
        let Content { body: Body::Fact(fact), valid, tier, .. } = content(&agent, &id) else {
            panic!("it is a fact");
        };
        assert_eq!((fact.value.as_str(), valid.is_open()), ("6000", true), "round {day}");
        assert_ne!(tier, mnemic_engine::model::Tier::Archive);
    }
}

#[test]
fn a_long_text_keeps_no_other_job_waiting() {
    let home = Home::new();
    let engine = engine(&home, Author::Human);
    remember(&engine, pattern(&"word ".repeat(20_000)));
    remember(&engine, fact("staging database port", "5432"));
    let before = kinds(&engine);
    let embed = before.iter().position(|kind| *kind == JobKind::Embed).expect("it waits");
    assert!(embed + 1 < before.len(), "and others behind it: {before:?}");
    engine.work_briefly(200, &mut || true).expect("worked");
    assert_eq!(kinds(&engine), [JobKind::Embed], "the others are done");
    engine.work_at_leisure(200, &mut || true).expect("worked");
    assert_eq!(kinds(&engine), [], "and then it is");
}
