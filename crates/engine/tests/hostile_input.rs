//! Queries and texts that break parsers, and what is emitted afterwards.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Action, Body, Episode, Fact, Fields, Resource, Secret};
use mnemic_engine::model::{At, Draft, Filter, Namespace, Patch, Truth, policy};
use mnemic_engine::{Engine, ErrorKind, Note, SecretValue, StoreName};
use mnemic_testkit::generate::{Dice, lived_in};
use mnemic_testkit::{Home, at, size};
use serde_json::{Value, json};

/// What people and agents really ask for, and what breaks a query language.
const QUERIES: [&str; 38] = [
    "C++",
    "rm -rf /",
    "\"unbalanced",
    "AND OR NOT",
    "foo*",
    "col:term",
    "^x",
    "NEAR(a b)",
    "src/main.rs:42",
    "🦀 crab",
    "שלום עולם",
    "nul\0byte",
    "",
    "   ",
    "\"\"",
    "'; DROP TABLE version; --",
    "error[E0382]: borrow of moved value: `x`",
    "a OR",
    "NOT a",
    "(unclosed",
    "closed)",
    "{title text}: x",
    "- port",
    "+port -host",
    "100%",
    "user@example.com",
    "https://example.com/a?b=c&d=%20",
    "C:\\Users\\me",
    "$HOME/.config",
    "fn main() { println!(\"{}\", 1); }",
    "SELECT * FROM t WHERE a = 'b'",
    "東京タワー",
    "데이터베이스 연결",
    "e\u{301}clair \u{200b}zero\u{feff}width",
    "\u{202e}desrever\u{202c}",
    "title : \"a\" + \"b\"",
    "…—–“quotes”",
    "\u{10ffff}\u{1}\u{7f}\u{fffd}",
];

const STORE: StoreName = StoreName::Project;

fn fact(key: &str, value: &str) -> Draft {
    Draft::new(Body::Fact(Fact { key: key.into(), value: value.into(), ..Fact::default() }))
}

