//! What other tools remember comes in whole, once, with who said it, or is named as broken.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::{At, Body, Filter, Kind, Trust, Version};
use mnemic_engine::{
    Engine, ExportAsk, ExportFormat, FileImport, ImportAsk, ImportFormat, ImportSource, Note,
    StoreName, Takeover,
};
use mnemic_testkit::{Home, SplitMix, copy_dir, size};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../exchange/tests/fixtures")
}

/// The fixtures in a project and a home of their own.
fn settled() -> (Home, Engine) {
    let home = Home::new();
    copy_dir(&fixtures().join("project"), &home.dir.path().join("project"));
    copy_dir(&fixtures().join("home"), &home.dir.path().join("home"));
    let engine = home.engine();
    (home, engine)
}

fn sources(path: &Path) -> Vec<ImportSource> {
    Engine::import_sources(path, None).unwrap()
}

fn import(home: &Home, engine: &Engine, sources: &[ImportSource]) -> Takeover {
    let ask = ImportAsk { home: Some(home.dir.path().join("home")), ..ImportAsk::default() };
    engine.import_files(sources, &ask, &Note::default(), &mut |_| ()).unwrap()
}

fn everything(engine: &Engine) -> Vec<Version> {
    let filter = Filter { limit: 10_000, ..Filter::new(At::LATEST) };
    engine.list(&filter).unwrap().items.into_iter().map(|item| item.version).collect()
}

fn exported(engine: &Engine) -> Vec<String> {
    let mut all = Vec::new();
    for store in [StoreName::Project, StoreName::User] {
        let mut out = Vec::new();
        engine.export(store, &mut out).unwrap();
        all.push(String::from_utf8(out).unwrap());
    }
    all
}

fn file<'t>(taken: &'t Takeover, name: &str) -> &'t FileImport {
    taken.files.iter().find(|file| file.name.ends_with(name)).unwrap_or_else(|| {
        let names: Vec<&str> = taken.files.iter().map(|file| file.name.as_str()).collect();
        panic!("no `{name}` in {names:?}")
    })
}

fn new(taken: &Takeover, name: &str) -> BTreeMap<Kind, u64> {
    let file = file(taken, name);
    assert_eq!((&file.broken, &file.skipped), (&None, &Vec::new()), "{name}");
    file.new.clone()
}

#[test]
fn every_format_is_found_out_and_comes_in_once() {
    let (home, engine) = settled();
    let mut all = sources(&home.dir.path().join("project"));
    all.extend(sources(&home.dir.path().join("home")));
    copy_dir(&fixtures().join("exports"), &home.dir.path().join("exports"));
    all.extend(sources(&home.dir.path().join("exports")));
    let formats: BTreeSet<&str> = all.iter().map(|source| source.format.as_str()).collect();
    let missing: Vec<&str> = ImportFormat::ALL
        .iter()
        .map(|format| format.as_str())
        .filter(|format| *format != "jsonl" && !formats.contains(format))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());

    let first = import(&home, &engine, &all);
    let broken: Vec<&FileImport> = first.files.iter().filter(|f| f.broken.is_some()).collect();
    assert_eq!(broken, Vec::<&FileImport>::new());
    let expect = |name: &str, kinds: &[(Kind, u64)]| {
        assert_eq!(new(&first, name), kinds.iter().copied().collect(), "{name}");
    };
    expect(".claude/rules/api.md", &[(Kind::Resource, 1)]);
    expect(".automaker/memory/gotchas.md", &[(Kind::AntiPattern, 1)]);
    expect("001-login/memory/gotchas.md", &[(Kind::AntiPattern, 2)]);
    expect("codebase_map.json", &[(Kind::Fact, 2)]);
    expect("attempt_history.json", &[(Kind::Episode, 1)]);
    expect("deploy-app/SKILL.md", &[(Kind::Skill, 1)]);
    expect("style_guide.md", &[(Kind::Resource, 1)]);
    expect("talk.txt", &[(Kind::Episode, 1)]);
    assert!(first.links > 5, "{first:?}");

    let before = exported(&engine);
    let second = import(&home, &engine, &all);
    assert_eq!(second.changes, [], "{second:?}");
    assert_eq!(exported(&engine), before, "twice is once");
    let read_again: Vec<&str> =
        second.files.iter().filter(|f| !f.unchanged).map(|f| f.name.as_str()).collect();
    // Only files with a link that leads nowhere yet.
    assert!(read_again.len() <= 4, "{read_again:?}");
}

