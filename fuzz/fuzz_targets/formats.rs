//! Any bytes may stand in a file of another tool: it is read or refused whole, and nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::{Engine, ImportAsk, Note};
use mnemic_testkit::Home;

/// Names by which formats are told; the first byte of an input chooses one.
const NAMES: &[&str] = &[
    "memory.jsonl",
    "MEMORY.md",
    "CLAUDE.md",
    "SKILL.md",
    "note.md",
    "export.json",
    "conversations.json",
    "issues.jsonl",
    "log.txt",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let home = Home::new();
    let engine = home.engine();
    let file = home.dir.path().join(NAMES[usize::from(*first) % NAMES.len()]);
    std::fs::write(&file, rest).expect("it is written");
    let Ok(sources) = Engine::import_sources(&file, None) else { return };
    let _ = engine.import_files(&sources, &ImportAsk::default(), &Note::default(), &mut |_| {});
    let store = engine.main_store().expect("it was made");
    assert!(engine.verify(store).expect("it can be read").findings.is_empty());
});
