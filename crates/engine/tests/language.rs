//! A language model reads within its budget, shows its lines, sees no secrets and is trusted by none.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::inference::language::{
    Budget, Guarded, LanguageError, LanguageModel, Prompt, Reply,
};
use mnemic_engine::model::body::{Body, Episode, Message, Outcome, Pattern, Status};
use mnemic_engine::model::{At, Author, Draft, Filter, Kind, Trust};
use mnemic_engine::{Engine, Listed, Note};
use mnemic_testkit::Home;
use std::sync::{Arc, Mutex};

/// Answers with what it is given and keeps what it was asked.
#[derive(Debug)]
struct Scripted {
    answer: Result<String, LanguageError>,
    asked: Mutex<Vec<Prompt>>,
}

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        "scripted-1"
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, LanguageError> {
        self.asked.lock().unwrap().push(prompt.clone());
        let text = self.answer.clone()?;
        Ok(Reply { text, tokens: Some(100) })
    }
}

fn answers(text: &str) -> Arc<Scripted> {
    Arc::new(Scripted { answer: Ok(text.to_owned()), asked: Mutex::default() })
}

fn fails() -> Arc<Scripted> {
    let error = LanguageError::Unreachable { place: "there".into(), why: "nobody".into() };
    Arc::new(Scripted { answer: Err(error), asked: Mutex::default() })
}

const BUDGET: Budget = Budget {
    calls_a_day: 50,
    tokens_a_day: 100_000,
    calls_a_session: 50,
    tokens_a_session: 100_000,
};

/// An engine that may ask this model.
fn engine(home: &Home, model: &Arc<Scripted>, budget: Budget) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.language = Some(Arc::new(Guarded::new(model.clone(), budget)));
    Engine::open(settings).unwrap()
}

fn live(engine: &Engine, said: &str) {
    let message = Message { role: "user".into(), text: said.into(), at: None };
    let episode = Episode {
        goal: "move the staging database".into(),
        messages: vec![message],
        outcome: Some(Outcome::Success),
        ..Episode::default()
    };
    engine.remember(Draft::new(Body::Episode(episode)), &Note::default()).unwrap();
}

fn listed(engine: &Engine, kind: Kind) -> Vec<Listed> {
    let filter = Filter { kinds: vec![kind], ..Filter::new(At::LATEST) };
    engine.list(&filter).unwrap().items
}

fn asked(model: &Scripted) -> usize {
    model.asked.lock().unwrap().len()
}

const SAID: &str = "The staging database listens on port 5433 because 5432 is taken.";
const FOUND: &str = r#"[
    {"kind":"fact","line":2,"quote":"listens on port 5433","key":"staging database port","value":"5433"},
    {"kind":"fact","line":2,"quote":"listens on port 9999","key":"staging database port","value":"9999"}
]"#;

#[test]
fn what_it_shows_waits_for_a_person_and_the_rest_is_dropped() {
    let home = Home::new();
    let model = answers(FOUND);
    let engine = engine(&home, &model, BUDGET);
    live(&engine, SAID);
    let would = engine.distil(true, &Note::default()).unwrap();
    assert_eq!((would.episodes, asked(&model)), (1, 0), "a dry run costs nothing");

    let did = engine.distil(false, &Note::default()).unwrap();
    assert_eq!((did.episodes, did.new, &did.stopped), (1, 1, &None));
    let facts = listed(&engine, Kind::Fact);
    assert_eq!(facts.len(), 1);
    let content = &facts[0].version.content;
    assert_eq!(content.provenance.trust, Trust::Unreviewed);
    assert_eq!(content.provenance.writer.author, Author::Tool);
    assert!(content.provenance.writer.name.contains("scripted-1"));
    assert!(content.provenance.source.as_deref().unwrap().ends_with("#L2"));
    assert_eq!(content.extra["quote"], "listens on port 5433");
    assert_eq!(engine.review(5).unwrap().len(), 1);

    let again = engine.distil(false, &Note::default()).unwrap();
    assert_eq!((again.episodes, asked(&model)), (0, 1), "what it has read is not sent again");
    engine.undo(did.change.as_ref(), &Note::default()).unwrap();
    assert!(listed(&engine, Kind::Fact).is_empty());
}