#[test]
fn a_persons_rules_are_trusted_and_an_agents_notes_are_not() {
    let (home, engine) = settled();
    let taken = import(&home, &engine, &sources(&home.dir.path().join("project")));
    assert!(!taken.changes.is_empty());
    let mut seen = BTreeSet::new();
    for version in everything(&engine) {
        let content = &version.content;
        let source = content.provenance.source.clone().unwrap();
        let is_rule = ["CLAUDE.md", "AGENTS.md", "rules"].iter().any(|n| source.contains(n));
        let expected = if is_rule { Trust::Trusted } else { Trust::Unreviewed };
        assert_eq!(content.trust(), expected, "{source}");
        seen.insert(expected);
        assert!(!source.starts_with('/'), "{source} names the machine");
    }
    assert_eq!(seen.len(), 2);
}

#[test]
fn fields_times_and_numbers_are_read_as_they_were_meant() {
    let (home, engine) = settled();
    import(&home, &engine, &sources(&home.dir.path().join("project/.beads")));
    import(&home, &engine, &sources(&home.dir.path().join("home/.claude-mem")));
    let all = everything(&engine);
    let by_title = |title: &str| {
        let found = all.iter().find(|version| version.content.body.title() == title);
        found.unwrap_or_else(|| panic!("no `{title}`"))
    };
    let bug = by_title("Login loops");
    assert_eq!(bug.id.as_str(), "bd-1");
    assert_eq!(bug.content.valid.from().to_string(), "2026-01-05T08:00:00.000000Z");
    assert_eq!(bug.content.importance.get(), 1.0);
    assert_eq!(bug.content.extra["custom"], serde_json::json!({"a": 1}));
    let test = by_title("Add a test");
    assert_eq!(test.content.valid.from().to_string(), "2026-01-05T10:00:00.000000Z");
    assert_eq!(test.content.importance.get(), 0.5, "99 is out of range");
    let Body::Decision(decision) = &by_title("Use Argon2 for passwords").content.body else {
        panic!("a decision is a decision");
    };
    assert_eq!(decision.affects, ["src/auth.rs"]);
    assert!(by_title("Use Argon2 for passwords").content.tags.contains("security"));
}

#[test]
fn only_this_projects_part_of_a_shared_database_comes_in_when_asked() {
    let (home, engine) = settled();
    let found = sources(&home.dir.path().join("home/.claude-mem"));
    let ask = ImportAsk { only_here: true, ..ImportAsk::default() };
    engine.import_files(&found, &ask, &Note::default(), &mut |_| ()).unwrap();
    let all = everything(&engine);
    assert!(all.iter().any(|version| version.content.body.title().contains("Argon2")));
    assert!(!all.iter().any(|version| version.content.body.full_text().contains("other work")));
}

