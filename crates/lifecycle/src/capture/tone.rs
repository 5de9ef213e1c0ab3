//! How a person speaks: content or not, and asking for something new or answering.

use mnemic_text::sentences::sentences;

/// How a person answers what was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Praise,
    Complaint,
    Neutral,
}

#[rustfmt::skip]
const PRAISE: &[&str] = &[
    "thanks", "thank you", "thx", "perfect", "great", "awesome", "excellent", "brilliant", "nice",
    "love it", "lgtm", "looks good", "it worked", "works now", "that worked", "works great",
    "works perfectly", "well done", "good job", "beautiful", "fantastic",
];

#[rustfmt::skip]
const COMPLAINTS: &[&str] = &[
    "still broken", "still fails", "still failing", "still doesn't", "still not", "doesn't work",
    "does not work", "didn't work", "not working", "that's wrong", "that is wrong", "wrong again",
    "that's not right", "that's not what", "not what i asked", "you broke", "why did you",
    "why'd you", "you didn't", "you forgot", "revert that", "undo that", "i said", "what are you",
    "no wait", "you ignored", "isn't working", "no, wrong", "not like that",
];

/// Judged by the first sentences only: further down people quote and explain.
pub fn tone(text: &str) -> Tone {
    let head: String = super::clip::clipped(text.trim(), 160).to_lowercase().replace('’', "'");
    let says = |list: &[&str]| list.iter().any(|phrase| contains_words(&head, phrase));
    if says(COMPLAINTS) {
        Tone::Complaint
    } else if says(PRAISE) && !contains_words(&head, "not") {
        Tone::Praise
    } else {
        Tone::Neutral
    }
}

/// Whether the phrase stands in the text with no letter on either side.
pub(crate) fn contains_words(text: &str, phrase: &str) -> bool {
    let edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        edge(text[..at].chars().next_back()) && edge(text[at + phrase.len()..].chars().next())
    })
}

/// Words that begin a request for new work.
#[rustfmt::skip]
const REQUESTS: &[&str] = &[
    "add", "address", "build", "bump", "change", "check", "clean", "commit", "convert", "create",
    "delete", "deploy", "design", "document", "draft", "explain", "extract", "fix", "generate",
    "help", "implement", "improve", "investigate", "let's", "lets", "look", "make", "merge",
    "migrate", "move", "next", "now", "optimize", "plan", "please", "port", "read", "refactor",
    "release", "remove", "rename", "replace", "research", "resolve", "review", "rewrite", "run",
    "set", "split", "start", "study", "switch", "take", "test", "update", "upgrade", "use",
    "verify", "write",
];

#[rustfmt::skip]
const POLITE: &[&str] = &[
    "can you", "could you", "i want", "i need", "i'd like", "we need to", "we should", "we want",
    "go ahead and",
];

/// Whether a person asks for something, rather than answering, asking back or correcting. What is
/// asked for may stand behind a word of thanks.
pub(super) fn is_request(text: &str) -> bool {
    let mut said = sentences(super::clip::clipped(text, 600)).into_iter();
    let Some(first) = said.next() else { return false };
    if asks_for_work(first) {
        return true;
    }
    let short = first.split_whitespace().count() <= 4 && !first.ends_with('?');
    let approves = tone(first) == Tone::Praise || (short && is_yes(first));
    approves && said.next().is_some_and(asks_for_work)
}

fn is_yes(sentence: &str) -> bool {
    let first = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["ok", "okay", "yes", "yup", "yeah", "sure", "cool", "good", "done", "k"]
        .iter()
        .any(|yes| first.eq_ignore_ascii_case(yes))
}

fn asks_for_work(sentence: &str) -> bool {
    let text = sentence.trim().to_lowercase().replace('’', "'");
    let text = ["ok,", "ok", "okay,", "great,", "cool,", "alright,", "and"]
        .iter()
        .find_map(|word| text.strip_prefix(word).filter(|rest| rest.starts_with([' ', '.'])))
        .unwrap_or(&text)
        .trim_start_matches(['.', ' ', '…', '!']);
    let first =
        text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    let enough = text.split_whitespace().take(3).count() == 3;
    enough && (REQUESTS.contains(&first) || POLITE.iter().any(|phrase| text.starts_with(phrase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_people_answer() {
        for (text, expected) in [
            ("IT WORKED! 🎉\n\nLet's update the terminology though.", Tone::Praise),
            ("perfect, thanks", Tone::Praise),
            ("that's not great", Tone::Neutral),
            ("why'd you break up the text like this?", Tone::Complaint),
            ("It still doesn’t start", Tone::Complaint),
            ("proceed", Tone::Neutral),
            ("Greatly changed", Tone::Neutral),
        ] {
            assert_eq!(tone(text), expected, "{text}");
        }
    }

    #[test]
    fn requests_are_told_from_answers() {
        for (text, expected) in [
            ("Update the ../README.md for DeepSeek TUI", true),
            ("ok, now let's do the search view", true),
            ("can you add a test for it?", true),
            ("proceed", false),
            ("yes", false),
            ("Why is this not impacting resume?", false),
            ("no, the other file", false),
            ("perfect, thanks! Now add a health check to the server", true),
            ("no, that's wrong. Use the other file instead", false),
        ] {
            assert_eq!(is_request(text), expected, "{text}");
        }
    }
}
