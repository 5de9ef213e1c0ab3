//! Files below `/memories`: kept with a history, found by recall, taken back, forgotten, and never
//! made twice.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_engine::model::{Actor, At, Author, Filter, Kind, Patch, Tier, Trust};
use mnemic_engine::{Engine, ErrorKind, MemoryFileCommand, Note, Result};
use mnemic_testkit::Home;
use serde_json::json;

fn agent(home: &Home) -> Engine {
    home.engine().acting_as(Actor::new(Author::Agent, "claude"))
}

fn tell(engine: &Engine, command: serde_json::Value) -> Result<String> {
    let command: MemoryFileCommand = serde_json::from_value(command).unwrap();
    engine.memory_file(&command, &Note::default())
}

fn create(engine: &Engine, path: &str, text: &str) -> Result<String> {
    tell(engine, json!({ "command": "create", "path": path, "file_text": text }))
}

fn view(engine: &Engine, path: &str) -> Result<String> {
    tell(engine, json!({ "command": "view", "path": path }))
}

/// The id of the one file whose path ends so.
fn id_of(engine: &Engine, end: &str) -> String {
    let filter = Filter { kinds: vec![Kind::Resource], ..Filter::new(At::LATEST) };
    let items = engine.list(&filter).unwrap().items;
    let found = items.iter().find(|item| item.version.content.body.title().ends_with(end));
    found.unwrap().version.id.to_string()
}

#[test]
fn a_file_from_making_it_to_taking_it_away() {
    let home = Home::new();
    let engine = agent(&home);
    assert_eq!(
        create(&engine, "/memories/notes/api.md", "The port is 80.\nBe brief.\n").unwrap(),
        "File created successfully at: /memories/notes/api.md"
    );
    let replace = json!({
        "command": "str_replace", "path": "/memories/notes/api.md",
        "old_str": "80", "new_str": "8080",
    });
    tell(&engine, replace).unwrap();
    let found = engine.recall(&engine.question("which port")).unwrap().found;
    assert!(found[0].version.content.body.full_text().contains("8080"), "recall finds files");
    assert_eq!(found[0].version.content.trust(), Trust::Unreviewed);
    let id = id_of(&engine, "api.md");
    assert_eq!(engine.history(&id, None).unwrap().len(), 2, "what it said before is kept");

    let rename = json!({
        "command": "rename", "old_path": "/memories/notes", "new_path": "/memories/old/notes",
    });
    let said = tell(&engine, rename).unwrap();
    assert_eq!(said, "Successfully renamed /memories/notes to /memories/old/notes");
    assert!(view(&engine, "/memories/old/notes/api.md").unwrap().contains("8080"));
    assert_eq!(view(&engine, "/memories/notes").unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(id_of(&engine, "api.md"), id, "it is the same memory under another path");

    let delete = json!({ "command": "delete", "path": "/memories/old" });
    assert_eq!(tell(&engine, delete).unwrap(), "Successfully deleted /memories/old");
    assert!(view(&engine, "/memories").unwrap().ends_with("0B\t/memories"));
    let (_, change) = engine.changes(1).unwrap().remove(0);
    engine.undo(Some(&change.id), &Note::default()).unwrap();
    assert!(view(&engine, "/memories/old/notes/api.md").unwrap().contains("8080"));

    engine.forget(&[&id], &Note::default()).unwrap();
    assert!(view(&engine, "/memories/old/notes/api.md").is_err());
    let again = create(&engine, "/memories/a.md", "The port is 8080.\nBe brief.\n");
    assert!(again.is_ok(), "another text under another path is not what was forgotten");
}

#[test]
fn what_stands_in_the_way_is_said_as_clients_expect_it() {
    let home = Home::new();
    let engine = agent(&home);
    create(&engine, "/memories/a/b.md", "x").unwrap();
    for (command, said) in [
        (
            json!({"command": "create", "path": "/memories/a/b.md", "file_text": "y"}),
            "File /memories/a/b.md already exists",
        ),
        (
            json!({"command": "create", "path": "/memories/a", "file_text": "y"}),
            "File /memories/a already exists",
        ),
        (
            json!({"command": "create", "path": "/memories/a/b.md/c", "file_text": "y"}),
            "The path /memories/a/b.md is not a directory.",
        ),
        (
            json!({"command": "view", "path": "/memories/c"}),
            "The path /memories/c does not exist. Please provide a valid path.",
        ),
        (
            json!({"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "y"}),
            "The path /memories/a is not a file.",
        ),
        (
            json!({"command": "delete", "path": "/memories/c"}),
            "The path /memories/c does not exist",
        ),
        (
            json!({"command": "delete", "path": "/memories/"}),
            "Cannot delete the /memories directory itself",
        ),
        (
            json!({"command": "rename", "old_path": "/memories", "new_path": "/memories/c"}),
            "Cannot rename the /memories directory itself",
        ),
        (
            json!({"command": "rename", "old_path": "/memories/c", "new_path": "/memories/d"}),
            "The path /memories/c does not exist",
        ),
        (
            json!({"command": "rename", "old_path": "/memories/a/b.md", "new_path": "/memories/a"}),
            "The destination /memories/a already exists",
        ),
        (
            json!({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/a/d"}),
            "The destination /memories/a/d lies inside of /memories/a",
        ),
        (json!({"command": "view", "path": "/etc"}), "Path must start with /memories, got: /etc"),
    ] {
        let refused = tell(&engine, command.clone()).unwrap_err();
        assert_eq!(refused.message(), said, "{command}");
        assert_eq!(refused.hint, None, "clients know these words alone: {command}");
    }
    assert!(create(&engine, "/memories/nul", "a\0b").is_err());
    assert!(view(&engine, "/memories").unwrap().ends_with("1B\t/memories/a/b.md"), "all as it was");
}

#[test]
fn what_a_person_made_binding_stays() {
    let home = Home::new();
    let person = home.engine();
    create(&person, "/memories/rules.md", "Never push to main.").unwrap();
    let id = id_of(&person, "rules.md");
    let binding = Patch { tier: Some(Tier::Mandate), ..Patch::default() };
    person.edit(&id, &binding, &Note::default()).unwrap();
    let engine = agent(&home);
    let edit = json!({
        "command": "str_replace", "path": "/memories/rules.md", "old_str": "Never", "new_str": "Always",
    });
    assert!(tell(&engine, edit).is_err());
    let delete = json!({ "command": "delete", "path": "/memories/rules.md" });
    assert_eq!(tell(&engine, delete.clone()).unwrap_err().kind, ErrorKind::Denied);
    assert!(tell(&person, delete).is_ok(), "the person may");
}

#[test]
fn two_agents_never_make_the_same_file() {
    let home = Home::new();
    home.engine();
    let made: Vec<bool> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|n| {
                let engine = agent(&home);
                scope.spawn(move || create(&engine, "/memories/one.md", &n.to_string()).is_ok())
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(made.iter().filter(|made| **made).count(), 1);
}
