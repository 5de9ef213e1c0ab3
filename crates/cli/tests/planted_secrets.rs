//! Five hundred secrets, made at run time, through every verb that takes text in: none is found in
//! any file of the data directory, and no report repeats one.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "../../lifecycle/tests/given/texts.rs"]
mod texts;

use mnemic_testkit::{Mnemic, SplitMix, size};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

fn mnemic() -> Mnemic {
    Mnemic::new(env!("CARGO_BIN_EXE_mnemic"))
}

fn drawn(random: &mut SplitMix, length: usize, alphabet: &[u8]) -> String {
    (0..length)
        .map(|_| char::from(alphabet[random.below(alphabet.len() as u64) as usize]))
        .collect()
}

const BASE62: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A secret and a sentence with it, of one of many sorts.
fn secret(random: &mut SplitMix, n: usize) -> (String, String) {
    let base = |random: &mut SplitMix, prefix: &str, length: usize| {
        format!("{prefix}{}", drawn(random, length, BASE62))
    };
    match n % 14 {
        0 => with(format!("AKIA{}", drawn(random, 16, CAPITALS)), "the key id is @ here"),
        1 => with(base(random, "ghp_", 36), "push with @"),
        2 => with(base(random, "sk-ant-api03-", 80), "call it with @"),
        3 => with(base(random, "xoxb-", 40), "the bot is @"),
        4 => with(base(random, "sk_live_", 24), "charge with @"),
        5 => with(base(random, "glpat-", 20), "clone with @"),
        6 => with(base(random, "", 28), "API_KEY=@"),
        7 => with(base(random, "", 24), "password: @"),
        8 => with(base(random, "", 20), "postgres://app:@@db.example:5432/main"),
        9 => with(base(random, "", 32), "Authorization: Bearer @"),
        10 => with(drawn(random, 40, HEX), "client_secret = \"@\""),
        11 => with(base(random, "hf_", 34), "pull with @"),
        12 => with(base(random, "npm_", 36), "publish with @"),
        _ => with(
            base(random, "eyJ", 30)
                + "."
                + &drawn(random, 40, BASE62)
                + "."
                + &drawn(random, 43, BASE62),
            "cookie @",
        ),
    }
}

fn with(secret: String, sentence: &str) -> (String, String) {
    // The second `@` of an address stands before its host.
    let told = sentence.replacen('@', &secret, 1);
    (secret, told)
}

/// One way in, given a sentence with a secret.
type Verb = fn(&Mnemic, usize, &str);

const VERBS: &[(&str, Verb)] = &[
    ("fact", |m, n, told| drop(m.ok(["remember", "fact", &format!("k{n}"), told]))),
    ("key", |m, n, told| drop(m.ok(["remember", "fact", told, &format!("v{n}")]))),
    ("decision", |m, n, told| {
        drop(m.ok([
            "remember",
            "decision",
            &format!("use {n}"),
            "--because",
            told,
            "--reason",
            told,
        ]))
    }),
    ("fields", |m, n, told| {
        let tag = told.split_whitespace().max_by_key(|word| word.len()).unwrap_or("x");
        let fact = json!({
            "kind": "fact", "key": format!("t{n}"), "value": "v", "tags": [tag], "category": "c",
            "summary": told, "source": told, "extra": {"a": {"b": [told]}},
        });
        m.feed(["remember", "-"], &fact.to_string());
    }),
    ("edit", |m, n, told| {
        let id = m.remember(&json!({"kind": "fact", "key": format!("e{n}"), "value": "old"}));
        m.ok(["edit", &id, "--value", told, "--reason", told]);
    }),
    ("block", |m, n, told| {
        m.ok(["block", "new", &format!("b{n}"), "begun"]);
        m.ok(["block", "limit", &format!("b{n}"), "50000"]);
        m.ok(["block", "insert", &format!("b{n}"), told]);
        m.ok(["block", "rethink", &format!("b{n}"), told]);
    }),
    ("episode", |m, _, told| {
        let id = m.ok(["episode", "start", told]).out.trim().to_owned();
        m.ok(["episode", "log", &id, "message", told]);
        m.ok(["episode", "log", &id, "action", "run", "--target", told, "--error", told]);
        m.ok(["episode", "log", &id, "error", told, "--resolution", told]);
        m.ok(["episode", "end", &id, "--outcome", "success"]);
    }),
    ("open episode", |m, _, told| drop(m.run(["episode", "start", told]))),
    ("import", |m, n, told| {
        let id = m.remember(&json!({"kind": "fact", "key": format!("i{n}"), "value": "PLACE"}));
        let file = m.root().join("import.jsonl");
        let export = m
            .ok(["export"])
            .out
            .replace("PLACE", &told.replace('"', "\\\""))
            .replace(&id, &format!("fact-imported{n}"))
            .replace(&format!("\"i{n}\""), &format!("\"imported{n}\""));
        fs::write(&file, export).unwrap();
        m.run(["import", file.to_str().unwrap()]);
        fs::remove_file(&file).unwrap();
    }),
    ("capture", |m, n, told| {
        let file = m.root().join(format!("log-{n}.jsonl"));
        let lines = [
            texts::claude_line(1, "user", json!(format!("Please fix it: {told}"))),
            texts::claude_line(
                2,
                "assistant",
                texts::call("c1", "Bash", json!({"command": format!("echo '{told}'")})),
            ),
            texts::claude_line(3, "user", texts::result("c1", told, true)),
            texts::claude_line(4, "assistant", json!([{"type": "text", "text": told}])),
        ];
        fs::write(&file, (lines.join("\n") + "\n").replace("s-1", &format!("s-{n}"))).unwrap();
        m.ok(["capture", file.to_str().unwrap()]);
        fs::remove_file(&file).unwrap();
    }),
    ("ledger", |m, n, told| {
        m.ok(["ledger", "write", &format!("agent{n}"), "--goal", told]);
    }),
    ("handoff", |m, _, told| {
        m.ok(["handoff", "write", "--from", "coder", "--to", "tester", "--done", told]);
    }),
    ("resource", |m, n, told| {
        let page = json!({
            "kind": "resource", "title": format!("page {n}"), "text": format!("a\n{told}\nb"),
            "origin": told,
        });
        m.feed(["remember", "-"], &page.to_string());
    }),
    ("skill", |m, n, told| {
        let steps = json!([told, {"action": "x", "detail": told}]);
        let skill = json!({"kind": "skill", "name": format!("s{n}"), "steps": steps});
        m.feed(["remember", "-"], &skill.to_string());
    }),
    ("session", |m, n, told| {
        let id = format!("ses-{n}");
        m.run(["session", "start", "--id", &id, "--host", told, "--about", told]);
        m.run(["session", "note", &id, "error", "--text", told]);
        m.run(["session", "note", &id, "tool", "--touched", &format!("file:{told}")]);
        m.run(["session", "end", &id]);
    }),
    ("forget", |m, n, told| {
        let id = m.remember(&json!({"kind": "fact", "key": format!("f{n}"), "value": told}));
        m.ok(["forget", &id, "--yes", "--reason", told]);
    }),
    ("undo", |m, n, told| {
        m.remember(&json!({"kind": "fact", "key": format!("u{n}"), "value": told}));
        m.run(["undo", "--reason", told]);
    }),
    ("question", |m, _, told| {
        m.run(["recall", told]);
        m.run(["context", told]);
    }),
];

