//! A list that is read page by page while others write: nothing comes twice, nothing is passed over.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::{At, Draft, Filter, Patch};
use mnemic_engine::{Cursor, Engine, Note, StoreName};
use mnemic_testkit::Home;
use serde_json::{Value, json};

fn draft(json: Value) -> Draft {
    Draft::from_fields(json.as_object().unwrap().clone()).unwrap()
}

fn remember(engine: &Engine, n: usize, scope: &str) -> String {
    let way = json!({"kind": "pattern", "statement": format!("gate {n} opens"), "scope": scope});
    engine.remember(draft(way), &Note::default()).unwrap().id.to_string()
}

/// One page, and where the next begins as a client would hand it back.
fn page(engine: &Engine, cursor: Option<Cursor>) -> (Vec<String>, Option<Cursor>) {
    let filter = Filter { limit: 3, ..Filter::new(At::LATEST) };
    let page = engine.list_from(cursor, &filter).unwrap();
    let ids = page.items.iter().map(|item| item.version.id.to_string()).collect();
    (ids, page.next.map(|next| next.to_string().parse().unwrap()))
}

fn rest(engine: &Engine, mut cursor: Option<Cursor>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(at) = cursor {
        let (ids, next) = page(engine, Some(at));
        all.extend(ids);
        cursor = next;
    }
    all
}

#[test]
fn a_page_goes_on_behind_what_was_forgotten_or_edited_meanwhile() {
    for act in ["forget", "edit", "nothing"] {
        let home = Home::new();
        let engine = home.engine();
        let mut ids: Vec<String> = (0..5).map(|n| remember(&engine, n, "user")).collect();
        ids.extend((5..11).map(|n| remember(&engine, n, "project")));
        ids.reverse();
        let (first, next) = page(&engine, None);
        assert_eq!(first, ids[..3]);
        let last = first[2].as_str();
        match act {
            "forget" => drop(engine.forget(&[last], &Note::default()).unwrap()),
            "edit" => {
                let patch = Patch { category: Some(Some("doors".to_owned())), ..Patch::default() };
                engine.edit(last, &patch, &Note::default()).unwrap();
            }
            _ => {}
        }
        assert_eq!(rest(&engine, next), ids[3..], "{act}");
    }
}

/// What came in one moment is told apart by the order in which it came.
#[test]
fn a_page_may_end_within_one_moment_and_at_the_end_of_a_store() {
    let home = Home::new();
    let engine = home.engine();
    let dir = home.dir.path().join("layout");
    let entries: Vec<Value> =
        (0..7).map(|n| json!({"id": format!("sem-{n}"), "pattern": format!("way {n}")})).collect();
    std::fs::create_dir_all(dir.join("semantic")).unwrap();
    std::fs::write(dir.join("semantic/patterns.json"), json!(entries).to_string()).unwrap();
    engine.import_layout(StoreName::Project, &dir, false, &Note::default()).unwrap();
    let (mut all, next) = page(&engine, None);
    all.extend(rest(&engine, next));
    all.sort();
    assert_eq!(all, (0..7).map(|n| format!("sem-{n}")).collect::<Vec<_>>());

    let home = Home::new();
    let engine = home.engine();
    let mut ids: Vec<String> = (0..3).map(|n| remember(&engine, n, "user")).collect();
    ids.extend((3..6).map(|n| remember(&engine, n, "project")));
    ids.reverse();
    let (first, next) = page(&engine, None);
    assert_eq!(first, ids[..3], "the project's end is the page's");
    assert_eq!(rest(&engine, next), ids[3..]);
    assert_eq!(page(&engine, next).1, None);
}
