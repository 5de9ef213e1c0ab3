//! Any text may be asked: the words' query, the task, the intent and the names in it never fail.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::{Engine, Note};
use mnemic_testkit::{Home, generate};
use std::sync::OnceLock;

/// A small store with memories of every kind; it is only read.
fn engine() -> &'static Engine {
    static STORE: OnceLock<(Home, Engine)> = OnceLock::new();
    let (_, engine) = STORE.get_or_init(|| {
        let home = Home::new();
        let engine = home.engine();
        for draft in generate::drafts(11, 40) {
            // Some of what is made contradicts the rest and is refused.
            let _ = engine.remember(draft, &Note::default());
        }
        (home, engine)
    });
    engine
}

fuzz_target!(|text: &str| {
    let question = engine().question(text);
    let found = engine().recall(&question).expect("a question is never an error").found;
    for one in found {
        assert!(one.score.is_finite(), "{text:?}");
    }
});