fn files_below(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, into) } else { into.push(path) }
    }
}

#[test]
fn no_planted_secret_is_found_in_any_file() {
    let mnemic = mnemic();
    let mut random = SplitMix::new(2026);
    let mut planted = Vec::new();
    let each = size(500, 5_000);
    // Many in one command: every verb gets its share, and few processes are started.
    let per_call = each.div_ceil(VERBS.len() * 2);
    let mut n = 0;
    while planted.len() < each {
        for (name, verb) in VERBS {
            let mut told = Vec::new();
            for _ in 0..per_call {
                let (secret, sentence) = secret(&mut random, n);
                n += 1;
                planted.push((*name, secret));
                told.push(sentence);
            }
            verb(&mnemic, n, &told.join(" ; "));
        }
    }
    mnemic.ok(["backup"]);
    mnemic.ok(["consolidate"]);
    let told: String = [
        vec!["doctor"],
        vec!["changes"],
        vec!["audit"],
        vec!["list", "--json"],
        vec!["export"],
        vec!["session", "list"],
    ]
    .into_iter()
    .map(|args| {
        let answer = mnemic.run(args);
        answer.out + &answer.err
    })
    .collect();
    let mut files = Vec::new();
    files_below(mnemic.root(), &mut files);
    assert!(files.len() >= 3, "{files:?}");
    let contents: Vec<(PathBuf, String)> = files
        .into_iter()
        .filter(|file| !file.ends_with("ballast"))
        .map(|file| {
            let bytes = fs::read(&file).unwrap_or_default();
            (file, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    let mut leaks = Vec::new();
    for (verb, secret) in &planted {
        assert!(!told.contains(secret.as_str()), "{verb}: a report repeats a secret");
        let lower = secret.to_ascii_lowercase();
        for (file, bytes) in &contents {
            if bytes.contains(secret.as_str()) || bytes.contains(&lower) {
                leaks.push(format!("{verb}: {} in {}", secret.len(), file.display()));
            }
        }
    }
    assert!(leaks.is_empty(), "{} of {}: {leaks:#?}", leaks.len(), planted.len());
    assert!(planted.len() >= 500);
    eprintln!("R27: {} secrets by {} verbs, in no file and no report", planted.len(), VERBS.len());
}

#[test]
fn the_command_says_what_it_replaced() {
    let mnemic = mnemic();
    let (_, told) = secret(&mut SplitMix::new(7), 1);
    let plain = mnemic.ok(["remember", "fact", "a", &told]);
    assert!(
        plain.err.contains("1 × github-token") && plain.err.contains("mnemic vault"),
        "{plain:?}"
    );
    let json = mnemic.ok(["--json", "remember", "fact", "b", &told]);
    assert!(json.err.contains("{\"redacted\":{\"github-token\":1}}"), "{json:?}");
    let quiet = mnemic.ok(["remember", "fact", "c", "nothing to see"]);
    assert!(!quiet.err.contains("replaced"), "{quiet:?}");
}
