//! The life of memories from the first draft to the tombstone, through the engine alone.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Fact};
use mnemic_engine::model::{At, Draft, Filter, Kind, Patch, Relation, Truth, Unit, Use};
use mnemic_engine::{Engine, ErrorKind, Note, Outcome, SecretValue, StoreName};
use mnemic_testkit::{Home, at};

fn fact(key: &str, value: &str) -> Draft {
    Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
}

fn value_of(engine: &Engine, id: &str, seen: At) -> String {
    match engine.show(id, seen).unwrap().version.content.body {
        Body::Fact(fact) => fact.value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_slot_holds_one_value_and_every_moment_can_be_asked_about() {
    let home = Home::new();
    let engine = home.engine();
    home.clock.set(at("2026-01-10T00:00:00Z"));
    let first = engine.remember(fact("db.port", "5432"), &Note::default()).unwrap();
    home.clock.set(at("2026-02-10T00:00:00Z"));
    let second = engine.remember(fact("db.port", "6432"), &Note::default()).unwrap();
    assert_eq!(second.superseded.as_slice(), std::slice::from_ref(&first.id));

    let when = |time: &str| At { truth: Truth::At(at(time)), known: None };
    let values = |seen: At| -> Vec<String> {
        let page = engine.list(&Filter::new(seen)).unwrap();
        page.items
            .iter()
            .map(|item| value_of(&engine, item.version.id.as_str(), At::LATEST))
            .collect()
    };
    assert_eq!(values(when("2026-01-15T00:00:00Z")), ["5432"]);
    assert_eq!(values(when("2026-03-01T00:00:00Z")), ["6432"]);
    // As was believed in January, the first value would be true for ever.
    let then = At {
        truth: Truth::At(at("2026-03-01T00:00:00Z")),
        known: Some(at("2026-01-20T00:00:00Z")),
    };
    assert_eq!(values(then), ["5432"]);

    let differences = engine.diff(at("2026-01-20T00:00:00Z"), at("2026-03-01T00:00:00Z")).unwrap();
    assert_eq!(differences.len(), 2);
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn the_same_twice_is_once() {
    let home = Home::new();
    let engine = home.engine();
    let first = engine.remember(fact("a", "b"), &Note::default()).unwrap();
    let again = engine.remember(fact("a", "b"), &Note::default()).unwrap();
    assert_eq!((again.outcome, &again.id), (Outcome::Known, &first.id));

    let keyed = |value: &str| {
        let mut draft = fact("keyed", value);
        draft.about.idempotency_key = Some("k1".into());
        draft
    };
    let made = engine.remember(keyed("1"), &Note::default()).unwrap();
    engine.remember(fact("keyed", "2"), &Note::default()).unwrap();
    let retried = engine.remember(keyed("1"), &Note::default()).unwrap();
    assert_eq!((retried.outcome, retried.id), (Outcome::Replayed, made.id));
    let other = engine.remember(keyed("3"), &Note::default()).unwrap_err();
    assert_eq!(other.kind, ErrorKind::Conflict);
}

#[test]
fn what_was_done_can_be_undone_and_that_too() {
    let home = Home::new();
    let engine = home.engine();
    let first = engine.remember(fact("port", "1"), &Note::default()).unwrap();
    home.clock.tick(1000);
    let second = engine.remember(fact("port", "2"), &Note::default()).unwrap();
    let undone = engine.undo(None, &Note::default()).unwrap();
    assert_eq!(undone.retracted.as_slice(), std::slice::from_ref(&second.id));
    assert_eq!(undone.restored.as_slice(), std::slice::from_ref(&first.id));
    assert!(engine.show(first.id.as_str(), At::LATEST).unwrap().version.content.valid.is_open());
    assert_eq!(engine.show(second.id.as_str(), At::LATEST).unwrap_err().kind, ErrorKind::NotFound);

    engine.undo(Some(&undone.change), &Note::default()).unwrap();
    assert_eq!(value_of(&engine, second.id.as_str(), At::LATEST), "2");
    assert!(!engine.show(first.id.as_str(), At::LATEST).unwrap().version.content.valid.is_open());
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn an_undo_that_would_lose_later_work_is_refused() {
    let home = Home::new();
    let engine = home.engine();
    let made = engine.remember(fact("port", "1"), &Note::default()).unwrap();
    let mut patch = Patch::default();
    patch.body.insert("value".into(), "2".into());
    engine.edit(made.id.as_str(), &patch, &Note::because("typo")).unwrap();
    let refused = engine.undo(made.change.as_ref(), &Note::default()).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Conflict);
    assert!(refused.to_string().contains(made.id.as_str()));
    let history = engine.history(made.id.as_str(), None).unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(history[1].change.reason.as_deref(), Some("typo"));
}

#[test]
fn forgotten_is_gone_and_stays_out() {
    let home = Home::new();
    let engine = home.engine();
    let keep = engine.remember(fact("keep", "this stays here"), &Note::default()).unwrap();
    let made = engine.remember(fact("gone", "the purple elephant"), &Note::default()).unwrap();
    engine
        .link(keep.id.as_str(), Relation::RelatedTo, made.id.as_str(), Unit::ONE, &Note::default())
        .unwrap();
    engine.record_use(&[made.id.as_str()], Use::Loaded, None).unwrap();
    engine.backup(StoreName::Project, None).unwrap();
    let forgotten = engine.forget(&[made.id.as_str()], &Note::default()).unwrap();
    assert!(forgotten.proof.traces.is_empty(), "{:?}", forgotten.proof);
    assert!(forgotten.waiting.is_empty(), "{:?}", forgotten.waiting);
    assert!(forgotten.proof.files >= 2 && forgotten.proof.pieces > 0);
    assert_eq!(engine.show(made.id.as_str(), At::LATEST).unwrap_err().kind, ErrorKind::Forgotten);
    let back = engine.remember(fact("gone", "The  purple elephant!"), &Note::default());
    assert_eq!(back.unwrap_err().kind, ErrorKind::Forgotten);
    assert!(engine.show(keep.id.as_str(), At::LATEST).unwrap().links.is_empty());
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn the_vault_opens_only_when_asked_and_writes_it_down() {
    let home = Home::new();
    let engine = home.engine();
    let secret = SecretValue::new("hunter2hunter2".into());
    engine.vault_put("db", &secret, None, None, &Note::default()).unwrap();
    assert_eq!(engine.vault_get("db").unwrap(), secret);
    let audit = engine.audit(StoreName::Project, 0, 100).unwrap();
    assert!(audit.iter().any(|entry| entry.verb.as_str() == "vault_get"));
    let changed = SecretValue::new("hunter3hunter3".into());
    engine.vault_put("db", &changed, None, None, &Note::default()).unwrap();
    assert_eq!(engine.vault_get("db").unwrap(), changed);
    assert_eq!(engine.vault_list().unwrap().len(), 1);
}

#[test]
fn blocks_keep_to_their_limit() {
    let home = Home::new();
    let engine = home.engine();
    engine.block_create("persona", "I am helpful", Some(20), None, &Note::default()).unwrap();
    let edited =
        engine.block_replace("persona", "helpful", "very helpful", &Note::default()).unwrap();
    assert_eq!((edited.used, edited.limit), (17, 20));
    assert!(edited.edited.warnings.is_empty());
    let edited = engine.block_rethink("persona", "I am most helpful", &Note::default()).unwrap();
    assert!(edited.edited.warnings.is_empty());
    let edited = engine.block_rethink("persona", "I am really helpful", &Note::default()).unwrap();
    assert!(edited.edited.warnings[0].contains("19 of 20"));
    let over = engine.block_insert("persona", "and more", None, &Note::default()).unwrap_err();
    assert_eq!(over.kind, ErrorKind::Invalid);
    assert_eq!(engine.block("persona", At::LATEST).unwrap().version.n, 4);
}

#[test]
fn export_and_import_are_inverse() {
    let home = Home::new();
    let engine = home.engine();
    let a = engine.remember(fact("a", "1"), &Note::default()).unwrap();
    home.clock.tick(5);
    engine.remember(fact("a", "2"), &Note::because("moved")).unwrap();
    engine.pin(a.id.as_str(), true, &Note::default()).unwrap();
    let gone = engine.remember(fact("x", "to be forgotten"), &Note::default()).unwrap();
    engine.forget(&[gone.id.as_str()], &Note::default()).unwrap();
    let mut out = Vec::new();
    engine.export(StoreName::Project, &mut out).unwrap();

    let other = Home::new();
    let second = other.engine();
    let imported = second
        .import(StoreName::Project, &mut out.as_slice(), &Note::default(), &mut |_| ())
        .unwrap();
    assert_eq!(imported.skipped, Vec::<String>::new());
    let mut again = Vec::new();
    second.export(StoreName::Project, &mut again).unwrap();
    assert_eq!(String::from_utf8(out.clone()).unwrap(), String::from_utf8(again).unwrap());

    let twice = second
        .import(StoreName::Project, &mut out.as_slice(), &Note::default(), &mut |_| ())
        .unwrap();
    assert_eq!((twice.records, twice.known), (0, 2));
    second.undo(Some(&imported.change), &Note::default()).unwrap();
    assert!(second.list(&Filter::new(At::LATEST)).unwrap().items.is_empty());
    assert!(second.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn a_damaged_store_is_rebuilt_from_backup_and_what_can_be_saved() {
    let home = Home::new();
    let engine = home.engine();
    let mut ids = Vec::new();
    for n in 0..50 {
        ids.push(
            engine
                .remember(fact(&format!("k{n}"), &format!("value number {n}")), &Note::default())
                .unwrap()
                .id,
        );
    }
    engine.backup(StoreName::Project, None).unwrap();
    for n in 50..60 {
        ids.push(
            engine
                .remember(fact(&format!("k{n}"), &format!("value number {n}")), &Note::default())
                .unwrap()
                .id,
        );
    }
    let path = engine.path_of(StoreName::Project).unwrap();
    drop(engine);
    let mut bytes = std::fs::read(&path).unwrap();
    let hit = bytes.windows(15).position(|w| w == b"value number 17").unwrap();
    bytes[hit] = b'V';
    std::fs::write(&path, bytes).unwrap();

    let engine = home.engine();
    let report = engine.verify(StoreName::Project).unwrap();
    assert!(report.findings.iter().any(|f| f.record.as_ref() == Some(&ids[17])), "{report:?}");
    drop(engine);
    let restored = Engine::restore(&home.settings(), StoreName::Project, None).unwrap();
    assert_eq!(restored.records, 60);
    let engine = home.engine();
    assert_eq!(value_of(&engine, ids[17].as_str(), At::LATEST), "value number 17");
    assert_eq!(value_of(&engine, ids[59].as_str(), At::LATEST), "value number 59");
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn words_are_found_whatever_they_look_like() {
    let home = Home::new();
    let engine = home.engine();
    for (key, value) in [
        ("lang", "written in C++ and a bit of Rust"),
        ("path", "the entry is src/main.rs, see getUserName"),
        ("err", "error[E0382]: borrow of moved value"),
        ("ja", "東京タワーの高さ"),
        ("danger", "never run rm -rf / on prod"),
    ] {
        engine.remember(fact(key, value), &Note::default()).unwrap();
    }
    let found = |words: &str| -> Vec<String> {
        let filter = Filter { words: Some(words.into()), ..Filter::new(At::LATEST) };
        let page = engine.list(&filter).unwrap();
        page.items.iter().map(|item| item.version.content.body.title().to_owned()).collect()
    };
    assert_eq!(found("c++"), ["lang"]);
    assert_eq!(found("src/main.rs"), ["path"]);
    assert_eq!(found("user name"), ["path"]);
    assert_eq!(found("E0382"), ["err"]);
    assert_eq!(found("東京"), ["ja"]);
    assert_eq!(found("rm -rf"), ["danger"]);
    assert!(found("\" OR * NEAR( ").is_empty());
    let kinds = Filter { kinds: vec![Kind::Decision], ..Filter::new(At::LATEST) };
    assert!(engine.list(&kinds).unwrap().items.is_empty());
}
