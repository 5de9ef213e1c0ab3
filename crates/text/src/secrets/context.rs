//! Values that a name before them calls secret: assignments, headers, flags, and prose.

use super::judge::{is_hex, is_name, is_random, is_stand_in};
use super::token::{self, Token};
use std::ops::Range;

/// How much a word says about what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// `key` alone: only what is plainly made by a machine.
    Weak,
    /// `token`, `api key`: a value that is not a word.
    Plain,
    /// `password`: whatever is assigned to it.
    Strong,
}

/// The words, in lower case, with the name that their values get.
pub(super) const WORDS: &[(&str, Weight, &str)] = &[
    ("password", Weight::Strong, "password"),
    ("passwort", Weight::Strong, "password"),
    ("passwd", Weight::Strong, "password"),
    ("passphrase", Weight::Strong, "password"),
    ("passcode", Weight::Strong, "password"),
    ("_pass", Weight::Strong, "password"),
    ("dbpass", Weight::Strong, "password"),
    ("pwd", Weight::Strong, "password"),
    ("kennwort", Weight::Strong, "password"),
    ("wachtwoord", Weight::Strong, "password"),
    ("mot de passe", Weight::Strong, "password"),
    ("contraseña", Weight::Strong, "password"),
    ("contrasena", Weight::Strong, "password"),
    ("senha", Weight::Strong, "password"),
    ("пароль", Weight::Strong, "password"),
    ("Пароль", Weight::Strong, "password"),
    ("密码", Weight::Strong, "password"),
    ("密碼", Weight::Strong, "password"),
    ("パスワード", Weight::Strong, "password"),
    ("secret", Weight::Strong, "secret"),
    ("credential", Weight::Plain, "secret"),
    ("token", Weight::Plain, "token"),
    ("bearer", Weight::Plain, "token"),
    ("authorization", Weight::Plain, "token"),
    ("_auth", Weight::Plain, "token"),
    ("api key", Weight::Plain, "api-key"),
    ("api-key", Weight::Plain, "api-key"),
    ("api_key", Weight::Plain, "api-key"),
    ("apikey", Weight::Plain, "api-key"),
    ("access key", Weight::Plain, "api-key"),
    ("access-key", Weight::Plain, "api-key"),
    ("access_key", Weight::Plain, "api-key"),
    ("accesskey", Weight::Plain, "api-key"),
    ("accountkey", Weight::Plain, "api-key"),
    ("private key", Weight::Plain, "private-key"),
    ("private_key", Weight::Plain, "private-key"),
    ("privatekey", Weight::Plain, "private-key"),
    ("signing key", Weight::Plain, "private-key"),
    ("signing_key", Weight::Plain, "private-key"),
    ("encryption key", Weight::Plain, "private-key"),
    ("encryption_key", Weight::Plain, "private-key"),
    ("license key", Weight::Plain, "api-key"),
    ("licence key", Weight::Plain, "api-key"),
    ("webhook", Weight::Plain, "secret"),
    ("signature=", Weight::Plain, "token"),
    ("sig=", Weight::Plain, "token"),
    (" key", Weight::Weak, "api-key"),
    ("_key", Weight::Weak, "api-key"),
    ("-key", Weight::Weak, "api-key"),
];

/// A word that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) word: usize,
}

impl Hit {
    fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// The words whose values may be judged by what English says about passwords.
const ENGLISH: &[&str] = &["password", "passphrase", "passcode", "passwd", "pwd"];
/// Prose speaks of a secret within about a sentence or two of it.
const REACH: usize = 200;
/// Longer values are not keys.
pub(super) const LONGEST: usize = 512;
/// Last parts of names that hold something about a secret and not the secret.
const ABOUT: &[&str] = &[
    "count", "counts", "file", "path", "name", "type", "id", "ids", "url", "uri", "length", "len",
    "size", "limit", "limits", "policy", "field", "expiry", "expires", "ttl", "env", "ref", "arn",
    "usage", "budget", "mode", "status", "age", "at", "s", "es", "izer", "ized", "ization", "ize",
    "ised", "iser", "isation", "manager", "store", "prompt", "hint", "hash", "less", "reset",
    "max", "min", "per", "used", "total", "rate", "cost", "window", "stream", "list", "index",
    "kind",
];

/// How a value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// `NAME=value`, quoted, a flag, an element.
    Tight,
    /// `name: value`, `name = value`.
    Loose,
    /// `the name is value`.
    Said,
    /// `the name value`.
    Beside,
}

/// The value assigned to the word at `hit`, when it is one to hide.
pub(super) fn assigned(text: &str, hit: Hit) -> Option<Range<usize>> {
    let (word, weight, name) = WORDS[hit.word];
    let (start, tie) = tied(text, hit, word.ends_with('='))?;
    let (range, quoted) = token::value(text, start, LONGEST)?;
    let value = &text[range.clone()];
    let tie = if quoted { Tie::Tight } else { tie };
    let hides = accepts(value, tie, weight, name == "password")
        || (ENGLISH.contains(&word)
            && matches!(tie, Tie::Said | Tie::Loose)
            && is_run_together(value)
            && ends_here(&text[range.end..]));
    hides.then_some(range)
}

