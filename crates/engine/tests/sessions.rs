//! Sessions from start to end: when memory speaks, how deep it goes, what that costs and what
//! maintenance does about it.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Fact, Outcome, Pattern};
use mnemic_engine::model::session::{Due, EventKind, Level, SessionId, Thing, ThingKind};
use mnemic_engine::model::{At, Draft, RecordId};
use mnemic_engine::recall::economics::Action;
use mnemic_engine::recall::layers::{Depth, Heading, Loaded, Loading};
use mnemic_engine::{Engine, ErrorKind, Note, SessionStart, Signal, StoreName};
use mnemic_testkit::Home;

fn fact(key: &str, value: &str) -> Draft {
    Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
}

fn pattern(statement: &str, tags: &[&str]) -> Draft {
    let statement = statement.to_owned();
    let mut draft = Draft::new(Body::Pattern(Pattern { statement, ..Pattern::default() }));
    draft.about.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    draft
}

fn remember(engine: &Engine, draft: Draft) -> RecordId {
    engine.remember(draft, &Note::default()).unwrap().id
}

/// Text that no line of ten words can hold.
fn long(about: &str) -> String {
    format!("{about}. {}", "It goes on to tell how all of that came about in detail. ".repeat(8))
}

fn start(engine: &Engine) -> SessionId {
    let about = Some("rotate the signing keys of the login service".to_owned());
    let window = Some(1_000);
    engine.session_start(SessionStart { window, about, ..SessionStart::default() }).unwrap().id
}

fn load(engine: &Engine, home: &Home, question: &str, session: Option<&SessionId>) -> Loaded {
    home.clock.tick(60);
    let now = mnemic_engine::model::Clock::now(home.clock.as_ref());
    engine.layers_load(&Loading::new(question, now), session).unwrap()
}

fn topic(engine: &Engine, name: &str) -> Option<Heading> {
    let index = engine.layers_index(None, usize::MAX).unwrap();
    index.entries.into_iter().map(|entry| entry.heading).find(|heading| heading.name == name)
}

fn names(engine: &Engine) -> Vec<String> {
    let index = engine.layers_index(None, usize::MAX).unwrap();
    let mut names: Vec<String> =
        index.entries.into_iter().map(|entry| entry.heading.name).collect();
    names.sort();
    names
}

#[test]
fn a_question_goes_as_deep_as_its_answer_lies() {
    let home = Home::new();
    let engine = home.engine();
    remember(&engine, fact("db.port", "5432"));
    for n in 0..3 {
        remember(
            &engine,
            pattern(&long(&format!("Login tokens {n} expire at midnight")), &["auth"]),
        );
        remember(&engine, pattern(&long(&format!("Login pages {n} expire slowly")), &["web"]));
        remember(&engine, pattern(&long(&format!("Login cookies {n} expire fast")), &["cookies"]));
    }
    let nothing = load(&engine, &home, "helm charts on kubernetes", None);
    assert_eq!(nothing.depth, Depth::Index, "{}", nothing.because);
    assert!(nothing.timeline.is_none() && nothing.full.is_empty() && nothing.topics.is_empty());
    assert!(nothing.index.cost <= 100 && nothing.index.memories == 10);

    let short = load(&engine, &home, "db port", None);
    assert_eq!(short.depth, Depth::Timeline, "{}", short.because);
    assert!(short.coverage > 0.9 && short.full.is_empty());
    assert!(short.timeline.as_ref().unwrap().text.contains("5432"));

    let deep = load(&engine, &home, "when does login expire", None);
    assert_eq!(deep.depth, Depth::Full, "{}", deep.because);
    assert!(deep.topics.len() >= 3, "{:?}", deep.topics);
    let mut read: Vec<&str> = deep.full.iter().map(|one| one.topic.as_str()).collect();
    read.dedup();
    assert_eq!(read.len(), 2, "at most two topics are read whole: {read:?}");
    assert!(deep.full.iter().all(|one| one.level == Level::Full));
    assert!(deep.read_tokens() <= 4_000);
    assert!(deep.timeline.unwrap().cost <= 500);
}

#[test]
fn reading_without_a_session_leaves_no_trace() {
    let home = Home::new();
    let engine = home.engine();
    let id = remember(&engine, pattern(&long("Login tokens expire at midnight"), &["auth"]));
    load(&engine, &home, "login tokens expire", None);
    assert_eq!(engine.show(id.as_str(), At::LATEST).unwrap().usage.loaded, 0);
    assert!(engine.session_list(9).unwrap().is_empty());
}

