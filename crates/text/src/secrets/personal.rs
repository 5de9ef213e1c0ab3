//! Data about persons: addresses and numbers that can be told by their form and their check digits.

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What can be looked for beside secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Personal {
    Email,
    Phone,
    Card,
    Iban,
    Ip,
}

impl Personal {
    pub const ALL: [Personal; 5] =
        [Personal::Email, Personal::Phone, Personal::Card, Personal::Iban, Personal::Ip];

    pub fn as_str(self) -> &'static str {
        match self {
            Personal::Email => "email",
            Personal::Phone => "phone",
            Personal::Card => "card",
            Personal::Iban => "iban",
            Personal::Ip => "ip",
        }
    }

    pub fn parse(text: &str) -> Option<Personal> {
        Personal::ALL.into_iter().find(|one| one.as_str() == text)
    }

    /// Every place in a text.
    pub(super) fn find(self, text: &str) -> Vec<Range<usize>> {
        let pattern = match self {
            Personal::Email => &*EMAIL,
            Personal::Phone => &*PHONE,
            Personal::Card => &*CARD,
            Personal::Iban => &*IBAN,
            Personal::Ip => &*IP,
        };
        let holds = |found: &str| match self {
            Personal::Email => true,
            Personal::Phone => is_phone(found),
            Personal::Card => is_card(found),
            Personal::Iban => is_iban(found),
            Personal::Ip => is_ip(found),
        };
        let ranges = pattern.find_iter(text).map(|found| found.range());
        ranges.filter(|range| stands_alone(text, range) && holds(&text[range.clone()])).collect()
    }
}

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of ours compiles, a test says so")
}

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}")
});
static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"(?:\+|00)[1-9][0-9 ()./-]{6,20}[0-9]|\(?[2-9][0-9]{2}\)?[ .-][0-9]{3}[ .-][0-9]{4}")
});
static CARD: LazyLock<Regex> = LazyLock::new(|| compiled(r"[2-6][0-9](?:[ -]?[0-9]){11,17}"));
static IBAN: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"));
static IP: LazyLock<Regex> = LazyLock::new(|| {
    compiled(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}")
});

/// Not a piece of something longer.
fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !joins(before) && !joins(after)
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn is_phone(text: &str) -> bool {
    (7..=15).contains(&digits(text).len())
}

/// The check digit after Luhn.
fn is_card(text: &str) -> bool {
    let digits = digits(text);
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    (13..=19).contains(&digits.len())
        && sum.is_multiple_of(10)
        && digits.iter().any(|d| *d != digits[0])
}

/// Moved by four places and read as a number, it leaves 1 when divided by 97.
fn is_iban(text: &str) -> bool {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    if !(15..=34).contains(&letters.len()) {
        return false;
    }
    let rest = letters[4..].iter().chain(&letters[..4]).try_fold(0u32, |rest, c| {
        let value = c.to_digit(36)?;
        let shift = if value > 9 { 100 } else { 10 };
        Some((rest * shift + value) % 97)
    });
    rest == Some(1)
}

/// An address that could be somebody's: not this machine, not a version, not a mask.
fn is_ip(text: &str) -> bool {
    match text.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(ip)) => {
            !ip.is_loopback() && !ip.is_unspecified() && !ip.is_broadcast() && ip.octets()[0] != 255
        }
        Ok(std::net::IpAddr::V6(ip)) => !ip.is_loopback() && !ip.is_unspecified(),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_tell_numbers_from_numbers() {
        for (kind, text, found) in [
            (Personal::Email, "write to ann.lee+x@mail.example.org now", true),
            (Personal::Email, "user@localhost", false),
            (Personal::Phone, "call +49 30 901820 today", true),
            (Personal::Phone, "it took 2026-01-05 12:30", false),
            (Personal::Card, "paid with 4242 4242 4242 4242", true),
            (Personal::Card, "order 4242 4242 4242 4243", false),
            (Personal::Iban, "to GB82 WEST 1234 5698 7654 32", true),
            (Personal::Iban, "to GB82 WEST 1234 5698 7654 33", false),
            (Personal::Ip, "from 203.0.113.7", true),
            (Personal::Ip, "from 127.0.0.1 or 999.1.1.1", false),
            (Personal::Ip, "2001:db8::7", true),
        ] {
            assert_eq!(!kind.find(text).is_empty(), found, "{text}");
        }
    }
}
