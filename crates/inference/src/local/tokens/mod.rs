//! From text to token ids: byte-level BPE, equal to the tokenizer the model was trained with.
//!
//! With one exception: marks such as `</s>` in a text are plain text here, since texts come from
//! anywhere.

use std::ops::Range;

mod letters;
mod merges;
mod split;

pub(crate) use merges::{Merge, Merges, merge_slots, merge_table};

use split::Pieces;

/// A vocabulary as it lies in the packed file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tokenizer<'a> {
    /// The token of each single byte.
    pub(crate) first: &'a [u16],
    /// See [`merge_table`].
    pub(crate) merges: &'a [u64],
    pub(crate) start: u16,
    pub(crate) end: u16,
    pub(crate) window: usize,
}

/// A text as the model reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u16>,
    /// Which of the ids make up each part that gets a vector of its own.
    pub(crate) parts: Vec<Range<usize>>,
}

impl Tokens {
    /// Rows that the model works on: one an id, and one a part.
    pub(crate) fn rows(&self) -> usize {
        self.ids.len() + self.parts.len()
    }
}

impl From<Vec<u16>> for Tokens {
    fn from(ids: Vec<u16>) -> Tokens {
        Tokens { ids, parts: Vec::new() }
    }
}

impl Tokenizer<'_> {
    /// The ids of a text between the marks of start and end, at most `window` of them. What
    /// does not fit is not even looked at.
    pub(crate) fn ids(&self, text: &str) -> Vec<u16> {
        self.ids_counted(text, |_, _| ())
    }

    /// The same with its parts, or `None` for those that do not fit.
    pub(crate) fn ids_and_parts(
        &self,
        text: &str,
        parts: &[Range<usize>],
    ) -> (Vec<u16>, Vec<Option<Range<usize>>>) {
        let mut counts = vec![(0, 1)];
        let ids = self.ids_counted(text, |bytes, ids| counts.push((bytes, ids)));
        let id_at = |byte: usize| -> Option<usize> {
            let next = counts.partition_point(|(bytes, _)| *bytes <= byte);
            let (start, first) = counts[next - 1];
            let Some((end, last)) = counts.get(next) else {
                return (start == byte).then_some(first);
            };
            // Within what was joined only its ends are known.
            Some(first + (byte - start) * (last - first) / (end - start))
        };
        let find = |part: &Range<usize>| {
            let found = id_at(part.start)?..id_at(part.end)?;
            (!found.is_empty() && found.end < ids.len()).then_some(found)
        };
        let parts = parts.iter().map(find).collect();
        (ids, parts)
    }

    /// After each piece `count` is told how many bytes were read and how many ids they have made.
    fn ids_counted(&self, text: &str, mut count: impl FnMut(usize, usize)) -> Vec<u16> {
        let merges = Merges::new(self.merges);
        let most = self.window - 1;
        let mut ids = vec![self.start];
        let mut piece_ids = Vec::new();
        let mut bytes = 0;
        for piece in Pieces::of(text) {
            if ids.len() >= most {
                break;
            }
            piece_ids.clear();
            piece_ids.extend(piece.bytes().map(|byte| self.first[usize::from(byte)]));
            merges.apply(&mut piece_ids);
            ids.extend_from_slice(&piece_ids);
            bytes += piece.len();
            count(bytes, ids.len());
        }
        ids.truncate(most);
        ids.push(self.end);
        ids
    }
}
