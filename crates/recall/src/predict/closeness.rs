//! How near two paths stand: by their folders and by their names.

/// Words that say what a file is for, not what it is about.
const ROLES: &[&str] = &["test", "tests", "spec", "specs", "bench", "mock", "mocks", "types"];
/// File names that stand for their folder.
const FOLDER_FILES: &[&str] = &["mod", "lib", "main", "index", "__init__", "init"];

/// The folder of a path, without the last slash; empty for the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// 1 in the same folder, less for each step up or down between the two, 0 without a shared folder.
pub(crate) fn place(one: &str, other: &str) -> f64 {
    let (one, other) = (folder(one), folder(other));
    if one == other {
        return 1.0;
    }
    let shared = one.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count();
    let deepest = one.split('/').count().max(other.split('/').count());
    shared as f64 / (deepest + 1) as f64
}

/// What a file's name speaks of, in small letters, each word once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words(Vec<String>);

impl Words {
    pub(crate) fn of(path: &str) -> Words {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.trim_start_matches('.').split('.').next().unwrap_or(file);
        let stem = if FOLDER_FILES.contains(&stem) {
            folder(path).rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(stem)
        } else {
            stem
        };
        let mut words: Vec<String> = Vec::new();
        for word in split(stem) {
            if !ROLES.contains(&word.as_str()) && !words.contains(&word) {
                words.push(word);
            }
        }
        Words(words)
    }

    /// 1 for `parser.rs` and `parser_test.rs`, 0 without a shared word, between by the words
    /// shared.
    pub(crate) fn like(&self, other: &Words) -> f64 {
        let shared = self.0.iter().filter(|word| other.0.contains(word)).count();
        let all = self.0.len() + other.0.len() - shared;
        if all == 0 { 0.0 } else { shared as f64 / all as f64 }
    }
}

/// Splits at signs and before a capital that follows a small letter.
fn split(stem: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for letter in stem.chars() {
        if !letter.is_alphanumeric() || (small && letter.is_uppercase()) {
            words.push(String::new());
        }
        small = letter.is_lowercase();
        if letter.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_when_they_speak_of_the_same() {
        for (one, other, expected) in [
            ("src/parser.rs", "tests/parser_test.rs", 1.0),
            ("src/parser.rs", "src/parser/mod.rs", 1.0),
            ("pkg/fooBar.ts", "pkg/foo-bar.spec.ts", 1.0),
            ("src/http_client.rs", "src/http_server.rs", 1.0 / 3.0),
            ("src/a.rs", "src/b.rs", 0.0),
            ("", "", 0.0),
            ("tests/mod.rs", "src/test.rs", 0.0),
        ] {
            let (first, second) = (Words::of(one), Words::of(other));
            assert_eq!(first.like(&second), expected, "{one} and {other}");
            assert_eq!(second.like(&first), expected, "{other} and {one}");
        }
    }

    #[test]
    fn places_are_near_when_they_share_folders() {
        for (one, other, expected) in [
            ("src/a.rs", "src/b.rs", 1.0),
            ("README.md", "Cargo.toml", 1.0),
            ("src/x/a.rs", "src/b.rs", 1.0 / 3.0),
            ("src/a.rs", "tests/a.rs", 0.0),
            ("src/a.rs", "Cargo.toml", 0.0),
        ] {
            assert_eq!(place(one, other), expected, "{one} and {other}");
            assert_eq!(place(other, one), expected, "{other} and {one}");
        }
    }
}
