//! Formats that are read and written: a generated store that loses more on its way out and in than
//! the format says.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::{At, Body, Clock, Filter, Kind, Relation, Trust, Version};
use mnemic_engine::{
    Engine, ExportAsk, ExportFormat, ImportAsk, ImportFormat, Note, StoreName, Takeover,
};
use mnemic_testkit::generate::drafts;
use mnemic_testkit::{Home, size};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const PROJECT: StoreName = StoreName::Project;

/// A project's store with memories of all kinds, linked now and then.
fn generated(seed: u64) -> (Home, Engine) {
    let home = Home::new();
    let engine = home.engine();
    let mut ids = Vec::new();
    for draft in drafts(seed, size(200, 2_000)) {
        if draft.body.kind() != Kind::Secret {
            let made = engine.remember(draft, &Note::default());
            ids.extend(made.ok().filter(|made| made.store == PROJECT).map(|made| made.id));
        }
    }
    for (nth, pair) in ids.windows(2).enumerate().filter(|(nth, _)| nth % 3 == 0) {
        let relation = Relation::ALL[nth / 3 % Relation::ALL.len()];
        let strength = mnemic_engine::model::Unit::ONE;
        let note = Note::default();
        let _ = engine.link(pair[0].as_str(), relation, pair[1].as_str(), strength, &note);
    }
    // Ticks of one moment lie a little ahead of the clock.
    home.clock.tick(3_600);
    (home, engine)
}

fn files_of(engine: &Engine, format: ExportFormat) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let ask = ExportAsk { format, with_patterns: true };
    engine
        .export_as(PROJECT, ask, &mut |file| {
            files.insert(file.path, file.text);
            Ok(())
        })
        .unwrap();
    files
}

/// The files taken in by an empty store, and stood for by its person.
fn taken_in(files: &BTreeMap<String, String>, format: ImportFormat) -> (Home, Engine) {
    let home = Home::new();
    // Later than whatever is taken in.
    home.clock.tick(7_200);
    let dir = home.dir.path().join("out");
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let engine = home.engine();
    let sources = Engine::import_sources(&dir, Some(format)).unwrap();
    let ask = ImportAsk { store: Some(PROJECT), ..ImportAsk::default() };
    let taken = engine.import_files(&sources, &ask, &Note::default(), &mut |_| ()).unwrap();
    is_whole(&taken, files.len());
    if format == ImportFormat::Notes {
        every_link_names_a_note(files, &everything(&engine));
    }
    assert_eq!(taken.loose_links, 0);
    for version in everything(&engine) {
        if version.content.trust() == Trust::Quarantined {
            engine.confirm(version.id.as_str(), &Note::default()).unwrap();
        }
    }
    (home, engine)
}

fn every_link_names_a_note(files: &BTreeMap<String, String>, here: &[Version]) {
    let titles: BTreeSet<String> =
        here.iter().map(|version| version.content.body.title().to_lowercase()).collect();
    for (name, text) in files {
        for target in text.split("[[").skip(1).filter_map(|part| part.split_once("]]")) {
            let target = target.0.trim().to_lowercase();
            assert!(titles.contains(&target), "{name} names {target:?}, among {titles:?}");
        }
    }
}

fn is_whole(taken: &Takeover, files: usize) {
    assert_eq!(taken.files.len(), files);
    for file in &taken.files {
        assert_eq!((&file.broken, file.skipped_count), (&None, 0), "{file:?}");
    }
}

fn everything(engine: &Engine) -> Vec<Version> {
    let namespaces = mnemic_testkit::namespaces(engine);
    let filter = Filter { namespaces, kinds: Kind::ALL.to_vec(), ..Filter::new(At::LATEST) };
    let items = engine.list(&filter).unwrap().items.into_iter();
    items.filter(|item| item.store == PROJECT).map(|item| item.version).collect()
}

