//! What nearly everything in a store has in common does not decide what answers.

use mnemic_engine::inference::fake;
use mnemic_engine::model::Draft;
use mnemic_engine::model::RecordId;
use mnemic_engine::model::body::{Body, Pattern};
use mnemic_engine::recall::{Recall, Switches};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(128));
    Engine::open(settings).expect("an engine")
}

fn pattern(statement: String) -> Draft {
    Draft::new(Body::Pattern(Pattern { statement, ..Pattern::default() }))
}

/// So many memories about the same thing, each with a word of its own.
fn crowd(engine: &Engine, size: usize) {
    let drafts = (0..size).map(|nth| {
        pattern(format!("The nightly deploy of the staging cluster waits for queue q{nth}x{nth}"))
    });
    for answer in engine.remember_each(drafts.collect(), &Note::default()).expect("remembered") {
        answer.expect("each of them");
    }
    engine.embed_waiting(u64::MAX, &mut |_| true).expect("embedded");
}

/// By meaning and by nothing else.
fn asked(engine: &Engine, text: &str, contrast: bool) -> Recall {
    let mut question = engine.question(text);
    question.switches =
        Switches { words: false, bounds: false, strategy: false, ..Switches::default() };
    question.switches.contrast = contrast;
    // All of them are candidates either way.
    question.limit = 500;
    engine.recall(&question).expect("recalled")
}

const QUESTION: &str = "the nightly deploy of the staging cluster waits for certificates";

fn with_an_answer(engine: &Engine) -> RecordId {
    let draft = pattern("Certificates come from the vault of the cluster".to_owned());
    engine.remember(draft, &Note::default()).expect("remembered").id
}

#[test]
fn what_sets_a_question_apart_decides() {
    let home = Home::new();
    let engine = engine(&home);
    crowd(&engine, 400);
    let wanted = with_an_answer(&engine);
    let first = |contrast| asked(&engine, QUESTION, contrast).found[0].version.id.clone();
    assert_ne!(first(false), wanted, "its words alone are too few");
    assert_eq!(first(true), wanted);
}

#[test]
fn in_a_small_store_nobody_knows_what_is_usual() {
    let home = Home::new();
    let engine = engine(&home);
    crowd(&engine, 60);
    with_an_answer(&engine);
    let told = |contrast| {
        let recall = asked(&engine, QUESTION, contrast);
        let told = recall.found.iter().map(|one| (one.version.id.clone(), one.score));
        told.collect::<Vec<_>>()
    };
    assert_eq!(told(true), told(false));
}

#[test]
fn while_a_store_changes_its_model_both_are_compared_as_they_were_asked() {
    let home = Home::new();
    let before = engine(&home);
    crowd(&before, 400);
    with_an_answer(&before);
    drop(before);
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64)).after(fake(128));
    let engine = Engine::open(settings).expect("an engine");
    let answer = engine.remember(pattern("A new one".to_owned()), &Note::default());
    answer.expect("remembered by the new model");
    let told = |contrast| {
        let recall = asked(&engine, QUESTION, contrast);
        let told = recall.found.iter().map(|one| (one.version.id.clone(), one.score));
        told.collect::<Vec<_>>()
    };
    assert!(!told(true).is_empty());
    assert_eq!(told(true), told(false));
}

#[test]
fn how_sure_an_answer_is_does_not_follow_the_crowd() {
    let home = Home::new();
    let engine = engine(&home);
    crowd(&engine, 400);
    with_an_answer(&engine);
    let evidence = |contrast| asked(&engine, QUESTION, contrast).evidence;
    assert!((evidence(true) - evidence(false)).abs() < 1e-6);
}