#[test]
fn what_its_source_says_anew_is_the_next_version_unless_a_person_changed_it_here() {
    let (home, engine) = settled();
    let path = home.dir.path().join("project/AGENTS.md");
    import(&home, &engine, &sources(&path));
    std::fs::write(&path, "Use the test database for experiments.\n").unwrap();
    let taken = import(&home, &engine, &sources(&path));
    assert_eq!(taken.files[0].renewed, 1, "{taken:?}");
    let only = everything(&engine).pop().unwrap();
    assert_eq!(only.n, 2);
    assert!(only.content.body.full_text().contains("test database"));

    let patch = mnemic_engine::model::Patch {
        body: serde_json::from_str(r#"{"text": "By hand"}"#).unwrap(),
        ..Default::default()
    };
    engine.edit(only.id.as_str(), &patch, &Note::default()).unwrap();
    std::fs::write(&path, "Use no database.\n").unwrap();
    let taken = import(&home, &engine, &sources(&path));
    assert_eq!((taken.files[0].renewed, taken.files[0].skipped_count), (0, 1), "{taken:?}");
    assert!(everything(&engine)[0].content.body.full_text().contains("By hand"));
}

#[test]
fn what_was_undone_comes_back_when_asked_again() {
    let (home, engine) = settled();
    let found = sources(&home.dir.path().join("project/.serena"));
    let taken = import(&home, &engine, &found);
    engine.undo(taken.changes.first(), &Note::default()).unwrap();
    assert!(everything(&engine).is_empty());
    let again = import(&home, &engine, &found);
    assert_eq!(again.files[0].created(), 1, "{again:?}");
}

#[test]
fn broken_files_are_named_and_nothing_of_them_comes_in() {
    let (home, engine) = settled();
    copy_dir(&fixtures().join("odd"), &home.dir.path().join("odd"));
    let before = exported(&engine);
    let odd =
        |name: &str, format| ImportSource { path: home.dir.path().join("odd").join(name), format };
    let all = [
        odd("chatgpt-cut.json", ImportFormat::ChatGpt),
        odd("mem0-number.json", ImportFormat::Mem0),
        odd("mem0-twice.json", ImportFormat::Mem0),
        odd("server-memory-cut.jsonl", ImportFormat::ServerMemory),
        odd("endless.md", ImportFormat::Notes),
        odd("latin.md", ImportFormat::Notes),
        odd("messages-cut.json", ImportFormat::Transcript),
        odd("deep.json", ImportFormat::MemoryService),
        odd("no-database.db", ImportFormat::ClaudeMem),
        odd("not-there.md", ImportFormat::Serena),
    ];
    let taken = import(&home, &engine, &all);
    for file in &taken.files {
        assert!(file.broken.is_some(), "{file:?}");
    }
    assert_eq!(exported(&engine), before);
}

/// One damaged copy of a fixture.
fn mutated(dice: &mut SplitMix, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut at = |length: usize| dice.below(length.max(1) as u64) as usize;
    match at(6) {
        0 => bytes.truncate(at(bytes.len())),
        1 => {
            let place = at(bytes.len());
            bytes[place] = 0xff;
        }
        2 => replace(&mut bytes, &[b"\": \"", b"\":\""], b"\": 7, \"x\": \""),
        3 => {
            let place = at(bytes.len());
            let huge = b"99999999999999999999999999999999999e999";
            bytes.splice(place..place, huge.iter().copied());
        }
        4 => {
            let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default().to_vec();
            bytes.extend(line);
        }
        _ => {
            for _ in 0..4 {
                let place = at(bytes.len());
                bytes[place] = at(256) as u8;
            }
        }
    }
    bytes
}

fn replace(bytes: &mut Vec<u8>, from: &[&[u8]], to: &[u8]) {
    for from in from {
        if let Some(place) = bytes.windows(from.len()).position(|window| window == *from) {
            bytes.splice(place..place + from.len(), to.iter().copied());
            return;
        }
    }
}

#[test]
fn mutated_files_neither_panic_nor_come_in_by_half_and_each_is_named() {
    let (home, engine) = settled();
    let mut originals = sources(&home.dir.path().join("project"));
    originals.extend(sources(&home.dir.path().join("home/.claude-mem")));
    originals.extend(sources(&fixtures().join("exports")));
    let mut dice = SplitMix::new(11);
    let wanted = size(250, 2_000);
    for n in 0..wanted {
        let original = &originals[n % originals.len()];
        let dir = home.dir.path().join("mutated").join(n.to_string());
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join(original.path.file_name().unwrap());
        std::fs::write(&path, mutated(&mut dice, &std::fs::read(&original.path).unwrap())).unwrap();
        let before = engine.stats(StoreName::Project, At::LATEST).unwrap().versions;
        let source = ImportSource { path: path.clone(), format: original.format };
        let taken = import(&home, &engine, std::slice::from_ref(&source));
        let [file] = taken.files.as_slice() else { panic!("{n}: {taken:?}") };
        assert!(file.name.ends_with(path.file_name().unwrap().to_str().unwrap()), "{file:?}");
        if file.broken.is_some() && source.format != ImportFormat::Transcript {
            let after = engine.stats(StoreName::Project, At::LATEST).unwrap().versions;
            assert_eq!(after, before, "{n}: {file:?} came in by half");
        }
    }
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

/// The files of an export, by their names.
fn files_of(engine: &Engine, format: ExportFormat) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let ask = ExportAsk { format, with_patterns: true };
    engine
        .export_as(StoreName::Project, ask, &mut |file| {
            files.insert(file.path, file.text);
            Ok(())
        })
        .unwrap();
    files
}

fn written(dir: &Path, files: &BTreeMap<String, String>) {
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Out, into an empty store, and out again: the same files.
fn goes_round(engine: &Engine, format: ExportFormat, as_format: ImportFormat) {
    let files = files_of(engine, format);
    assert!(!files.is_empty());
    let other = Home::new();
    let dir = other.dir.path().join("out");
    written(&dir, &files);
    let second = other.engine();
    let found = Engine::import_sources(&dir, Some(as_format)).unwrap();
    let taken = import(&other, &second, &found);
    let broken: Vec<&FileImport> = taken.files.iter().filter(|f| f.broken.is_some()).collect();
    assert_eq!(broken, Vec::<&FileImport>::new());
    let again = files_of(&second, format);
    for (name, text) in &files {
        assert_eq!(again.get(name), Some(text), "{name}");
    }
    assert_eq!(again.len(), files.len());
}

#[test]
fn server_memory_goes_round() {
    let (home, engine) = settled();
    import(&home, &engine, &sources(&fixtures().join("exports/server-memory.jsonl")));
    let files = files_of(&engine, ExportFormat::ServerMemory);
    let lines = |text: &str| -> BTreeSet<String> {
        let mut lines = BTreeSet::new();
        for line in text.lines() {
            let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
            if let Some(list) = value.get_mut("observations").and_then(|o| o.as_array_mut()) {
                list.sort_by_key(|item| item.to_string());
            }
            let fields: BTreeMap<String, serde_json::Value> =
                serde_json::from_value(value).unwrap();
            lines.insert(serde_json::to_string(&fields).unwrap());
        }
        lines
    };
    let original = std::fs::read_to_string(fixtures().join("exports/server-memory.jsonl")).unwrap();
    assert_eq!(lines(&files["memory.jsonl"]), lines(&original), "only the order may differ");
    goes_round(&engine, ExportFormat::ServerMemory, ImportFormat::ServerMemory);
}

#[test]
fn notes_go_round() {
    let (home, engine) = settled();
    import(&home, &engine, &sources(&fixtures().join("exports/notes")));
    let files = files_of(&engine, ExportFormat::Markdown);
    let coffee = &files["coffee.md"];
    for line in [
        "- [method] Pour slowly (at 94 °C)",
        "- [fact] Needs a burr grinder #kitchen #tool",
        "- requires [[Grinder]] (a burr one)",
        "- pairs_with [[Cake]]",
        "Best with [[Fresh Water]].",
        "permalink: drinks/coffee",
        "rating: 5",
    ] {
        assert!(coffee.contains(line), "`{line}` in {coffee}");
    }
    goes_round(&engine, ExportFormat::Markdown, ImportFormat::Notes);
}

#[test]
fn skills_go_round_and_keep_the_rules() {
    let (home, engine) = settled();
    import(&home, &engine, &sources(&home.dir.path().join("project/.claude/skills")));
    let before = everything(&engine).pop().unwrap();
    let Body::Skill(skill) = &before.content.body else { panic!("{before:?}") };
    assert_eq!((skill.steps.len(), skill.prerequisites.len()), (3, 2));
    assert_eq!(skill.steps[1].detail.as_deref(), Some("it takes\nabout five minutes"));
    assert_eq!(skill.common_errors[0].fix, "log in again");
    assert!(skill.hint.as_ref().unwrap().contains("## Rolling back"));
    goes_round(&engine, ExportFormat::Skills, ImportFormat::Skills);
    let files = files_of(&engine, ExportFormat::Skills);
    assert!(files["deploy-app/SKILL.md"].contains("license: MIT"), "{files:?}");
}

#[test]
fn generated_stores_leave_in_every_format_and_by_the_rules() {
    let home = Home::new();
    let engine = home.engine();
    for draft in mnemic_testkit::generate::drafts(3, size(300, 3_000)) {
        if draft.body.kind() != Kind::Secret {
            let _ = engine.remember(draft, &Note::default());
        }
    }
    for format in ExportFormat::ALL {
        let files = files_of(&engine, *format);
        assert!(!files.is_empty(), "{format:?}");
        assert_eq!(files_of(&engine, *format), files, "{format:?} is the same each time");
    }
    let names = files_of(&engine, ExportFormat::Skills);
    for (path, text) in names.iter().filter(|(path, _)| path.ends_with("SKILL.md")) {
        let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
        assert!(body.lines().count() < 500, "{path}");
        let folder = path.split('/').next().unwrap();
        // A name that YAML would read as a number is quoted.
        let said = front.lines().next().unwrap().strip_prefix("name: ").unwrap();
        assert_eq!(said.trim_matches('"'), folder, "{front}");
    }
}