/// What leaves: believed and valid now, nothing in quarantine.
fn leaving(home: &Home, engine: &Engine) -> Vec<Version> {
    let now = home.clock.now();
    let mut all = everything(engine);
    all.retain(|version| {
        let kind = version.kind();
        (kind.is_memory() || kind == Kind::Entity)
            && kind != Kind::Secret
            && version.content.trust() != Trust::Quarantined
            && version.is_valid(now)
    });
    all
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Words but those that become tags.
fn plain_words(text: &str) -> Vec<&str> {
    let is_tag = |word: &&str| word.len() > 1 && word.starts_with('#');
    text.split_whitespace().filter(|word| !is_tag(word)).collect()
}

fn said(version: &Version, name: &str) -> String {
    version.content.extra.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[test]
fn generated_stores_survive_server_memory() {
    for seed in [11, 12] {
        let (home, engine) = generated(seed);
        let files = files_of(&engine, ExportFormat::ServerMemory);
        let (_other, second) = taken_in(&files, ImportFormat::ServerMemory);
        let here = everything(&second);
        let observed: BTreeSet<String> =
            here.iter().map(|version| said(version, "observation")).collect();
        let entities: BTreeSet<String> = here
            .iter()
            .filter(|version| version.kind() == Kind::Entity)
            .map(|version| said(version, "entityType"))
            .collect();
        for version in leaving(&home, &engine) {
            let text = match &version.content.body {
                Body::Entity(entity) => entity.description.clone().unwrap_or_default(),
                body => body.full_text(),
            };
            assert!(text.trim().is_empty() || observed.contains(&text), "{seed}: {version:?}");
            assert!(
                version.kind() == Kind::Entity || entities.contains(version.kind().as_str()),
                "{seed}: {version:?}"
            );
        }
        assert_eq!(
            sorted_lines(&files_of(&second, ExportFormat::ServerMemory)),
            sorted_lines(&files)
        );
    }
}

/// The lines of a server-memory file, as their order means nothing.
fn sorted_lines(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut lines = Vec::new();
    for line in files["memory.jsonl"].lines() {
        let mut value: Value = serde_json::from_str(line).unwrap();
        if let Some(list) = value.get_mut("observations").and_then(Value::as_array_mut) {
            list.sort_by_key(Value::to_string);
        }
        lines.push(value.to_string());
    }
    lines.sort();
    lines
}

#[test]
fn generated_stores_survive_markdown() {
    for seed in [21, 22] {
        let (home, engine) = generated(seed);
        let files = files_of(&engine, ExportFormat::Markdown);
        let (_other, second) = taken_in(&files, ImportFormat::Notes);
        let here = everything(&second);
        let first = leaving(&home, &engine);
        let notes = here.iter().filter(|version| version.kind() == Kind::Resource);
        assert_eq!(notes.count(), first.len(), "{seed}: a note a memory");
        for version in &first {
            survives(version, &here);
        }
        let again = files_of(&second, ExportFormat::Markdown);
        let (_third, third) = taken_in(&again, ImportFormat::Notes);
        let last = files_of(&third, ExportFormat::Markdown);
        for (name, text) in &again {
            assert_eq!(last.get(name), Some(text), "{seed}: {name}");
        }
        assert_eq!(last.len(), again.len());
    }
}

/// What one memory said is said by a note of the same time and tags, or by what was observed there.
fn survives(version: &Version, here: &[Version]) {
    let Body::Resource(resource) = &version.content.body else {
        let text = version.content.body.full_text();
        let found = here.iter().any(|other| match &other.content.body {
            Body::Pattern(pattern) => {
                words(&pattern.statement) == plain_words(&text)
                    && other.content.category.as_deref() == Some(version.kind().as_str())
                    && other.content.valid.from() == version.content.valid.from()
            }
            _ => false,
        });
        assert!(found || plain_words(&text).is_empty(), "{version:?}");
        return;
    };
    let kept = here.iter().find(|other| other.id == version.id).expect("a resource keeps its id");
    let Body::Resource(now) = &kept.content.body else { panic!("{kept:?}") };
    assert_eq!(words(&now.text), words(&resource.text));
    assert_eq!(kept.content.tags, version.content.tags);
    assert_eq!(kept.content.valid.from(), version.content.valid.from());
}
