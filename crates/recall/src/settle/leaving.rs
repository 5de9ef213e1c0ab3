//! What a text says was left behind: `Berlin` of `I moved from Berlin to Lisbon`. What an earlier text
//! said of it is over, even where both only tell what happened.
//!
//! Much that sounds so ends nothing: a colleague who moved, docs that moved where the archive stays, a
//! tool that was dropped in one place, a comment on code. So only what somebody tells of themselves
//! counts, in few words, and only for what was said of the same one or the same thing.

use super::change::words;
use mnemic_text::stems::query_terms;

/// Who does this, does it from something.
#[rustfmt::skip]
const GOING: &[&str] = &[
    "changed", "converted", "migrated", "moved", "relocated", "shifted", "switched", "transferred", "transitioned",
];

/// Who does this, does it to what is left behind.
const GIVING_UP: &[&str] =
    &["abandoned", "ditched", "dropped", "quit", "replaced", "retired", "sold"];

/// Between who speaks and what they did: `we have finally moved`.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "actually", "already", "also", "even", "finally", "had", "has", "have", "just", "now", "recently", "since", "then", "ve",
];

/// What was left behind ends here, and what came in its place begins.
const INSTEAD: &[&str] = &["and", "by", "for", "in", "into", "on", "onto", "so", "to", "with"];

/// After these, what follows only says when.
#[rustfmt::skip]
const WHEN: &[&str] = &["after", "ago", "because", "last", "since", "this", "today", "when", "yesterday"];

/// How a thing that is left is called, without being a part of its name.
const FORMER: &[&str] = &["a", "an", "her", "his", "my", "old", "our", "the", "their"];

/// What goes on until somebody leaves.
#[rustfmt::skip]
const GOING_ON: &[&str] = &[
    "am", "are", "based", "drive", "live", "living", "m", "own", "re", "rent", "reside", "run", "stay", "study", "use", "using", "work",
    "working",
];

/// Words of one thing that is left, or that goes from one place to another.
const LONGEST: usize = 4;

/// Texts of more words tell many things; which of them is over they do not say so plainly.
const PLAIN: usize = 30;

/// Something that was left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Left {
    /// Its terms.
    pub(super) thing: Vec<String>,
    /// Terms of what was moved from there, where it was not the speaker.
    moved: Vec<String>,
    /// Whether only what is said of the speaker can be over by it.
    of_speaker: Option<String>,
}

impl Left {
    /// Whether an earlier text says of the same one, or of the same thing, what is over now.
    pub(super) fn ends(&self, earlier: &str) -> bool {
        let low = earlier.to_lowercase();
        let words = words(&low);
        let terms = query_terms(earlier);
        let has = |wanted: &Vec<String>| wanted.iter().all(|term| terms.contains(term));
        let is_plain = words.len() <= PLAIN && has(&self.thing) && has(&self.moved);
        is_plain && self.of_speaker.as_deref().is_none_or(|who| goes_on(&words, who))
    }
}

/// Whether a text says how things are with whoever speaks: `I live`, `we are based`.
fn goes_on(words: &[&str], who: &str) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let mut rest = words[at + 1..].iter().skip_while(|word| BETWEEN.contains(word));
        *word == who && rest.next().is_some_and(|next| GOING_ON.contains(next))
    })
}

/// What a text says was left behind, thing by thing.
pub(super) fn left_behind(text: &str) -> Vec<Left> {
    let low = text.to_lowercase();
    let words = words(&low);
    if words.len() > PLAIN {
        return Vec::new();
    }
    let subjects = words.iter().enumerate().filter(|(_, word)| matches!(**word, "i" | "we"));
    subjects.filter_map(|(at, who)| left_by(who, &words[at + 1..])).collect()
}

