//! Secrets that leak out of the vault into an index, an export, a journal or a backup.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::Body;
use mnemic_engine::model::{At, Filter, Kind, ScopeLevel};
use mnemic_engine::{Engine, Note, SecretValue, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, size};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn files_below(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, into) } else { into.push(path) }
    }
}

/// Where any of the texts lies in the raw bytes of any file below `dir`: each text is known by its
/// first eight bytes and compared whole.
fn traces(dir: &Path, texts: &[String]) -> (usize, Vec<String>) {
    let mut starts: HashMap<[u8; 8], Vec<&[u8]>> = HashMap::new();
    for text in texts {
        starts.entry(text.as_bytes()[..8].try_into().unwrap()).or_default().push(text.as_bytes());
    }
    let (mut files, mut found) = (Vec::new(), Vec::new());
    files_below(dir, &mut files);
    for file in files.iter().filter(|file| !file.ends_with("ballast")) {
        let bytes = std::fs::read(file).unwrap();
        for at in 0..bytes.len().saturating_sub(7) {
            let start: [u8; 8] = bytes[at..at + 8].try_into().unwrap();
            let here = starts.get(&start).into_iter().flatten();
            for text in here.filter(|text| bytes[at..].starts_with(text)) {
                let name = file.strip_prefix(dir).unwrap().display();
                found.push(format!("{name} at {at}: {}", String::from_utf8_lossy(text)));
            }
        }
    }
    (files.len(), found)
}

/// Values as they are: tokens, keys, pass phrases, and in the forms that a careless program leaves.
fn value(dice: &mut Dice, n: usize) -> String {
    match n % 4 {
        0 => format!("sk-{:016x}{:016x}", dice.bits(), dice.bits()),
        1 => format!("{:016X} battery {:08x} staple", dice.bits(), dice.bits() as u32),
        2 => format!(
            "ghp_{:016x}/+{:08x}==\nline two {:x}",
            dice.bits(),
            dice.bits() as u32,
            dice.bits()
        ),
        _ => format!("pässwörd-{:016x}-\"quoted\"", dice.bits()),
    }
}

fn disguises(value: &str) -> Vec<String> {
    let quoted = serde_json::Value::String(value.to_owned()).to_string();
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut all = vec![
        value.to_owned(),
        quoted[1..quoted.len() - 1].to_owned(),
        value.to_lowercase(),
        value.chars().rev().collect(),
        hex,
    ];
    // A part is a leak too.
    all.extend(value.split_whitespace().filter(|part| part.len() >= 16).map(str::to_owned));
    all.sort();
    all.dedup();
    all
}

#[test]
fn five_hundred_secrets_are_in_no_file() {
    let n = size(500, 2_000);
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 27, 40);
    // Other numbers than those that the store was made of: some of its texts are numbers.
    let mut dice = Dice::new(2_700);
    let (mut planted, mut wanted) = (Vec::new(), Vec::new());
    let note = Note::default();
    for index in 0..n {
        let (name, value) = (format!("vaultname{index}"), value(&mut dice, index));
        let level = dice.once_in(2).then(|| *dice.pick(&[ScopeLevel::User, ScopeLevel::Project]));
        let about = dice.once_in(2).then(|| format!("vaultabout{index} of the secret"));
        engine.vault_put(&name, &SecretValue::new(value.clone()), about, level, &note).unwrap();
        wanted.extend(disguises(&value));
        planted.push((name, value));
        if index % 97 == 0 {
            // Put again, looked at, and backed up in between.
            let (name, value) = planted[dice.below(planted.len())].clone();
            assert_eq!(engine.vault_get(&name).unwrap().reveal(), value);
            let fresh = format!("{value}-changed");
            engine.vault_put(&name, &SecretValue::new(fresh.clone()), None, None, &note).unwrap();
            wanted.extend(disguises(&fresh));
            planted.retain(|(other, _)| *other != name);
            planted.push((name, fresh));
            engine.backup(StoreName::Project, None).unwrap();
            engine.backup(StoreName::User, None).unwrap();
        }
    }
    let (open_files, leaks) = traces(home.dir.path(), &wanted);
    assert!(leaks.is_empty(), "while open: {leaks:#?}");
    check_doors(&engine, &planted);
    let undone = engine.undo(None, &note).unwrap();
    engine.undo(Some(&undone.change), &note).unwrap();
    drop(engine);
    let (files, leaks) = traces(home.dir.path(), &wanted);
    assert!(leaks.is_empty(), "after closing: {leaks:#?}");
    let engine = home.engine();
    for (name, value) in planted.iter().step_by(50) {
        assert_eq!(engine.vault_get(name).unwrap().reveal(), value);
    }
    eprintln!(
        "R27: {n} secrets in {} forms: in none of {open_files} open and {files} closed files",
        wanted.len()
    );
}

