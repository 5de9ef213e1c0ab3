//! Behind the first answers stands what is like one of them.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Pattern};
use mnemic_engine::model::{Draft, RecordId};
use mnemic_engine::recall::Recall;
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(128));
    Engine::open(settings).expect("an engine")
}

fn remember(engine: &Engine, statements: impl Iterator<Item = String>) -> Vec<RecordId> {
    let pattern = |statement| Body::Pattern(Pattern { statement, ..Pattern::default() });
    let drafts = statements.map(|text| Draft::new(pattern(text))).collect();
    let answers = engine.remember_each(drafts, &Note::default()).expect("remembered");
    engine.embed_waiting(u64::MAX, &mut |_| true).expect("embedded");
    answers.into_iter().map(|answer| answer.expect("each of them").id).collect()
}

fn asked(engine: &Engine, limit: usize, kin: bool) -> Recall {
    let mut question = engine.question("which hobbies does Dave have");
    question.switches.bounds = false;
    question.switches.kin = kin;
    question.limit = limit;
    engine.recall(&question).expect("recalled")
}

fn ids(recall: &Recall) -> Vec<RecordId> {
    recall.found.iter().map(|one| one.version.id.clone()).collect()
}

fn place(recall: &Recall, id: &RecordId) -> usize {
    ids(recall).iter().position(|other| other == id).expect("it is found")
}

/// Many memories with a word of the question, six that answer it, and one that is like those six and
/// has no more of the question than the many.
fn store(engine: &Engine) -> RecordId {
    let crowd = (0..400).map(|n| format!("Dave closed ticket t{n}x{n} about queue q{n}y{n}"));
    remember(engine, crowd);
    let hobbies = ["whittling owls", "whittling spoons", "whittling bowls", "whittling ducks"];
    let hobbies = hobbies.into_iter().chain(["whittling chess sets", "whittling canes"]);
    let answers = hobbies.map(|what| format!("Of all hobbies that Dave does have he likes {what}"));
    remember(engine, answers);
    let like = "On Sundays Dave likes whittling owls, spoons and bowls".to_owned();
    remember(engine, std::iter::once(like)).remove(0)
}

#[test]
fn what_is_like_the_first_answers_comes_before_what_is_not() {
    let home = Home::new();
    let engine = engine(&home);
    let like = store(&engine);
    let (without, with) = (asked(&engine, 40, false), asked(&engine, 40, true));
    assert_eq!(ids(&without)[..5], ids(&with)[..5], "the first stand as they are");
    let part = |recall: &Recall| {
        let found = &recall.found[place(recall, &like)];
        found.explanation.parts.iter().find(|part| part.name == "kin").map(|part| part.product())
    };
    assert_eq!(part(&without), None);
    assert!(part(&with).is_some_and(|lent| lent > 0.0), "{:?}", part(&with));
    assert!(place(&with, &like) <= place(&without, &like));
    for (place, one) in with.found.iter().enumerate() {
        assert!((one.explanation.sum() - one.score).abs() < 1e-6);
        assert!(place < 5 || one.score < with.found[4].score, "place {place}");
    }
}

#[test]
fn few_answers_are_not_touched() {
    let home = Home::new();
    let engine = engine(&home);
    store(&engine);
    let told = |recall: Recall| {
        recall.found.iter().map(|one| (one.version.id.clone(), one.score)).collect::<Vec<_>>()
    };
    assert_eq!(told(asked(&engine, 5, true)), told(asked(&engine, 5, false)));
}
