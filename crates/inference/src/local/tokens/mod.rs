//! From text to token ids: byte-level BPE, equal to the tokenizer the model was trained with.
//!
//! With one exception: marks such as `</s>` in a text are plain text here, since texts come from
//! anywhere.

mod letters;
mod merges;
mod split;

pub(crate) use merges::{Merge, merge_slots, merge_table};

use merges::Merges;
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

impl Tokenizer<'_> {
    /// The ids of a text between the marks of start and end, at most `window` of them. What
    /// does not fit is not even looked at.
    pub(crate) fn ids(&self, text: &str) -> Vec<u16> {
        let merges = Merges::new(self.merges);
        let most = self.window - 1;
        let mut ids = vec![self.start];
        let mut piece_ids = Vec::new();
        for piece in Pieces::of(text) {
            if ids.len() >= most {
                break;
            }
            piece_ids.clear();
            piece_ids.extend(piece.bytes().map(|byte| self.first[usize::from(byte)]));
            merges.apply(&mut piece_ids);
            ids.extend_from_slice(&piece_ids);
        }
        ids.truncate(most);
        ids.push(self.end);
        ids
    }
}
