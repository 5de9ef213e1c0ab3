//! Whether a command succeeded: by its exit code where one is told, by its output where not.

/// The exit code that hosts write into an output.
pub fn exit_code(output: &str) -> Option<i32> {
    const MARKS: &[&str] = &[
        "Exit code ",
        "Exit code: ",
        "exit code: ",
        "Process exited with code ",
        "\"exit_code\":",
    ];
    // Only the frame that a host puts around an output counts, not what a program printed.
    output.lines().take(8).find_map(|line| {
        let rest = MARKS.iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
        let digits = rest.trim_start();
        let end = digits.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(digits.len());
        digits[..end].parse().ok()
    })
}

/// Lines that only failed builds and tests print, whatever the exit code: a pipe through `tail`
/// hides that of the command before it.
fn says_failed(line: &str) -> bool {
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "--- FAIL", "FAIL\t", "FAIL ", "panic: ", "error[E", "error: ", "Error: ", "fatal: ",
        "npm ERR!", "Traceback (most recent call last)", "make: ***", "test result: FAILED",
        "FAILED ", "zsh: command not found", "bash: line", "<tool_use_error>",
    ];
    let line = line.trim_start();
    line == "FAIL" || STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a command succeeded, as far as anybody can tell.
pub fn succeeded(ok: Option<bool>, output: &str) -> Option<bool> {
    match (exit_code(output), ok) {
        (Some(code), _) if code != 0 => Some(false),
        (_, Some(false)) => Some(false),
        (code, ok) => {
            if output.lines().any(says_failed) {
                return Some(false);
            }
            (code.is_some() || ok.is_some()).then_some(true)
        }
    }
}

/// The line that says what went wrong.
pub fn error_line(output: &str) -> Option<&str> {
    let lines = || output.lines().map(str::trim).filter(|line| says_something(line));
    panicked(output)
        .or_else(|| lines().find(|line| is_linkers(line)))
        .or_else(|| lines().find(|line| names_an_error(line)))
        .or_else(|| lines().find(|line| mentions_an_error(line)))
        .or_else(|| lines().find(|line| says_failed(line)))
}

/// What a panic says, which stands below the place where it happened.
fn panicked(output: &str) -> Option<&str> {
    let mut lines = output.lines().map(str::trim);
    lines.find(|line| line.starts_with("thread '") && line.contains("' panicked at "))?;
    lines.next().filter(|line| says_something(line))
}

/// `/usr/bin/ld: cannot find -lz`: compilers only tell that linking failed.
fn is_linkers(line: &str) -> bool {
    line.contains("ld: cannot find ") || line.contains("ld: library not found")
}

fn says_something(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let frame = line.starts_with("Exit code") || line.starts_with("=== ") || line.starts_with('#');
    // That a script failed says nothing about why.
    let frame = frame || line.contains("ELIFECYCLE");
    letters >= 8 && line.len() <= 600 && !frame
}

/// `main.go:12:3: undefined: x`, `error[E0382]: …`, `KeyError: …`.
fn names_an_error(line: &str) -> bool {
    let starts = ["error[", "error:", "Error:", "fatal:", "panic:", "npm ERR! code", "E   "];
    starts.iter().any(|start| line.starts_with(start)) || has_position(line) || has_exception(line)
}

fn has_position(line: &str) -> bool {
    let mut parts = line.splitn(3, ':');
    let (Some(file), Some(row), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let is_file = file.contains('.') && !file.contains(' ') && !file.is_empty();
    let is_row = !row.is_empty() && row.bytes().all(|b| b.is_ascii_digit());
    is_file && is_row && rest.split_whitespace().count() >= 2
}

fn has_exception(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(':') else { return false };
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    is_name && !rest.trim().is_empty() && (name.ends_with("Error") || name.ends_with("Exception"))
}

fn mentions_an_error(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "error", "cannot ", "not found", "undefined", "no such", "denied", "failed", "want ", "illegal ",
        "invalid ", "unknown ", "unrecognized ",
    ];
    WORDS.iter().any(|word| lower.contains(word)) && !lower.starts_with("--- fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_says_why_is_told() {
        for (output, expected) in [
            ("sh: 1: vercel: not found\nnpm ERR! code ELIFECYCLE", "sh: 1: vercel: not found"),
            (
                "error: linking with `cc` failed: exit status: 1\n  = note: /usr/bin/ld: cannot find -lhiredis",
                "= note: /usr/bin/ld: cannot find -lhiredis",
            ),
            (
                "test login_ok ... FAILED\nthread 'login_ok' panicked at src/login.rs:42:9:\ntoken expired: TokenExpired",
                "token expired: TokenExpired",
            ),
        ] {
            assert_eq!(error_line(output), Some(expected));
        }
    }

    #[test]
    fn output_tells_when_the_exit_code_does_not() {
        for (ok, output, expected) in [
            (Some(true), "ok", Some(true)),
            (Some(true), "Exit code 1\nboom", Some(false)),
            (Some(true), "ok  \ta\n--- FAIL: TestX (0.0s)", Some(false)),
            (None, "Chunk ID: 1\nProcess exited with code 0\nOutput:", Some(true)),
            (None, "whatever", None),
            (Some(false), "", Some(false)),
            (Some(true), "grep: 3 lines of FAILURE handling", Some(true)),
        ] {
            assert_eq!(succeeded(ok, output), expected, "{output}");
        }
    }

    #[test]
    fn the_line_that_says_why() {
        for (output, line) in [
            (
                "Exit code 1\n# pkg\n./main.go:6:2: \"sort\" imported and not used",
                Some("./main.go:6:2: \"sort\" imported and not used"),
            ),
            ("x\nerror[E0382]: borrow of moved value", Some("error[E0382]: borrow of moved value")),
            (
                "Traceback (most recent call last)\nKeyError: 'a' is gone",
                Some("KeyError: 'a' is gone"),
            ),
            ("all fine", None),
        ] {
            assert_eq!(error_line(output), line, "{output}");
        }
    }
}
