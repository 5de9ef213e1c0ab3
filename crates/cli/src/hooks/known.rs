//! Whether memory knows an error well enough to speak up unasked.

/// Memory is at least this sure to have something on the error.
const SURE: f64 = 0.5;

/// Words that every second error has.
const USUAL: &[&str] = &["ERROR", "FAILED", "FATAL", "PANIC", "STDERR", "WARNING", "UTF8", "HTTP1"];

/// How many words make a line that is not met by chance, and how long they are together.
const PHRASE: usize = 4;
const LONG_ENOUGH: usize = 18;

/// Either recall is sure, or what it found names the error itself or repeats it.
pub(super) fn is_known(error: &str, evidence: f64, found: &str) -> bool {
    evidence >= SURE || names(error).any(|name| mentions(found, name)) || repeats(found, error)
}

/// Whether a text has what a line of the error begins with.
fn repeats(found: &str, error: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<String>>()
    };
    let found = format!(" {} ", words(found).join(" "));
    error.lines().any(|line| {
        let line = words(line);
        let usual = line
            .iter()
            .take_while(|word| matches!(word.as_str(), "output" | "error" | "fatal"))
            .count();
        let begins = line[usual..].get(..PHRASE).map(|words| words.join(" "));
        begins.is_some_and(|begins| {
            begins.len() >= LONG_ENOUGH && found.contains(&format!(" {begins} "))
        })
    })
}

/// What names an error among its words: `E0382`, `ENOENT`, `ModuleNotFoundError`, `ORA-00942`.
fn names(error: &str) -> impl Iterator<Item = &str> {
    let words = error.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    words.map(|word| word.trim_matches(['-', '_'])).filter(|word| is_name(word))
}

fn is_name(word: &str) -> bool {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let is_upper = letters > 0 && !word.chars().any(|c| c.is_ascii_lowercase());
    let is_code = is_upper && digits >= 3 && word.len() <= 12;
    let is_constant = is_upper && letters >= 5 && digits == 0;
    let is_type = word.starts_with(|c: char| c.is_ascii_uppercase())
        && ["Error", "Exception"]
            .iter()
            .any(|end| word.len() > end.len() + 2 && word.ends_with(end));
    (is_code || is_constant || is_type) && !USUAL.contains(&word)
}

/// As a word of its own, not as a part of another.
fn mentions(text: &str, name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_known_by_name_or_by_evidence() {
        for (error, evidence, found, known) in [
            ("error[E0382]: borrow of moved value", 0.2, "- E0382 is mended by cloning", true),
            ("error[E0382]: borrow of moved value", 0.2, "- E03821 is another", false),
            ("ENOENT: no such file", 0.1, "on ENOENT run make assets first", true),
            ("ModuleNotFoundError: No module named x", 0.1, "ModuleNotFoundError: use uv", true),
            ("curl: could not resolve host", 0.4, "the host is db.example.org", false),
            ("curl: could not resolve host", 0.6, "turn the VPN on", true),
            ("ERROR: it FAILED", 0.1, "ERROR and FAILED are usual", false),
            ("Error: x", 0.1, "Error: y", false),
            (
                "error: linking with `cc` failed: exit status: 1",
                0.1,
                "fails: linking with `cc` failed",
                true,
            ),
            ("cat: no such file or directory", 0.1, "ls: no such file or directory", false),
            ("exit code 101", 0.1, "101 dalmatians", false),
            ("", 0.0, "", false),
        ] {
            assert_eq!(is_known(error, evidence, found), known, "{error} | {found}");
        }
    }
}
