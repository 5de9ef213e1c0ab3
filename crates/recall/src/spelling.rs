//! Spelling: a word of the question that no memory has is read as the nearest that one has, where it
//! may be a slip of the finger.

use crate::{Question, Source, Understanding};
use mnemic_store::Result;
use mnemic_text::slips::{Meant, Typed};
use mnemic_text::stems::stem;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Tells words from slips.
pub trait Vocabulary: Send + Sync + Debug {
    /// Whether this is a usual word, as it is written.
    fn is_word(&self, word: &str) -> bool;
}

/// A word of the question that was read as another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// As it was typed.
    pub from: String,
    /// As it was read.
    pub to: String,
    /// The terms of both.
    pub(crate) typed: String,
    pub(crate) read: String,
    /// Whether that is a usual word, and no name that somebody else may bear.
    pub(crate) is_usual: bool,
}

/// What a word that was read so counts beside one that was typed so.
pub(crate) const READ_SO: f32 = 0.7;

/// Words that one word may be read as.
const MOST_READINGS: usize = 2;

/// Who writes more words that nobody here knows speaks of something else, or pastes.
const MOST_UNKNOWN: usize = 3;
const MOST_TERMS: usize = 24;

/// Shorter beginnings of words are words themselves too often to tell anything.
const SHORTEST_BASE: usize = 4;

/// Adds to the terms what may have been meant. The words themselves stay: where one was read as a name,
/// a memory that has only that does not have what was asked for, and the evidence goes by it.
pub(crate) fn correct(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &mut Understanding,
) -> Result<()> {
    let Some(vocabulary) = question.vocabulary.as_ref().filter(|_| question.switches.spelling)
    else {
        return Ok(());
    };
    if understanding.terms.len() > MOST_TERMS {
        return Ok(());
    }
    let mut unknown = plain_words(&question.text);
    unknown.retain(|word| understanding.terms.iter().any(|(term, _)| *term == word.term));
    leave_unknown(sources, &mut unknown)?;
    if unknown.len() > MOST_UNKNOWN {
        return Ok(());
    }
    let vocabulary = vocabulary.as_ref();
    unknown.retain(|word| !is_name(vocabulary, &word.word));
    for word in unknown {
        let mut readings = readings(sources, vocabulary, &word.word)?;
        if is_word(vocabulary, &word.word) {
            readings
                .retain(|(_, meant)| is_swap(&word.word, meant) && vocabulary.is_word(&meant.word));
        }
        readings.truncate(MOST_READINGS);
        for (read, meant) in readings {
            let typed = understanding.terms.iter().find(|(term, _)| *term == word.term);
            let weight = typed.map_or(0.0, |(_, weight)| weight * READ_SO);
            if understanding.terms.iter().any(|(term, _)| *term == read) {
                continue;
            }
            understanding.terms.push((read.clone(), weight));
            // Another form of a word that is known was no slip.
            if meant.slips == 0 {
                continue;
            }
            let is_usual = vocabulary.is_word(&meant.word);
            let (from, to, typed) = (word.word.clone(), meant.word, word.term.clone());
            understanding.corrected.push(Correction { from, to, typed, read, is_usual });
        }
    }
    Ok(())
}

/// A word of a question in lower case, and its term.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    word: String,
    term: String,
}

/// The words that may hold a slip: nothing but letters, and no names. A capital within a sentence
/// makes a name, and what stands between backticks or has other signs in it is code.
fn plain_words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut begins = true;
    for chunk in text.split_whitespace() {
        let of_sentence = |c: char| ".,;:?!\"'()[]“”‘’…".contains(c);
        let bare = chunk.trim_matches(of_sentence);
        let bare = bare.strip_suffix("'s").or(bare.strip_suffix("’s")).unwrap_or(bare);
        let is_small = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_word = is_small(bare) || (begins && bare.get(1..).is_some_and(is_small));
        let word = bare.to_ascii_lowercase();
        if is_word && Typed::of(&word).is_some() && words.iter().all(|other| other.word != word) {
            words.push(Word { term: stem(&word).into_owned(), word });
        }
        begins = chunk.ends_with(['.', '?', '!', ':']);
    }
    words
}

