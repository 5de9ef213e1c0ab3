//! Slips of the finger in questions, over real stores.

use mnemic_engine::model::Draft;
use mnemic_engine::model::body::{Body, Pattern};
use mnemic_engine::recall::{Recall, Vocabulary};
use mnemic_engine::{Engine, Note};
use mnemic_testkit::Home;
use std::sync::Arc;

#[derive(Debug)]
struct English;

impl Vocabulary for English {
    fn is_word(&self, word: &str) -> bool {
        ["which", "does", "coffee", "Karin", "Karen", "prot", "trail", "database", "port"]
            .contains(&word)
    }
}

const TEXTS: &[&str] = &[
    "The database listens on port 5433",
    "The coffer holds the keys",
    "Karin owns billing",
    "Caching happens at the edge",
    "Releases are cut on Mondays",
];

fn filled(home: &Home) -> Engine {
    let engine = home.engine();
    for text in TEXTS {
        let pattern = Pattern { statement: (*text).to_owned(), ..Pattern::default() };
        engine.remember(Draft::new(Body::Pattern(pattern)), &Note::default()).expect("remembered");
    }
    engine
}

fn ask(
    engine: &Engine,
    text: &str,
    change: impl FnOnce(&mut mnemic_engine::recall::Question),
) -> Recall {
    let mut question = engine.question(text);
    question.switches.bounds = false;
    question.vocabulary = Some(Arc::new(English));
    change(&mut question);
    engine.recall(&question).expect("recalled")
}

fn read(recall: &Recall) -> Vec<(&str, &str)> {
    let corrected = recall.understanding.corrected.iter();
    corrected.map(|one| (one.from.as_str(), one.to.as_str())).collect()
}

fn found(recall: &Recall) -> Vec<String> {
    recall.found.iter().map(|found| found.version.content.body.full_text()).collect()
}

#[test]
fn a_slip_is_read_as_the_nearest_word_that_a_memory_has() {
    let home = Home::new();
    let engine = filled(&home);
    let recall = ask(&engine, "which databse prot", |_| {});
    assert_eq!(read(&recall), [("databse", "database"), ("prot", "port")]);
    assert_eq!(found(&recall)[0], TEXTS[0]);
    let typed = ask(&engine, "which database port", |_| {});
    assert!(read(&typed).is_empty());
    assert!(recall.found[0].score <= typed.found[0].score);
    let off = ask(&engine, "which databse prot", |question| question.switches.spelling = false);
    assert!(read(&off).is_empty() && off.found.is_empty(), "{:?}", found(&off));
    let told_nothing = ask(&engine, "which databse prot", |question| question.vocabulary = None);
    assert!(read(&told_nothing).is_empty(), "nobody tells words from slips");
}

#[test]
fn names_words_numbers_and_code_are_left_as_they_are() {
    let home = Home::new();
    let engine = filled(&home);
    for question in [
        "where is the coffee",
        "what does karen own",
        "does Karan own billing",
        "error p0rt 5434",
        "`databse` in src/databse.rs",
        "databse_port getDatabse",
        "wun tuu thrie fuor relaeses dont matter heer caching",
    ] {
        let recall = ask(&engine, question, |_| {});
        assert!(read(&recall).is_empty(), "{question}: {:?}", read(&recall));
    }
}

#[test]
fn a_usual_word_that_was_meant_is_evidence_but_less_than_one_that_was_typed() {
    let home = Home::new();
    let engine = filled(&home);
    let evidence = |text: &str| ask(&engine, text, |_| {}).evidence;
    let (typed, read) = (evidence("which database port"), evidence("which databse prot"));
    assert!(0.5 < read && read < typed, "{read} and {typed}");
    assert!(evidence("databse zebra quartz") < read, "the rest of the question counts as well");
}

#[test]
fn what_was_only_read_so_is_no_evidence() {
    let home = Home::new();
    let engine = filled(&home);
    let evidence = |text: &str| ask(&engine, text, |_| {}).evidence;
    assert!(evidence("who is karin") > 0.5);
    let of_another = ask(&engine, "who is katrin", |_| {});
    assert_eq!((read(&of_another), of_another.evidence), (vec![("katrin", "karin")], 0.0));
}
