//! A sentence prepared for comparing: its terms, its small words, and where it denies something.

use super::antonyms::phrase;
use super::kin::{chosen, kinds_of, lead_to};
use super::leaving::{Left, denies_change, only_drops};
use crate::claims::grammar::{is_function_word, is_small_word};
use crate::claims::reading::{Word, read};
use crate::claims::shapes::Shape;
use crate::claims::{Claim, Tense, TimeWords, claims_of, time};

/// A word of content.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    /// As it is written, in lower case.
    pub(crate) word: String,
    /// What it is compared by: the stem of the word that stands for all of its meaning.
    pub(crate) stem: String,
    /// What it is a kind of: asked of every pair, so looked up once.
    kinds: &'static [String],
    /// A number, a path, an identifier or a name: never close to another.
    pub(crate) firm: bool,
    pub(crate) number: bool,
    clause: usize,
    /// Where it stands among the words.
    pub(crate) at: usize,
}

impl Term {
    /// Whether what is said of this holds for the other.
    pub(crate) fn is_kind_of(&self, other: &Term) -> bool {
        self.stem == other.stem || lead_to(self.kinds, &other.stem)
    }
}

/// A sentence as the rules compare it.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Vec<Word>,
    pub(crate) terms: Vec<Term>,
    /// Prepositions and the like, which matter only where nothing else differs.
    pub(crate) small: Vec<String>,
    /// Clauses that deny what they say, each with the word by which it does.
    denied: Vec<(usize, String)>,
    /// What it says holds under a condition only.
    pub(crate) conditional: bool,
    /// It tells of somebody or something not known before, doing something: `A man is sitting`.
    pub(crate) passing: bool,
    /// It asks, and so says nothing.
    pub(crate) asks: bool,
    pub(crate) claims: Vec<Claim>,
    /// What it says to be no longer in use.
    pub(crate) left: Option<Left>,
    pub(crate) time: TimeWords,
}

const CONDITIONS: &[&str] = &["if", "unless", "except", "when", "whenever", "until", "only"];
const SEPARATORS: &[&str] =
    &["and", "but", "while", "whereas", "though", "although", "because", "so"];
#[rustfmt::skip]
const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "will", "would", "can", "could", "should",
    "must", "may", "might", "there",
];

impl Sentence {
    pub(crate) fn of(text: &str) -> Sentence {
        let words = read(text);
        let clauses = clauses(&words);
        let mut sentence = Sentence {
            terms: Vec::new(),
            small: Vec::new(),
            denied: Vec::new(),
            conditional: words.iter().any(|word| word.is_any(CONDITIONS)),
            passing: is_passing(&words),
            asks: text.trim_end().ends_with('?'),
            claims: match is_passing(&words) || only_drops(&words) || denies_change(&words) {
                true => Vec::new(),
                false => claims_of(&words),
            },
            left: Left::of(&words),
            time: time::take(&words, &mut vec![false; words.len()]),
            words: Vec::new(),
        };
        let mut at = 0;
        while at < words.len() {
            at += sentence.take(&words, at, clauses[at]);
        }
        sentence.words = words;
        sentence
    }

    /// Takes what begins at this word and says how many words that were.
    fn take(&mut self, words: &[Word], at: usize, clause: usize) -> usize {
        let word = &words[at];
        if word.is_mark() {
            return 1;
        }
        if let Some((denial, taken)) = denial(words, at) {
            match denial {
                Denial::Clause => self.denied.push((clause, word.text.clone())),
                Denial::Without => self.small.push("without".to_owned()),
                Denial::None => {}
            }
            return taken;
        }
        if let Some(meaning) = words.get(at + 1).and_then(|next| phrase(&word.stem, &next.text)) {
            self.push(word, meaning, clause, at);
            return 2;
        }
        let measures = word.is_any(&[
            "group", "piece", "bunch", "pair", "couple", "lot", "kind", "sort", "cluster", "bowl",
            "cup", "slice", "set",
        ]);
        if measures && words.get(at + 1).is_some_and(|next| next.is("of")) {
            return 2;
        }
        if is_small_word(&word.text) {
            self.small.push(word.text.clone());
        }
        if !is_function_word(&word.text) && !is_small_word(&word.text) {
            self.push(word, chosen(&word.stem), clause, at);
        }
        1
    }

    fn push(&mut self, word: &Word, stem: &str, clause: usize, at: usize) {
        let number = matches!(word.shape, Shape::Number(..) | Shape::Version | Shape::Date);
        let firm = number || word.capital || word.shape != Shape::Plain;
        let (word, stem) = (word.text.clone(), stem.to_owned());
        let kinds = kinds_of(&stem);
        self.terms.push(Term { word, stem, kinds, firm, number, clause, at });
    }

    /// It tells what happened, and the like of it may happen again otherwise.
    pub(crate) fn tells_of_past(&self) -> bool {
        self.time.tense == Tense::Past
            || self.words.first().is_some_and(|word| word.text.ends_with("ed"))
    }

    /// It says what to do or to leave.
    pub(crate) fn orders(&self) -> bool {
        let leads = |word: &Word| word.is_any(&["do", "never", "avoid", "stop", "please", "not"]);
        self.words.first().is_some_and(leads)
            || self.words.iter().any(|word| word.is_any(&["must", "should", "shall"]))
    }

