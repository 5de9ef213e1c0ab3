//! Where a list goes on: an opaque word for the caller, a number of items passed for us.

use mnemic_engine::{Error, ErrorKind, Result};

/// Nobody pages deeper than this through an answer that is ordered by relevance.
const DEEPEST: usize = 10_000;

const PREFIX: &str = "after-";

/// How many items the caller has seen.
pub(super) fn passed(cursor: Option<&str>) -> Result<usize> {
    let Some(cursor) = cursor else { return Ok(0) };
    let passed = cursor.strip_prefix(PREFIX).and_then(|text| text.parse().ok());
    passed.filter(|passed| *passed <= DEEPEST).ok_or_else(|| {
        Error::new(ErrorKind::Invalid, format!("`{}` is not a cursor", cursor.escape_debug()))
            .hint("pass `next_cursor` of the last answer, or leave it out to begin anew")
    })
}

/// One page of what was found up to one more than it, and the cursor of the next.
pub(super) fn page<T>(items: Vec<T>, passed: usize, size: usize) -> (Vec<T>, Option<String>) {
    let end = passed.saturating_add(size);
    let next = (items.len() > end && end <= DEEPEST).then(|| format!("{PREFIX}{end}"));
    (items.into_iter().skip(passed).take(size).collect(), next)
}

/// A text that also says how to read on, for agents that see the text alone.
pub(super) fn with_more(text: String, next: Option<&str>) -> String {
    match next {
        Some(next) => format!("{text}\nThere is more: call again with `cursor` `{next}`."),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_and_end() {
        let all: Vec<u32> = (0..7).collect();
        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let from = passed(cursor.as_deref()).unwrap();
            let found: Vec<u32> = all.iter().copied().take(from + 3 + 1).collect();
            let (items, next) = page(found, from, 3);
            seen.extend(items);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, all);
    }

    #[test]
    fn made_up_cursors_are_refused() {
        for odd in ["", "after-", "after--1", "after-99999999999999999999", "20", "after-20000"] {
            assert!(passed(Some(odd)).is_err(), "{odd}");
        }
    }
}
