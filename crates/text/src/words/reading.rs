//! What one chunk says, read once and used by the index and by the query, so that they agree.

use super::QueryChunk;
use super::chunks::Chunk;
use super::humps::humps;
use super::sigils::{runs, sigilled};
use crate::characters::lowered;

/// Longest term, in characters. Nobody types more; longer runs are data.
pub(crate) const LONGEST: usize = 64;

pub(super) struct Reading {
    /// The chunk as it stands, unless it is too long or of a script without words.
    whole: Option<String>,
    /// The words inside, next to each other in the index so that they match as a phrase.
    runs: Vec<String>,
    /// Smaller pieces, after the runs so as not to come between them.
    finer: Vec<String>,
    /// Words with the punctuation that gives them their meaning.
    sigilled: Vec<String>,
}

impl Reading {
    pub(super) fn of(chunk: &Chunk) -> Self {
        match chunk {
            Chunk::Spaced(text) => Self::of_spaced(text),
            Chunk::Dense(text) => Self::of_dense(text),
            Chunk::Symbols(text) => Self {
                whole: fits(text).then(|| text.clone()),
                runs: text.chars().map(String::from).collect(),
                finer: Vec::new(),
                sigilled: Vec::new(),
            },
        }
    }

    fn of_spaced(text: &str) -> Self {
        let whole = lowered(text);
        let mut reading =
            Self { whole: None, runs: Vec::new(), finer: Vec::new(), sigilled: Vec::new() };
        for (start, end) in runs(text) {
            let run = &text[start..end];
            push_pieces(&lowered(run), &mut reading.runs);
            // Long mixed-case runs are encoded data, not identifiers.
            let pieces = if fits(run) { humps(run) } else { Vec::new() };
            if pieces.len() > 1 {
                reading.finer.extend(pieces.into_iter().map(lowered));
            }
        }
        let marked = sigilled(&whole).into_iter().filter(|term| fits(term));
        reading.sigilled = marked.map(str::to_owned).collect();
        reading.whole = fits(&whole).then_some(whole);
        reading
    }

    fn of_dense(text: &str) -> Self {
        let single: Vec<String> = text.chars().map(String::from).collect();
        let pairs: Vec<String> = single.windows(2).map(|pair| pair.concat()).collect();
        let (runs, finer) = if pairs.is_empty() { (single, Vec::new()) } else { (pairs, single) };
        Self { whole: None, runs, finer, sigilled: Vec::new() }
    }

    pub(super) fn into_terms(self, terms: &mut Vec<String>) {
        let whole = self.whole.filter(|whole| !is_only(&self.runs, whole));
        let sigilled = self.sigilled.into_iter().filter(|term| whole.as_ref() != Some(term));
        let sigilled: Vec<String> = sigilled.collect();
        terms.extend(whole);
        terms.extend(self.runs);
        terms.extend(self.finer);
        terms.extend(sigilled);
    }

    pub(super) fn into_query(self) -> QueryChunk {
        let parts = match &self.whole {
            None => self.runs,
            Some(whole) if self.sigilled.contains(whole) => Vec::new(),
            Some(whole) if is_only(&self.runs, whole) => self.finer,
            Some(_) => self.runs,
        };
        QueryChunk { whole: self.whole, parts }
    }
}

fn is_only(runs: &[String], whole: &String) -> bool {
    runs.len() == 1 && runs.first() == Some(whole)
}

fn fits(text: &str) -> bool {
    text.len() <= LONGEST || text.chars().nth(LONGEST).is_none()
}

/// Cuts an overlong run every [`LONGEST`] characters; the query is cut alike and so finds it.
fn push_pieces(run: &str, pieces: &mut Vec<String>) {
    let mut rest = run;
    while let Some((at, _)) = rest.char_indices().nth(LONGEST) {
        pieces.push(rest[..at].to_owned());
        rest = &rest[at..];
    }
    pieces.push(rest.to_owned());
}