    /// The word by which the sentence denies something.
    pub(crate) fn denial(&self) -> Option<&str> {
        self.denied.first().map(|(_, word)| word.as_str())
    }

    /// The terms of what is denied, clause by clause. To affirm one of them is to contradict.
    pub(crate) fn denials(&self) -> Vec<Vec<&Term>> {
        let mut clauses: Vec<usize> = self.denied.iter().map(|(clause, _)| *clause).collect();
        clauses.dedup();
        let terms = |clause: usize| self.terms.iter().filter(move |term| term.clause == clause);
        clauses.into_iter().map(|clause| terms(clause).collect()).collect()
    }
}

/// Two such sentences need not speak of the same somebody.
fn is_passing(words: &[Word]) -> bool {
    let Some(first) = words.first() else { return false };
    let unknown = first.is_any(&["a", "an", "some", "several", "many", "one", "there", "another"])
        || matches!(first.shape, Shape::Number(..))
        || (first.text.ends_with('s') && first.shape == Shape::Plain && !first.is("this"))
        || first.is("people");
    let doing = words.windows(2).any(|two| {
        let goes_on = two[1].text.len() > 4 && two[1].text.ends_with("ing");
        two[0].is_any(&["is", "are", "was", "were", "being"]) && goes_on
    });
    unknown && doing
}

/// For each word the number of its clause. A clause has a verb of its own.
fn clauses(words: &[Word]) -> Vec<usize> {
    let parts = |word: &Word| {
        word.is_any(SEPARATORS) || matches!(word.shape, Shape::Mark(',' | ';' | '—' | '(' | ')'))
    };
    let mut clause = 0;
    let mut numbers = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        if at > 0 && parts(word) {
            let rest = &words[at + 1..];
            let end = rest.iter().position(parts).unwrap_or(rest.len());
            // `no more Friday deploys, only Tuesday and Thursday`: the rest is not denied.
            let limits = rest.first().is_some_and(|word| word.is("only"));
            let has_verb = rest[..end].iter().any(|word| word.is_any(AUXILIARIES));
            clause += usize::from(has_verb || limits);
        }
        numbers.push(clause);
    }
    numbers
}

enum Denial {
    Clause,
    Without,
    /// It looks like a denial and is none: `not only`, `no doubt`.
    None,
}

/// Whether something is denied by the word here, and how many words say so.
fn denial(words: &[Word], at: usize) -> Option<(Denial, usize)> {
    let next = |texts: &[&str]| words.get(at + 1).is_some_and(|word| word.is_any(texts));
    let ends = words.get(at + 1).is_none_or(Word::is_mark);
    let word = &words[at];
    match word.text.as_str() {
        "not" if next(&["only", "just", "necessarily", "sure", "merely"]) => {
            Some((Denial::None, 2))
        }
        // `we never stopped using it` affirms.
        "not" | "never" if next(&["stopped", "quit", "ceased"]) => Some((Denial::None, 2)),
        "no" if next(&["matter", "problem", "doubt", "wonder"]) => Some((Denial::None, 2)),
        "no" if ends => Some((Denial::None, 1)),
        "no" if next(&["one", "longer", "more"]) => Some((Denial::Clause, 2)),
        "no" if at > 0 && words[at - 1].is("with") => Some((Denial::Without, 1)),
        "not" | "no" | "never" | "nobody" | "none" | "nothing" | "neither" | "nor" | "unable"
        | "no-one" => Some((Denial::Clause, 1)),
        _ => denying_verb(words, at),
    }
}

/// `avoid using`, `stopped running`, `refrain from calling`, `refuse to start`, `fails to build`.
fn denying_verb(words: &[Word], at: usize) -> Option<(Denial, usize)> {
    let next = words.get(at + 1)?;
    let gerund = |word: &Word| word.text.len() >= 5 && word.text.ends_with("ing");
    match words[at].stem.as_str() {
        "avoid" | "stop" | "quit" | "ceas" | "cease" if gerund(next) => Some((Denial::Clause, 1)),
        "refrain" | "abstain" if next.is("from") => Some((Denial::Clause, 2)),
        "fail" | "refus" | "refuse" | "declin" if next.is("to") => Some((Denial::Clause, 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, bool) {
        let sentence = Sentence::of(text);
        let words: Vec<_> =
            sentence.denials().concat().into_iter().map(|term| term.word.clone()).collect();
        (words.join(" "), sentence.denial().is_some())
    }

    #[test]
    fn what_is_denied_is_known_by_its_clause() {
        for (text, expected) in [
            ("There is no cat drinking milk", "cat drinking milk"),
            ("A girl is playing and a woman is not watching", "woman watching"),
            ("Nobody is here but we are ready", "here"),
            ("Avoid using npm", "using npm"),
            ("We no longer deploy from main", "deploy main"),
            ("The build fails to start", "build start"),
        ] {
            assert_eq!(read(text), (expected.to_owned(), true), "{text}");
        }
        for text in ["Not only cats drink", "No doubt it works", "A man with no shirt", "All good"]
        {
            assert!(!read(text).1, "{text}");
        }
    }

    #[test]
    fn names_and_numbers_are_firm() {
        let sentence = Sentence::of("Deploy to Frankfurt on port 8080 from src/main.rs");
        let firm: Vec<_> =
            sentence.terms.iter().filter(|term| term.firm).map(|term| term.word.as_str()).collect();
        assert_eq!(firm, ["frankfurt", "8080", "src/main.rs"]);
    }
}
