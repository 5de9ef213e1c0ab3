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

/// Bytes of a text that are read for each token wanted of its end: most tokens have fewer.
const BYTES_A_TOKEN: usize = 8;

impl Tokenizer<'_> {
    /// The ids of a text between the marks of start and end, at most `window` of them. What
    /// does not fit is not even looked at.
    pub(crate) fn ids(&self, text: &str) -> Vec<u16> {
        let most = self.window - 1;
        let mut ids = vec![self.start];
        self.read(text, most, &mut ids);
        ids.truncate(most);
        ids.push(self.end);
        ids
    }

    /// As [`ids`](Self::ids) for a text that is read from its end: at most `most` tokens of it.
    pub(crate) fn ids_of_end(&self, text: &str, most: usize) -> Vec<u16> {
        let most = most.min(self.window - 2);
        let mut read = Vec::new();
        self.read(end_of(text, most * BYTES_A_TOKEN), usize::MAX, &mut read);
        let mut ids = vec![self.start];
        ids.extend_from_slice(&read[read.len().saturating_sub(most)..]);
        ids.push(self.end);
        ids
    }

    /// Adds the tokens of a text until there are `most`, or a few more.
    fn read(&self, text: &str, most: usize, ids: &mut Vec<u16>) {
        let merges = Merges::new(self.merges);
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
    }
}

/// The last `most` bytes of a text, from the beginning of a word where there is one.
fn end_of(text: &str, most: usize) -> &str {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let end = &text[from..];
    let word = end.find(char::is_whitespace).filter(|_| from > 0);
    word.map_or(end, |space| &end[space..])
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn the_end_of_a_text_begins_with_a_word() {
        assert_eq!(end_of("one two three", 100), "one two three");
        assert_eq!(end_of("one two three", 7), " three");
        assert_eq!(end_of("überüber", 5), "über");
        assert_eq!(end_of("überüber", 4), "ber");
        assert_eq!(end_of("", 5), "");
    }
}
