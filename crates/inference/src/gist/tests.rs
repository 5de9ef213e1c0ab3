//! The gist with rows of two dimensions, which can be reckoned by hand, and with the real ones.

use super::pieces::Piece;
use super::source::pack_gist;
use super::*;
use serde_json::json;
use std::fs;

/// Two dimensions: what lives, and what is built. Of `cat` and `house` there are whole tokens with
/// a space before them; everything else is bytes, which mean nothing.
fn tiny_files(dir: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    let mut tokens: Vec<String> = (0..=255).map(|byte| format!("<0x{byte:02X}>")).collect();
    let named = ["▁", "c", "a", "t", "▁c", "at", "▁cat", "h", "o", "u", "s", "e", "ho", "us"];
    tokens.extend(named.iter().map(|token| (*token).to_owned()));
    tokens.extend(["hous", "house", "▁house", "▁dog"].map(str::to_owned));
    let half = |number: f32| if number > 0.0 { 0x3c00_u16 } else { 0 }.to_le_bytes();
    let row = |token: &String| match token.as_str() {
        "▁cat" => [half(1.0), half(0.0)].concat(),
        "▁house" | "house" => [half(0.0), half(1.0)].concat(),
        _ => [half(0.0), half(0.0)].concat(),
    };
    let body: Vec<u8> = tokens.iter().flat_map(row).collect();
    let tensor =
        json!({"dtype": "F16", "shape": [tokens.len(), 2], "data_offsets": [0, body.len()]});
    let header = json!({"__metadata__": {"format": "pt"}, "rows": tensor}).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(body);
    let vocab: serde_json::Map<String, serde_json::Value> =
        tokens.iter().enumerate().map(|(id, token)| (token.clone(), json!(id))).collect();
    let merges = ["▁ c", "a t", "▁c at", "h o", "u s", "ho us", "hous e", "▁ house"];
    let tokenizer =
        json!({"model": {"byte_fallback": true, "vocab": vocab, "merges": merges}}).to_string();
    let (rows, words) = (dir.join("rows.safetensors"), dir.join("tokenizer.json"));
    fs::write(&rows, file).expect("written");
    fs::write(&words, tokenizer).expect("written");
    (rows, words)
}

fn tiny(dir: &Path) -> Arc<Gist> {
    let (rows, words) = tiny_files(dir);
    let to = dir.join("tiny.mng");
    pack_gist(&rows, &words, &to).expect("packed");
    verify(&to).expect("sound");
    gist_from(&to).expect("opened")
}

fn near(gist: &Gist, question: &str, text: &str) -> Option<f32> {
    gist.nearness(&gist.direction(question)?, text)
}

#[test]
fn words_are_near_by_what_they_mean() {
    let dir = tempfile::tempdir().expect("a folder");
    let gist = tiny(dir.path());
    assert_eq!(near(&gist, "cat", "a cat, a cat"), Some(1.0));
    assert_eq!(near(&gist, "cat", "house"), Some(0.0));
    let both = near(&gist, "cat", "cat house").expect("words");
    assert!((both - 0.5_f32.sqrt()).abs() < 1e-6, "{both}");
    // The same token, found whole and joined from characters after a bracket.
    assert_eq!(near(&gist, "house", "(house)"), Some(1.0));
    for (question, text) in [("cat", ""), ("cat", " \n"), ("cat", "xyz"), ("xyz", "cat"), ("", "")]
    {
        assert_eq!(near(&gist, question, text), None, "{question:?} and {text:?}");
    }
}

#[test]
fn a_part_that_says_it_is_found_in_a_long_text() {
    let dir = tempfile::tempdir().expect("a folder");
    let gist = tiny(dir.path());
    let long = format!("{} {}", "house ".repeat(400), "cat ".repeat(40));
    let near = near(&gist, "cat", &long).expect("words");
    assert!(near > 0.5, "{near}: the mean of the whole would be a tenth");
}

