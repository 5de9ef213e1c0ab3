//! What was injected comes back in transcripts a thousand times: nothing of it is learned again.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Decision};
use mnemic_engine::model::{At, Draft, Filter};
use mnemic_engine::{CaptureAsk, Engine, Note};
use mnemic_testkit::{Home, size};
use serde_json::json;

/// Words that only the injected memory has.
const TELLING: &str = "zanzibar quokka";

fn holding(engine: &Engine) -> usize {
    let filter = Filter::new(At::LATEST);
    let (mut found, mut cursor) = (0, None);
    loop {
        let page = engine.list_from(cursor, &filter).unwrap();
        let texts =
            page.items.iter().map(|item| json!(item.version.content.to_fields()).to_string());
        found += texts.filter(|text| text.contains(TELLING)).count();
        match page.next {
            Some(next) => cursor = Some(next),
            None => return found,
        }
    }
}

/// A session in which the person pastes what was injected, and the agent says it back.
fn transcript(round: usize, injected: &str) -> String {
    let messages = json!([
        { "role": "user", "content": format!("{injected}\nround {round}: tidy the imports") },
        { "role": "assistant", "content": format!("I was told:\n{injected}\nI tidied them.") },
    ]);
    messages.to_string()
}

#[test]
fn injected_text_is_never_captured_again() {
    let home = Home::new();
    let engine = home.engine();
    let decision = Decision {
        decision: format!("We always use the {TELLING} queue instead of polling"),
        rationale: Some("polling burns the battery".into()),
        alternatives: Vec::new(),
        affects: Vec::new(),
        active: true,
    };
    engine.remember(Draft::new(Body::Decision(decision)), &Note::default()).unwrap();
    let rounds = size(100, 1_000);
    for round in 0..rounds {
        home.clock.tick(60);
        let profile = ["brief", "working", "answer"][round % 3];
        let mut ask = engine.context_ask(format!("which {TELLING} queue do we use?"), profile);
        ask.ask.budget = Some(600);
        let injected = engine.context(&ask).unwrap().assembled.text;
        assert!(injected.contains(TELLING), "round {round}: {injected}");
        let ask =
            CaptureAsk { name: format!("round-{round}"), extract: true, ..CaptureAsk::default() };
        let text = transcript(round, &injected);
        engine.capture(&mut text.as_bytes(), &ask, &Note::default(), &mut |_| {}).unwrap();
        if round % 25 == 24 {
            engine.consolidate(false, &Note::default(), &mut |_, _| {}).unwrap();
        }
    }
    assert_eq!(holding(&engine), 1);
    eprintln!("R24: {rounds} rounds of injected text captured again, growth 0");
}
