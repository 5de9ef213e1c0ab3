//! Patterns of code wait for a person, name their lines, come once and can be taken back.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Body, Episode, Outcome, Pattern};
use mnemic_engine::model::{At, Author, Filter, Kind, Trust};
use mnemic_engine::{Engine, ErrorKind, LearnAsk, Listed, Note};
use mnemic_testkit::Home;
use std::fs;
use std::path::{Path, PathBuf};

const CODE: &str = "fn WORD(ledger: &Ledger) -> Outcome {\n    let row = ledger.open_row(1)?;\n    \
    row.stamp(Clock::here()).seal(\"WORD\")?;\n    Ok(())\n}\n";

fn root(home: &Home) -> PathBuf {
    home.project_dir().parent().unwrap().to_owned()
}

/// A project with the same few lines in three files.
fn project(home: &Home) -> Engine {
    let engine = home.engine();
    for word in ["alpha", "beta", "gamma"] {
        write(&root(home).join(format!("src/{word}.rs")), &CODE.replace("WORD", word));
    }
    engine
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn patterns(engine: &Engine) -> Vec<Listed> {
    let filter = Filter { kinds: vec![Kind::Pattern], ..Filter::new(At::LATEST) };
    engine.list(&filter).unwrap().items
}

fn body(listed: &Listed) -> &Pattern {
    match &listed.version.content.body {
        Body::Pattern(pattern) => pattern,
        other => panic!("{other:?}"),
    }
}

#[test]
fn code_becomes_patterns_for_review() {
    let home = Home::new();
    let engine = project(&home);
    let ask = LearnAsk { dry_run: true, ..LearnAsk::default() };
    let would = engine.learn_code(&ask, &Note::default()).unwrap();
    assert!(!would.patterns.is_empty());
    assert!(patterns(&engine).is_empty(), "a dry run stores nothing");

    let learnt = engine.learn_code(&LearnAsk::default(), &Note::default()).unwrap();
    assert_eq!((learnt.files, learnt.patterns.len()), (3, would.patterns.len()));
    assert!(learnt.patterns.iter().all(|(_, is_new)| *is_new));
    let stored = patterns(&engine);
    assert_eq!(stored.len(), learnt.patterns.len());
    for one in &stored {
        let provenance = &one.version.content.provenance;
        assert_eq!(provenance.trust, Trust::Unreviewed);
        assert_eq!(provenance.writer.author, Author::Tool);
        let source = provenance.source.as_deref().unwrap();
        assert!(source.starts_with("src/") && source.contains(".rs:"), "{source}");
        assert!(body(one).template.as_ref().is_some_and(|it| it.code.contains('$')));
    }
    assert_eq!(engine.review(10).unwrap().len(), stored.len());

    let again = engine.learn_code(&LearnAsk::default(), &Note::default()).unwrap();
    assert_eq!(again.change, None);
    assert!(again.patterns.iter().all(|(_, is_new)| !is_new));
    engine.undo(None, &Note::default()).unwrap();
    assert!(patterns(&engine).is_empty());
}

#[test]
fn what_a_person_rejected_does_not_come_back() {
    let home = Home::new();
    let engine = project(&home);
    engine.learn_code(&LearnAsk::default(), &Note::default()).unwrap();
    let ids: Vec<String> = patterns(&engine).iter().map(|it| it.version.id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    engine.reject(&ids, &Note::default()).unwrap();
    let again = engine.learn_code(&LearnAsk::default(), &Note::default()).unwrap();
    assert_eq!(again.change, None);
    assert!(engine.review(10).unwrap().is_empty());
}

#[test]
fn an_episode_that_ends_teaches_what_its_files_share() {
    let home = Home::new();
    let engine = project(&home);
    let start = |file: &str| Episode {
        goal: format!("mend {file}"),
        files: vec![file.to_owned()],
        ..Episode::default()
    };
    let end = |episode: &mut Episode| episode.outcome = Some(Outcome::Success);
    let open = engine.episode_start(start("README.md")).unwrap();
    engine.episode_end(open.id.as_str(), end, &Note::default()).unwrap();
    assert!(patterns(&engine).is_empty(), "nothing of the code was touched");
    let open = engine.episode_start(start("src/beta.rs")).unwrap();
    engine.episode_end(open.id.as_str(), end, &Note::default()).unwrap();
    assert!(!patterns(&engine).is_empty());
    engine.undo(None, &Note::default()).unwrap();
    assert!(patterns(&engine).is_empty(), "an episode goes with what it taught");
}

#[test]
fn files_outside_of_the_project_are_left_alone() {
    let home = Home::new();
    let engine = project(&home);
    for word in ["one", "two", "three"] {
        let text = CODE.replace("WORD", word).replace("stamp", "brand");
        write(&home.dir.path().join(format!("elsewhere/{word}.rs")), &text);
    }
    let episode = Episode {
        goal: "look around".to_owned(),
        files: vec!["../elsewhere/one.rs".to_owned()],
        ..Episode::default()
    };
    let open = engine.episode_start(episode).unwrap();
    engine.episode_end(open.id.as_str(), |_| {}, &Note::default()).unwrap();
    assert!(patterns(&engine).is_empty());
}

#[test]
fn others_code_and_what_is_not_there() {
    let home = Home::new();
    let engine = project(&home);
    for word in ["one", "two", "three"] {
        let path = root(&home).join(format!("vendor/{word}.rs"));
        write(&path, &CODE.replace("WORD", word));
    }
    let learnt = engine.learn_code(&LearnAsk::default(), &Note::default()).unwrap();
    assert_eq!(learnt.files, 3);
    let ask = LearnAsk { paths: vec![root(&home).join("nowhere")], ..LearnAsk::default() };
    let missing = engine.learn_code(&ask, &Note::default()).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::NotFound);
}
