//! Secrets told by what stands beside them: a user, or the id of a key.

use super::context::{LONGEST, around, is_version, said};
use super::judge::{is_aws_secret, is_base64, is_stand_in};
use super::token::{floor, value};
use std::ops::Range;

/// Flags that `user:password` follows, of these programs.
pub(super) const FLAGS: &[&str] =
    &[" -u ", " -a ", " --user ", " --user=", " --proxy-user ", " --auth ", " --auth="];
const PROGRAMS: &[&str] = &["curl", "wget", "http", "https", "xh"];
/// Flags that a password follows, each of one program.
pub(super) const BARE_FLAGS: &[&str] = &[" -p", " -a"];
const BARE: &[(&str, &str, Place)] = &[
    ("sshpass", " -p", Place::Either),
    ("docker", " -p", Place::Apart),
    ("podman", " -p", Place::Apart),
    ("redis-cli", " -a", Place::Apart),
    ("mysql", " -p", Place::Glued),
    ("mysqldump", " -p", Place::Glued),
    ("mysqladmin", " -p", Place::Glued),
    ("mariadb", " -p", Place::Glued),
];
/// Where a program wants the password: `mysql -p name` asks for it and opens a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Apart,
    Glued,
    Either,
}
/// Words that a user and a password follow, in prose.
pub(super) const LOGINS: &[&str] =
    &["login", "log in", "logon", "credentials", "creds", "zugangsdaten", "identifiants"];

/// The words of the command that a flag belongs to, up to the flag.
fn words_before(text: &str, flag: usize) -> impl Iterator<Item = &str> {
    const FARTHEST: usize = 300;
    let before = &text[floor(text, flag.saturating_sub(FARTHEST))..flag];
    // A command goes on after a line that ends with a backslash.
    let mut breaks = before.rmatch_indices('\n').map(|(at, _)| at);
    let line = breaks.find(|at| !before[..*at].ends_with('\\')).map_or(0, |at| at + 1);
    let ends_word = |c: char| c.is_whitespace() || "`\"'()$;|&/".contains(c);
    before[line..].split(ends_word)
}

/// The password in `sshpass -p password`, and in `mysql -ppassword`.
pub(super) fn after_bare_flag(text: &str, flag: Range<usize>) -> Option<Range<usize>> {
    let words: Vec<&str> = words_before(text, flag.start).collect();
    let place = match text[flag.end..].starts_with(' ') {
        true => Place::Apart,
        false => Place::Glued,
    };
    let is_meant = |(program, own, wanted): &&(&str, &str, Place)| {
        let logs_in = !matches!(*program, "docker" | "podman") || words.contains(&"login");
        let fits = *own == &text[flag.clone()] && [place, Place::Either].contains(wanted);
        fits && logs_in && words.contains(program)
    };
    BARE.iter().find(is_meant)?;
    let start = flag.end + usize::from(place == Place::Apart);
    let (range, _) = value(text, start, LONGEST)?;
    let password = &text[range.clone()];
    (password.len() >= 4 && !password.starts_with('-') && !is_stand_in(password)).then_some(range)
}

/// The password in `curl -u user:password`.
pub(super) fn after_flag(text: &str, flag: Range<usize>) -> Option<Range<usize>> {
    if !words_before(text, flag.start).any(|word| PROGRAMS.contains(&word)) {
        return None;
    }
    let (whole, _) = value(text, flag.end, LONGEST)?;
    let (user, password) = text[whole.clone()].split_once(':')?;
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    // `1000:1000` are a user and a group of another program in the same line.
    let tells = !is_number(user) || !is_number(password);
    let names = ["pass", "api_token", "api_key", "apikey"];
    let stands_in = is_stand_in(password) || names.contains(&&*password.to_ascii_lowercase());
    (password.len() >= 4 && tells && !stands_in).then_some(whole.start + user.len() + 1..whole.end)
}

/// The password in `the login is user / password`.
pub(super) fn after_login(text: &str, word: Range<usize>) -> Option<Range<usize>> {
    const FARTHEST: usize = 60;
    let rest = &text[word.end..floor(text, word.end + FARTHEST)];
    let rest = &rest[..rest.find(['\n', '.']).unwrap_or(rest.len())];
    let ties = rest.match_indices(' ').map(|(at, _)| word.end + at + 1);
    let user = match rest.strip_prefix(':') {
        Some(after) => word.end + 1 + (after.len() - after.trim_start().len()),
        None => ties.map(|at| (at, said_or_with(text, at))).find(|(at, end)| end > at)?.1,
    };
    let is_user = |c: char| c.is_ascii_alphanumeric() || "._@-".contains(c);
    let length = text[user..].find(|c| !is_user(c))?;
    let gap = [" / ", "/", ":"].into_iter().find(|gap| text[user + length..].starts_with(gap))?;
    let (range, _) = value(text, user + length + gap.len(), LONGEST)?;
    (length >= 2 && is_password(&text[range.clone()], gap == " / ")).then_some(range)
}

fn said_or_with(text: &str, at: usize) -> usize {
    let others = ["are ", "are: ", "with ", "as ", "sind ", "sont "];
    let other = others.into_iter().find(|phrase| text[at..].starts_with(phrase));
    other.map_or_else(|| said(text, at), |phrase| at + phrase.len())
}

/// Alternatives are written like pairs, so a password beside a user must look like nothing else.
fn is_password(value: &str, is_apart: bool) -> bool {
    let any = |of: fn(&u8) -> bool| value.bytes().any(|byte| of(&byte));
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let cased = any(u8::is_ascii_uppercase) && any(u8::is_ascii_lowercase);
    let marked = value.bytes().any(|byte| byte.is_ascii_punctuation() && !b"_-./:".contains(&byte));
    value.len() >= 6
        && letters >= 3
        && any(u8::is_ascii_digit)
        && (cased || marked || (is_apart && value.len() >= 8))
        && !value.contains('/')
        && !is_version(value)
        && !is_stand_in(value)
}

/// The secrets in the paragraph of a key's id: whoever writes down one mostly writes down both.
pub(super) fn secrets_of_id(text: &str, id: &Range<usize>) -> Vec<Range<usize>> {
    let region = around(text, id);
    let sides = [region.start..id.start, id.end..region.end];
    sides.into_iter().flat_map(|side| runs(text, side)).collect()
}

fn runs(text: &str, side: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = side.start;
    while at < side.end {
        let start = at;
        while at < side.end && is_base64(bytes[at]) {
            at += 1;
        }
        // `ID/SECRET`, without spaces.
        let glued = at - start == 41 && bytes[start] == b'/';
        let run = start + usize::from(glued)..at;
        if !run.is_empty() && is_aws_secret(&text[run.clone()]) {
            found.push(run);
        }
        at += 1;
    }
    found
}