#[test]
fn a_token_that_its_characters_do_not_become_is_not_taken() {
    let dir = tempfile::tempdir().expect("a folder");
    let gist = tiny(dir.path());
    let piece = |text| Piece { text, begins: true };
    assert!(gist.packed.whole(piece("cat").hash()).is_some());
    assert_eq!(gist.packed.whole(piece("dog").hash()), None);
    let mut bench = Bench::new(2);
    let mut ids = || {
        bench.add_up(&gist.packed, std::iter::once(piece("dog")));
        bench.ids.clone()
    };
    let first = ids();
    assert_eq!(first.len(), 4, "a space, two bytes, and the `o` that has a token: {first:?}");
    assert_eq!(ids(), first, "the same when it is known");
}

#[test]
fn anything_can_be_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let gist = tiny(dir.path());
    for text in ["\u{0}", "🦀🦀", "▁▁", "ﬀ e\u{301}", &"x".repeat(100_000), &"é/".repeat(50_000)]
    {
        assert!(near(&gist, "cat", text).is_none_or(f32::is_finite));
        let _ = gist.direction(text);
    }
}

#[test]
fn a_damaged_file_says_so() {
    let dir = tempfile::tempdir().expect("a folder");
    tiny(dir.path());
    let path = dir.path().join("tiny.mng");
    let whole = fs::read(&path).expect("read");
    let wrong = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        verify(&path).expect_err("damaged").to_string()
    };
    for (bytes, why) in [
        (&whole[..40], "begins with other bytes"),
        (&whole[..whole.len() - 1], "are due"),
        (&b"not at all"[..], "begins with other bytes"),
    ] {
        assert!(wrong(bytes).contains(why));
    }
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    assert!(wrong(&flipped(8)).contains("format"));
    assert!(wrong(&flipped(whole.len() / 2)).contains("digest"));
    // Every measure, with any of its bits: an error, never a panic.
    for at in (12..32).chain([whole.len() - 3]) {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            wrong(&bytes);
        }
    }
}

/// Opening measures alone, so what lies in the sections may be anything.
#[test]
fn a_damaged_table_gives_numbers_or_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let whole = {
        tiny(dir.path());
        fs::read(dir.path().join("tiny.mng")).expect("read")
    };
    let path = dir.path().join("spoilt.mng");
    for at in (64..whole.len()).step_by(13) {
        for byte in [0xff, 0x7f, 0x00] {
            let mut bytes = whole.clone();
            let end = (at + 8).min(bytes.len());
            bytes[at..end].fill(byte);
            fs::write(&path, &bytes).expect("written");
            let gist = gist_from(&path).expect("measured");
            for (question, text) in [("cat", "a cat in the house"), ("xé", "house xé cat")] {
                assert!(near(&gist, question, text).is_none_or(f32::is_finite), "{at} {byte}");
            }
        }
    }
}

#[test]
fn what_cannot_be_packed_says_why() {
    let dir = tempfile::tempdir().expect("a folder");
    let (rows, words) = tiny_files(dir.path());
    let to = dir.path().join("out.mng");
    let refused =
        |rows: &Path, words: &Path| pack_gist(rows, words, &to).expect_err("refused").to_string();
    assert!(refused(&words, &words).contains("cut off"));
    assert!(refused(&rows, &rows).contains("tokenizer cannot be read"));
    let cut = dir.path().join("cut.safetensors");
    let all = fs::read(&rows).expect("read");
    fs::write(&cut, &all[..all.len() - 2]).expect("written");
    assert!(refused(&cut, &words).contains("cut off"));
    assert!(!to.exists());
}

/// The rows that are shipped, where they are: words that mean alike are nearer than others, and
/// reading is quick.
#[test]
fn the_real_rows_know_words() {
    let Some(gist) = gist().expect("sound") else {
        eprintln!("skipped: no weights; run scripts/weights");
        return;
    };
    let about = |text| near(&gist, "Which database do we use?", text).expect("words");
    let said = about("All records live in PostgreSQL, with a replica for SQL reports.");
    let other = about("My grandmother's soup needs carrots and an hour on the stove.");
    assert!(said > other + 0.1, "{said} and {other}");
    let same = near(&gist, "src/main.rs fails", "src/main.rs fails").expect("words");
    assert!((same - 1.0).abs() < 1e-5);
    assert!(gist.is_word("coffee") && gist.is_word("database"));
    for other in ["databse", "coffee-table", ""] {
        assert!(!gist.is_word(other), "{other}");
    }
}
