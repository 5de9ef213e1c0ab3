//! Things that are known by the shape of their spelling.

use std::ops::Range;

use super::{Found, MentionKind, chunks};
use crate::words::humps;

/// Endings that make a bare word with a dot a file.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "bat", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "db", "env", "ex", "go", "gz", "h",
    "hpp", "html", "ini", "ipynb", "java", "jpg", "js", "json", "jsonl", "jsx", "kt", "lock", "log",
    "lua", "md", "mjs", "pdf", "php", "png", "proto", "py", "rb", "rs", "scss", "sh", "sql",
    "sqlite", "svelte", "svg", "swift", "tf", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml",
    "yml", "zig", "zip",
];

/// Words with a number that are no issue: standards and algorithms.
const STANDARDS: &[&str] =
    &["AES", "COVID", "GPT", "H", "HTTP", "IEEE", "ISO", "MD", "PEP", "RFC", "RSA", "SHA", "UTF"];

/// Words after which a number is a code: how it is then written.
fn coded(words: &str) -> Option<&'static str> {
    Some(match words {
        "http" => "HTTP ",
        "sqlstate" => "SQLSTATE ",
        "exit code" | "exited with code" => "exit code ",
        "status code" | "status" => "HTTP ",
        "error code" | "errno" => "error ",
        _ => return None,
    })
}

pub(super) fn read(found: &mut Found<'_>) {
    let text = found.text;
    read_in(found, 0..text.len(), true);
}

/// Code is not prose, but it names the same things.
pub(super) fn in_block(found: &mut Found<'_>, inner: Range<usize>) {
    read_in(found, inner, false);
}

fn read_in(found: &mut Found<'_>, range: Range<usize>, is_prose: bool) {
    let text = &found.text[range.clone()];
    let mut before: [Word<'_>; 2] = [(0, ""); 2];
    for (start, chunk) in chunks(text) {
        let opened = chunk.len() - chunk.trim_start_matches(is_opener).len();
        let word = (range.start + start + opened, core(chunk));
        let is_open =
            |span: &Range<usize>| found.is_free(span) && !(is_prose && found.is_in_block(span));
        if let Some((kind, text, span)) = named(before, word).filter(|(_, _, span)| is_open(span)) {
            found.push(kind, text, span.clone());
            if is_prose {
                found.take(span);
            }
        }
        before = [before[1], word];
    }
}

/// Where a word begins, and the word.
type Word<'a> = (usize, &'a str);

fn named(
    before: [Word<'_>; 2],
    (at, core): Word<'_>,
) -> Option<(MentionKind, String, Range<usize>)> {
    let end = at + core.len();
    if let Some((text, from)) = code_after(before, core) {
        return Some((MentionKind::ErrorCode, text, from..end));
    }
    let (kind, text) = shape(core, Some(before[1].1))?;
    Some((kind, text, at..end))
}

fn core(chunk: &str) -> &str {
    let inner = chunk.trim_start_matches(is_opener);
    let inner = inner.trim_end_matches(is_closer);
    // `foo()` keeps its call, `(foo)` loses its bracket.
    let rest = &chunk[chunk.len() - chunk.trim_start_matches(is_opener).len() + inner.len()..];
    if rest.starts_with("()") {
        &chunk.trim_start_matches(is_opener)[..inner.len() + 2]
    } else {
        inner
    }
}

fn is_opener(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '{' | '<' | '*' | '“' | '‘' | '«' | '`')
}

fn is_closer(c: char) -> bool {
    is_opener(c)
        || matches!(
            c,
            ')' | ']' | '}' | '>' | '”' | '’' | '»' | ',' | '.' | ';' | ':' | '!' | '?' | '…'
        )
}

