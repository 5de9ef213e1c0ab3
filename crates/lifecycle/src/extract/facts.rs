//! Facts in slots, where a person states them plainly; how claims are read can be replaced.

use super::prose::Words;
use super::statements::own_words;

/// One value under one key, as somebody claims it.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub key: String,
    pub value: String,
    pub confidence: f64,
}

/// Reads the claims of one sentence. A better reader takes this place without any other change.
pub type ReadClaims = fn(&str) -> Vec<Claim>;

/// Whether a text looks like a value of some attribute.
type Fits = fn(&str) -> bool;

/// The attributes that are read: a word, and what its value looks like.
const ATTRIBUTES: &[(&str, Fits)] = &[
    ("port", is_port),
    ("version", is_version),
    ("default branch", is_branch),
    ("main branch", is_branch),
    ("owner", is_name),
    ("deadline", is_word),
];

/// The same, read only where somebody sets them right: else they are rather part of a task.
const CORRECTED: &[(&str, Fits)] = &[
    ("limit", is_quantity),
    ("quota", is_quantity),
    ("budget", is_quantity),
    ("retention", is_quantity),
    ("size", is_quantity),
    ("timeout", is_quantity),
    ("interval", is_quantity),
    ("region", is_branch),
    ("license", is_branch),
];

/// `The API port is 8080`, `the minimum Go version is 1.22`, `we deploy from main`.
pub fn plain_claims(sentence: &str) -> Vec<Claim> {
    let words = Words::of(sentence);
    if let Some(claim) = corrected(&words) {
        return vec![claim];
    }
    if words.is_question()
        || words.count() > 14
        || words.has_any(&["not", "if", "isn't", "was", "should"])
    {
        return Vec::new();
    }
    ATTRIBUTES
        .iter()
        .find_map(|(name, fits)| attribute(&words, name, *fits))
        .or_else(|| deploys_from(&words))
        .into_iter()
        .collect()
}

/// `The API rate limit is 100 requests per minute, not 60.`
fn corrected(words: &Words<'_>) -> Option<Claim> {
    let own = own_words(words.text);
    let own = own.strip_prefix("Actually, ").or(own.strip_prefix("actually, ")).unwrap_or(own);
    let (right, wrong) = own.rsplit_once(", not ")?;
    let wrong = wrong.trim_end_matches(['.', '!']).trim_matches(['`', '"']);
    let right = Words::of(right);
    let open = ["not", "if", "isn't", "was", "should", "says", "shows", "shown", "got", "expected"];
    if words.is_question() || words.is_hearsay() || right.count() > 12 || right.has_any(&open) {
        return None;
    }
    // `the limit in the output is …` tells what somebody sees.
    let subject = right.low.split(" is ").next().unwrap_or_default();
    let names = |name: &str| {
        subject.ends_with(name) || [" of ", " for "].iter().any(|whose| subject.contains(whose))
    };
    let known = ATTRIBUTES.iter().chain(CORRECTED);
    known
        .filter(|(name, fits)| names(name) && fits(wrong))
        .find_map(|(name, fits)| attribute(&right, name, *fits))
}

fn attribute(words: &Words<'_>, name: &str, fits: Fits) -> Option<Claim> {
    let (subject, value) = words.text.split_once(" is ")?;
    let low = subject.to_lowercase();
    let at = low.find(name).filter(|_| crate::capture::contains_words(&low, name))?;
    let value = value.trim_end_matches(['.', '!']).trim_matches(['`', '"']);
    // Behind the attribute may stand whose it is: `the port of the gateway`.
    let before = trimmed(&low[..at]);
    let behind = low[at + name.len()..]
        .trim()
        .strip_prefix("of ")
        .or(low[at + name.len()..].trim().strip_prefix("for "))
        .map(trimmed);
    let whose = behind.filter(|b| !b.is_empty()).unwrap_or(before);
    let named = !whose.is_empty() && whose.split(' ').count() <= 3 && !POINTERS.contains(&whose);
    let whole = name.contains("branch") && whose.is_empty();
    (fits(value) && (named || whole)).then(|| Claim {
        key: if whose.is_empty() { name.to_owned() } else { format!("{whose} {name}") },
        value: value.to_owned(),
        confidence: 0.8,
    })
}

