//! The disk answers with an error at the k-th call, for every k: no panic, nothing half done, and
//! the next call works.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use mnemic_testkit::{
    Answer, Calls, Fault, FaultKind, Faults, Mnemic, answer_to, files_with, is_long, size,
};
use serde_json::json;
use std::collections::BTreeSet;

/// Only in the memory that is forgotten.
const SECRET_WORDS: &str = "zanzibar-quokka-testimony";
const MISTAKE_OF_OURS: Option<i32> = Some(70);

/// A store with some memories, from which every trial starts.
struct Template {
    mnemic: Mnemic,
    ids: BTreeSet<String>,
    fact: String,
    episode: String,
    /// An export of another store, to be imported.
    foreign: String,
}

fn template() -> Template {
    let mnemic = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    let fact = mnemic.remember(&json!({"kind": "fact", "key": "db.port", "value": "5432"}));
    let episode = mnemic.remember(&json!({"kind": "episode", "goal": SECRET_WORDS}));
    mnemic.remember(&json!({"kind": "decision", "decision": "use one file"}));
    mnemic.remember(&json!({"kind": "fact", "key": "db.host", "value": "localhost"}));
    let other = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for n in 0..5 {
        other.remember(&json!({"kind": "fact", "key": format!("foreign{n}"), "value": "imported"}));
    }
    let foreign = other.ok(["export", "--quiet"]).out;
    Template { ids: mnemic.ids(), mnemic, fact, episode, foreign }
}

/// One verb under faults.
struct Case<'t> {
    name: &'static str,
    calls: Calls,
    args: Vec<&'t str>,
    input: &'t str,
    /// What must hold of the store when the verb said that it succeeded.
    succeeded: &'t dyn Fn(&Mnemic, &Answer),
    /// How the same verb may end when it is run again.
    again: &'t [i32],
}

impl Case<'_> {
    /// Runs through all calls; the number of faults.
    fn walk(&self, faults: &Faults, template: &Template) -> usize {
        let variants = [
            (FaultKind::Eio, false),
            (FaultKind::Enospc, true),
            (FaultKind::Eio, true),
            (FaultKind::Enospc, false),
        ];
        let mut trials = 0;
        let mut untyped = Vec::new();
        // In the short version every third; the four variants take turns all the same.
        for at in (1..).step_by(size(3, 1)) {
            let (one, all) = (&variants[at % 4..=at % 4], &variants[..]);
            let mut happened = false;
            for (kind, sticky) in if is_long() { all } else { one } {
                happened |= self.try_one(faults, template, at, *kind, *sticky, &mut untyped);
                trials += 1;
            }
            if !happened {
                break;
            }
        }
        // Looked at last, so that what is worse is seen first.
        assert!(untyped.is_empty(), "{} were called our mistake: {}", untyped.len(), untyped[0]);
        trials
    }

    /// Whether the fault came about.
    fn try_one(
        &self,
        faults: &Faults,
        template: &Template,
        at: usize,
        kind: FaultKind,
        sticky: bool,
        untyped: &mut Vec<String>,
    ) -> bool {
        let what = format!("{} with {} at {at}, sticky: {sticky}", self.name, kind.as_str());
        let mnemic = template.mnemic.copy();
        let dir = mnemic.store_dir();
        let mut command = mnemic.command(&self.args);
        let fault = Fault { calls: self.calls, at, kind, sticky, dir: &dir };
        let answer = answer_to(faults.plan(&mut command, fault), self.input);
        let happened = faults.happened();
        assert!(answer.is_orderly(), "{what}: {answer:?}");
        if answer.code == MISTAKE_OF_OURS {
            untyped.push(format!("{what}: {answer:?}"));
        }
        assert!(happened || answer.code == Some(0), "{what}: {answer:?}");
        mnemic.verify(&what);
        let forgotten = BTreeSet::from([template.episode.clone()]);
        let missing: BTreeSet<String> = template.ids.difference(&mnemic.ids()).cloned().collect();
        let expected = if self.name == "forget" { forgotten } else { BTreeSet::new() };
        assert!(missing.is_subset(&expected), "{what}: {missing:?} are gone");
        if answer.code == Some(0) {
            (self.succeeded)(&mnemic, &answer);
        }
        let again = mnemic.feed(&self.args, self.input);
        let code = again.code.unwrap_or(-1);
        assert!(self.again.contains(&code), "{what}, then again: {again:?}");
        if code == 0 {
            (self.succeeded)(&mnemic, &again);
        }
        mnemic.verify(&format!("{what}, then again"));
        happened
    }
}

