//! A person's own sentences in what they sent: without code, logs, quotes and what they pasted.

use super::vocabulary::{ABBREVIATED, HEARSAY, LOG_HEADS, RETRACTS, SOUNDS};
use mnemic_text::sentences::sentences;

/// Beyond this length most of a message is pasted; then only its first paragraph is read.
const TYPED: usize = 1500;

/// The sentences that somebody wrote by hand, in their order.
pub(super) fn typed_sentences(text: &str) -> Vec<&str> {
    let own = if text.len() > TYPED { first_paragraph(text) } else { text };
    let mut fenced = false;
    let mut found = Vec::new();
    for line in own.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !fenced && !looks_pasted(line) {
            found.extend(sentences(line));
        }
    }
    found
}

/// All sentences of an agent's text outside code and tables.
pub(super) fn written_sentences(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.trim_start().starts_with('|') && !line.starts_with("    ") {
            found.extend(sentences(line));
        }
    }
    found
}

fn first_paragraph(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find("\n\n").unwrap_or(0);
    if end > TYPED { "" } else { &text[..end] }
}

/// Logs, diffs, quotes, tables, prompts and compiler output are not somebody's own words.
fn looks_pasted(line: &str) -> bool {
    let trimmed = line.trim();
    let indented = line.starts_with("  ") || line.starts_with('\t');
    let marked = ["> ", "| ", "+ ", "+", "@@", "$ ", "% ", "//", "/*", "* [", "❯", "⏺", "⎿", "#"]
        .iter()
        .any(|mark| trimmed.starts_with(mark));
    indented || marked || is_stamped(trimmed) || has_position(trimmed) || is_logged(trimmed)
}

/// `error[E0502]: …`, `WARN  deprecated …`, `- [ ] …`: tools and lists, not somebody speaking.
fn is_logged(line: &str) -> bool {
    let low = line.to_ascii_lowercase();
    LOG_HEADS.iter().any(|head| low.starts_with(head))
        || line.split(' ').next().is_some_and(|first| matches!(first, "WARN" | "ERROR" | "INFO"))
}

/// Begins with a date or time, as logs and prompts do.
fn is_stamped(line: &str) -> bool {
    let head = line.trim_start_matches('[');
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 2
        && head[digits..].starts_with(['/', '-', ':'])
        && head.len() > 10
        && head[digits + 1..].starts_with(|c: char| c.is_ascii_digit())
}

/// `path/file.go:12:3: …`
fn has_position(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.matches(':').count() >= 2 && first.bytes().any(|b| b.is_ascii_digit())
}

/// A sentence to look at: lower-cased words beside the text itself.
#[derive(Debug)]
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    /// Lower case, plain apostrophes, one space between words, `dont` written out, and nothing of
    /// what is quoted: those are somebody else's words.
    pub(super) low: String,
}

