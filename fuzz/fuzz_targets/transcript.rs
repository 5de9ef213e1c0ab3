//! Any bytes may stand where a transcript should: they are read or refused, and the store is whole.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::{CaptureAsk, Note};
use mnemic_testkit::Home;

fuzz_target!(|bytes: &[u8]| {
    let home = Home::new();
    let engine = home.engine();
    let ask =
        CaptureAsk { name: "fuzzed".into(), format: None, extract: true, dry_run: false };
    // Refusing is right; only a panic, or a store that is not whole, is not.
    let _ = engine.capture(&mut &*bytes, &ask, &Note::default(), &mut |_| {});
    let store = engine.main_store().expect("it was made");
    assert!(engine.verify(store).expect("it can be read").findings.is_empty());
});
