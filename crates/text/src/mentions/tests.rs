//! Tables of texts with the things they name.

use super::MentionKind::*;
use super::*;

#[track_caller]
fn check(text: &str, expected: &[(MentionKind, &str)]) {
    let found = mentions(text);
    let found: Vec<_> = found.iter().map(|mention| (mention.kind, mention.text.as_str())).collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn things_are_known_by_their_shape() {
    for (text, kind, expected) in [
        ("see src/main.rs:12 please", Path, "src/main.rs"),
        ("in ./a/b.py:12:5,", Path, "a/b.py"),
        ("edit Cargo.toml.", Path, "Cargo.toml"),
        ("under ~/notes/work/", Path, "~/notes/work/"),
        ("the .github/workflows folder", Path, ".github/workflows"),
        ("call foo::bar", Symbol, "foo::bar"),
        ("rename getUserName", Symbol, "getUserName"),
        ("the snake_case_name here", Symbol, "snake_case_name"),
        ("use Class.method()", Symbol, "Class.method"),
        ("(parse())", Symbol, "parse"),
        ("set `timeout` higher", Symbol, "timeout"),
        ("why E0382?", ErrorCode, "E0382"),
        ("error[E0382]: moved", ErrorCode, "E0382"),
        ("TS2304 again", ErrorCode, "TS2304"),
        ("got SQLSTATE 42P01", ErrorCode, "SQLSTATE 42P01"),
        ("an HTTP 404 came", ErrorCode, "HTTP 404"),
        ("it hit ECONNREFUSED", ErrorCode, "ECONNREFUSED"),
        ("with exit code 137", ErrorCode, "exit code 137"),
        ("patch CVE-2024-1234", ErrorCode, "CVE-2024-1234"),
        ("run `cargo test  -p x`", Command, "cargo test -p x"),
        ("$ make all", Command, "make all"),
        ("at https://a.dev/x?y=1.", Url, "https://a.dev/x?y=1"),
        ("since v1.2.3 only", Version, "1.2.3"),
        ("on 1.2.3-rc.1", Version, "1.2.3-rc.1"),
        ("in version 2.1", Version, "2.1"),
        ("fixes #123", Issue, "#123"),
        ("see ABC-123", Issue, "ABC-123"),
        ("per org/repo#7", Issue, "org/repo#7"),
        ("the \"weekly sync\" notes", Quoted, "weekly sync"),
        ("we asked Anna about it", Name, "Anna"),
        ("Ask Anna Schmidt about it", Name, "Anna Schmidt"),
        ("it runs on Google Cloud now", Name, "Google Cloud"),
        ("with Anna's patch", Name, "Anna"),
    ] {
        check(text, &[(kind, expected)]);
    }
}

#[test]
fn ordinary_words_name_nothing() {
    for text in [
        "The parser is slow. It was faster and/or simpler before.",
        "I think We should. Next Monday in March",
        "3.5 times 10.0 at 12:30",
        "UTF-8 or SHA-256",
        "e.g. this, i.e. that...",
        "??? -> !!! ::",
        "",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_word_that_recurs_is_a_name_at_the_start_too() {
    check("Grafana is down. Ask why Grafana is down.", &[(Name, "Grafana"), (Name, "Grafana")]);
    check("Grafana is down.", &[]);
}

#[test]
fn blocks_of_code_name_things_but_people() {
    let text = "Look:\n```\n$ cargo build\nerror in src/lib.rs by Anna Schmidt\n```\nthen";
    check(text, &[(Command, "cargo build"), (Path, "src/lib.rs")]);
}

#[test]
fn several_things_come_in_order() {
    let text = "Anna saw E0382 in `src/a.rs`, so Anna ran `git bisect` on v2.0.1 (#12).";
    check(
        text,
        &[
            (Name, "Anna"),
            (ErrorCode, "E0382"),
            (Path, "src/a.rs"),
            (Name, "Anna"),
            (Command, "git bisect"),
            (Version, "2.0.1"),
            (Issue, "#12"),
        ],
    );
}
