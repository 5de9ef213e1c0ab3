//! What is asked: real questions where there are any, and handfuls of terms from the texts.

use crate::corpus::Corpus;
use std::path::Path;

/// Texts of the corpus that terms are drawn from.
const TEXTS: usize = 100_000;

/// Up to `n` questions, evenly from every set in `MNEMIC_BENCH_DATA`; without it, made of texts.
pub(crate) fn real(corpus: &Corpus, n: usize) -> Vec<String> {
    let data = std::env::var_os("MNEMIC_BENCH_DATA");
    let all = data.as_deref().map(|dir| from_sets(Path::new(dir))).unwrap_or_default();
    if all.is_empty() {
        eprintln!("MNEMIC_BENCH_DATA is not set or holds no questions: asking made-up ones");
        return of_five_terms(corpus, n);
    }
    // A prime step visits all sets, whichever comes first.
    (0..n.min(all.len())).map(|index| all[index * 997 % all.len()].clone()).collect()
}

fn from_sets(dir: &Path) -> Vec<String> {
    let sets = std::fs::read_dir(dir.join("retrieval")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = sets.map(|set| set.path().join("queries.jsonl")).collect();
    paths.sort();
    let files = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let questions = |file: String| -> Vec<String> {
        file.lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|query| query["text"].as_str().map(str::to_owned))
            .collect()
    };
    files.flat_map(questions).collect()
}

/// `n` handfuls of five words, each from another text: the more often a word is written, the more
/// often it is asked for.
pub(super) fn of_five_terms(corpus: &Corpus, n: usize) -> Vec<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let mut term = || loop {
        let text = corpus.draft(next() % TEXTS).body.substance();
        let words: Vec<&str> = text.split_whitespace().filter(|word| is_term(word)).collect();
        if !words.is_empty() {
            return words[next() % words.len()].to_lowercase();
        }
    };
    (0..n).map(|_| (0..5).map(|_| term()).collect::<Vec<_>>().join(" ")).collect()
}

/// Long enough not to be a stop word, and one word to every tokeniser.
fn is_term(word: &str) -> bool {
    word.len() >= 5 && word.chars().all(|c| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_plain_words() {
        assert!(is_term("deploy"));
        assert!(!is_term("the"));
        assert!(!is_term("src/main.rs"));
    }
}
