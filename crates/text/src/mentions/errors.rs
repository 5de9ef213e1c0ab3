//! The names that errors go by: their codes, and those of exceptions.

use super::{MentionKind, mentions};
use std::collections::BTreeSet;

/// Endings of the names of exceptions.
const EXCEPTIONS: &[&str] = &["Error", "Exception"];

/// `E0382` of `error[E0382]: borrow of moved value`, `KeyError` of `KeyError: 'port'`: what tells
/// this error from others, however much of it is told. In order, each once.
pub fn error_names(text: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let names = mentions(text).into_iter().filter_map(|found| match found.kind {
        MentionKind::ErrorCode => Some(found.text),
        MentionKind::Symbol => exception(&found.text).map(str::to_owned),
        _ => None,
    });
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// `NullPointerException` of `java.lang.NullPointerException`. What is only called `Error` is any.
fn exception(symbol: &str) -> Option<&str> {
    let name = symbol.rsplit(['.', ':']).next()?;
    let ends = |end: &&str| name.len() > end.len() && name.ends_with(end);
    EXCEPTIONS.iter().any(ends).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_goes_by_the_same_name_however_much_of_it_is_told() {
        for (text, expected) in [
            ("E0382", &["E0382"][..]),
            ("error[E0382]: borrow of moved value: `pool`", &["E0382"]),
            ("`cargo build`: error[E0382]: borrow of moved value", &["E0382"]),
            ("src/a.ts(3,5): error TS2345: Argument of type", &["TS2345"]),
            ("npm ERR! code ENOENT", &["ENOENT"]),
            ("KeyError: 'port'", &["KeyError"]),
            ("`KeyError`", &["KeyError"]),
            (
                "Exception in thread \"main\" java.lang.NullPointerException: null",
                &["NullPointerException"],
            ),
            ("requests.exceptions.ConnectionError after ENOENT", &["ConnectionError", "ENOENT"]),
            ("Error: it failed", &[]),
            ("std::io::Error", &[]),
            ("command", &[]),
        ] {
            assert_eq!(error_names(text), expected, "{text}");
        }
    }
}