/// What somebody left, of the words behind the one for who speaks.
fn left_by(who: &str, words: &[&str]) -> Option<Left> {
    let told = words.iter().take_while(|word| BETWEEN.contains(word)).count();
    let (verb, rest) = words[told..].split_first()?;
    if GOING.contains(verb) {
        let from = rest.iter().take(LONGEST + 1).position(|word| *word == "from")?;
        let moved = terms(&rest[..from]);
        let of_speaker = moved.is_empty().then(|| who.to_owned());
        return left(&rest[from + 1..], moved, of_speaker);
    }
    if *verb == "no" && rest.first() == Some(&"longer") {
        return left(&rest[1..], Vec::new(), Some(who.to_owned()));
    }
    GIVING_UP.contains(verb).then(|| left(rest, Vec::new(), None))?
}

/// The thing that these words begin with. Where more is said of it, only a part of it may be over.
fn left(words: &[&str], moved: Vec<String>, of_speaker: Option<String>) -> Option<Left> {
    let is_end = |word: &&str| INSTEAD.contains(word) || WHEN.contains(word);
    // `I no longer live in Berlin`: what goes on stands before where.
    let begins = usize::from(words.first().is_some_and(|word| GOING_ON.contains(word)));
    let begins = begins
        + usize::from(begins > 0 && words.get(1).is_some_and(|it| is_end(it) || *it == "at"));
    let length = words[begins..].iter().take_while(|word| !is_end(word)).count();
    let next = words.get(begins + length);
    let is_whole = next.is_none_or(|word| !matches!(*word, "for" | "in" | "on"));
    let thing = terms(&words[begins..begins + length]);
    (is_whole && (1..=LONGEST).contains(&length) && !thing.is_empty()).then_some(Left {
        thing,
        moved,
        of_speaker,
    })
}

fn terms(words: &[&str]) -> Vec<String> {
    let named = words.iter().filter(|word| !FORMER.contains(word));
    query_terms(&named.copied().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_named_by_who_left_it() {
        for (text, left) in [
            ("I moved from Berlin to Lisbon", &["berlin"][..]),
            ("we've finally switched our session cache from Redis to Valkey", &["redi"]),
            ("We replaced Jenkins with Buildkite.", &["jenkin"]),
            ("I sold the old Honda last week", &["honda"]),
            ("I no longer work at Acme", &["acm"]),
            ("I no longer live in Berlin", &["berlin"]),
            ("We no longer use Redis", &["redi"]),
            ("I live in Berlin", &[]),
            ("My wife moved from Hamburg to Bremen", &[]),
            ("The office moved from Hamburg to Kiel", &[]),
            ("We dropped Sentry for the backend", &[]),
            ("I left my keys in Berlin", &[]),
            ("Return a string with all underscores replaced", &[]),
        ] {
            let found: Vec<String> =
                left_behind(text).into_iter().flat_map(|it| it.thing).collect();
            assert_eq!(found, left, "{text}");
        }
        assert!(
            left_behind(&format!("I moved from Berlin {}", "and so on ".repeat(30))).is_empty()
        );
    }

    #[test]
    fn only_what_was_said_of_the_same_ends() {
        for (later, earlier, ends) in [
            ("I moved from Berlin to Lisbon", "I live in Berlin", true),
            ("I moved from Berlin to Lisbon", "I'm now based in Berlin", true),
            ("I moved from Berlin to Lisbon", "I left my keys in Berlin", false),
            ("I moved from Berlin to Lisbon", "My sister lives in Berlin", false),
            ("We moved from Berlin to Lisbon", "I live in Berlin", false),
            ("I no longer work at Acme", "I work at Acme as an engineer", true),
            ("I no longer work at Acme", "My friend Jo works at Acme", false),
            ("We moved the docs from Confluence to Notion", "The docs are in Confluence", true),
            ("We moved the docs from Confluence to Notion", "The archive is in Confluence", false),
            ("We replaced Jenkins with Buildkite", "Builds run on Jenkins", true),
            ("I sold the old Honda Civic", "I drive a Honda Civic", true),
            ("I sold the old Honda Civic", "I drive a Honda CR-V", false),
        ] {
            let over = left_behind(later).iter().any(|left| left.ends(earlier));
            assert_eq!(over, ends, "{earlier} / {later}");
        }
    }
}