/// Where the value of a name begins and how it is tied to it.
fn tied(text: &str, hit: Hit, bound: bool) -> Option<(usize, Tie)> {
    let bytes = text.as_bytes();
    if is_word_of_another(text, hit) {
        return None;
    }
    if bound {
        return Some((hit.end, Tie::Tight));
    }
    let mut at = hit.end;
    while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte)) {
        at += 1;
        if at - hit.end > 40 {
            return None;
        }
    }
    let rest = text[hit.end..at].to_ascii_lowercase();
    let last = rest.rsplit(['_', '-']).next().unwrap_or_default();
    if ABOUT.contains(&last) {
        return None;
    }
    if bytes.get(at) == Some(&b'>') && bytes[..hit.start].iter().rev().take(24).any(|b| *b == b'<')
    {
        return Some((at + 1, Tie::Tight));
    }
    let is_flag = text[..hit.start].ends_with('-');
    while bytes.get(at).is_some_and(|byte| b"\"'`\\])*".contains(byte)) {
        at += 1;
    }
    let named = at;
    at = skip_spaces(bytes, at);
    match text[at..].chars().next() {
        Some('=') => {
            let spaced = at > named;
            at += 1;
            at += usize::from(bytes.get(at).is_some_and(|byte| b"=>".contains(byte)));
            let after = skip_spaces(bytes, at);
            Some((after, if spaced || after > at { Tie::Loose } else { Tie::Tight }))
        }
        Some(':') if !text[at..].starts_with("://") && !text[at..].starts_with("::") => {
            at += 1;
            at += usize::from(bytes.get(at) == Some(&b'='));
            Some((skip_spaces(bytes, at), Tie::Loose))
        }
        // Chinese and Japanese put no spaces between words.
        Some(mark @ ('：' | '是' | '为' | '為' | 'は')) => {
            let tie = if mark == '：' { Tie::Loose } else { Tie::Said };
            Some((skip_spaces(bytes, at + mark.len_utf8()), tie))
        }
        _ if at == named => None,
        _ if is_flag => Some((at, Tie::Tight)),
        _ => {
            let after = said(text, at);
            match of_whom(text, at).filter(|_| ENGLISH.contains(&WORDS[hit.word].0)) {
                Some(after) => Some((after, Tie::Said)),
                None => Some((after, if after > at { Tie::Said } else { Tie::Beside })),
            }
        }
    }
}

/// Past whose password it is, and the words that tie it to its value: `for the admin account is `.
fn of_whom(text: &str, at: usize) -> Option<usize> {
    const FARTHEST: usize = 60;
    let rest = &text[at..token::floor(text, at + FARTHEST)];
    ["for ", "of ", "on ", "to "].iter().find(|word| rest.starts_with(**word))?;
    let is_name = |c: char| c.is_alphanumeric() || " -_'’.@/".contains(c);
    let sentence = &rest[..rest.find(|c| !is_name(c) && c != ':').unwrap_or(rest.len())];
    sentence.match_indices([' ', ':']).find_map(|(gap, mark)| {
        let start = at + gap + 1;
        let after =
            if mark == ":" { skip_spaces(text.as_bytes(), start) } else { said(text, start) };
        (after > start).then_some(after)
    })
}

/// `keyword` and `keyboard` have nothing to do with keys, nor has a `Felsenhaus` with the Portuguese
/// word for a password.
fn is_word_of_another(text: &str, hit: Hit) -> bool {
    let goes_on = text.as_bytes().get(hit.end).is_some_and(u8::is_ascii_lowercase);
    let (word, weight, _) = WORDS[hit.word];
    goes_on && (weight == Weight::Weak || word == "senha")
}

/// Past the words that tie a name to its value in prose.
pub(super) fn said(text: &str, at: usize) -> usize {
    for phrase in [
        "has been changed to ",
        "was changed to ",
        "is changed to ",
        "changed to ",
        "was reset to ",
        "was set to ",
        "is now set to ",
        "is set to ",
        "set to ",
        "is now ",
        "is: ",
        "is ",
        "was ",
        "= ",
        "lautet: ",
        "lautet ",
        "ist: ",
        "ist ",
        "est : ",
        "est ",
        "es: ",
        "es ",
        "é ",
        "è ",
        "это ",
        "— ",
    ] {
        if text[at..].starts_with(phrase) {
            return at + phrase.len();
        }
    }
    at
}

fn skip_spaces(bytes: &[u8], mut at: usize) -> usize {
    const MOST: usize = 8;
    let end = at + MOST;
    while at < end {
        at += match bytes.get(at..).unwrap_or_default() {
            [b' ' | b'\t', ..] => 1,
            // Spaces that do not break, as French writes them before a colon.
            [0xc2, 0xa0, ..] => 2,
            [0xe2, 0x80, 0xaf, ..] => 3,
            _ => break,
        };
    }
    at
}

