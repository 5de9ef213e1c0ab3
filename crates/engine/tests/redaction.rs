//! What was stored before anybody looked is found, taken out of everything, and proven gone.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Episode, Fact, Message};
use mnemic_engine::model::session::{EventKind, SessionId, Thing, ThingKind};
use mnemic_engine::model::{Actor, At, Author, Draft, Patch, RecordId, Verb};
use mnemic_engine::secrets::Detector;
use mnemic_engine::{Engine, ErrorKind, Note, Screen, SessionStart, Signal, StoreName, Target};
use mnemic_testkit::{Home, files_with};
use serde_json::json;
use std::sync::Arc;

/// Made here, so that no key lies in this file.
fn key(n: usize) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let tail = |i: usize| letters[(i * i * 17 + i * 31 + n * 7 + 3) % letters.len()];
    format!("ghp_{}", (0..36).map(tail).collect::<String>())
}

/// A store from before there was a screen.
fn unscreened(home: &Home) -> Engine {
    home.engine();
    let mut settings = home.settings();
    settings.screen = Arc::new(Screen::new(Detector::none()));
    Engine::open(settings).unwrap()
}

fn fact(key: &str, value: &str) -> Draft {
    Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
}

/// A secret in every place where a text can lie; the id of the memory that holds it.
fn plant(engine: &Engine, secret: &str) -> RecordId {
    let note = Note::because(format!("told with {secret}"));
    let mut draft = fact("deploy", &format!("log in with {secret}"));
    draft.about.tags.insert(format!("t-{secret}"));
    draft.about.category = Some(secret.to_owned());
    draft.about.summary = Some(format!("short {secret}"));
    draft.about.source = Some(format!("file-{secret}.txt"));
    draft.about.idempotency_key = Some(secret.to_owned());
    draft.about.extra.insert("x".into(), json!([{ "y": secret }]));
    let id = engine.remember(draft, &note).unwrap().id;
    let mut patch = Patch::default();
    patch.body.insert("value".into(), json!(format!("now with {secret} again")));
    engine.edit(id.as_str(), &patch, &note).unwrap();
    let open =
        engine.episode_start(Episode { goal: format!("use {secret}"), ..Episode::default() });
    open.unwrap();
    let session = SessionId::parse("ses-1").unwrap();
    let start = SessionStart {
        id: Some(session.clone()),
        host: Some(secret.into()),
        ..SessionStart::default()
    };
    engine.session_start(start).unwrap();
    let mut signal = Signal::new(EventKind::Prompt);
    signal.touched = Some(Thing::new(ThingKind::File, format!("src/{secret}.rs")));
    engine.session_note(&session, &signal).unwrap();
    id
}

#[test]
fn a_secret_that_slipped_in_is_taken_out_of_everything() {
    let home = Home::new();
    let secret = key(1);
    let engine = unscreened(&home);
    let id = plant(&engine, &secret);
    engine.remember(fact("harmless", "stays as it is"), &Note::default()).unwrap();
    engine.backup(StoreName::Project, None).unwrap();
    engine.grow_indexes().unwrap();
    drop(engine);
    assert!(!files_with(home.dir.path(), &secret).is_empty(), "it is there to begin with");

    let engine = home.engine();
    let scanned = engine.scan().unwrap();
    assert_eq!(scanned.found.len(), 1);
    assert_eq!(scanned.found[0].1, id);

    let rule = Target::Rule("github-token".into());
    let before = files_with(home.dir.path(), &secret).len();
    let dry = engine.redact(&rule, true).unwrap();
    assert_eq!((dry.ids.len(), dry.versions), (1, 2));
    assert_eq!(files_with(home.dir.path(), &secret).len(), before, "a dry run changes nothing");

    let done = engine.redact(&rule, false).unwrap();
    assert_eq!((done.ids.len(), done.versions), (1, 2), "{done:?}");
    assert!(done.elsewhere >= 4, "{done:?}");
    assert!(done.proof.traces.is_empty(), "{done:?}");
    assert!(done.waiting.is_empty(), "{done:?}");
    assert_eq!(files_with(home.dir.path(), &secret), Vec::<std::path::PathBuf>::new());

    let verified = engine.verify(StoreName::Project).unwrap();
    assert!(verified.findings.is_empty(), "{:?}", verified.findings);
    let shown = engine.show(id.as_str(), At::LATEST).unwrap();
    let Body::Fact(fact) = &shown.version.content.body else { panic!("a fact") };
    assert_eq!(fact.value, "now with [redacted:github-token] again");
    assert_eq!(engine.episodes_open().unwrap()[0].episode.goal, "use [redacted:github-token]");
    let last = engine.audit(StoreName::Project, 0, 10_000).unwrap();
    assert!(last.iter().any(|entry| entry.verb == Verb::Redact && entry.subject == id.as_str()));
    assert!(engine.audit_verify(StoreName::Project).unwrap().broken_at.is_none());
    assert!(engine.scan().unwrap().found.is_empty());
}

