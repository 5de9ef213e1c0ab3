//! Does a piece of text look made by a machine, or does it stand for something else?

/// How letters and digits follow each other in a token.
#[derive(Debug, Clone, Copy)]
struct Makeup {
    length: usize,
    digits: usize,
    uppers: usize,
    lowers: usize,
    /// How often the class changes from one character to the next.
    changes: usize,
    /// Different characters.
    different: usize,
    is_hex: bool,
}

fn makeup(token: &str) -> Makeup {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 1u8,
        b'A'..=b'Z' => 2,
        b'a'..=b'z' => 3,
        _ => 0,
    };
    let mut seen = [false; 256];
    let mut of = Makeup {
        length: token.len(),
        digits: 0,
        uppers: 0,
        lowers: 0,
        changes: 0,
        different: 0,
        is_hex: token.bytes().all(|byte| byte.is_ascii_hexdigit()),
    };
    let mut before = None;
    for byte in token.bytes() {
        of.different += usize::from(!std::mem::replace(&mut seen[usize::from(byte)], true));
        match class(byte) {
            1 => of.digits += 1,
            2 => of.uppers += 1,
            3 => of.lowers += 1,
            _ => {}
        }
        of.changes += usize::from(before.is_some_and(|before| before != class(byte)));
        before = Some(class(byte));
    }
    of
}

/// Hex digits alone: a hash, an id, or a key; only what stands around it can tell.
pub(super) fn is_hex(token: &str) -> bool {
    makeup(token).is_hex
}

/// Letters and digits mixed as no person and no language mixes them.
pub(super) fn is_random(token: &str, shortest: usize) -> bool {
    let of = makeup(token);
    if of.length < shortest || of.different * 3 < of.length.min(24) || is_named(token) {
        return false;
    }
    let share = of.changes as f64 / of.length as f64;
    if of.is_hex {
        return of.length >= 20 && of.digits >= 3 && of.digits < of.length;
    }
    let letters = of.uppers + of.lowers;
    match (of.digits, of.uppers > 0 && of.lowers > 0) {
        // Words joined by capitals change twice a word; letters drawn at random every second time.
        (0, true) => of.length >= 20 && (share >= 0.45 || jumbles(token) >= 3),
        (0, false) => false,
        (1, _) => of.length >= 16 && share >= 0.35,
        (_, true) => share >= 0.3 && letters > 0,
        (digits, false) => digits >= 3 && letters >= 3 && share >= 0.2,
    }
}

/// How often letters are cased as no joined words are: several capitals in a row, or a small letter
/// alone between capitals. A name has an acronym or two.
fn jumbles(token: &str) -> usize {
    let is_upper = |byte: &u8| byte.is_ascii_uppercase();
    let runs = token.as_bytes().chunk_by(|a, b| is_upper(a) == is_upper(b));
    let odd = |(at, run): &(usize, &[u8])| match is_upper(&run[0]) {
        true => run.len() >= 2,
        false => run.len() == 1 && *at > 0,
    };
    runs.enumerate().filter(odd).count()
}

/// A version, date, path, host, identifier or file name is made of words and numbers, however long.
fn is_named(token: &str) -> bool {
    let parts: Vec<&str> =
        token.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return false;
    }
    let plain = |part: &&str| {
        let of = makeup(part);
        let one_class = [of.digits, of.uppers, of.lowers].iter().filter(|n| **n > 0).count() <= 1;
        one_class || of.changes <= 1 || of.length <= 3
    };
    let strange: usize = parts.iter().filter(|part| !plain(part)).map(|part| part.len()).sum();
    strange * 2 < token.len().min(40)
}

/// A UUID or an id of ours, such as `fact-8f3k2m9qw4xz`, names something; it opens nothing.
pub(super) fn is_name(token: &str) -> bool {
    let is_ours = token.split_once('-').is_some_and(|(kind, rest)| {
        let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        (2..=14).contains(&kind.len())
            && (10..=14).contains(&rest.len())
            && kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            && rest.bytes().all(lower)
    });
    is_ours || is_uuid(token)
}

fn is_uuid(token: &str) -> bool {
    let lengths: Vec<usize> = token.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12]
        && token.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// A value that only shows where a secret would stand, or how code comes by one.
