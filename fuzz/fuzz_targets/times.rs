//! Any text may hold phrases of time: each is found within it and in order.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let now = jiff::civil::date(2026, 3, 10).at(9, 30, 0, 0).in_tz("UTC").expect("a real day");
    for phrase in mnemic_text::when::phrases(text, &now) {
        assert!(phrase.from <= phrase.to, "{phrase:?} in {text:?}");
        assert!(text.get(phrase.span.clone()).is_some(), "{phrase:?} in {text:?}");
    }
});
