//! Any text may be a memory: in a context it stays inside its fence and within the budget.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::model::{Draft, injected};
use mnemic_engine::Note;
use mnemic_testkit::Home;

fuzz_target!(|text: &str| {
    let home = Home::new();
    let engine = home.engine();
    let fields = serde_json::json!({ "kind": "decision", "decision": text });
    let fields = fields.as_object().expect("it was written as one").clone();
    let Ok(draft) = Draft::from_fields(fields) else { return };
    if engine.remember(draft, &Note::default()).is_err() {
        return;
    }
    for budget in [80, 400] {
        let mut ask = engine.context_ask(text, "answer");
        ask.ask.budget = Some(budget);
        ask.fill = true;
        let made = engine.context(&ask).expect("a context is never an error").assembled;
        assert!(ask.counter.count(&made.text) <= budget);
        let fences = made.text.lines().filter(|line| injected::key_of_line(line).is_some());
        assert!(matches!(fences.count(), 0 | 2), "{}", made.text);
    }
});