const POINTERS: &[&str] =
    &["this", "that", "its", "their", "new", "old", "other", "same", "my", "your"];

fn trimmed(text: &str) -> &str {
    let text = text.trim();
    ["the ", "our ", "a "]
        .iter()
        .find_map(|article| text.strip_prefix(article))
        .unwrap_or(if matches!(text, "the" | "our" | "a") { "" } else { text })
}

fn deploys_from(words: &Words<'_>) -> Option<Claim> {
    let rest =
        ["we deploy from ", "we release from "].iter().find_map(|s| words.low.strip_prefix(s))?;
    let value = rest.split([' ', ',', '.', ';']).next()?.trim_matches('`');
    is_branch(value).then(|| Claim {
        key: "deploy branch".into(),
        value: value.into(),
        confidence: 0.8,
    })
}

fn is_port(value: &str) -> bool {
    value.parse::<u16>().is_ok_and(|port| port > 0)
}

fn is_version(value: &str) -> bool {
    let digits = value.strip_prefix(['v', 'V']).unwrap_or(value);
    digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.contains(' ') && digits.len() <= 20
}

fn is_branch(value: &str) -> bool {
    const NOT: &[&str] = &["the", "a", "our", "there", "here", "this", "that", "now"];
    !value.is_empty() && value.len() <= 60 && !value.contains(' ') && !NOT.contains(&value)
}

/// `100 requests per minute`, `5 GB`, `$40`.
fn is_quantity(value: &str) -> bool {
    let number = value.trim_start_matches(['$', '€', '£', '~']);
    number.starts_with(|c: char| c.is_ascii_digit()) && value.split(' ').count() <= 5
}

fn is_name(value: &str) -> bool {
    value.starts_with(|c: char| c.is_uppercase() || c == '@') && value.split(' ').count() <= 3
}

fn is_word(value: &str) -> bool {
    !value.is_empty() && value.split(' ').count() <= 4 && value.chars().any(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_facts_fill_slots() {
        for (sentence, key, value) in [
            ("The API port is 8080.", "api port", "8080"),
            ("the minimum Go version is 1.22", "minimum go version", "1.22"),
            ("The port of the gateway is 9000", "gateway port", "9000"),
            ("The default branch is `main`.", "default branch", "main"),
            ("we deploy from main, always", "deploy branch", "main"),
            (
                "The API rate limit is 100 requests per minute, not 60.",
                "api rate limit",
                "100 requests per minute",
            ),
            ("Actually, the owner of billing is Ann, not Bob.", "billing owner", "Ann"),
            ("No, the gateway port is 9000, not 8080!", "gateway port", "9000"),
            ("the default branch is `trunk`, not `main`", "default branch", "trunk"),
        ] {
            let claims = plain_claims(sentence);
            assert_eq!(claims.len(), 1, "{sentence}");
            assert_eq!((claims[0].key.as_str(), claims[0].value.as_str()), (key, value));
        }
    }

    #[test]
    fn vague_sentences_fill_none() {
        for sentence in [
            "What port is 8080?",
            "the port is open",
            "this version is 2",
            "the API port should be 8080",
            "the owner is angry",
            "we deploy from there",
            "Is the API rate limit 100, not 60?",
            "the limit is 100, not 60",
            "the result is 100, not 60",
            "the API rate limit should be 100, not 60",
            "the API rate limit is low, not high",
            "If the API rate limit is 100, not 60, we are fine",
            "the rate limit in the output is 100, not 60",
            "the page says the API rate limit is 100, not 60",
        ] {
            assert_eq!(plain_claims(sentence), [], "{sentence}");
        }
    }
}