/// `SQLSTATE 42P01`, `exit code 137`: the code with its words, and where they begin.
fn code_after(before: [Word<'_>; 2], core: &str) -> Option<(String, usize)> {
    let is_code = core.len() <= 6 && core.bytes().next()?.is_ascii_digit();
    if !is_code || !core.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let [(first, one), (second, two)] = before;
    let pair = format!("{one} {two}").to_lowercase();
    let (words, from) = match coded(&pair) {
        Some(words) => (words, first),
        None => (coded(&two.to_lowercase())?, second),
    };
    Some((format!("{words}{core}"), from))
}

/// What a chunk without the punctuation around it names; `before` is the word before it.
pub(super) fn shape(core: &str, before: Option<&str>) -> Option<(MentionKind, String)> {
    if core.contains(char::is_whitespace) || !core.contains(char::is_alphanumeric) {
        return None;
    }
    if is_url(core) {
        return Some((MentionKind::Url, core.trim_end_matches('/').to_owned()));
    }
    let kind_of_code = issue(core).or_else(|| error_code(core)).or_else(|| version(core, before));
    kind_of_code.or_else(|| path(core)).or_else(|| symbol(core))
}

fn is_url(core: &str) -> bool {
    let scheme = core.split_once("://").map(|(scheme, rest)| (scheme, rest.len()));
    let has_scheme = scheme.is_some_and(|(scheme, rest)| {
        rest > 0 && !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    has_scheme || core.starts_with("www.") && core.len() > 6 || core.starts_with("git@")
}

fn issue(core: &str) -> Option<(MentionKind, String)> {
    let is_number = |text: &str| {
        (1..=7).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if let Some((repository, number)) = core.split_once('#') {
        let is_repository = repository.is_empty()
            || repository.contains('/') && !repository.contains("//") && !repository.contains('.');
        return (is_repository && is_number(number)).then(|| (MentionKind::Issue, core.to_owned()));
    }
    if let Some(rest) = core.strip_prefix("CVE-") {
        let is_cve = rest
            .split_once('-')
            .is_some_and(|(year, number)| year.len() == 4 && is_number(year) && is_number(number));
        return is_cve.then(|| (MentionKind::ErrorCode, core.to_owned()));
    }
    let (project, number) = core.split_once('-')?;
    if project == "ORA" && number.len() == 5 && is_number(number) {
        return Some((MentionKind::ErrorCode, core.to_owned()));
    }
    let is_project = (2..=10).contains(&project.len())
        && project.bytes().all(|byte| byte.is_ascii_uppercase())
        && !STANDARDS.contains(&project);
    (is_project && is_number(number)).then(|| (MentionKind::Issue, core.to_owned()))
}

/// `E0382`, `TS2304`, `ECONNREFUSED`, `SIGSEGV`, `error[E0382]`.
fn error_code(core: &str) -> Option<(MentionKind, String)> {
    let core = core.strip_prefix("error[").unwrap_or(core);
    let letters = core.bytes().take_while(u8::is_ascii_uppercase).count();
    let (letters, digits) = core.split_at(letters);
    let is_numbered = (1..=5).contains(&letters.len())
        && (3..=5).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    // The C library's: E and at least four more letters. English has few such words in capitals.
    let is_errno = digits.is_empty()
        && letters.len() >= 5
        && ERRNO.iter().any(|end| letters.ends_with(end))
        && letters.starts_with('E');
    let is_signal = digits.is_empty() && SIGNALS.contains(&letters);
    (is_numbered || is_errno || is_signal).then(|| (MentionKind::ErrorCode, core.to_owned()))
}

#[rustfmt::skip]
const ERRNO: &[&str] = &[
    "ACCES", "AGAIN", "BADF", "BUSY", "CONNABORTED", "CONNREFUSED", "CONNRESET", "DDRINUSE",
    "DEADLK", "EXIST", "HOSTUNREACH", "INTR", "INVAL", "ISDIR", "LOOP", "MFILE", "NETUNREACH",
    "NOENT", "NOMEM", "NOSPC", "NOTDIR", "NOTEMPTY", "NOTFOUND", "PERM", "PIPE", "RESOLVE",
    "ROFS", "TIMEDOUT", "TIMEOUT",
];

const SIGNALS: &[&str] = &[
    "SIGABRT", "SIGBUS", "SIGHUP", "SIGILL", "SIGINT", "SIGKILL", "SIGPIPE", "SIGSEGV", "SIGTERM",
];

fn version(core: &str, before: Option<&str>) -> Option<(MentionKind, String)> {
    let marked =
        core.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let number = marked.unwrap_or(core);
    let release = number.split(['-', '+']).next()?;
    let parts: Vec<&str> = release.split('.').collect();
    let is_dotted = parts.iter().all(|part| {
        (1..=5).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let said = before.is_some_and(|word| word.eq_ignore_ascii_case("version"));
    let enough = match parts.len() {
        1 => marked.is_some() || said,
        2 => marked.is_some() || said,
        3 => true,
        _ => false,
    };
    let named = is_dotted && enough && number.len() <= 40;
    named.then(|| (MentionKind::Version, number.to_owned()))
}

fn path(core: &str) -> Option<(MentionKind, String)> {
    let bare = without_line(core);
    let slashed = bare.replace('\\', "/");
    let name = slashed.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        EXTENSIONS.binary_search(&extension).is_ok() && !stem.contains('(')
    });
    let is_name = |c: char| c.is_alphanumeric() || "_-./~@+$*".contains(c);
    let is_spelled = slashed.strip_prefix("C:").unwrap_or(&slashed).chars().all(is_name);
    let slashes = slashed.matches('/').count();
    let is_rooted = ["/", "./", "../", "~/"].iter().any(|root| slashed.starts_with(root));
    // `and/or` has one slash too: a folder needs two, a root or an identifier's spelling.
    let is_folder = slashes >= 2
        || is_rooted && slashed.len() > 2
        || slashed.ends_with('/') && slashes == 1
        || slashes == 1 && slashed.contains(['_', '.', '@']);
    let fits = is_spelled && (has_extension && !name.starts_with("..") || slashes > 0 && is_folder);
    fits.then(|| (MentionKind::Path, slashed.trim_start_matches("./").to_owned()))
}

/// Drops `:12` and `:12:5`.
fn without_line(core: &str) -> &str {
    let mut bare = core;
    while let Some((head, tail)) = bare.rsplit_once(':') {
        if tail.is_empty() || !tail.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            break;
        }
        bare = head;
    }
    bare
}

fn symbol(core: &str) -> Option<(MentionKind, String)> {
    let is_call = core.ends_with("()");
    let name = core.trim_end_matches("()").trim_end_matches('!');
    let is_spelled = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '$');
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    if !starts || !name.chars().all(is_spelled) || name.len() > 100 {
        return None;
    }
    let has_joint = name.contains("::") || name.trim_matches('_').contains('_');
    let is_humped = name.split(['.', ':']).any(|part| humps(part).len() > 1);
    let is_dotted_call = is_call && name.contains('.');
    let fits = is_call || has_joint && !name.ends_with(':') || is_humped || is_dotted_call;
    fits.then(|| (MentionKind::Symbol, name.trim_end_matches(['.', ':']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_can_be_searched() {
        assert!(EXTENSIONS.is_sorted());
    }
}
