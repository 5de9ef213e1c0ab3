//! Any bytes may be handed to the import: they come in whole or not at all.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::Note;
use mnemic_testkit::Home;

fuzz_target!(|bytes: &[u8]| {
    let home = Home::new();
    let engine = home.engine();
    let store = engine.main_store().expect("it was made");
    let _ = engine.import(store, &mut &*bytes, &Note::default(), &mut |_| {});
    assert!(engine.verify(store).expect("it can be read").findings.is_empty());
});