/// Nothing that leaves through another door has a value, and no word finds an entry.
fn check_doors(engine: &Engine, planted: &[(String, String)]) {
    let mut emitted = String::new();
    for store in [StoreName::Project, StoreName::User] {
        let mut out = Vec::new();
        engine.export(store, &mut out).unwrap();
        emitted.push_str(&String::from_utf8(out).unwrap());
        emitted.push_str(&format!("{:?}", engine.audit(store, 0, usize::MAX).unwrap()));
    }
    let kinds = Kind::ALL.to_vec();
    emitted.push_str(&format!(
        "{:?}",
        engine.list(&Filter { kinds: kinds.clone(), ..Filter::new(At::LATEST) }).unwrap()
    ));
    emitted.push_str(&format!("{:?}", engine.vault_list().unwrap()));
    emitted.push_str(&format!("{:?}", engine.changes(10_000).unwrap()));
    for (name, value) in planted {
        assert!(!emitted.contains(value.as_str()), "{name} left through a door");
    }
    for (name, value) in planted.iter().step_by(25) {
        let about = name.replace("vaultname", "vaultabout");
        let first = value.split_whitespace().next().unwrap();
        for words in [name.as_str(), about.as_str(), "vaultname", first] {
            let words = Some(words.to_owned());
            let filter = Filter { words, kinds: kinds.clone(), ..Filter::new(At::LATEST) };
            assert!(engine.list(&filter).unwrap().items.is_empty(), "{name} was found by a word");
        }
    }
}

#[test]
fn the_words_of_an_entry_are_in_no_index_file() {
    // Terms lie in the index in lower case; a name in odd case appears as such in its row alone.
    let home = Home::new();
    let engine = home.engine();
    let names: Vec<String> = (0..50).map(|n| format!("OddCaseVault{n:03}Name")).collect();
    for name in &names {
        let about = Some(format!("About{name}"));
        let value = SecretValue::new("some value or other".into());
        engine.vault_put(name, &value, about, None, &Note::default()).unwrap();
    }
    let path = engine.path_of(StoreName::Project).unwrap();
    drop(engine);
    let lowered: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let (_, found) = traces(path.parent().unwrap(), &lowered);
    assert!(found.is_empty(), "{found:#?}");
    let (_, rows) = traces(path.parent().unwrap(), &names);
    assert!(rows.len() >= names.len(), "the search itself finds what is there");
}

#[test]
fn no_word_finds_an_entry_now_or_in_the_past() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 28, 100);
    let kinds = vec![Kind::Secret];
    let all = engine.list(&Filter { kinds: kinds.clone(), ..Filter::new(At::LATEST) }).unwrap();
    assert!(!all.items.is_empty());
    for item in all.items {
        let Body::Secret(secret) = item.version.content.body.clone() else { panic!() };
        for words in [secret.name, secret.sealed] {
            let filter =
                Filter { words: Some(words), kinds: kinds.clone(), ..Filter::new(At::LATEST) };
            assert!(engine.list(&filter).unwrap().items.is_empty());
            let known = Some(mnemic_engine::model::Clock::now(&*home.clock));
            let past = Filter { at: At { known, ..At::LATEST }, ..filter };
            assert!(engine.list(&past).unwrap().items.is_empty());
        }
    }
}
