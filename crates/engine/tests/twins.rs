//! What says the same to the letter is one answer: it names the others, and nobody is lost by it.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Pattern};
use mnemic_engine::model::{Actor, Author, Draft, RecordId};
use mnemic_engine::recall::{Found, Recall};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    Engine::open(settings).expect("an engine")
}

/// What somebody said in a conversation.
fn said(engine: &Engine, by: Author, task: &str, text: &str) -> RecordId {
    let mut draft = Draft::new(Body::Episode(Episode {
        goal: text.to_owned(),
        task_id: Some(task.to_owned()),
        ..Episode::default()
    }));
    draft.about.writer = Some(Actor::new(by, "somebody"));
    engine.remember(draft, &Note::default()).expect("remembered").id
}

fn asked(engine: &Engine, text: &str, limit: usize, twins: bool) -> Recall {
    let mut question = engine.question(text);
    question.switches.bounds = false;
    question.switches.twins = twins;
    question.limit = limit;
    engine.recall(&question).expect("recalled")
}

/// Each answer with those that it names.
fn answers(recall: &Recall) -> Vec<(RecordId, BTreeSet<RecordId>)> {
    let twins = |one: &Found| one.twins.iter().map(|twin| twin.id.clone()).collect();
    recall.found.iter().map(|one| (one.version.id.clone(), twins(one))).collect()
}

#[test]
fn a_full_stop_more_is_nothing_else() {
    let home = Home::new();
    let engine = engine(&home);
    let first = said(&engine, Author::Human, "monday", "Deploys are done on Tuesdays");
    let again = said(&engine, Author::Human, "friday", "Deploys are done on Tuesdays!");
    let told = answers(&asked(&engine, "when are deploys done", 5, true));
    let [(one, twins)] = &told[..] else { panic!("{told:?}") };
    let all: BTreeSet<&RecordId> = twins.iter().chain([one]).collect();
    assert_eq!(all, BTreeSet::from([&first, &again]));
}

#[test]
fn a_resumed_conversation_does_not_fill_the_answer_with_what_it_repeats() {
    let home = Home::new();
    let engine = engine(&home);
    let text = "The staging broker listens on port 5672";
    let copies: BTreeSet<RecordId> = ["monday", "tuesday", "friday"]
        .map(|task| said(&engine, Author::Human, task, text))
        .into_iter()
        .collect();
    let other = said(&engine, Author::Human, "friday", "Grafana moved to another host");

    let apart = answers(&asked(&engine, "on which port does the staging broker listen", 2, false));
    assert!(apart.iter().all(|(id, twins)| copies.contains(id) && twins.is_empty()), "{apart:?}");

    let united = asked(&engine, "on which port does the staging broker listen", 2, true);
    let told = answers(&united);
    let [(first, twins), (second, none)] = &told[..] else { panic!("{told:?}") };
    assert_eq!((second, none.len()), (&other, 0));
    let mut all = twins.clone();
    all.insert(first.clone());
    assert_eq!(all, copies);

    let twin = twins.first().expect("two of them");
    let fate = engine
        .why_not(&engine.question("on which port does the staging broker listen"), twin.as_str());
    let fate = fate.expect("told");
    assert_eq!(fate.step, "twins");
    assert!(fate.reason.contains(first.as_str()), "{}", fate.reason);

    // Who looks for what is alike wants to see the copies.
    let alike = engine.similar(first.as_str(), 3).expect("looked for");
    let alike: BTreeSet<RecordId> = alike.found.iter().map(|one| one.version.id.clone()).collect();
    assert!(twins.is_subset(&alike), "{alike:?}");
}

#[test]
fn kinds_and_voices_are_told_apart() {
    let home = Home::new();
    let engine = engine(&home);
    let statement = "Releases are cut on Mondays by the platform team";
    let body = Pattern { statement: statement.to_owned(), ..Pattern::default() };
    let known = engine.remember(Draft::new(Body::Pattern(body)), &Note::default());
    let known = known.expect("remembered").id;
    let told = said(&engine, Author::Human, "a", statement);
    let echoed = said(&engine, Author::Agent, "b", statement);
    let again = said(&engine, Author::Agent, "c", statement);
    let answers = answers(&asked(&engine, "when are releases cut", 9, true));
    let alone: BTreeSet<&RecordId> =
        answers.iter().filter(|(_, twins)| twins.is_empty()).map(|(id, _)| id).collect();
    assert_eq!(alone, BTreeSet::from([&known, &told]));
    let (agent, twins) = answers.iter().find(|(_, twins)| !twins.is_empty()).expect("a pair");
    let pair = BTreeSet::from([agent, twins.first().expect("one")]);
    assert_eq!(pair, BTreeSet::from([&echoed, &again]));
}

#[test]
fn the_best_of_the_copies_keeps_its_place_however_few_are_wanted() {
    let home = Home::new();
    let engine = engine(&home);
    let text = "The staging broker listens on port 5672";
    let copies = ["a", "b"].map(|task| said(&engine, Author::Agent, task, text));
    said(&engine, Author::Human, "c", "The staging database is reset every night");
    // A person vouches for one of them, whichever stands behind.
    let first = answers(&asked(&engine, "staging broker port", 1, true))[0].0.clone();
    let behind = copies.iter().find(|id| **id != first).expect("the other");
    engine.confirm(behind.as_str(), &Note::default()).expect("confirmed");
    let answers = answers(&asked(&engine, "staging broker port", 1, true));
    let [(shown, twins)] = &answers[..] else { panic!("{answers:?}") };
    assert!(copies.contains(shown) && twins.len() == 1, "{answers:?}");
}

#[test]
fn a_hundred_copies_are_one_answer() {
    let home = Home::new();
    let engine = engine(&home);
    for n in 0..100 {
        said(&engine, Author::Human, &format!("task {n}"), "Run all the tests of the broker");
    }
    for n in 0..4 {
        said(&engine, Author::Human, "other", &format!("The broker listens on port {n}"));
    }
    let mut question = engine.question("run all the tests of the broker");
    question.switches.bounds = false;
    let found = engine.recall(&question).expect("recalled").found;
    let texts: BTreeSet<String> =
        found.iter().map(|one| one.version.content.body.substance()).collect();
    assert_eq!(texts.len(), found.len(), "a text twice");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn uniting_loses_nobody_and_shows_no_text_twice(
        turns in prop::collection::vec((0..4_u8, 0..5_u8, any::<bool>()), 1..24),
    ) {
        let home = Home::new();
        let engine = engine(&home);
        for (task, text, by_human) in &turns {
            let by = if *by_human { Author::Human } else { Author::Agent };
            let text = format!("The broker number {text} listens on a port of its own");
            said(&engine, by, &format!("task {task}"), &text);
        }
        let question = "which port has the broker";
        let apart = asked(&engine, question, 100, false);
        let united = asked(&engine, question, 100, true);
        let all: BTreeSet<RecordId> =
            answers(&united).into_iter().flat_map(|(id, twins)| twins.into_iter().chain([id])).collect();
        let expected: BTreeSet<RecordId> = answers(&apart).into_iter().map(|(id, _)| id).collect();
        prop_assert_eq!(all, expected);
        let mut texts: Vec<(String, bool)> = united.found.iter().map(|one| {
            let content = &one.version.content;
            (content.body.substance(), content.provenance.writer.is_human())
        }).collect();
        let shown = texts.len();
        texts.sort();
        texts.dedup();
        prop_assert_eq!(texts.len(), shown, "a text twice");
    }
}
