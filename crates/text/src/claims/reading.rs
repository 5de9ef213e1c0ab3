//! A sentence as rules see it: its words with their shapes, contractions written out.

use std::borrow::Cow;

use super::shapes::{Shape, shape};
use crate::characters::lowered;
use crate::stems::stem;

/// Words of a sentence that are looked at; rules are for statements, and time stays bounded.
pub(crate) const LOOKED_AT: usize = 64;

/// Longer words are not taken apart: a key, a blob, a line of code without spaces.
const LONGEST: usize = 120;

/// One word of a sentence, or one of the marks that hold a sentence together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// As it is written.
    pub(crate) raw: String,
    /// In lower case and without marks around it.
    pub(crate) text: String,
    /// The form to compare by: stem of a plain word, present form of an irregular one.
    pub(crate) stem: String,
    pub(crate) shape: Shape,
    /// Begins with a capital, and not only because the sentence begins with it.
    pub(crate) capital: bool,
}

impl Word {
    fn of(raw: &str, first: bool) -> Word {
        let text = lowered(raw);
        let shape = shape(raw, &text);
        let stem = match shape {
            Shape::Plain => lemma(&text).into_owned(),
            Shape::Number(value, ref unit) => format!("{value}{unit}"),
            _ => text.clone(),
        };
        let begins = raw.starts_with(char::is_uppercase);
        let more = raw.chars().skip(1).any(char::is_uppercase);
        Word { raw: raw.to_owned(), text, stem, shape, capital: begins && (!first || more) }
    }

    /// A key, a blob: compared as it is.
    fn opaque(raw: &str) -> Word {
        let (raw, text) = (raw.to_owned(), raw.to_owned());
        Word { stem: raw.clone(), raw, text, shape: Shape::Identifier, capital: false }
    }

    fn mark(mark: char) -> Word {
        let text = mark.to_string();
        Word {
            raw: text.clone(),
            stem: text.clone(),
            text,
            shape: Shape::Mark(mark),
            capital: false,
        }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(crate) fn is_any(&self, texts: &[&str]) -> bool {
        texts.contains(&self.text.as_str())
    }

    pub(crate) fn is_mark(&self) -> bool {
        matches!(self.shape, Shape::Mark(_))
    }
}

/// The words and marks of one sentence.
pub(crate) fn read(sentence: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for chunk in sentence.split_whitespace() {
        if words.len() >= LOOKED_AT {
            break;
        }
        push_chunk(chunk, &mut words);
    }
    words.truncate(LOOKED_AT);
    words
}

/// The words and marks of a whole text, for comparing word by word.
pub(crate) fn read_all(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for sentence in crate::sentences::sentences(text) {
        let mut sentence_words = Vec::new();
        for chunk in sentence.split_whitespace() {
            push_chunk(chunk, &mut sentence_words);
        }
        words.append(&mut sentence_words);
    }
    words
}

const OPENERS: &[char] = &['(', '[', '{', '"', '\'', '`', '“', '‘', '«', '*', '<', '„', '_'];
const CLOSERS: &[char] = &[
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '`', '”', '’', '»', '*', '>', '…', '_',
];

fn push_chunk(chunk: &str, words: &mut Vec<Word>) {
    if chunk.len() > LONGEST {
        words.push(Word::opaque(chunk));
        return;
    }
    if let Some(mark) = lone_mark(chunk) {
        words.push(Word::mark(mark));
        return;
    }
    let inner = chunk.trim_start_matches(OPENERS);
    let core = inner.trim_end_matches(CLOSERS);
    // `C#`, `f()` and `.env` keep what belongs to them; only what surrounds them falls away.
    let tail = &inner[core.len()..];
    if chunk[..chunk.len() - inner.len()].contains(['(', '[']) {
        words.push(Word::mark('('));
    }
    push_parts(core, words);
    if let Some(mark) = tail.chars().find(|c| matches!(c, ':' | ',' | ';' | ')')) {
        words.push(Word::mark(mark));
    }
}

fn lone_mark(chunk: &str) -> Option<char> {
    match chunk {
        "->" | "=>" | "→" | "⇒" | "-->" => Some('→'),
        "-" | "–" | "—" | "--" => Some('—'),
        "=" | "==" | ":=" => Some('='),
        _ => None,
    }
}

/// Parts of one chunk: `port=8080`, `port:8080`, `main→trunk`, else the chunk itself.
fn push_parts(core: &str, words: &mut Vec<Word>) {
    for (between, mark) in [("->", '→'), ("→", '→'), ("=", '='), (":", ':')] {
        let Some((left, right)) = core.split_once(between) else { continue };
        let named = left.starts_with(char::is_alphabetic) && !right.is_empty();
        let plain = !core.contains("://") && !core.contains("::") && !right.starts_with('\\');
        let fits = between != ":" || right.chars().all(|c| c.is_ascii_digit() || c == '.');
        if named && plain && fits && !right.contains(between) {
            push_word(left, words);
            words.push(Word::mark(mark));
            push_word(right, words);
            return;
        }
    }
    push_word(core, words);
}

fn push_word(word: &str, words: &mut Vec<Word>) {
    let first = words.is_empty();
    let straight: Cow<'_, str> = if word.contains('’') {
        Cow::Owned(word.replace('’', "'"))
    } else {
        Cow::Borrowed(word)
    };
    let lower = lowered(&straight);
    if let Some((base, second)) = contraction(&lower) {
        if !base.is_empty() {
            let kept = straight.get(..base.len()).filter(|kept| lowered(kept) == base);
            words.push(Word::of(kept.unwrap_or(&base), first));
        }
        words.push(Word::of(second, false));
    } else if !word.is_empty() {
        words.push(Word::of(&straight, first));
    }
}

