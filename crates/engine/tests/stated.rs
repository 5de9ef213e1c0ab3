//! Among people, who only asks, greets or thanks gives way to who states something, and who is asked about
//! speaks for themselves.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode};
use mnemic_engine::model::{Actor, Author, Draft, RecordId};
use mnemic_engine::recall::{Found, Recall};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    Engine::open(settings).expect("an engine")
}

fn said(engine: &Engine, by: Author, text: &str) -> RecordId {
    let mut draft = Draft::new(Body::Episode(Episode {
        goal: text.to_owned(),
        task_id: Some("a chat".to_owned()),
        ..Episode::default()
    }));
    draft.about.writer = Some(Actor::new(by, "somebody"));
    engine.remember(draft, &Note::default()).expect("remembered").id
}

fn asked(engine: &Engine, text: &str) -> Recall {
    let mut question = engine.question(text);
    question.switches.bounds = false;
    engine.recall(&question).expect("recalled")
}

fn unstated(found: &Found) -> f64 {
    let parts = found.explanation.parts.iter().filter(|part| part.name == "stated");
    parts.map(|part| part.value * part.weight).sum()
}

fn of<'r>(recall: &'r Recall, id: &RecordId) -> &'r Found {
    recall.found.iter().find(|one| one.version.id == *id).expect("it is found")
}

#[test]
fn a_statement_comes_before_the_question_that_brought_it_up() {
    let home = Home::new();
    let engine = engine(&home);
    let question = said(&engine, Author::Human, "Ann: Where did you buy your telescope?");
    let statement = said(
        &engine,
        Author::Human,
        "Bob: My telescope is from a small optician in Leeds, second hand, with two lenses",
    );
    let recall = asked(&engine, "where did Bob buy his telescope");
    assert_eq!(recall.found[0].version.id, statement);
    assert!(unstated(of(&recall, &question)) < -0.1);
    assert_eq!(unstated(of(&recall, &statement)), 0.0);
}

#[test]
fn who_asks_for_a_question_is_shown_it() {
    let home = Home::new();
    let engine = engine(&home);
    let question = said(&engine, Author::Human, "Ann: Where did you buy your telescope?");
    let recall = asked(&engine, "what did Ann ask about the telescope");
    assert_eq!(unstated(of(&recall, &question)), 0.0);
}

#[test]
fn what_an_agent_was_asked_is_what_somebody_wanted() {
    let home = Home::new();
    let engine = engine(&home);
    let wish = said(&engine, Author::Human, "Can you move the telescope page?");
    said(&engine, Author::Agent, "The telescope page now lies below the shop");
    let recall = asked(&engine, "telescope page");
    assert_eq!(unstated(of(&recall, &wish)), 0.0);
}

#[test]
fn what_agents_note_of_their_work_is_no_chat() {
    let home = Home::new();
    let engine = engine(&home);
    let noted = said(&engine, Author::Agent, "Can you move the telescope page?");
    let recall = asked(&engine, "telescope page");
    assert_eq!(unstated(of(&recall, &noted)), 0.0);
}

/// Whether it counts that somebody said it whom the question names.
fn is_by_the_named(recall: &Recall, id: &RecordId) -> bool {
    of(recall, id).explanation.parts.iter().any(|part| part.name == "person")
}

#[test]
fn who_is_asked_about_speaks_for_themselves() {
    let home = Home::new();
    let engine = engine(&home);
    let own = said(&engine, Author::Human, "Ann: I play the viola in an orchestra on Sundays");
    let other = said(&engine, Author::Human, "Bob: Ann, I play the viola in an orchestra as well");
    for (question, by_ann, by_bob) in [
        ("what does Ann play in the orchestra", true, false),
        ("what does bob play in the orchestra", false, true),
        ("which viola does Ann\u{2019}s orchestra need", true, false),
        // Both of them is everybody, and tells nothing.
        ("do Ann and Bob play in one orchestra", false, false),
        ("who plays the viola in an orchestra", false, false),
    ] {
        let recall = asked(&engine, question);
        assert_eq!(is_by_the_named(&recall, &own), by_ann, "{question}");
        assert_eq!(is_by_the_named(&recall, &other), by_bob, "{question}");
    }
    let mut question = engine.question("what does Ann play in the orchestra");
    question.switches.bounds = false;
    question.switches.person = false;
    assert!(!is_by_the_named(&engine.recall(&question).expect("recalled"), &own));
}