#[test]
fn a_pattern_takes_out_what_fits_it_and_nothing_else() {
    let home = Home::new();
    let engine = home.engine();
    let note = Note::default();
    let id = engine.remember(fact("ticket", "see BADGE-12345 and BADGE-67890"), &note).unwrap().id;
    let other = engine.remember(fact("other", "BADGE without a number"), &note).unwrap().id;
    let done = engine.redact(&Target::Pattern("BADGE-[0-9]+".into()), false).unwrap();
    assert_eq!(done.counts.get("text"), Some(&2));
    assert!(files_with(home.dir.path(), "BADGE-12345").is_empty());
    let text = |id: &RecordId| {
        engine.show(id.as_str(), At::LATEST).unwrap().version.content.body.full_text()
    };
    assert!(text(&id).contains("see [redacted:text] and [redacted:text]"));
    assert!(text(&other).contains("BADGE without a number"));
    assert!(engine.redact(&Target::Pattern("(".into()), false).is_err());
    assert!(engine.redact(&Target::Rule("no-such".into()), false).is_err());
}

#[test]
fn only_a_person_redacts() {
    let home = Home::new();
    home.engine();
    let mut settings = home.settings();
    settings.actor = Actor::new(Author::Agent, "codex");
    let agent = Engine::open(settings).unwrap();
    let denied = agent.redact(&Target::Pattern("abc".into()), false).unwrap_err();
    assert_eq!(denied.kind, ErrorKind::Denied);
}

#[test]
fn a_signature_tells_whether_the_log_is_the_one_that_was_signed() {
    let home = Home::new();
    let engine = home.engine();
    engine.remember(fact("a", "1"), &Note::default()).unwrap();
    let signature = engine.audit_sign(StoreName::Project).unwrap();
    engine.remember(fact("b", "2"), &Note::default()).unwrap();
    engine.audit_check(StoreName::Project, &signature).unwrap();

    let mut forged = signature.clone();
    forged.seq += 1;
    assert!(engine.audit_check(StoreName::Project, &forged).is_err());
    let elsewhere = Home::new();
    let other = elsewhere.engine();
    other.remember(fact("a", "another"), &Note::default()).unwrap();
    assert!(other.audit_check(StoreName::Project, &signature).is_err(), "another key");
    std::fs::copy(
        home.dir.path().join("data/mnemic/vault.key"),
        elsewhere.dir.path().join("data/mnemic/vault.key"),
    )
    .unwrap();
    assert!(other.audit_check(StoreName::Project, &signature).is_err(), "another log");
}

#[test]
fn ordinary_engines_never_let_it_in() {
    let home = Home::new();
    let secret = key(2);
    let engine = home.engine();
    let id = plant(&engine, &secret);
    assert!(engine.take_replaced().get("github-token").is_some_and(|n| *n >= 10));
    engine.backup(StoreName::Project, None).unwrap();
    engine.grow_indexes().unwrap();
    drop(engine);
    assert!(files_with(home.dir.path(), &secret).is_empty());
    let shown = home.engine().show(id.as_str(), At::LATEST).unwrap();
    assert_eq!(shown.versions, 2);
}

