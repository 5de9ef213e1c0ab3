//! What an agent has before it whatever it asks: its blocks, and what is labelled a gotcha. And what
//! it was shown under a mark can be opened by that mark.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Block, Body, Fact, Pattern};
use mnemic_engine::model::{At, Draft, RecordId};
use mnemic_engine::recall::context::Assembled;
use mnemic_engine::{Engine, Note};
use mnemic_testkit::Home;

fn keep(engine: &Engine, body: Body, tags: &[&str]) -> RecordId {
    let mut draft = Draft::new(body);
    draft.about.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    engine.remember(draft, &Note::default()).unwrap().id
}

fn pattern(statement: &str) -> Body {
    Body::Pattern(Pattern { statement: statement.to_owned(), ..Pattern::default() })
}

fn fact(key: &str, value: &str) -> Body {
    Body::Fact(Fact { key: key.to_owned(), value: value.to_owned(), ..Fact::default() })
}

fn context(engine: &Engine, question: &str, profile: &str) -> Assembled {
    engine.context(&engine.context_ask(question, profile)).unwrap().assembled
}

/// A block, two gotchas, and more recent memories than a brief has places for.
fn lived_in(engine: &Engine) -> [RecordId; 3] {
    let label = "persona".to_owned();
    let text = "Careful and brief. Answers in English.".to_owned();
    let block = keep(engine, Body::Block(Block { label, text, limit: 500 }), &[]);
    let flaky = keep(engine, pattern("The clock test fails before noon"), &["gotcha"]);
    let shared = keep(engine, fact("staging", "is shared with the other team"), &["Gotcha"]);
    for n in 0..30 {
        keep(engine, fact(&format!("limits.of.{n}"), &n.to_string()), &[]);
    }
    [block, flaky, shared]
}

#[test]
fn blocks_and_gotchas_are_always_there() {
    let home = Home::new();
    let engine = home.engine();
    let always = lived_in(&engine);
    for question in ["", "what is the weather like", "the colours of the website"] {
        for profile in ["brief", "working"] {
            let context = context(&engine, question, profile);
            for id in &always {
                let is_shown = context.shown.iter().any(|one| one.id == *id);
                assert!(is_shown, "`{question}` by {profile} lacks {id}:\n{}", context.text);
            }
        }
    }
}

#[test]
fn a_mark_opens_what_it_stands_for() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&engine);
    let context = context(&engine, "", "brief");
    assert!(!context.shown.is_empty());
    for one in &context.shown {
        let mark = &one.citation;
        for written in [mark.clone(), format!("[R:{mark}]"), format!("M:{mark}")] {
            assert_eq!(engine.show(&written, At::LATEST).unwrap().version.id, one.id);
        }
    }
    let unknown = engine.show("[M:00000000]", At::LATEST).unwrap_err();
    assert!(unknown.to_string().contains("there is no memory"), "{unknown}");
}