#[test]
fn memory_speaks_rarely() {
    let home = Home::new();
    let engine = home.engine();
    remember(&engine, pattern("ENOSPC on the build host means the cache disk is full", &["ci"]));
    let id = start(&engine);
    let note = |kind, text: Option<&str>, amount| {
        let signal = Signal { text: text.map(str::to_owned), amount, ..Signal::new(kind) };
        engine.session_note(&id, &signal).unwrap()
    };
    let silent = note(EventKind::Prompt, Some("now rotate signing keys of login too"), 0.0);
    assert_eq!((silent.due, silent.warning), (None, None));
    assert_eq!(note(EventKind::Tool, None, 0.0).due, None);
    let away = Some("draw an invoice as a printable letter");
    assert_eq!(note(EventKind::Prompt, away, 0.0).due, Some(Due::TopicShift));
    assert_eq!(note(EventKind::Prompt, away, 0.0).due, None, "that is the topic now");
    let error = |text: &str| note(EventKind::Error, Some(text), 0.0).due;
    assert_eq!(error("ENOSPC on the build host"), Some(Due::KnownError));
    assert_eq!(error("segmentation fault in libfoo"), None);

    assert_eq!(note(EventKind::WindowFill, None, 400.0).warning, None);
    assert!(note(EventKind::WindowFill, None, 600.0).warning.unwrap().contains("60 %"));
    assert_eq!(note(EventKind::WindowFill, None, 650.0).warning, None, "said once");
    assert!(note(EventKind::WindowFill, None, 900.0).warning.is_some());

    let known = engine.layers_index(Some("build host"), 500).unwrap();
    assert_eq!(known.entries[0].heading.name, "ci");
    let record = engine.list(&mnemic_engine::model::Filter::new(At::LATEST)).unwrap().items[0]
        .version
        .id
        .clone();
    engine.session_shown(&id, "mandates", &[(record.clone(), Level::Full, 12)]).unwrap();
    let again = note(EventKind::Compaction, None, 0.0);
    assert_eq!((again.due, again.again), (Some(Due::Compaction), vec![record]));
    assert_eq!(note(EventKind::WindowFill, None, 100.0).warning, None);
    let view = engine.session_show(&id).unwrap();
    assert_eq!(view.shown[0].tier, "mandates");
    assert!(view.events.iter().any(|event| event.kind == EventKind::TopicShift));
    assert_eq!(view.economics.read_tokens, 12);
}

