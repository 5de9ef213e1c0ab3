//! Private text reaches nothing that leaves capture, however it is wrapped.

mod given;

use given::{call, claude_line, drafts, read_until_end, result};
use proptest::prelude::*;
use serde_json::{Value, json};

const SECRET: &str = "XyzzySecret";

#[derive(Debug, Clone)]
enum Piece {
    Open,
    Close,
    /// Becomes the secret inside a private stretch and plain words outside.
    Word,
    Break,
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        2 => Just(Piece::Open),
        2 => Just(Piece::Close),
        4 => Just(Piece::Word),
        1 => Just(Piece::Break),
    ];
    proptest::collection::vec(piece, 1..24)
}

/// The pieces as blocks of one message, the secret wherever a stretch is open.
fn blocks(pieces: &[Piece]) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut depth = 0usize;
    for piece in pieces {
        let text = match piece {
            Piece::Open => {
                depth += 1;
                ["<private>", "<PRIVATE note=\"a\">", "< private >"][depth % 3]
            }
            Piece::Close => {
                depth = depth.saturating_sub(1);
                "</private>"
            }
            Piece::Word if depth > 0 => {
                "never use XyzzySecret instead of `XyzzySecret`, let's go with XyzzySecret because XyzzySecret is best. "
            }
            Piece::Word => "use plain words instead of odd ones. ",
            Piece::Break => {
                blocks.push(String::new());
                continue;
            }
        };
        blocks.last_mut().expect("it begins with one").push_str(text);
    }
    blocks
}

fn everything(text: &str) -> String {
    let (turns, resume) = read_until_end(text.as_bytes(), None);
    let kept = serde_json::to_string(&resume).expect("it is plain data");
    format!("{turns:?}{kept}{:?}", drafts(text.as_bytes()))
}

fn text_blocks(blocks: &[String]) -> Value {
    json!(blocks.iter().map(|text| json!({"type": "text", "text": text})).collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn nested_unclosed_and_split(pieces in pieces()) {
        let blocks = blocks(&pieces);
        let input: serde_json::Map<String, Value> =
            blocks.iter().enumerate().map(|(n, text)| (format!("f{n}"), json!(text))).collect();
        let sessions = json!({"session": "s", "agent": "a", "turns": [
            {"role": "user", "kind": "text", "text": blocks[0]},
            {"role": "agent", "kind": "tool", "tool": "shell:Bash", "text": format!("`{}`\n```\n{}\n```", blocks[0], blocks[0])},
        ]});
        for text in [
            claude_line(1, "user", text_blocks(&blocks)),
            claude_line(1, "user", json!(blocks[0])),
            claude_line(1, "assistant", text_blocks(&blocks)),
            claude_line(1, "assistant", call("c", "Bash", json!({"command": blocks[0]}))),
            claude_line(1, "assistant", call("c", "Edit", Value::Object(input))),
            format!("{}\n{}", claude_line(1, "assistant", call("c", "Bash", json!({"command": "make test"}))),
                claude_line(2, "user", result("c", &format!("Exit code 1\nerror: {}", blocks[0]), true))),
            json!([{"role": "user", "content": text_blocks(&blocks)}]).to_string(),
            json!({"type": "response_item", "payload": {"type": "message", "role": "user", "content": text_blocks(&blocks)}}).to_string(),
            sessions.to_string(),
        ] {
            prop_assert!(!everything(&text).contains(SECRET), "{}", text);
        }
    }
}

/// Claude Code writes a block a line; a stretch may begin in one and end in another.
#[test]
fn split_over_lines_of_one_message() {
    let line = |n: usize, text: &str| {
        let mut value: Value =
            serde_json::from_str(&claude_line(n, "assistant", text_blocks(&[text.to_owned()])))
                .unwrap();
        value["message"]["id"] = json!("m1");
        value.to_string()
    };
    let lines = [
        line(1, "a <private><private>b"),
        line(2, "XyzzySecret</private>"),
        line(3, "XyzzySecret</private> open words"),
    ];
    let text = lines.join("\n");
    let told = everything(&text);
    assert!(!told.contains(SECRET) && told.contains("open words"), "{told}");
    // The same when reading stopped in between.
    let cut = lines[..2].join("\n");
    let (_, resume) = read_until_end(cut.as_bytes(), None);
    let (rest, _) = read_until_end(text.as_bytes(), Some(&resume));
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0].text.trim(), "open words");
}

#[test]
fn what_is_not_private_stays() {
    let told = everything(&claude_line(1, "user", json!("keep <private>x</private> this")));
    assert!(told.contains("keep  this"), "{told}");
}
