//! What an error message is about: a file, a rule, a test, or code that is still being written.

/// `pkg/a.go:12:3: message` as file and message.
pub(crate) fn position(error: &str) -> Option<(&str, &str)> {
    let (file, rest) = error.split_once(':')?;
    let is_file = file.contains('.') && !file.contains(' ');
    let row_end = rest.find(|c: char| !c.is_ascii_digit())?;
    let message = rest[row_end..].trim_start_matches(|c: char| c == ':' || c.is_ascii_digit());
    (is_file && row_end > 0).then_some((file, message.trim_start()))
}

/// The error without the place where it happened to occur: the same mistake elsewhere is the same.
pub(crate) fn message(error: &str) -> &str {
    position(error).map_or(error, |(_, message)| message)
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// Whether a test says what it expected.
pub(crate) fn is_assertion(error: &str) -> bool {
    let file = position(error).map_or("", |(file, _)| file_name(file)).to_lowercase();
    let in_test = ["_test.", ".test.", ".spec.", "test_"].iter().any(|mark| file.contains(mark));
    in_test && !names_rule(error)
}

/// Linters put the rule behind the message: `… is not checked (errcheck)`.
pub(crate) fn names_rule(error: &str) -> bool {
    let rule =
        error.strip_suffix(')').and_then(|error| error.rsplit_once(" (")).map(|(_, rule)| rule);
    rule.is_some_and(|rule| !rule.is_empty() && !rule.contains(' '))
}

/// Errors of code that is still being written: every name is undefined until it is defined.
pub(crate) fn is_unfinished_work(error: &str) -> bool {
    #[rustfmt::skip]
    const UNFINISHED: &[&str] = &[
        "imported and not used", "declared and not used", "undefined:", "undefined (type",
        "missing return", "expected declaration", "syntax error", "expected ';'",
        "not enough arguments in call", "too many arguments in call", "assignment mismatch",
        "unused import", "unused variable", "cannot find value", "cannot find function",
        "unresolved import", "is not defined", "cannot find name", "does not implement",
        "unknown field", "has no field or method", "redeclared in this block", "setup failed",
        "build failed", "is unused", ": # ", "sibling tool call",
    ];
    let low = error.to_ascii_lowercase();
    UNFINISHED.iter().any(|sign| low.contains(sign))
}

/// Files that say how things are built and run.
#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    ".toml", ".json", ".yml", ".yaml", ".mod", ".work", ".env", ".ini", ".cfg", ".gradle",
    ".lock", "makefile", "dockerfile", ".sh", ".config.ts", ".config.js",
];

/// Whether an edit of this file can have mended an error: it names the file, or names none and the
/// file says how things are built and run.
pub(crate) fn may_be_mended_in(error: &str, edited: &str) -> bool {
    let edited = file_name(edited);
    let named = position(error).map(|(file, _)| file_name(file));
    match named {
        // A test that was there before is satisfied by the code, not by itself.
        Some(file) if is_assertion(error) => {
            file.replace("_test.", ".").replace(".test.", ".") == edited
        }
        Some(file) if file == edited => true,
        _ => SETTINGS.iter().any(|end| edited.to_lowercase().ends_with(end)),
    }
}

/// How tools say that they do not understand what they were told.
#[rustfmt::skip]
pub(crate) const MISUSE: &[&str] = &[
    "command not found", "illegal option", "invalid option", "unknown option", "unknown flag",
    "unknown shorthand flag", "unrecognized option", "unrecognized argument", "unrecognized arguments",
    "unknown command", "no such command", "no such subcommand", "no module named",
    "externally-managed-environment", "is not recognized as",
];

/// Whether a line says nothing by itself: what failed stands elsewhere.
pub(crate) fn tells_nothing(error: &str) -> bool {
    const TELLS_NOTHING: &[&str] = &["--- FAIL", "FAIL", "AssertionError", "<", "E   "];
    TELLS_NOTHING.iter().any(|start| error.starts_with(start))
}

/// Errors that pass by themselves as the work goes on, or that no edit mends.
pub(crate) fn is_passing(error: &str) -> bool {
    let low = error.to_ascii_lowercase();
    let is_misuse = MISUSE.iter().any(|sign| low.contains(sign));
    is_misuse || is_assertion(error) || is_unfinished_work(error) || tells_nothing(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        let lint = "pkg/a.go:34:21: Error return value is not checked (errcheck)";
        assert_eq!(position(lint).map(|(file, _)| file_name(file)), Some("a.go"));
        assert_eq!(message(lint), "Error return value is not checked (errcheck)");
        assert!(names_rule(lint) && !is_assertion(lint) && !is_unfinished_work(lint));
        assert!(is_assertion("pkg/a_test.go:3: got 1 want 2"));
        assert!(!is_assertion("pkg/a_test.go:3:1: bad name (govet)"));
        assert!(is_unfinished_work("./a.go:3:1: undefined: x"));
        assert_eq!(message("error: no such host: db:5432"), "error: no such host: db:5432");
        assert!(!names_rule("FAIL TestX (0.30s elapsed)"));
    }
}