#[test]
fn a_secret_that_rests_in_cold_storage_is_taken_out_too() {
    let home = Home::new();
    let secret = key(9);
    let engine = unscreened(&home);
    let line = |n: usize| match n {
        17 => format!("then it logged in with {secret}"),
        _ => format!("step {n}: looked at module_{n}.rs and ran the checks"),
    };
    let say = |n| Message { role: "assistant".to_owned(), text: line(n), at: None };
    let episode = Episode {
        goal: "deploy".into(),
        messages: (0..40).map(say).collect(),
        ..Episode::default()
    };
    let id = engine.remember(Draft::new(Body::Episode(episode)), &Note::default()).unwrap().id;
    home.clock.set(mnemic_testkit::at("2026-06-01T00:00:00Z"));
    engine.cool_all().unwrap();
    drop(engine);
    let engine = home.engine();
    engine.redact(&Target::Everything, false).unwrap();
    let told = |engine: &Engine| {
        let shown = engine.show(id.as_str(), At::LATEST).unwrap();
        json!(shown.version.content.to_fields()).to_string()
    };
    assert!(!told(&engine).contains(&secret) && told(&engine).contains("[redacted:"));
    assert!(told(&engine).contains("module_39.rs"), "the rest is still there");
    engine.cool_all().unwrap();
    assert!(!told(&engine).contains(&secret));
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn undo_after_redaction_takes_nothing_older_back() {
    let home = Home::new();
    let engine = home.engine();
    let kept = engine.remember(fact("a", "see TICKET-12"), &Note::default()).unwrap();
    home.clock.tick(60);
    engine.redact(&Target::Pattern("TICKET-[0-9]+".into()), false).unwrap();
    let refused = engine.undo(None, &Note::default()).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Conflict);
    assert!(refused.to_string().contains("redaction"), "{refused}");
    let change = kept.change.unwrap();
    let hint = refused.hint.unwrap();
    assert!(hint.contains(&format!("mnemic undo {change}")), "{hint}");
    assert!(engine.show(kept.id.as_str(), At::LATEST).unwrap().valid, "nothing was taken back");
    // What was named is taken back, and what is written later is undone as ever.
    home.clock.tick(60);
    let later = engine.remember(fact("b", "1"), &Note::default()).unwrap();
    assert_eq!(engine.undo(None, &Note::default()).unwrap().undone, later.change.unwrap());
    assert_eq!(engine.undo(Some(&change), &Note::default()).unwrap().retracted, [kept.id]);
}

#[test]
fn who_said_it_is_forgotten_with_the_name() {
    let home = Home::new();
    let engine = home.engine();
    let said = |text: &str| {
        let episode = Episode {
            goal: text.to_owned(),
            task_id: Some("a chat".to_owned()),
            ..Episode::default()
        };
        let mut draft = Draft::new(Body::Episode(episode));
        draft.about.writer = Some(Actor::new(Author::Human, "somebody"));
        engine.remember(draft, &Note::default()).unwrap()
    };
    said("Ann: I play the viola in an orchestra");
    said("Bob: the orchestra needs a viola");
    let by_ann = || {
        let mut question = engine.question("does Ann play the viola in an orchestra");
        question.switches.bounds = false;
        let found = engine.recall(&question).unwrap().found;
        assert_eq!(found.len(), 2);
        let parts = found.iter().flat_map(|one| &one.explanation.parts);
        parts.filter(|part| part.name == "person").count()
    };
    assert_eq!(by_ann(), 1);
    engine.redact(&Target::Pattern("Ann".into()), false).unwrap();
    assert_eq!(by_ann(), 0, "nothing derived from the name is left");
}
