//! The words inside camelCase, PascalCase and ACRONYMCase identifiers.

use crate::claims::shapes::is_file;
use std::borrow::Cow;

/// Splits at the humps; a run without any comes back as one piece. Must see the original case.
pub(crate) fn humps(run: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut before = None;
    for (at, c) in run.char_indices() {
        let after = &run[at + c.len_utf8()..];
        if before.is_some_and(|before| is_hump(before, c, after)) {
            pieces.push(&run[from..at]);
            from = at;
        }
        before = Some(c);
    }
    pieces.push(&run[from..]);
    pieces
}

fn is_hump(before: char, c: char, after: &str) -> bool {
    if !c.is_uppercase() {
        return false;
    }
    // A plural acronym (`URLs`) is one word.
    let opens_word = after.starts_with(char::is_lowercase) && after != "s";
    before.is_lowercase() || (opens_word && (before.is_uppercase() || before.is_numeric()))
}

/// The key of a fact as one would say it: `staging.port` is the `staging port`. What has spaces is
/// said already, and a file keeps its name.
pub fn spelled(key: &str) -> Cow<'_, str> {
    if key.contains(char::is_whitespace) || is_file(&key.to_lowercase()) {
        return key.into();
    }
    let pieces = key.split(['.', '_', '-', '/', ':']).filter(|piece| !piece.is_empty());
    // `PostgreSQL` and `GitHub` are names; only what begins small is written in humps.
    let words = pieces.flat_map(|piece| match piece.starts_with(char::is_lowercase) {
        true => humps(piece),
        false => vec![piece],
    });
    words.collect::<Vec<&str>>().join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn humps_follow_how_people_read_identifiers() {
        for (run, expected) in [
            ("getUserName", &["get", "User", "Name"][..]),
            ("HTTPServer2", &["HTTP", "Server2"]),
            ("utf8Decoder", &["utf8", "Decoder"]),
            ("S3Bucket", &["S3", "Bucket"]),
            ("E0382", &["E0382"]),
            ("3D", &["3D"]),
            ("URLs", &["URLs"]),
            ("Vec", &["Vec"]),
            ("МойКласс", &["Мой", "Класс"]),
            ("", &[""]),
        ] {
            assert_eq!(humps(run), expected, "{run}");
        }
    }

    #[test]
    fn a_key_is_said_in_words() {
        for (key, said) in [
            ("staging.port", "staging port"),
            ("DB_PORT", "DB PORT"),
            ("deploy-region", "deploy region"),
            ("testCommand", "test Command"),
            ("ci/provider", "ci provider"),
            ("GitHub.org", "GitHub org"),
            ("Cargo.toml", "Cargo.toml"),
            ("pre-commit hook", "pre-commit hook"),
            ("", ""),
        ] {
            assert_eq!(spelled(key), said);
        }
    }
}