pub(super) fn is_stand_in(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "null",
        "none",
        "nil",
        "true",
        "false",
        "undefined",
        "string",
        "str",
        "bytes",
        "required",
        "optional",
        "redacted",
        "masked",
        "hidden",
        "removed",
        "omitted",
        "empty",
        "unset",
        "todo",
        "tbd",
        "n/a",
        "password",
        "passwd",
        "secret",
        "token",
        "value",
        "bool",
        "boolean",
        "option",
    ];
    const INSIDE: &[&str] = &[
        "[redacted",
        "<",
        "${",
        "{{",
        "$(",
        "...",
        "…",
        "os.environ",
        "process.env",
        "getenv",
        "env.",
        "env[",
        "env(",
        "secrets.",
        "your-",
        "your_",
        "yourpassword",
        "xxxx",
        "****",
        "example",
        "placeholder",
        "::",
        "->",
        "=>",
        "==",
        "redacted",
    ];
    let lower = value.to_ascii_lowercase();
    // Base64 is filled up with the sign that code compares with.
    let unpadded = lower.trim_end_matches('=');
    let bare = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    bare.is_empty()
        || WORDS.contains(&bare)
        || INSIDE.iter().any(|part| unpadded.contains(part))
        || lower.starts_with(['$', '%', '@', '&', '*', '(', '{', '['])
        || is_code(value)
        || is_path(value)
        || one_character(value)
}

/// `parser.next()`, `self.token`, `Option<String>`, `args[0]`.
fn is_code(value: &str) -> bool {
    let called = value.contains('(') && !value.bytes().any(|byte| byte.is_ascii_digit());
    let fields = value.split('.').collect::<Vec<_>>();
    let dotted = fields.len() > 1
        && fields.iter().all(|field| {
            !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        });
    called || dotted || value.ends_with("()")
}

/// `secret/ot/historian`, `/run/secrets/db`, `~/.netrc`: where it lies, not what it is.
fn is_path(value: &str) -> bool {
    let separators = value.matches('/').count();
    let begins = value.starts_with(['/', '~', '.']);
    let plain = value.split('/').all(|part| !is_random(part, 10));
    separators > 0
        && plain
        && !is_aws_secret(value)
        && (begins || separators > 1 || value.ends_with('/'))
}

/// Forty characters of Base64. Drawn at random one in two holds a slash, and passes for a path.
pub(super) fn is_aws_secret(value: &str) -> bool {
    let of = makeup(value);
    of.length == 40 && of.uppers.min(of.lowers).min(of.digits) > 0 && value.bytes().all(is_base64)
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/".contains(&byte)
}

fn one_character(value: &str) -> bool {
    let mut characters = value.chars();
    let first = characters.next();
    characters.all(|c| Some(c) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made at run time: nothing that looks like a key lies in this file.
    fn mixed(length: usize, alphabet: &str, seed: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|i| letters[(i * i * 7 + i * 13 + seed * 31 + 5) % letters.len()]).collect()
    }

    #[test]
    fn what_machines_make_is_random() {
        let base62 = "aK3bL9cM1dN7eP5fQ2gR8hS4jT6kU0mVnWpXqYrZ";
        for seed in 0..20 {
            let token = mixed(24, base62, seed);
            assert!(is_random(&token, 16), "{token}");
        }
    }

    #[test]
    fn what_people_write_is_not() {
        for token in [
            "getUserByEmailAddress",
            "MAX_CONTEXT_TOKENS_PER_REQUEST",
            "claude-opus-4-5-20251101",
            "2026-01-05T12:30:00Z",
            "x86_64-unknown-linux-gnu",
            "internationalization",
            "src/components/Button2.tsx",
            "v1.2.3-rc.4",
            "text-embedding-3-large",
            "0000000000000000000000",
            "aaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert!(!is_random(token, 10), "{token}");
        }
    }

    #[test]
    fn stand_ins_are_known() {
        for value in [
            "<password>",
            "********",
            "${DB_PASS}",
            "$TOKEN",
            "os.environ",
            "null",
            "self.token",
            "secret/ot/historian/collector",
            "/run/secrets/db",
            "[redacted:aws-key]",
            "xxxxxxxx",
            "your-api-key",
            "hist_live_****",
        ] {
            assert!(is_stand_in(value), "{value}");
        }
        for value in ["Quay!Lamp2031", "hunter22", "a1b2c3d4/e5+f6g7"] {
            assert!(!is_stand_in(value), "{value}");
        }
    }
}