/// Runs one case over all faults, or says why not.
fn run(case: impl FnOnce(&Template, &dyn Fn(Case<'_>))) {
    let faults = match Faults::compile() {
        Ok(faults) => faults,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let template = template();
    case(&template, &|case| {
        let trials = case.walk(&faults, &template);
        eprintln!("R3: {} survives {trials} failing {:?} calls", case.name, case.calls);
    });
}

const NEW: &str = "{\"kind\":\"fact\",\"key\":\"db.port\",\"value\":\"6543\"}\n";

#[test]
fn remember_is_whole_or_not_at_all() {
    run(|_, walk| {
        for calls in [Calls::Write, Calls::Read] {
            walk(Case {
                name: "remember",
                calls,
                args: vec!["remember", "-"],
                input: NEW,
                succeeded: &|mnemic, answer| {
                    assert!(mnemic.ids().contains(answer.out.trim()), "{answer:?}");
                },
                again: &[0],
            });
        }
    });
}

#[test]
fn edit_is_whole_or_not_at_all() {
    run(|template, walk| {
        walk(Case {
            name: "edit",
            calls: Calls::Write,
            args: vec!["edit", &template.fact, "--value", "7777"],
            input: "",
            succeeded: &|mnemic, _| {
                let shown = mnemic.ok(["show", &template.fact, "--json"]).json();
                assert_eq!(shown["value"], "7777");
            },
            again: &[0],
        });
    });
}

#[test]
fn forget_is_whole_or_finished_later() {
    run(|template, walk| {
        walk(Case {
            name: "forget",
            calls: Calls::Write,
            args: vec!["forget", &template.episode, "--yes"],
            input: "",
            succeeded: &|mnemic, answer| {
                assert!(!mnemic.ids().contains(&template.episode), "{answer:?}");
                if answer.err.contains("not erased yet") {
                    mnemic.ok(["doctor", "--fix"]);
                }
                let traces = files_with(&mnemic.store_dir(), SECRET_WORDS);
                assert!(traces.is_empty(), "{traces:?}: {answer:?}");
            },
            again: &[0, 6],
        });
    });
}

#[test]
fn reading_works_or_says_why_not() {
    run(|template, walk| {
        for calls in [Calls::Read, Calls::Write] {
            for args in [vec!["list", "--json"], vec!["show", &template.fact, "--json"]] {
                walk(Case {
                    name: "reading",
                    calls,
                    args,
                    input: "",
                    succeeded: &|_, answer| assert!(answer.out.contains("5432"), "{answer:?}"),
                    again: &[0],
                });
            }
        }
    });
}

#[test]
fn import_is_whole_or_can_be_repeated() {
    run(|template, walk| {
        walk(Case {
            name: "import",
            calls: Calls::Write,
            args: vec!["import", "-"],
            input: &template.foreign,
            succeeded: &|mnemic, _| assert_eq!(mnemic.ids().len(), template.ids.len() + 5),
            again: &[0],
        });
    });
}

#[test]
fn a_backup_is_whole_or_not_there() {
    run(|template, walk| {
        walk(Case {
            name: "backup",
            calls: Calls::Write,
            args: vec!["backup", "--json"],
            input: "",
            succeeded: &|mnemic, answer| {
                let path = answer.json()["path"].as_str().unwrap().to_owned();
                let restored = Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
                restored.ok(["restore", &path, "--yes"]);
                assert_eq!(restored.ids(), template.ids);
                let listed = mnemic.ok(["backup", "--list"]).out;
                assert!(listed.contains(&path), "{listed}");
            },
            again: &[0],
        });
    });
}
