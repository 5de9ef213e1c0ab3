//! Any bytes of an old store may be wrong: it is upgraded, refused or repaired, and nothing panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemic_engine::{Engine, StoreName};
use mnemic_testkit::Home;

/// A file of the first schema, so that opening it is also an upgrade.
const OLD: &[u8] = include_bytes!("../../crates/cli/tests/fixtures/schema-1.db");

/// Three bytes say where, the fourth what stands there now; an odd rest cuts the file.
fn spoilt(script: &[u8]) -> Vec<u8> {
    let mut bytes = OLD.to_vec();
    let steps = script.chunks_exact(4);
    if let [first, ..] = steps.remainder() {
        bytes.truncate(usize::from(*first) * OLD.len() / 255);
    }
    for step in steps {
        let place = u32::from_le_bytes([step[0], step[1], step[2], 0]) as usize;
        if let Some(byte) = bytes.get_mut(place) {
            *byte = step[3];
        }
    }
    bytes
}

fuzz_target!(|script: &[u8]| {
    let home = Home::new();
    std::fs::create_dir_all(home.project_dir()).expect("a place for it");
    std::fs::write(home.project_dir().join("memory.db"), spoilt(script)).expect("it is written");
    let Ok(engine) = Engine::open(home.settings()) else { return };
    let _ = engine.verify(StoreName::Project);
    let _ = engine.export(StoreName::Project, &mut Vec::new());
    let _ = engine.recall(&engine.question("which port does the database use"));
    drop(engine);
    Engine::doctor(&home.settings(), true);
});
