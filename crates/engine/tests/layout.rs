//! Directories of other harnesses in all their shapes: what they hold comes in, once, and what is
//! broken is named.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::{At, Body, Filter, Kind, Namespace, Trust, Version};
use mnemic_engine::{Engine, LayoutImported, Note, StoreName};
use mnemic_testkit::generate::Dice;
use mnemic_testkit::{Home, size};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

const PROJECT: StoreName = StoreName::Project;

fn put(dir: &Path, place: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A memory directory with every shape that is known, none of them broken.
fn sound(home: &Home) -> PathBuf {
    let dir = home.dir.path().join("loki/memory");
    put(
        &dir,
        "episodic/2026-01-05/task-7.json",
        json!({
            "id": "ep-2026-01-05-007", "task_id": "7", "timestamp": "2026-01-05T10:00:00+02:00",
            "duration_seconds": 12, "agent": "eng", "outcome": "success", "tokens_used": 900,
            "context": {"phase": "ACT", "goal": "fix login", "constraints": ["no new deps"],
                "files_involved": ["src/login.rs"]},
            "action_log": [{"t": 1, "action": "edit", "target": "src/login.rs", "result": "ok"}],
            "errors_encountered": [{"type": "E0382", "message": "moved", "resolution": "clone"}],
            "artifacts_produced": ["patch"], "files_modified": ["src/lib.rs"], "importance": 0.8,
            "access_count": 3, "weather": "fine"
        })
        .to_string(),
    );
    put(&dir, "episodic/2026-01-04/task-old.json", json!({
        "id": "ep-2026-01-04-001", "goal": "an older shape", "phase": "plan", "timestamp": "2026-01-04",
        "tools_used": ["Edit"], "files_changed": ["a.rs"], "outcome": "whatever", "importance": 7,
        "action_log": [{"tool": "Bash", "input": {"command": "ls"}, "output": "a.rs",
            "timestamp": "2026-01-04T00:00:01Z"}]
    }).to_string());
    put(
        &dir,
        "semantic/patterns.json",
        json!({"version": "1.0", "last_updated": "2026-01-05", "patterns": {
            "sem-001": {"pattern": "keyed by id", "category": "testing", "conditions": ["always"],
                "confidence": 0.9, "source_episodes": ["ep-2026-01-05-007"],
                "links": [{"to": "ep-2026-01-05-007", "relation": "derived_from", "strength": 0.7},
                    {"to": "gone", "relation": "derived_from"}]},
            "sem-002": {"pattern": "never do that", "category": "anti-pattern",
                "incorrect_approach": "that", "correct_approach": "this"}
        }})
        .to_string(),
    );
    put(&dir, "semantic/anti-patterns.json", json!({"anti_patterns": [
        {"what_fails": "sleeping in tests", "why": "flaky", "prevention": "fake clock", "source": "t7"}
    ]}).to_string());
    put(&dir, "semantic/facts.json", json!([{"key": "db.port", "value": 5432}]).to_string());
    put(
        &dir,
        "semantic/friction.json",
        json!({"friction_points": [{"id": "fr-1", "location": "api.rs",
        "behavior": "retries twice", "classification": "business_rule", "evidence": "test",
        "safe_to_remove": false}]})
        .to_string(),
    );
    put(&dir, "semantic/failure-modes.json", json!({"failure_modes": [{"mode_id": "fm-1",
        "trigger": "no network", "behavior": "hangs", "recovery": "restart", "is_intentional": false,
        "component": "sync"}]}).to_string());
    put(
        &dir,
        "skills/api.json",
        json!({"id": "skill-api", "name": "api", "description": "d",
        "steps": ["a", "b"], "common_errors": [{"error": "x", "fix": "y"}]})
        .to_string(),
    );
    put(&dir, "skills/api.md", "# Skill: api\n\n## Steps\n1. a\n2. b\n");
    put(&dir, "skills/alone.md", "# Skill: Alone\n\n## Steps\n1. only markdown\n");
    put(
        &dir,
        "ledgers/eng.json",
        json!({"agent_id": "eng", "tasks_completed": ["1", "2"],
        "current_task": "8", "state": {"uncommitted_changes": true, "files_modified": ["a"]},
        "context": {"tech_stack": ["rust"]}})
        .to_string(),
    );
    put(&dir, "handoffs/h1.json", json!({"id": "handoff-1", "from_agent": "a", "to_agent": "b",
        "timestamp": "2026-01-05T10:00:00Z", "context": {"what_was_done": "most", "artifacts": ["x"]}})
        .to_string());
    put(
        &dir,
        "handoffs/h2.json",
        json!({"schema_version": 1, "reason": "limit", "iteration": 4,
        "files_modified": ["b"], "open_questions": ["why"], "blockers": []})
        .to_string(),
    );
    put(
        &dir,
        "learnings/2026-01-05.json",
        json!({"learnings": [{"description": "read first"}]}).to_string(),
    );
    put(
        &dir,
        "timeline.json",
        json!({"recent_actions": [], "key_decisions": [
        {"decision": "use sqlite", "rationale": "one file"}, "no cloud"], "active_context": {}})
        .to_string(),
    );
    put(&dir, "failures.jsonl", "{\"error\":\"out of memory\",\"timestamp\":1767600000}\n");
    put(&dir, "index.json", "{\"topics\":[]}");
    put(&dir, "token_economics.json", "{}");
    put(
        &dir,
        "namespaces.json",
        json!({"namespaces": {"backend": {"description": "the server"}}}).to_string(),
    );
    put(
        &dir,
        "backend/semantic/patterns.json",
        json!([{"id": "sem-b", "pattern": "bare list"}]).to_string(),
    );
    put(&dir, "semantic/patterns.json.lock", "{");
    put(&dir, ".tmp_x.json", "{");
    put(&dir, "semantic/.tmp_patterns.json", "{");
    dir
}

fn all(engine: &Engine) -> Vec<Version> {
    let kinds = Kind::ALL.to_vec();
    let namespaces = vec![Namespace::root(), Namespace::parse("backend").unwrap()];
    let filter = Filter { kinds, namespaces, ..Filter::new(At::LATEST) };
    engine.list(&filter).unwrap().items.into_iter().map(|item| item.version).collect()
}

fn import(engine: &Engine, dir: &Path, dry_run: bool) -> LayoutImported {
    engine.import_layout(PROJECT, dir, dry_run, &Note::default()).unwrap()
}

#[test]
fn every_shape_comes_in_once_with_its_id() {
    let home = Home::new();
    let engine = home.engine();
    let dir = sound(&home);
    let dry = import(&engine, &dir, true);
    assert_eq!(dry.skipped, []);
    assert!(all(&engine).is_empty() && dry.change.is_none(), "a dry run writes nothing");
    let done = import(&engine, &dir, false);
    assert_eq!((done.created, &done.kinds), (dry.created, &dry.kinds));
    assert_eq!(done.links, 1, "the link whose other end is here");
    let versions = all(&engine);
    let of = |id: &str| versions.iter().find(|version| version.id.as_str() == id).unwrap();
    let Body::Episode(episode) = &of("ep-2026-01-05-007").content.body else { panic!() };
    assert_eq!((episode.goal.as_str(), episode.phase.as_deref()), ("fix login", Some("ACT")));
    assert_eq!(episode.files, ["src/login.rs", "src/lib.rs"]);
    assert_eq!(of("ep-2026-01-05-007").content.extra["weather"], "fine");
    assert_eq!(
        of("ep-2026-01-05-007").content.valid.from().to_string(),
        "2026-01-05T08:00:00.000000Z"
    );
    let Body::Episode(old) = &of("ep-2026-01-04-001").content.body else { panic!() };
    assert_eq!(
        (old.actions[0].action.as_str(), old.files.as_slice()),
        ("Bash", &["a.rs".to_owned()][..])
    );
    assert_eq!(of("ep-2026-01-04-001").content.importance.get(), 0.5, "out of range falls back");
    assert_eq!(of("sem-002").kind(), Kind::AntiPattern);
    assert_eq!(of("sem-b").content.scope.namespace.as_str(), "backend");
    let count = |kind: Kind| versions.iter().filter(|version| version.kind() == kind).count();
    assert_eq!(count(Kind::AntiPattern), 5, "{versions:#?}");
    assert_eq!((count(Kind::Skill), count(Kind::Handoff), count(Kind::Ledger)), (2, 2, 1));
    assert_eq!((count(Kind::Decision), count(Kind::Fact)), (2, 1));
    assert!(
        versions
            .iter()
            .filter(|version| version.kind().is_memory())
            .all(|version| { version.content.trust() == Trust::Unreviewed })
    );
    let again = import(&engine, &dir, false);
    assert_eq!((again.created, again.links, again.change), (0, 0, None), "twice changes nothing");
    engine.undo(done.change.as_ref(), &Note::default()).unwrap();
    assert!(all(&engine).is_empty(), "one change takes it all back");
}

#[test]
fn a_home_directory_teaches_what_it_learnt() {
    let home = Home::new();
    let engine = home.engine();
    let dir = home.dir.path().join("dot");
    put(
        &dir,
        "learnings/patterns.jsonl",
        "{\"version\":\"1.0\",\"created\":\"2026-01-01\"}\n{\"timestamp\":\"2026-01-02T00:00:00Z\",\"project\":\"x\",\"category\":\"git\",\"description\":\"rebase often\"}\n",
    );
    put(
        &dir,
        "learnings/mistakes.jsonl",
        "{\"description\":\"forced a push\",\"project\":\"x\"}\n",
    );
    put(&dir, "knowledge/patterns.jsonl", "{\"id\":\"k-1\",\"pattern\":\"small steps\"}\n");
    put(
        &dir,
        "solutions/build/linker.md",
        "---\ntitle: Linker runs out of memory\ntags: [build, rust]\nsymptoms:\n  - signal 9\nroot_cause: too many jobs\nprevention: use -j1\nconfidence: 0.8\nsource_project: x\ncreated: 2026-01-03\napplied_count: 2\n---\nRun with fewer jobs.\n",
    );
    let done = import(&engine, &dir, false);
    assert_eq!((done.created, done.skipped), (4, vec![]));
    let versions = all(&engine);
    let solution =
        versions.iter().find(|version| version.content.category.as_deref() == Some("build"));
    let Body::Pattern(pattern) = &solution.unwrap().content.body else { panic!() };
    assert_eq!(pattern.conditions, ["signal 9"]);
    assert!(pattern.correct_approach.as_deref().unwrap().contains("fewer jobs"));
    assert_eq!(solution.unwrap().content.extra["source_project"], "x");
}

#[test]
fn broken_files_are_named_and_stop_nothing() {
    let home = Home::new();
    let engine = home.engine();
    let dir = sound(&home);
    let whole = import(&engine, &dir, true).created;
    put(&dir, "episodic/2026-01-06/task-cut.json", "{\"id\": \"ep-x\", \"goal\": ");
    put(&dir, "episodic/2026-01-06/task-bytes.json", [0xff, 0xfe, 0x00]);
    put(&dir, "episodic/2026-01-06/task-empty.json", "{}");
    put(&dir, "semantic/more.json", "[3, {\"pattern\": \"\"}, {\"pattern\": \"kept\\u0000nul\"}]");
    put(&dir, "learnings/bad.jsonl", "{\"description\":\"fine\"}\nnot json\n");
    let done = import(&engine, &dir, false);
    let names: Vec<&str> = done.skipped.iter().map(|(place, _)| place.as_str()).collect();
    for place in [
        "episodic/2026-01-06/task-cut.json",
        "episodic/2026-01-06/task-bytes.json",
        "episodic/2026-01-06/task-empty.json",
        "semantic/more.json",
        "learnings/bad.jsonl",
    ] {
        assert!(names.contains(&place), "{place} in {names:?}");
    }
    // The list and the lines give what is whole in them.
    assert_eq!(done.created, whole + 2, "{done:?}");
    assert!(engine.verify(PROJECT).unwrap().findings.is_empty());
}

#[test]
fn no_mutation_of_a_directory_panics_or_comes_in_half() {
    let n = size(25, 2_000);
    let home = Home::new();
    let dir = sound(&home);
    let mut files = Vec::new();
    let mut waiting = vec![dir.clone()];
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(at).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => waiting.push(path),
                path => files.push(path),
            }
        }
    }
    files.sort();
    let engine = home.engine();
    for seed in 0..n as u64 {
        let mut dice = Dice::new(seed);
        let file = dice.pick(&files).clone();
        let before = fs::read(&file).unwrap();
        let mut bytes = before.clone();
        for _ in 0..1 + dice.below(3) {
            if bytes.is_empty() {
                break;
            }
            let at = dice.below(bytes.len());
            match dice.below(6) {
                0 => bytes.truncate(at),
                1 => bytes[at] = dice.bits() as u8,
                2 => drop(bytes.splice(at..at, b"1e999".iter().copied())),
                3 => drop(bytes.splice(at..at, b"null".iter().copied())),
                4 => drop(bytes.splice(at..at, b"[[[{".iter().copied())),
                _ => drop(bytes.drain(at..(at + dice.below(20)).min(bytes.len()))),
            }
        }
        fs::write(&file, &bytes).unwrap();
        let done = import(&engine, &dir, true);
        assert!(done.skipped.iter().all(|(place, why)| !place.is_empty() && !why.is_empty()));
        fs::write(&file, before).unwrap();
    }
    assert!(all(&engine).is_empty());
    eprintln!("layout: {n} mutated directories, no panic, nothing written");
}
