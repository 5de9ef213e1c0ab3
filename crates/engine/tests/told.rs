//! Who asks for a time is also answered by what tells of it from another: `yesterday`, said on the
//! fourth, is the third.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode};
use mnemic_engine::model::{Actor, Author, Draft, RecordId, Timestamp};
use mnemic_engine::recall::{Found, Question, Recall};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    Engine::open(settings).expect("an engine")
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a time")
}

fn lived(engine: &Engine, task: Option<&str>, then: &str, text: &str) -> RecordId {
    let mut draft = Draft::new(Body::Episode(Episode {
        goal: text.to_owned(),
        task_id: task.map(str::to_owned),
        ..Episode::default()
    }));
    draft.about.writer = Some(Actor::new(Author::Human, "somebody"));
    draft.about.valid_at = Some(time(then));
    engine.remember(draft, &Note::default()).expect("remembered").id
}

/// Somebody's words in one long chat.
fn said(engine: &Engine, then: &str, text: &str) -> RecordId {
    lived(engine, Some("a chat"), then, text)
}

fn asked(engine: &Engine, text: &str, change: impl Fn(&mut Question)) -> Recall {
    let mut question = engine.question(text);
    question.now = time("2023-11-20T12:00:00Z");
    question.switches.bounds = false;
    change(&mut question);
    engine.recall(&question).expect("recalled")
}

/// What telling of the time adds.
fn told(found: &Found) -> f64 {
    let parts = found.explanation.parts.iter().filter(|part| part.name == "told");
    parts.map(|part| part.product()).sum()
}

fn of<'r>(recall: &'r Recall, id: &RecordId) -> &'r Found {
    recall.found.iter().find(|one| one.version.id == *id).expect("it is found")
}

#[test]
fn yesterday_is_the_day_before_it_was_said() {
    let home = Home::new();
    let engine = engine(&home);
    let third = said(&engine, "2023-10-04T18:00:00Z", "I met two artists in Boston yesterday");
    let later =
        said(&engine, "2023-10-09T18:00:00Z", "I met two other artists in Boston yesterday");
    let other = said(&engine, "2023-10-20T18:00:00Z", "Boston is where I met those two artists");
    let question = "which artists did I meet in Boston on October 3, 2023";
    let recall = asked(&engine, question, |_| {});
    assert_eq!(recall.found[0].version.id, third);
    assert!(told(of(&recall, &third)) > 0.05);
    assert_eq!(told(of(&recall, &later)), 0.0);
    assert_eq!(told(of(&recall, &other)), 0.0);
    let untimed = asked(&engine, question, |question| question.switches.time = false);
    assert!(untimed.found.iter().all(|one| told(one) == 0.0));
}

#[test]
fn what_is_planned_answers_who_asks_for_what_lies_ahead() {
    let home = Home::new();
    let engine = engine(&home);
    // The question comes on a Monday.
    let ahead = said(&engine, "2023-11-20T09:00:00Z", "The dentist will see me next week");
    let tomorrow = said(&engine, "2023-11-20T09:10:00Z", "The dentist will see Ann tomorrow");
    let before = said(&engine, "2023-11-17T09:00:00Z", "The dentist will see Bob next week");
    let recall = asked(&engine, "whom will the dentist see next week", |_| {});
    assert!(told(of(&recall, &ahead)) > 0.02);
    assert_eq!(told(of(&recall, &tomorrow)), 0.0);
    assert_eq!(told(of(&recall, &before)), 0.0, "what was next week then is this week now");
    let recall = asked(&engine, "whom will the dentist see this week", |_| {});
    assert!(
        recall.found.iter().all(|one| told(one) == 0.0),
        "of a time that holds now it is told now"
    );
}

#[test]
fn the_word_for_a_time_is_met_by_what_was_then() {
    let home = Home::new();
    let engine = engine(&home);
    for day in 1..=19 {
        let then = format!("2023-11-{day:02}T12:30:00Z");
        said(&engine, &then, &format!("Meeting number {day} was about the budget"));
    }
    let lunch = said(&engine, "2023-11-19T12:30:00Z", "I had lunch with Priya from Globex");
    // By words alone: of vectors the other words of a question change more than this one.
    let by_words = |question: &mut Question| question.switches.meaning = false;
    let evidence = |text: &str| {
        let recall = asked(&engine, text, by_words);
        let found = recall.found.iter().find(|one| one.version.id == lunch);
        found.map_or(0.0, |found| found.evidence)
    };
    let plain = evidence("who did I have lunch with");
    assert!(plain > 0.0);
    assert!(evidence("who did I have lunch with yesterday") >= plain);
    assert!(evidence("who did I have lunch with last month") < plain);
}

#[test]
fn what_is_alike_is_not_asked_for_by_a_time() {
    let home = Home::new();
    let engine = engine(&home);
    let dated = "On October 3, 2023 I met two artists in Boston";
    let third = said(&engine, "2023-10-20T18:00:00Z", dated);
    said(&engine, "2023-10-03T18:00:00Z", "I met two painters in Boston");
    let alike = engine.similar(third.as_str(), 5).expect("compared").found;
    assert_eq!(alike.len(), 1);
    let parts = alike[0].explanation.parts.iter();
    assert!(parts.map(|part| part.name).all(|name| !["time", "told"].contains(&name)));
}

#[test]
fn elsewhere_yesterday_is_any_day_before() {
    let home = Home::new();
    let engine = engine(&home);
    let rule = lived(
        &engine,
        None,
        "2023-10-04T18:00:00Z",
        "The reconciler compares yesterday's ledger with the bank's file",
    );
    let recall = asked(&engine, "what did the reconciler compare on October 3, 2023", |_| {});
    assert_eq!(told(of(&recall, &rule)), 0.0);
}
