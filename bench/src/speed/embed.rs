//! The local embedder on one core: opening it, a question, a passage.

use super::{Figures, shares, timed};
use crate::corpus::Corpus;
use crate::report::Figure;
use mnemic_engine::inference::{self, Role};

/// English has about four tokens in three words; two more mark the ends.
const QUESTION_WORDS: usize = 11;
const PASSAGE_WORDS: usize = 94;

pub(super) fn measure(corpus: &Corpus) -> Figures {
    eprintln!("embed: how near the vectors come to plain f32 is measured by `mnemic-pack --check`");
    let mut openings = Vec::new();
    for _ in 0..20 {
        openings.push(timed(inference::local)?);
    }
    let local = inference::local()?;
    let first = timed(|| local.embed(&["which port does the database use"], Role::Query))?;
    let embed = |words: usize, n: usize| -> Result<Vec<f64>, inference::Error> {
        let texts = texts(corpus, words, n);
        texts.iter().map(|text| timed(|| local.embed(&[text.as_str()], Role::Query))).collect()
    };
    let mut questions = embed(QUESTION_WORDS, 300)?;
    let mut passages = embed(PASSAGE_WORDS, 100)?;
    let mut figures = shares("embedder opens", &mut openings, &[0.5]);
    figures.push(Figure::new("  its first embedding in this process", first, "ms", 1));
    figures.extend(shares("question of about 16 tokens", &mut questions, &[0.5, 0.99]));
    figures.extend(shares("passage of about 128 tokens", &mut passages, &[0.5, 0.99]));
    Ok(figures)
}

/// Texts of just so many plain words, put together from the corpus.
fn texts(corpus: &Corpus, words: usize, n: usize) -> Vec<String> {
    let mut from = (0..).flat_map(|n: usize| {
        let text = corpus.draft(n * 17).body.substance();
        let plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphabetic());
        text.split_whitespace().filter(plain).map(str::to_owned).collect::<Vec<_>>()
    });
    (0..n).map(|_| from.by_ref().take(words).collect::<Vec<_>>().join(" ")).collect()
}