impl<'a> Words<'a> {
    pub(super) fn of(sentence: &'a str) -> Words<'a> {
        let text = without_bullet(sentence.trim());
        let low = text.to_lowercase().replace(['’', '‘'], "'");
        let low = without_quotations(&low);
        let low = low.split_whitespace().map(written_out).collect::<Vec<_>>().join(" ");
        Words { text, low }
    }

    /// What others say, what was taken back, and what is only imagined.
    pub(super) fn is_hearsay(&self) -> bool {
        let said = without_former(&self.low);
        HEARSAY.iter().any(|phrase| crate::capture::contains_words(said, phrase))
    }

    /// Whether a sentence takes back the one before it: `hm, forget that`.
    pub(super) fn retracts(&self) -> bool {
        let mut rest = self.low.as_str();
        while let Some(next) = SOUNDS.iter().find_map(|sound| {
            let next = rest.strip_prefix(sound)?;
            next.starts_with([' ', ',', '.']).then(|| next.trim_start_matches([' ', ',', '.']))
        }) {
            rest = next;
        }
        // `forget that it was me` goes on with something else.
        let ends = |behind: &str| {
            let behind = behind.trim_start_matches(" please");
            !behind.starts_with(' ')
                || [" last", " one", " about"].iter().any(|s| behind.starts_with(s))
        };
        RETRACTS.iter().filter_map(|phrase| rest.strip_prefix(phrase)).any(ends)
    }

    pub(super) fn count(&self) -> usize {
        self.low.split(' ').filter(|word| word.chars().any(char::is_alphanumeric)).count()
    }

    pub(super) fn has(&self, phrase: &str) -> bool {
        crate::capture::contains_words(&self.low, phrase)
    }

    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    pub(super) fn is_question(&self) -> bool {
        self.low.trim_end_matches([')', '"', '\'', ' ', '!']).ends_with('?')
    }

    /// Names something: a path, a flag, an identifier, a quotation.
    pub(super) fn names_something(&self) -> bool {
        self.text.split_whitespace().any(is_name)
    }
}

fn written_out(word: &str) -> &str {
    let known = ABBREVIATED.iter().find(|(short, _)| *short == word);
    known.map_or(word, |(_, whole)| whole)
}

/// Without quotations of two words and more; a single word is rather a name.
fn without_quotations(low: &str) -> String {
    let parts: Vec<&str> = low.split(['"', '“', '”']).collect();
    let mut kept = String::new();
    for (index, part) in parts.iter().enumerate() {
        // An opening mark without its closing one quotes nothing.
        let quoted = index % 2 == 1 && index + 1 < parts.len();
        if quoted && part.trim().contains(' ') {
            kept.push('"');
        } else {
            kept.push_str(part);
        }
    }
    kept
}

/// `the limit is 100, it used to be 60` tells what is, and what was beside it.
fn without_former(low: &str) -> &str {
    let marks = [", it used to be ", " (it used to be ", ", used to be ", " (used to be "];
    let end = marks.iter().filter_map(|mark| low.find(mark)).min();
    &low[..end.unwrap_or(low.len())]
}

/// The sentence without the reason that follows it: `…, it's easier to read`, `… because …`.
pub(super) fn without_reason(low: &str) -> &str {
    const REASONS: &[&str] = &[
        " because ",
        ", since ",
        ", as ",
        ", otherwise ",
        ", so ",
        ", it's ",
        ", it is ",
        ", that's ",
        ", that is ",
        ", this is ",
        ", they ",
        ", i find ",
        ", i don't ",
        "; ",
    ];
    let end = REASONS.iter().filter_map(|reason| low.find(reason)).min();
    let head = &low[..end.unwrap_or(low.len())];
    // `don't, it's slow`: the reason is all there is.
    if head.split(' ').count() >= 4 { head } else { low }
}

pub(super) fn starts_with_words(low: &str, phrase: &str) -> bool {
    low.strip_prefix(phrase)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
}

/// Whether a word is written as names in code are.
pub(super) fn is_name(word: &str) -> bool {
    let word = word.trim_matches(|c: char| ",;:!?()\"'".contains(c)).trim_end_matches('.');
    let inner_mark = word.len() > 3
        && word.char_indices().any(|(at, c)| at > 0 && at + 1 < word.len() && "./_".contains(c));
    let humped =
        word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let flag = word.starts_with("--") && word.len() > 3;
    word.contains('`') || inner_mark && !word.contains("..") || humped || flag
}

fn without_bullet(text: &str) -> &str {
    let rest = text.trim_start_matches(['-', '*', '•', '+']);
    if rest.len() < text.len() && rest.starts_with(' ') {
        return rest.trim_start();
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(item) if rest.len() < text.len() && item.starts_with(' ') => item.trim_start(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_known_by_the_next_sentence() {
        for sentence in [
            "Never mind.",
            "Hm, forget that, never mind about the tests.",
            "Actually no, scratch that",
            "Forget that last one.",
            "On second thought, leave it",
        ] {
            assert!(Words::of(sentence).retracts(), "{sentence}");
        }
        for sentence in
            ["Forget that it was me.", "Never mind the gap", "Nobody minds", "No, run it"]
        {
            assert!(!Words::of(sentence).retracts(), "{sentence}");
        }
        assert!(!Words::of("the limit is 100, it used to be 60").is_hearsay());
        assert!(Words::of("it used to be slow").is_hearsay());
        assert!(Words::of("My boss says we must migrate, but I disagree.").is_hearsay());
    }

    #[test]
    fn pasted_lines_are_not_typed() {
        let text = "Fix this.\n[06/18/26 18:46 main ~/src] make\n> quoted. Never mind.\n```\nalways\n```\n./a.go:3:1: use x instead of y\n  indented\nThanks. Bye";
        assert_eq!(typed_sentences(text), ["Fix this.", "Thanks.", "Bye"]);
    }

    #[test]
    fn tools_and_lists_do_not_speak() {
        for line in [
            "error[E0502]: cannot borrow `x`, you must not use it twice",
            "warning: never used",
            "WARN  deprecated inflight: Do not use it.",
            "- [ ] decide on a name",
            "TODO: never do it again",
        ] {
            assert!(typed_sentences(line).is_empty(), "{line}");
        }
        assert_eq!(typed_sentences("Warnings are errors here."), ["Warnings are errors here."]);
    }

    #[test]
    fn quotations_and_abbreviations() {
        let low = |text| Words::of(text).low;
        assert_eq!(low("Docs say \"never do it\" here"), "docs say \" here");
        assert_eq!(low("The \"agent\" column"), "the agent column");
        assert_eq!(low("a 5\" screen is fine"), "a 5 screen is fine");
        assert_eq!(low("pls dont do it"), "please don't do it");
        assert_eq!(without_reason("use tabs here now, it's easier"), "use tabs here now");
        assert_eq!(without_reason("don't, it's slow"), "don't, it's slow");
    }

    #[test]
    fn of_long_messages_only_the_beginning_is_typed() {
        let text = format!("Look at this.\n\n{}", "Never do it. ".repeat(200));
        assert_eq!(typed_sentences(&text), ["Look at this."]);
        assert!(typed_sentences(&"Never do it. ".repeat(200)).is_empty());
    }

    #[test]
    fn names_are_seen() {
        for (text, names) in [
            ("use `x` here", true),
            ("put it in src/main.rs please", true),
            ("the --json flag", true),
            ("call GetLogPath", true),
            ("we want this... now", false),
            ("plain words only.", false),
        ] {
            assert_eq!(Words::of(text).names_something(), names, "{text}");
        }
    }
}