#[test]
fn an_ended_session_counts_what_was_used_and_takes_nothing_more() {
    let home = Home::new();
    let engine = home.engine();
    let used = remember(&engine, pattern(&long("Login tokens expire at midnight"), &["auth"]));
    let ignored = remember(&engine, pattern(&long("Login tokens expire on reboot"), &["auth"]));
    let id = start(&engine);
    assert_eq!(load(&engine, &home, "login tokens expire", Some(&id)).depth, Depth::Full);
    let cited = [used.as_str()];
    let ended = engine.session_end(&id, Some(Outcome::Success), &cited).unwrap();
    assert_eq!((ended.shown, ended.cited), (2, 1));
    let usage = |id: &RecordId| engine.show(id.as_str(), At::LATEST).unwrap().usage;
    assert_eq!((usage(&used).referenced, usage(&used).succeeded, usage(&used).ignored), (1, 1, 0));
    assert_eq!((usage(&ignored).referenced, usage(&ignored).ignored), (0, 1));
    let view = engine.session_show(&id).unwrap();
    assert_eq!(view.session.outcome, Some(Outcome::Success));
    assert!(view.shown.iter().all(|one| one.outcome == Some(Outcome::Success)));
    assert_eq!(view.shown.iter().filter(|one| one.cited).count(), 2, "as line and as whole");
    for refused in [
        engine.session_note(&id, &Signal::new(EventKind::Tool)).unwrap_err(),
        engine.session_end(&id, None, &[]).unwrap_err(),
        engine.session_shown(&id, "layers", &[]).unwrap_err(),
    ] {
        assert_eq!(refused.kind, ErrorKind::Conflict);
    }
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

/// A session that reads the same topic in full `times`; what its end found.
fn dear_session(engine: &Engine, home: &Home, times: usize, cited: &[&str]) -> Vec<Action> {
    let id = start(engine);
    for _ in 0..times {
        assert_eq!(load(engine, home, "login tokens expire", Some(&id)).depth, Depth::Full);
    }
    let ended = engine.session_end(&id, None, cited).unwrap();
    assert!(ended.waiting.is_empty(), "{:?}", ended.waiting);
    ended.findings.into_iter().map(|finding| finding.action).collect()
}

#[test]
fn what_is_found_too_dear_is_done_something_about() {
    let home = Home::new();
    let engine = home.engine();
    for n in 0..6 {
        let tags: &[&str] = if n < 3 { &["auth", "key"] } else { &["auth", "page"] };
        remember(&engine, pattern(&long(&format!("Login tokens {n} expire")), tags));
    }
    for name in ["authz", "bus", "cat", "dog", "elk", "zoo"] {
        remember(&engine, fact(&format!("{name}.size"), "9"));
    }
    assert_eq!(names(&engine), ["auth", "authz", "bus", "cat", "dog", "elk", "zoo"]);
    let before = topic(&engine, "auth").unwrap();
    let found = dear_session(&engine, &home, 4, &[]);
    assert_eq!(found, Action::ALL);
    // Small topics went to their neighbours by name, the large one was split by its second tag.
    assert_eq!(names(&engine), ["auth/key", "auth/page", "other"]);
    assert!(before.standing == 1.0 && before.relevance > 0.4);
    let part = topic(&engine, "auth/key").unwrap();
    assert!(part.is_compressed && part.is_cut, "what held of the whole holds of its parts");
    assert_eq!(part.standing, 0.5);
    // New memories follow the rules.
    remember(&engine, pattern("Keys live in the vault", &["auth", "key"]));
    remember(&engine, fact("zoo.keeper", "Ada"));
    assert_eq!(names(&engine), ["auth/key", "auth/page", "other"]);
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
    engine.reindex(StoreName::Project).unwrap();
    assert_eq!(names(&engine), ["auth/key", "auth/page", "other"], "rules outlive a rebuild");
    let spending = engine.economics(None, 10).unwrap();
    assert_eq!(spending.doubts(), 1);
    let checkups = Engine::doctor(engine.settings(), false);
    assert!(checkups.iter().any(|one| one.name.ends_with("price")), "{checkups:?}");
    assert!(spending.returns.iter().all(|one| one.loaded > 0));
}

#[test]
fn a_dear_topic_is_served_by_its_summaries_and_sinks_until_it_is_of_use() {
    let home = Home::new();
    let engine = home.engine();
    let id = remember(&engine, pattern(&long("Login tokens expire at midnight"), &["auth"]));
    for n in 0..2 {
        remember(&engine, pattern(&long(&format!("Login tokens {n} expire")), &["auth"]));
    }
    let found = dear_session(&engine, &home, 1, &[]);
    assert!(found.contains(&Action::ReviewTopics), "{found:?}");
    let sunk = topic(&engine, "auth").unwrap();
    assert_eq!(sunk.standing, 0.5);
    let found = dear_session(&engine, &home, 1, &[id.as_str()]);
    assert!(found.contains(&Action::CompressTopics) || sunk.is_compressed, "{found:?}");
    let again = topic(&engine, "auth").unwrap();
    assert_eq!(again.standing, 1.0, "it was cited");
    assert!(again.is_compressed);
    let loaded = load(&engine, &home, "login tokens expire", None);
    assert!(!loaded.full.is_empty());
    assert!(loaded.full.iter().all(|one| one.level == Level::Summary), "{loaded:?}");
}

#[test]
fn after_a_task_its_loads_are_counted_anew() {
    let home = Home::new();
    let engine = home.engine();
    for n in 0..4 {
        remember(&engine, pattern(&long(&format!("Login tokens {n} expire")), &["auth"]));
    }
    let id = start(&engine);
    for _ in 0..4 {
        load(&engine, &home, "login tokens expire", Some(&id));
    }
    assert_eq!(engine.session_show(&id).unwrap().economics.task_full_loads, 4);
    let noted = engine.session_note(&id, &Signal::new(EventKind::TaskDone)).unwrap();
    let actions: Vec<Action> = noted.findings.iter().map(|finding| finding.action).collect();
    assert!(actions.contains(&Action::SpecialiseIndex), "{actions:?}");
    assert!(!actions.contains(&Action::ReorganiseTopics), "only at the end of a session");
    let economics = engine.session_show(&id).unwrap().economics;
    assert_eq!((economics.task_full_loads, economics.full_loads), (0, 4));
}

#[test]
fn traces_answer_bounded_and_newest_first() {
    let home = Home::new();
    let engine = home.engine();
    let thing = |kind, name: &str| Thing::new(kind, name);
    let file = thing(ThingKind::File, "src/main.rs");
    let mut ids = Vec::new();
    for n in 0..5 {
        let id = start(&engine);
        for touched in [file.clone(), thing(ThingKind::Branch, &format!("branch-{n}"))] {
            home.clock.tick(10);
            let signal = Signal { touched: Some(touched), ..Signal::new(EventKind::Tool) };
            engine.session_note(&id, &signal).unwrap();
        }
        ids.push(id);
    }
    let path = engine.path_of(StoreName::Project).unwrap();
    let store = mnemic_store::sqlite::SqliteStore::open(&path, home.clock.clone()).unwrap();
    let read = store.read().unwrap();
    let with: Vec<SessionId> =
        read.sessions_with(&file, 3).unwrap().into_iter().map(|(id, _)| id).collect();
    assert_eq!(with, [ids[4].clone(), ids[3].clone(), ids[2].clone()]);
    let of: Vec<Thing> =
        read.things_of(&ids[1], 9).unwrap().into_iter().map(|(thing, _)| thing).collect();
    assert_eq!(of, [file.clone(), thing(ThingKind::Branch, "branch-1")]);
    let uses = read.uses_of(&file, 2).unwrap();
    assert!(uses.len() == 2 && uses[0] > uses[1]);
    let recent = read.recent_things(ThingKind::Branch, 2).unwrap();
    assert_eq!(&*recent[0].0.name, "branch-4");
    assert_eq!(recent.len(), 2);
}
