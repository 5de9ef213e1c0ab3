//! The encoder: token ids in, one vector a text out.
//!
//! A BERT of the RoBERTa kind. Texts of a batch lie one below the other in the same rows; only
//! attention minds where one ends. No row looks at another's rounding, so a text's vector does
//! not depend on its company.
//!
//! The first token of a text, the mark of its start, comes to stand for all of it. So a part of a
//! text gets such a mark of its own, a row behind the text's, which looks at that part alone. Nobody
//! looks at it: the text's vector stays what it is, and the part's words are read in the light of
//! what is around them, at the price of one row.

use super::aligned::Aligned;
use super::kernel::{Heads, Kernel, Quantised, Span};
use super::packed::{FINE, Packed, Place, Section};
use super::tokens::Tokens;
use crate::embedder::normalised;
use crate::{Error, Vector};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Encoder<'a> {
    pub(crate) packed: &'a Packed,
    pub(crate) kernel: Kernel,
}

/// What is at work between the layers. It is kept from text to text: the room is large, and new
/// room is cleared before it is given.
#[derive(Debug, Default)]
pub(crate) struct Bench {
    /// The stream that runs through all layers: `hidden` numbers a row.
    stream: Aligned<f32>,
    /// What a step adds to the stream.
    added: Aligned<f32>,
    /// The widest rows: queries, keys and values, or the middle of the feed-forward layer.
    wide: Aligned<f32>,
    codes: Quantised,
}

impl Encoder<'_> {
    /// One unit vector a text, followed by those of its parts. A text has at least one token and
    /// at most a window of them.
    pub(crate) fn encode(&self, texts: &[Tokens], bench: &mut Bench) -> Result<Vec<Vector>, Error> {
        let shape = self.packed.shape();
        self.begin(texts, bench)?;
        for layer in 0..shape.layers {
            self.attention(layer, texts, bench);
            self.feed_forward(layer, bench);
        }
        let rows = bench.stream.chunks_exact(shape.hidden);
        rows.map(|row| normalised(row.to_vec()).ok_or_else(|| self.nonsense())).collect()
    }

    /// The rows of all tokens and parts with their positions.
    fn begin(&self, texts: &[Tokens], bench: &mut Bench) -> Result<(), Error> {
        let shape = self.packed.shape();
        let width = shape.hidden;
        let positions: &[f32] = self.packed.numbers(Section::Positions);
        let rows: usize = texts.iter().map(Tokens::rows).sum();
        let Bench { stream, added, wide, .. } = bench;
        stream.resize(rows * width);
        added.resize(rows * width);
        wide.resize(rows * shape.inner.max(3 * width));
        let tokens = texts.iter().flat_map(|text| {
            let starts = text.parts.iter().map(|_| (shape.start, 0));
            text.ids.iter().copied().zip(0..).chain(starts)
        });
        let rows = stream.chunks_exact_mut(width).zip(added.chunks_exact_mut(width));
        for ((id, position), (row, added)) in tokens.zip(rows) {
            self.look_up(id, row)?;
            added.copy_from_slice(&positions[position * width..][..width]);
        }
        let norm = self.packed.numbers(Section::FirstNorm);
        self.kernel.add_and_norm(stream, added, norm, shape.epsilon);
        Ok(())
    }

    fn look_up(&self, id: u16, row: &mut [f32]) -> Result<(), Error> {
        let shape = self.packed.shape();
        let id = usize::from(id);
        if id >= shape.vocabulary {
            // Only a damaged merge table gives such an id.
            return Err(self.nonsense());
        }
        let codes: &[i8] = self.packed.numbers(Section::TokenCodes);
        let scales: &[f32] = self.packed.numbers(Section::TokenScales);
        let codes = &codes[id * shape.hidden..][..shape.hidden];
        let scales = &scales[id * shape.hidden / FINE..][..shape.hidden / FINE];
        let groups = codes.chunks_exact(FINE).zip(row.chunks_exact_mut(FINE));
        for ((codes, group), &scale) in groups.zip(scales) {
            for (x, &code) in group.iter_mut().zip(codes) {
                *x = f32::from(code) * scale;
            }
        }
        Ok(())
    }

    fn attention(&self, layer: usize, texts: &[Tokens], bench: &mut Bench) {
        let shape = self.packed.shape();
        let width = shape.hidden;
        let rows = bench.stream.len() / width;
        let Bench { stream, added, wide, codes } = bench;
        let heads = &mut wide[..rows * 3 * width];
        self.kernel.quantise(stream, width, codes);
        self.kernel.multiply(codes, &self.packed.linear(layer, Place::AttentionIn), heads);
        let is_last = layer + 1 == shape.layers;
        if is_last {
            keep_starts(texts, stream, width);
        }
        let heads = Heads { rows: heads, width };
        added.truncate(stream.len());
        let mut rest = &mut added[..];
        let mut first = 0;
        for Tokens { ids, parts } in texts {
            let (length, asking) = (ids.len(), if is_last { 1 } else { ids.len() });
            let (own, behind) = rest.split_at_mut((asking + parts.len()) * width);
            self.kernel.attend(&heads, Span { first, length, asking, parts }, own);
            first += length + parts.len();
            rest = behind;
        }
        self.kernel.quantise(added, width, codes);
        self.kernel.multiply(codes, &self.packed.linear(layer, Place::AttentionOut), added);
        let norm = self.packed.numbers(Section::AttentionNorm(layer));
        self.kernel.add_and_norm(stream, added, norm, shape.epsilon);
    }

    fn feed_forward(&self, layer: usize, bench: &mut Bench) {
        let shape = self.packed.shape();
        let rows = bench.stream.len() / shape.hidden;
        let Bench { stream, added, wide, codes, .. } = bench;
        let middle = &mut wide[..rows * shape.inner];
        self.kernel.quantise(stream, shape.hidden, codes);
        self.kernel.multiply(codes, &self.packed.linear(layer, Place::Widen), middle);
        self.kernel.gelu_and_quantise(middle, shape.inner, codes);
        self.kernel.multiply(codes, &self.packed.linear(layer, Place::Narrow), added);
        let norm = self.packed.numbers(Section::LastNorm(layer));
        self.kernel.add_and_norm(stream, added, norm, shape.epsilon);
    }

    fn nonsense(&self) -> Error {
        Error::damaged(self.packed.called(), "its numbers make no sense")
    }
}

/// In the last layer only the marks of start are of interest: they stand for texts and parts.
fn keep_starts(texts: &[Tokens], stream: &mut Aligned<f32>, width: usize) {
    let (mut first, mut kept) = (0, 0);
    for text in texts {
        let parts = first + text.ids.len()..first + text.rows();
        for row in std::iter::once(first).chain(parts) {
            stream.copy_within(row * width..(row + 1) * width, kept * width);
            kept += 1;
        }
        first += text.rows();
    }
    stream.truncate(kept * width);
}