fn accepts(value: &str, tie: Tie, weight: Weight, is_password: bool) -> bool {
    if value.len() < 4 || is_stand_in(value) || value.contains(char::is_whitespace) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let mixed = digits > 0 && letters > 0;
    let odd = |byte: u8| byte.is_ascii_punctuation() && !b"_-./".contains(&byte);
    match (weight, tie) {
        (Weight::Strong, Tie::Tight) => true,
        (Weight::Strong, Tie::Loose) => {
            let telling = mixed || digits == value.len() || value.bytes().any(odd);
            value.len() >= 6 && (telling || is_random(value, 16))
        }
        (Weight::Strong, Tie::Beside) if !is_password => is_random(value, 10),
        (Weight::Strong, Tie::Said | Tie::Beside) => {
            let telling = mixed && (letters > 2 || value.bytes().any(odd)) && !is_version(value);
            value.len() >= 6 && telling || is_random(value, 16)
        }
        (Weight::Plain, Tie::Tight) => {
            value.len() >= 12 && mixed && (digits > 1 || is_random(value, 12)) || is_key(value, 16)
        }
        (Weight::Plain, _) => is_key(value, 12),
        (Weight::Weak, Tie::Said | Tie::Beside) => false,
        (Weight::Weak, _) => is_key(value, 20),
    }
}

/// Words run together, as people make a password without digits. No word that says something about
/// a password, such as `unrecoverable`, is as long without one of these endings.
fn is_run_together(value: &str) -> bool {
    const SHORTEST: usize = 12;
    const FEWEST_PARTS: usize = 4;
    const ENDINGS: &[&str] = &[
        "ly",
        "ed",
        "able",
        "ible",
        "ing",
        "al",
        "ive",
        "ent",
        "ant",
        "less",
        "ful",
        "ary",
        "ory",
        "ic",
        "ics",
        "ous",
        "ion",
        "ions",
        "ness",
        "ity",
        "ward",
        "where",
        "ship",
        "ism",
        "text",
        "password",
        "passwords",
        "word",
        "user",
        "username",
    ];
    let parts: Vec<&str> = value.split('-').collect();
    let is_word = |part: &&str| part.len() > 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    (parts.len() == 1 || parts.len() >= FEWEST_PARTS)
        && value.len() >= SHORTEST
        && parts.iter().all(is_word)
        && !ENDINGS.iter().any(|ending| value.ends_with(ending))
}

/// Whether a statement is over before `rest`: `the password is stored` goes on, a password does not.
fn ends_here(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t']).is_empty()
        || rest.starts_with(['.', ',', ';', '!', '?', ')', '\n', '\r', '"', '\''])
        || [" and ", " but ", " (", " – ", " — "].iter().any(|next| rest.starts_with(next))
}

pub(super) fn is_version(value: &str) -> bool {
    value.bytes().filter(|byte| *byte == b'.').count() > 0 && value.len() < 12
}

fn is_key(value: &str, shortest: usize) -> bool {
    (is_hex(value) && value.len() >= 32) || is_random(value, shortest)
}

/// Machine-made tokens that stand near the words, in the same paragraph.
pub(super) fn nearby(text: &str, hits: &[Hit]) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let mut done = 0;
    let mut index = 0;
    let hits: Vec<Hit> =
        hits.iter().copied().filter(|hit| !is_word_of_another(text, *hit)).collect();
    while index < hits.len() {
        let (mut region, mut best) = (around(text, &hits[index].range()), hits[index]);
        index += 1;
        while index < hits.len() && hits[index].start <= region.end {
            region.end = around(text, &hits[index].range()).end.max(region.end);
            if WORDS[hits[index].word].1 > WORDS[best.word].1 {
                best = hits[index];
            }
            index += 1;
        }
        region.start = region.start.max(done);
        done = region.end;
        let (_, weight, name) = WORDS[best.word];
        for token in token::tokens(text, region.clone()) {
            if is_loose_secret(text, &token, weight) {
                found.push((token.range, name));
            }
        }
        if weight > Weight::Weak {
            found.extend(token::groups(text, region).into_iter().map(|range| (range, name)));
        }
    }
    found
}

/// The part of a paragraph around a word or a key.
pub(super) fn around(text: &str, hit: &Range<usize>) -> Range<usize> {
    let start = token::floor(text, hit.start.saturating_sub(REACH));
    let end = token::floor(text, (hit.end + REACH).min(text.len()));
    let start = text[start..hit.start].rfind("\n\n").map_or(start, |at| start + at);
    let end = text[hit.end..end].find("\n\n").map_or(end, |at| hit.end + at);
    // A token on the edge is taken whole.
    token::widened(text, start..end)
}

fn is_loose_secret(text: &str, token: &Token, weight: Weight) -> bool {
    let value = &text[token.range.clone()];
    if value.len() > LONGEST || is_stand_in(value) || is_name(value) || token.is_address {
        return false;
    }
    let shortest = if weight == Weight::Weak { 24 } else { 16 };
    if is_hex(value) {
        return weight > Weight::Weak && value.len() >= 32 && !token::is_hash(text, token);
    }
    is_random(value, shortest) && !token::is_hash(text, token)
}
