//! The words inside camelCase, PascalCase and ACRONYMCase identifiers.

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
}
