//! Any text may hold secrets: the spans lie in it and in order, and what was masked stays masked.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_text::injection::suspicion;
use mnemic_text::secrets::{Detector, Tally};

fuzz_target!(|text: &str| {
    let detector = Detector::default();
    let mut end = 0;
    for span in detector.find(text) {
        assert!(span.start >= end && text.get(span.start..span.end).is_some(), "{text:?}");
        end = span.end;
    }
    let safe = detector.mask(text, &mut Tally::new()).into_owned();
    let again = detector.mask(&safe, &mut Tally::new()).into_owned();
    assert_eq!(safe, again, "{text:?}");
    assert!(suspicion(text).score.is_finite());
});
