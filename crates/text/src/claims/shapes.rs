//! What a word looks like: a number with its unit, a version, a date, a path, an identifier.

/// The shape of one word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Plain,
    /// A number with the unit written to it, if any (`30`, `30s`, `5%`, `two`).
    Number(f64, String),
    /// `v1.2`, `1.2.3-rc1`.
    Version,
    /// `2026-03-05`, `05/03/2026`.
    Date,
    /// A file, a directory, a URL.
    Path,
    /// `snake_case`, `camelCase`, `a::b`, `--flag`, `E0382`.
    Identifier,
    /// `:`, `=`, `,`, `;`, `→`, `—`, parentheses.
    Mark(char),
}

pub(crate) fn shape(raw: &str, text: &str) -> Shape {
    if let Some(number) = number_word(text) {
        return Shape::Number(f64::from(number), String::new());
    }
    if !text.chars().any(|c| c.is_ascii_digit()) {
        return unnumbered(raw, text);
    }
    if is_date(text) {
        Shape::Date
    } else if let Some((value, unit)) = number(text) {
        Shape::Number(value, unit)
    } else if is_version(text) {
        Shape::Version
    } else if is_path(text) {
        Shape::Path
    } else {
        Shape::Identifier
    }
}

fn unnumbered(raw: &str, text: &str) -> Shape {
    if is_path(text) {
        return Shape::Path;
    }
    let joined =
        text.contains("::") || text.contains('_') || text.starts_with(['@', '#', '-', '$']);
    let mut characters = raw.chars();
    let small = characters.next().is_some_and(char::is_lowercase);
    let humped = small && characters.any(char::is_uppercase);
    let dotted = text.trim_matches('.').contains('.') && !text.ends_with(".js");
    if joined || humped || dotted || text.ends_with("()") {
        return Shape::Identifier;
    }
    Shape::Plain
}

/// Numbers that are written as words. `one` is more often a pronoun.
pub(crate) fn number_word(text: &str) -> Option<u16> {
    const WORDS: &[(&str, u16)] = &[
        ("zero", 0),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("eleven", 11),
        ("twelve", 12),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("ninety", 90),
        ("hundred", 100),
        ("thousand", 1000),
    ];
    WORDS.iter().find(|(word, _)| *word == text).map(|(_, number)| *number)
}

/// `1,000`, `30s`, `0.5`, `5%`, `$20`, `10k`, `30-second`.
fn number(text: &str) -> Option<(f64, String)> {
    let body = text.trim_start_matches(['$', '€', '£', '~', '#']);
    if text.starts_with('#') {
        return None;
    }
    let end = body
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_')))
        .unwrap_or(body.len());
    let (digits, unit) = body.split_at(end);
    let unit = unit.trim_start_matches('-');
    let plain: String = digits.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || !is_unit(unit) {
        return None;
    }
    // `1.2.3` and `1.` are no numbers, `1,2` is none in English.
    let grouped = digits
        .split(',')
        .skip(1)
        .all(|group| group.split('.').next().is_some_and(|g| g.len() == 3));
    if !grouped || plain.ends_with('.') {
        return None;
    }
    plain.parse::<f64>().ok().map(|value| (value, unit.to_owned()))
}

/// Letters that may stand right behind a number and only measure it.
fn is_unit(unit: &str) -> bool {
    unit.is_empty() || unit == "%" || unit == "x" || super::quantity::scale(unit).is_some()
}

fn is_version(text: &str) -> bool {
    let body = text.strip_prefix('v').unwrap_or(text).trim_start_matches(['^', '~', '=', '>', '<']);
    let core = body.split(['-', '+']).next().unwrap_or(body);
    let parts: Vec<&str> = core.split('.').collect();
    let counts = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let wild = |part: &&str| counts(part) || matches!(*part, "x" | "*");
    let marked = body.len() < text.len();
    parts.first().is_some_and(counts) && parts.iter().all(wild) && (marked || parts.len() > 1)
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '/']).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let [one, two, three] = parts.as_slice() else { return false };
    let lengths = (one.len(), two.len(), three.len());
    parts.iter().all(digits) && matches!(lengths, (4, 1..=2, 1..=2) | (1..=2, 1..=2, 2 | 4))
}

/// Products that are written like files.
const DOTTED_PRODUCTS: &[&str] =
    &["node.js", "next.js", "vue.js", "nuxt.js", "three.js", "asp.net", ".net"];

fn is_path(text: &str) -> bool {
    if DOTTED_PRODUCTS.contains(&text) {
        return false;
    }
    if text.contains("://")
        || text.contains(":\\")
        || text.starts_with("~/")
        || text.starts_with("./")
    {
        return true;
    }
    let slashed = text.contains('/') && text.len() > 2 && text.chars().any(char::is_alphanumeric);
    slashed && !is_either(text) || is_file(text)
}

/// `and/or`, `read/write`: two words of which either is meant.
fn is_either(text: &str) -> bool {
    matches!(
        text,
        "and/or" | "read/write" | "yes/no" | "on/off" | "true/false" | "i/o" | "n/a" | "24/7"
    )
}

pub(crate) fn is_file(text: &str) -> bool {
    if text.starts_with('.') && text.len() > 2 && !text[1..].contains('.') {
        return text[1..].bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b == b'-');
    }
    let Some((name, extension)) = text.rsplit_once('.') else { return false };
    !name.is_empty()
        && EXTENSIONS.contains(&extension)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "rs", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt", "c", "h", "cpp", "hpp", "cs",
    "rb", "php", "sh", "md", "txt", "toml", "yaml", "yml", "json", "jsonl", "lock", "cfg", "ini",
    "env", "sql", "db", "sqlite", "log", "html", "css", "scss", "xml", "csv", "proto", "tf", "pem",
    "gz", "zip", "tar", "ipynb", "swift", "vue", "svelte", "conf", "service", "exe", "wasm", "snap",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_what_developers_write() {
        let number = |value: f64, unit: &str| Shape::Number(value, unit.to_owned());
        for (raw, expected) in [
            ("8080", number(8080.0, "")),
            ("1,000", number(1000.0, "")),
            ("30s", number(30.0, "s")),
            ("512MB", number(512.0, "mb")),
            ("5%", number(5.0, "%")),
            ("two", number(2.0, "")),
            ("v1.2", Shape::Version),
            ("1.2.3", Shape::Version),
            ("1.2.3-rc1", Shape::Version),
            ("3.11", number(3.11, "")),
            ("2026-03-05", Shape::Date),
            ("src/main.rs", Shape::Path),
            ("main.rs", Shape::Path),
            (".env", Shape::Path),
            ("node.js", Shape::Plain),
            ("and/or", Shape::Plain),
            ("getUser", Shape::Identifier),
            ("max_size", Shape::Identifier),
            ("E0382", Shape::Identifier),
            ("--force", Shape::Identifier),
            ("word", Shape::Plain),
        ] {
            assert_eq!(shape(raw, &raw.to_lowercase()), expected, "{raw}");
        }
    }
}
