//! A grown file is read on, a rewritten one anew, and both give what reading the whole gives.

mod given;

use given::{claude, codex, messages, read_until_end, sessions, turns};
use mnemic_lifecycle::capture::{Resume, Standing};
use proptest::prelude::*;
use std::io::Cursor;

fn all() -> Vec<String> {
    let lines: Vec<String> =
        messages().as_array().expect("it is an array").iter().map(ToString::to_string).collect();
    vec![claude(), codex(), sessions(), lines.join("\n"), messages().to_string()]
}

#[test]
fn reading_in_two_goes_is_reading_whole() {
    for text in all() {
        let whole = turns(&text);
        // Every cut near the ends of lines, and some in between.
        let near = |end: &usize| {
            let around = end.saturating_sub(2)..(end + 2).min(text.len());
            text.as_bytes()[around].contains(&b'\n') || end.is_multiple_of(7) || *end == text.len()
        };
        for end in (0..=text.len()).filter(near) {
            let (first, resume) = read_until_end(&text.as_bytes()[..end], None);
            let kept = serde_json::to_string(&resume).unwrap();
            let resume: Resume = serde_json::from_str(&kept).unwrap();
            let standing = resume.standing(&mut Cursor::new(text.as_bytes())).unwrap();
            let (rest, _) = read_until_end(text.as_bytes(), Some(&resume));
            let both = match standing {
                Standing::Rewritten => rest,
                _ => [first, rest].concat(),
            };
            assert_eq!(both, whole, "cut at {end}");
        }
    }
}

#[test]
fn another_file_is_noticed() {
    let text = claude();
    let (_, resume) = read_until_end(text.as_bytes(), None);
    let same = resume.standing(&mut Cursor::new(text.as_bytes())).unwrap();
    assert_eq!(same, Standing::Same);
    let grown = format!("{text}{{}}\n");
    assert_eq!(resume.standing(&mut Cursor::new(grown.as_bytes())).unwrap(), Standing::Grown);
    for other in [text.replace("shop", "shed"), text[..text.len() / 2].to_owned(), String::new()] {
        let standing = resume.standing(&mut Cursor::new(other.as_bytes())).unwrap();
        assert_eq!(standing, Standing::Rewritten);
        assert_eq!(read_until_end(other.as_bytes(), Some(&resume)).0, turns(&other));
    }
}

proptest! {
    #[test]
    fn reading_in_many_goes_is_reading_whole(cuts in proptest::collection::vec(0usize..6000, 1..6)) {
        let text = claude();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut resume = None;
        let mut found = Vec::new();
        for cut in cuts {
            let (more, rest) = read_until_end(&text.as_bytes()[..cut], resume.as_ref());
            found.extend(more);
            resume = Some(rest);
        }
        prop_assert_eq!(found, turns(&text));
    }
}
