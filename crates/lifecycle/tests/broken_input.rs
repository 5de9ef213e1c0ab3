//! Whatever stands in a file, reading it ends well and keeps what came before the damage.

mod given;

use given::{claude, codex, drafts, messages, read_until_end, sessions, turns};
use mnemic_model::{Actor, Author, Scope, ScopeLevel, Timestamp};
use proptest::prelude::*;

fn given_text(which: usize) -> String {
    match which {
        0 => claude(),
        1 => codex(),
        2 => sessions(),
        _ => messages().to_string(),
    }
}

proptest! {
    #[test]
    fn a_cut_file_keeps_what_was_whole(which in 0usize..4, cut in 0usize..8000) {
        let text = given_text(which);
        let cut = cut.min(text.len());
        let whole = turns(&text);
        let (found, _) = read_until_end(&text.as_bytes()[..cut], None);
        prop_assert_eq!(&found[..], &whole[..found.len()]);
        if which < 3 {
            let lines = text.as_bytes()[..cut].iter().filter(|b| **b == b'\n').count() as u64;
            let complete = whole.iter().filter(|turn| turn.place.last <= lines).count();
            prop_assert!(found.len() >= complete);
        }
        drafts(&text.as_bytes()[..cut]);
    }

    #[test]
    fn damage_loses_nothing_before_it(
        which in 0usize..3,
        at in 0usize..8000,
        noise in proptest::collection::vec(any::<u8>(), 1..20),
    ) {
        let text = given_text(which);
        let at = at.min(text.len() - 1);
        let mut bytes = text.clone().into_bytes();
        let end = (at + noise.len()).min(bytes.len());
        bytes[at..end].copy_from_slice(&noise[..end - at]);
        let lines = text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() as u64;
        let before: Vec<_> =
            turns(&text).into_iter().filter(|turn| turn.place.last <= lines).collect();
        let (found, _) = read_until_end(&bytes, None);
        prop_assert_eq!(&found[..before.len().min(found.len())], &before[..]);
        drafts(&bytes);
    }

    #[test]
    fn noise_is_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        drafts(&bytes);
    }

    #[test]
    fn odd_values_are_no_trouble(kind in "user|assistant|system|message", text in any::<String>(), n in any::<i64>()) {
        use serde_json::json;
        let odd = [json!(text), json!(n), json!(null), json!([text, n]), json!({ "text": n })];
        let mut lines = String::new();
        for content in &odd {
            for value in [
                json!({"type": kind, "sessionId": text, "uuid": text, "timestamp": content, "message": {"content": content}}),
                json!({"type": "response_item", "payload": {"type": kind, "role": "user", "content": content, "output": content}}),
                json!({"role": kind, "content": content, "tool_calls": content, "timestamp": n}),
                json!({"session": content, "turns": odd}),
            ] {
                lines.push_str(&value.to_string());
                lines.push('\n');
            }
        }
        drafts(lines.as_bytes());
        for line in lines.lines() {
            drafts(line.as_bytes());
        }
    }
}

/// What comes out can be stored: no draft is refused.
#[test]
fn drafts_are_accepted_by_the_model() {
    let text = claude().replace("Done.", "Done\\u0000 \\ud83d.");
    let now = Timestamp::parse("2026-04-01T00:00:00Z").unwrap();
    for reader in [Actor::new(Author::Human, "ann"), Actor::new(Author::Agent, "hook")] {
        let found = given::drafts_read_by(text.as_bytes(), reader.clone());
        assert!(found.len() >= 4, "{found:?}");
        for draft in found {
            draft.resolve(&reader, now, &Scope::private(ScopeLevel::Project)).unwrap();
        }
    }
}