#[test]
fn no_model_no_question() {
    let home = Home::new();
    let engine = home.engine();
    live(&engine, SAID);
    assert_eq!(engine.distil(false, &Note::default()).unwrap(), Default::default());
}

#[test]
fn secrets_are_never_sent() {
    let home = Home::new();
    let model = answers("[]");
    let engine = engine(&home, &model, BUDGET);
    live(
        &engine,
        "The password: hunter2-and-more\nThe port is 80 <private>my diary</private> here.",
    );
    engine.distil(false, &Note::default()).unwrap();
    let sent = model.asked.lock().unwrap()[0].text.clone();
    assert!(sent.contains("The port is 80"), "{sent}");
    for secret in ["hunter2", "diary"] {
        assert!(!sent.contains(secret), "{sent}");
    }
}

#[test]
fn who_fails_three_times_is_left_alone_also_by_the_next_process() {
    let home = Home::new();
    let model = fails();
    let first = engine(&home, &model, BUDGET);
    live(&first, SAID);
    for _ in 0..6 {
        let stopped = first.distil(false, &Note::default()).unwrap().stopped;
        assert!(stopped.is_some());
    }
    assert_eq!(asked(&model), 3);
    let next = engine(&home, &model, BUDGET);
    let stopped = next.distil(false, &Note::default()).unwrap().stopped.unwrap();
    assert!(stopped.contains("rests"), "{stopped}");
    assert_eq!(asked(&model), 3);
    let state = Engine::language_state(next.settings()).unwrap();
    assert!(state.rests && state.calls == 3, "{state}");
    home.clock.tick(3_600);
    let later = engine(&home, &model, BUDGET);
    later.distil(false, &Note::default()).unwrap();
    assert_eq!(asked(&model), 4, "after a rest it gets another chance");
}

#[test]
fn the_budget_holds_for_the_day_and_for_every_process() {
    let home = Home::new();
    let model = answers("[]");
    let budget = Budget { calls_a_day: 3, ..BUDGET };
    let first = engine(&home, &model, budget);
    for number in 0..6 {
        live(&first, &format!("{SAID} And that was number {number}."));
    }
    for _ in 0..3 {
        let engine = engine(&home, &model, budget);
        engine.distil(false, &Note::default()).unwrap();
    }
    assert_eq!(asked(&model), 3);
    home.clock.tick(86_400);
    engine(&home, &model, budget).distil(false, &Note::default()).unwrap();
    assert_eq!(asked(&model), 6);
    let short = Budget { calls_a_session: 1, ..BUDGET };
    let engine = engine(&home, &model, short);
    for number in 10..13 {
        live(&engine, &format!("{SAID} And that was number {number}."));
    }
    let stopped = engine.distil(false, &Note::default()).unwrap().stopped.unwrap();
    assert!(stopped.contains("session"), "{stopped}");
    assert_eq!(asked(&model), 7);
    eprintln!("R25: 4 processes over 2 days, 1 session: the budget held at each");
}

fn remember(engine: &Engine, statement: &str) {
    let pattern = Pattern { statement: statement.to_owned(), ..Pattern::default() };
    engine.remember(Draft::new(Body::Pattern(pattern)), &Note::default()).unwrap();
}

#[test]
fn its_verdict_opens_a_question_and_is_asked_for_once() {
    let home = Home::new();
    let model = answers(r#"[{"pair":1,"verdict":"contradict"}]"#);
    let engine = engine(&home, &model, BUDGET);
    remember(&engine, "Release notes are written by the author of the change before the merge");
    remember(&engine, "Release notes are collected by the release manager after the merge");
    let consolidate = || engine.consolidate(false, &Note::default(), &mut |_, _| {}).unwrap();
    let dry = engine.consolidate(true, &Note::default(), &mut |_, _| {}).unwrap();
    assert_eq!(asked(&model), 0, "{dry:?}");
    consolidate();
    assert_eq!(asked(&model), 1, "the rules cannot tell");
    let open = listed(&engine, Kind::Contradiction);
    assert_eq!(open.len(), 1);
    let Body::Contradiction(found) = &open[0].version.content.body else { unreachable!() };
    assert_eq!((found.status, found.detected_by.as_str()), (Status::Open, "model:scripted-1"));
    // Undone and done again: the verdict is known.
    engine.undo(None, &Note::default()).unwrap();
    consolidate();
    consolidate();
    assert_eq!(asked(&model), 1);
}