fn exported(engine: &Engine) -> String {
    let mut out = Vec::new();
    engine.export(STORE, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn ask(engine: &Engine, words: &str, at: At) -> Result<usize, String> {
    let filter = Filter { words: Some(words.to_owned()), ..Filter::new(at) };
    engine.list(&filter).map(|page| page.items.len()).map_err(|e| format!("{words:?}: {e:?}"))
}

fn fuzzed(dice: &mut Dice) -> String {
    const PIECES: &[&str] = &[
        "\"",
        "'",
        "*",
        "^",
        ":",
        "(",
        ")",
        "{",
        "}",
        "+",
        "-",
        " ",
        " ",
        "AND",
        "OR",
        "NOT",
        "NEAR",
        "NEAR(",
        ",",
        "\0",
        "\\",
        "%",
        "_",
        ".",
        "/",
        "words",
        "title:",
        "text",
        "rank",
        "\n",
        "\t",
        "\u{202e}",
        "\u{feff}",
        "\u{200d}",
        "🦀",
        "ß",
        "İ",
        "東",
        "\u{10ffff}",
        "1",
        "a",
        "zz",
        "--",
        ";",
    ];
    let pieces = if dice.once_in(50) { 2_000 } else { 12 };
    let mut query = String::new();
    for _ in 0..dice.below(pieces) {
        match dice.once_in(4) {
            true => query.extend(char::from_u32(dice.below(0x11_0000) as u32)),
            false => query.push_str(dice.pick::<&str>(PIECES)),
        }
    }
    query
}

#[test]
fn no_query_is_an_error() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&home, &engine, 14, 34);
    let past = At { truth: Truth::Whenever, known: Some(at("2026-01-01T00:30:00Z")) };
    let mut wrong = Vec::new();
    for query in QUERIES {
        wrong.extend([At::LATEST, past].into_iter().filter_map(|at| ask(&engine, query, at).err()));
    }
    let fuzz = size(2_000, 20_000) as u64;
    for seed in 0..fuzz {
        let query = fuzzed(&mut Dice::new(seed));
        // The past is read row by row, which is slow: one in forty.
        let when = if seed % 40 == 0 { past } else { At::LATEST };
        wrong.extend(ask(&engine, &query, when).err().map(|e| format!("seed {seed}: {e}")));
    }
    eprintln!("R15: 38 realistic and {fuzz} fuzzed queries, {} errors", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_query_that_was_told_is_found_now_and_in_the_past() {
    let home = Home::new();
    let engine = home.engine();
    let mut told = Vec::new();
    for (n, query) in QUERIES.iter().enumerate() {
        if query.contains('\0')
            || query.trim().is_empty()
            || !query.chars().any(char::is_alphanumeric)
        {
            continue;
        }
        let id = engine.remember(fact(&format!("q{n}"), query), &Note::default()).unwrap().id;
        told.push((query, id));
    }
    home.clock.tick(60);
    let then = mnemic_engine::model::Clock::now(&*home.clock);
    home.clock.tick(60);
    for known in [None, Some(then)] {
        for (query, id) in &told {
            let at = At { truth: Truth::Whenever, known };
            let filter = Filter { words: Some((*query).to_string()), ..Filter::new(at) };
            let items = engine.list(&filter).unwrap().items;
            let found = items.iter().any(|item| item.version.id == *id);
            assert!(found, "{query:?} is not found by itself (known {known:?})");
        }
    }
}

/// Refused with a reason and a hint, and nothing of it stays.
fn refused(engine: &Engine, what: &str, draft: Draft) {
    let before = exported(engine);
    let error = engine.remember(draft, &Note::default()).expect_err(what);
    assert_eq!(error.kind, ErrorKind::Invalid, "{what}: {error:?}");
    assert!(error.hint.is_some(), "{what}");
    assert!(error.message().len() < 2_000, "{what}: the message repeats the input");
    assert_eq!(exported(engine), before, "{what}: something was written");
}

#[test]
fn what_cannot_be_stored_is_refused_and_leaves_nothing() {
    let home = Home::new();
    let engine = home.engine();
    engine.remember(fact("kept", "as it is"), &Note::default()).unwrap();
    refused(&engine, "a NUL in a value", fact("k", "a\0b"));
    refused(&engine, "a NUL in a key", fact("a\0b", "v"));
    refused(&engine, "nothing", fact("k", " \n\t "));
    refused(&engine, "too long", fact("k", &"x".repeat(policy::MAX_BODY_BYTES + 1)));
    let mut tagged = fact("k", "v");
    tagged.about.tags.insert("a\nb".into());
    refused(&engine, "a line break in a tag", tagged);
    let mut summed = fact("k", "v");
    summed.about.summary = Some("s".repeat(20_000));
    refused(&engine, "a summary without end", summed);
    let mut extra = fact("k", "v");
    extra.about.extra.insert("x".into(), json!("\0"));
    refused(&engine, "a NUL in extra", extra);
    assert!(engine.verify(STORE).unwrap().findings.is_empty());
}

#[test]
fn odd_text_comes_back_to_the_letter_and_what_is_emitted_parses() {
    let home = Home::new();
    let engine = home.engine();
    let large = "mebibytes full of words. ".repeat(policy::MAX_BODY_BYTES / 25 / size(8, 1) - 10);
    let texts = [
        "\u{feff}begins with a mark",
        "ends with a mark\u{feff}",
        "\u{202e}right to left\u{202c} and back",
        "zero\u{200b}width\u{200d}joined\u{2060}",
        "\\ud800 is six characters here",
        "\\u0000 is six characters too",
        "a\u{1}b\u{1b}[31mc\u{7f}d\u{9f}e",
        "\r\n\r\u{2028}\u{2029}\u{85}lines",
        "\u{fffd}\u{fffe}\u{10ffff}",
        "\"quoted\" 'twice' `thrice` \\back\\",
        "{\"json\":[1,2,{\"a\":null}]}",
        &"combining\u{301}".repeat(500),
        &large,
    ];
    for (n, text) in texts.iter().enumerate() {
        let id = engine.remember(fact(&format!("odd{n}"), text), &Note::default()).unwrap().id;
        let shown = engine.show(id.as_str(), At::LATEST).unwrap();
        let Body::Fact(read) = &shown.version.content.body else { panic!() };
        assert!(read.value == *text, "text {n} came back changed");
        let fields = Value::Object(shown.version.content.to_fields()).to_string();
        let again: Fields = serde_json::from_str(&fields).unwrap();
        assert_eq!(Draft::from_fields(again).unwrap().body, shown.version.content.body);
    }
    for line in exported(&engine).lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    assert!(engine.verify(STORE).unwrap().findings.is_empty());
    eprintln!("R14: {} odd texts came back to the letter, what was emitted parses", texts.len());
}

#[test]
fn six_characters_that_spell_a_nul_are_not_a_nul() {
    let home = Home::new();
    let mut draft = fact("k", "v");
    draft.about.extra.insert("code".into(), json!("print(\"\\u0000\")"));
    let made = home.engine().remember(draft, &Note::default());
    assert!(made.is_ok(), "{made:?}");
}

#[test]
fn lone_surrogates_and_endless_nesting_are_refused_when_they_are_read() {
    for hostile in [
        "{\"kind\":\"fact\",\"key\":\"k\",\"value\":\"\\ud800\"}".to_owned(),
        "{\"kind\":\"fact\",\"key\":\"k\",\"value\":\"\\udc00\\ud800\"}".to_owned(),
        format!(
            "{{\"kind\":\"fact\",\"key\":\"k\",\"value\":\"v\",\"extra\":{{\"x\":{}{}}}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        "[".repeat(100_000),
    ] {
        assert!(serde_json::from_str::<Fields>(&hostile).is_err());
        // The same inside an export: the line is named and the store stays whole.
        let home = Home::new();
        let engine = home.engine();
        let header = "{\"type\":\"header\",\"format\":1,\"made_by\":\"test\"}";
        let input = format!("{header}\n{{\"type\":\"version\",\"content\":{hostile}}}\n");
        let landed = engine.import(STORE, &mut input.as_bytes(), &Note::default(), &mut |_| ());
        assert_eq!(landed.unwrap().skipped.len(), 2, "the line, and the missing end");
        assert!(engine.verify(STORE).unwrap().findings.is_empty());
    }
    eprintln!("R14: lone surrogates and 100,000 brackets refused, the store whole");
}

/// Arrays in arrays, `depth` of them.
fn nested(depth: usize) -> Value {
    (1..depth).fold(json!([]), |inner, _| json!([inner]))
}

#[test]
fn what_was_taken_in_can_be_read_exported_and_imported_however_deep() {
    for depth in [1, 50, 100, 120, 123, 124, 125, 126, 127, 128, 129, 200] {
        let home = Home::new();
        let engine = home.engine();
        let mut draft = fact("deep", "down");
        draft.about.extra.insert("x".into(), nested(depth));
        let made = match engine.remember(draft, &Note::default()) {
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Invalid, "depth {depth}");
                continue;
            }
            Ok(made) => made,
        };
        let shown = engine.show(made.id.as_str(), At::LATEST);
        assert!(shown.is_ok(), "depth {depth} was accepted and cannot be read: {shown:?}");
        let other = Home::new();
        let export = exported(&engine);
        let landed = other
            .engine()
            .import(STORE, &mut export.as_bytes(), &Note::default(), &mut |_| ())
            .unwrap();
        assert_eq!(landed.skipped, Vec::<String>::new(), "depth {depth} does not travel");
    }
}

#[test]
fn numbers_that_json_does_not_have_are_refused_or_read_back() {
    for t in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -0.0, f64::MIN_POSITIVE] {
        let home = Home::new();
        let engine = home.engine();
        let action = Action { t, action: "run".into(), ..Action::default() };
        let body =
            Episode { goal: "odd numbers".into(), actions: vec![action], ..Episode::default() };
        let Ok(made) = engine.remember(Draft::new(Body::Episode(body)), &Note::default()) else {
            continue;
        };
        let shown = engine.show(made.id.as_str(), At::LATEST);
        assert!(shown.is_ok(), "{t} was accepted and cannot be read: {shown:?}");
    }
}

#[test]
fn an_edit_is_checked_like_a_draft() {
    let home = Home::new();
    let engine = home.engine();
    let made = engine.remember(fact("k", "a text to be found"), &Note::default()).unwrap();
    let id = made.id.as_str();
    let mut nul = Fields::new();
    nul.insert("x".into(), json!("\0"));
    let mut accepted = Vec::new();
    let nowhere = Namespace::parse("never-declared").unwrap();
    for (what, patch) in [
        ("a NUL in extra", Patch { extra: Some(nul), ..Patch::default() }),
        ("an undeclared namespace", Patch { namespace: Some(nowhere), ..Patch::default() }),
        ("a NUL in a tag", Patch { add_tags: vec!["a\0".into()], ..Patch::default() }),
        ("an endless index", Patch { index: Some(Some("i".repeat(5_000))), ..Patch::default() }),
    ] {
        if engine.edit(id, &patch, &Note::default()).is_ok() {
            accepted.push(what);
        }
    }
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
}

#[test]
fn a_secret_in_a_batch_costs_the_others_nothing() {
    let home = Home::new();
    let secret = Secret { name: "s".into(), sealed: "open".into(), description: None };
    let batch = vec![fact("a", "1"), Draft::new(Body::Secret(secret)), fact("c", "3")];
    let answers = home.engine().remember_each(batch, &Note::default());
    let good = answers.map(|all| all.iter().map(Result::is_ok).collect::<Vec<_>>());
    assert_eq!(good.ok(), Some(vec![true, false, true]), "one draft refused, the others stand");
}

#[test]
fn a_secret_is_not_edited_into_the_open() {
    let home = Home::new();
    let engine = home.engine();
    let value = SecretValue::new("sealed well".into());
    let id = engine.vault_put("s", &value, None, None, &Note::default()).unwrap();
    let mut patch = Patch::default();
    patch.body.insert("sealed".into(), json!("plain-text-pass-word"));
    let edited = engine.edit(id.as_str(), &patch, &Note::default());
    assert!(edited.is_err(), "the value lies open in the file");
}

#[test]
fn a_batch_keeps_what_is_good_of_it() {
    let home = Home::new();
    let engine = home.engine();
    let long = Resource {
        title: "t".into(),
        text: "y".repeat(policy::MAX_BODY_BYTES + 1),
        ..Resource::default()
    };
    let batch =
        vec![fact("a", "1"), fact("b", "\0"), Draft::new(Body::Resource(long)), fact("c", "3")];
    let answers = engine.remember_each(batch, &Note::default()).unwrap();
    let good: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, false, false, true]);
    assert_eq!(engine.list(&Filter::new(At::LATEST)).unwrap().items.len(), 2);
    assert!(engine.verify(STORE).unwrap().findings.is_empty());
}