/// `isn't` as `is` and `not`, `we're` as `we` and `are`, `API's` as `api` and `'s`.
fn contraction(lower: &str) -> Option<(String, &'static str)> {
    match lower {
        "can't" | "cant" | "cannot" => return Some(("can".to_owned(), "not")),
        "won't" | "wont" => return Some(("will".to_owned(), "not")),
        "let's" => return Some(("let".to_owned(), "us")),
        "it's" | "that's" | "there's" | "he's" | "she's" | "what's" | "who's" | "here's" => {
            return Some((lower[..lower.len() - 2].to_owned(), "is"));
        }
        "dont" | "doesnt" | "isnt" | "arent" | "didnt" | "shouldnt" | "wasnt" | "werent"
        | "hasnt" | "havent" | "wouldnt" | "couldnt" | "mustnt" => {
            return Some((lower[..lower.len() - 2].to_owned(), "not"));
        }
        _ => {}
    }
    for (ending, second) in [
        ("n't", "not"),
        ("'re", "are"),
        ("'ve", "have"),
        ("'ll", "will"),
        ("'m", "am"),
        ("'s", "'s"),
    ] {
        if let Some(base) = lower.strip_suffix(ending) {
            return Some((base.to_owned(), second));
        }
    }
    None
}

/// What a plain word is compared by.
pub(crate) fn lemma(text: &str) -> Cow<'_, str> {
    if let Ok(at) = IRREGULAR.binary_search_by(|(form, _)| (*form).cmp(text)) {
        return stem(IRREGULAR[at].1);
    }
    stem(text)
}

/// Forms that no stemmer brings together with their word. Sorted.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"), ("began", "begin"), ("begun", "begin"), ("blew", "blow"), ("blown", "blow"),
    ("bound", "bind"), ("broke", "break"), ("broken", "break"), ("brought", "bring"),
    ("built", "build"), ("came", "come"), ("caught", "catch"), ("children", "child"),
    ("chose", "choose"), ("chosen", "choose"), ("dealt", "deal"), ("drank", "drink"),
    ("drawn", "draw"), ("drew", "draw"), ("driven", "drive"), ("drove", "drive"),
    ("drunk", "drink"), ("eaten", "eat"), ("fallen", "fall"), ("fed", "feed"), ("feet", "foot"),
    ("fell", "fall"), ("flew", "fly"), ("flown", "fly"), ("forbidden", "forbid"),
    ("fought", "fight"), ("found", "find"), ("froze", "freeze"), ("frozen", "freeze"),
    ("gave", "give"), ("given", "give"), ("gone", "go"), ("got", "get"), ("grew", "grow"),
    ("grown", "grow"), ("held", "hold"), ("hidden", "hide"), ("kept", "keep"), ("knew", "know"),
    ("known", "know"), ("leaves", "leaf"), ("led", "lead"), ("left", "leave"), ("lives", "live"),
    ("lost", "lose"), ("made", "make"), ("meant", "mean"), ("men", "man"), ("met", "meet"),
    ("mice", "mouse"), ("paid", "pay"), ("people", "person"), ("ran", "run"), ("ridden", "ride"),
    ("rode", "ride"), ("said", "say"), ("sang", "sing"), ("sat", "sit"), ("saw", "see"),
    ("seen", "see"), ("sent", "send"), ("shown", "show"), ("shut", "close"), ("slept", "sleep"),
    ("sold", "sell"), ("spent", "spend"), ("spoke", "speak"), ("spoken", "speak"),
    ("stood", "stand"), ("stored", "store"), ("stuck", "stick"), ("sung", "sing"),
    ("swam", "swim"), ("swum", "swim"), ("taken", "take"), ("taught", "teach"),
    ("teeth", "tooth"), ("thought", "think"), ("threw", "throw"), ("thrown", "throw"),
    ("told", "tell"), ("took", "take"), ("torn", "tear"), ("went", "go"), ("wives", "wife"),
    ("women", "woman"), ("won", "win"), ("wore", "wear"), ("worn", "wear"), ("wound", "wind"),
    ("written", "write"), ("wrote", "write"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sentence: &str) -> String {
        read(sentence).into_iter().map(|word| word.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_stand_alone_and_marks_that_matter_stay() {
        for (sentence, expected) in [
            ("Port: 8080.", "port : 8080"),
            ("port=8080, (see docs)", "port = 8080 , ( see docs )"),
            ("It isn't on; we can’t.", "it is not on ; we can not"),
            ("The API's port", "the api 's port"),
            ("`src/main.rs` -> \"lib.rs\"", "src/main.rs → lib.rs"),
            ("https://a.dev/x?y=1", "https://a.dev/x?y=1"),
            ("std::io::Error", "std::io::error"),
            ("", ""),
        ] {
            assert_eq!(texts(sentence), expected, "{sentence:?}");
        }
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (one, other) in
            [("wrote", "writing"), ("men", "man"), ("runs", "ran"), ("people", "persons")]
        {
            assert_eq!(lemma(one), lemma(other));
        }
        assert!(IRREGULAR.is_sorted_by_key(|(form, _)| form));
    }

    #[test]
    fn capitals_count_inside_a_sentence_only() {
        let words = read("The owner is Ann");
        assert!(words[3].capital && !words[0].capital);
        assert!(read("API keys")[0].capital);
    }
}