/// Leaves those that no store knows.
fn leave_unknown(sources: &[Source<'_>], words: &mut Vec<Word>) -> Result<()> {
    for source in sources {
        if words.is_empty() {
            break;
        }
        let terms: Vec<String> = words.iter().map(|word| word.term.clone()).collect();
        let mut frequencies = source.read.word_statistics(&terms)?.frequencies.into_iter();
        words.retain(|_| frequencies.next() == Some(0));
    }
    Ok(())
}

/// Whether it is somebody's name in small letters.
fn is_name(vocabulary: &dyn Vocabulary, word: &str) -> bool {
    let mut name = word.to_owned();
    name[..1].make_ascii_uppercase();
    vocabulary.is_word(&name) && !vocabulary.is_word(word)
}

/// Whether it is a word, or a form of one.
fn is_word(vocabulary: &dyn Vocabulary, word: &str) -> bool {
    let is_form = |ending: &str| {
        let base = word.strip_suffix(ending).filter(|base| base.len() >= SHORTEST_BASE);
        let cuts_e = ending.starts_with(['e', 'i']);
        let is_base = |base: &str| {
            vocabulary.is_word(base) || (cuts_e && vocabulary.is_word(&format!("{base}e")))
        };
        base.is_some_and(is_base)
    };
    vocabulary.is_word(word)
        || ["s", "es", "ed", "d", "ing", "er", "ly"].iter().any(|it| is_form(it))
}

/// Whether only two neighbours are swapped. Words seldom differ by that, and beginnings of words that
/// a vocabulary has for words, such as `prot`, often do.
fn is_swap(word: &str, meant: &Meant) -> bool {
    let sorted = |word: &str| {
        let mut letters = word.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    meant.slips == 1 && sorted(word) == sorted(&meant.word)
}

/// The terms that a word may be read as, the nearest alone and of those the most frequent first.
fn readings(
    sources: &[Source<'_>],
    vocabulary: &dyn Vocabulary,
    word: &str,
) -> Result<Vec<(String, Meant)>> {
    let Some(typed) = Typed::of(word) else { return Ok(Vec::new()) };
    let mut known: BTreeMap<String, (Meant, u64)> = BTreeMap::new();
    for source in sources {
        for beginning in typed.beginnings() {
            source.read.each_term(&beginning, &mut |term, count| {
                if let Some(meant) = typed.meant(term, &|word| vocabulary.is_word(word)) {
                    known.entry(term.to_owned()).or_insert((meant, 0)).1 += count;
                }
            })?;
        }
    }
    let nearest = known.values().map(|(meant, _)| meant.slips).min();
    let mut known: Vec<(String, (Meant, u64))> = known.into_iter().collect();
    known.retain(|(_, (meant, _))| Some(meant.slips) == nearest);
    known.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    Ok(known.into_iter().map(|(term, (meant, _))| (term, meant)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Known(&'static [&'static str]);

    impl Vocabulary for Known {
        fn is_word(&self, word: &str) -> bool {
            self.0.contains(&word)
        }
    }

    #[test]
    fn names_numbers_and_code_hold_no_slips() {
        let words = |text: &str| -> Vec<String> {
            plain_words(text).into_iter().map(|word| word.word).collect()
        };
        assert_eq!(words("Databse port, what's Karin's e0382?"), ["databse", "port", "what"]);
        assert_eq!(words("Did it? Migratoins (fast)"), ["migratoins", "fast"]);
        assert!(words("src/main.rs `databse` get_usr data-bse ABCD getUsr 8080").is_empty());
        assert!(words("größer kurz").len() == 1);
    }

    #[test]
    fn words_and_names_are_left_as_they_are() {
        let known = Known(&["coffee", "Karin", "cache", "port", "wedding"]);
        assert!(is_name(&known, "karin") && !is_name(&known, "port"));
        for word in ["coffee", "caches", "caching", "cached", "ports", "porting", "weddings"] {
            assert!(is_word(&known, word), "{word}");
        }
        for word in ["databse", "coffer", "cahce", "portz", "karin"] {
            assert!(!is_word(&known, word), "{word}");
        }
        let meant = |word: &str| Meant { word: word.to_owned(), slips: 1 };
        assert!(is_swap("prot", &meant("port")) && !is_swap("prot", &meant("prod")));
    }
}
