//! The encoder: token ids in, one vector a text out.
//!
//! A BERT of the RoBERTa kind. Texts of a batch lie one below the other in the same rows; only
//! attention minds where one ends. No row looks at another's rounding, so a text's vector does
//! not depend on its company.

use super::aligned::Aligned;
use super::kernel::{Heads, Kernel, Quantised, Span};
use super::packed::{FINE, Packed, Place, Section};
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
    spans: Vec<Span>,
    /// The stream that runs through all layers: `hidden` numbers a row.
    stream: Aligned<f32>,
    /// What a step adds to the stream.
    added: Aligned<f32>,
    /// The widest rows: queries, keys and values, or the middle of the feed-forward layer.
    wide: Aligned<f32>,
    codes: Quantised,
}

impl Encoder<'_> {
    /// One unit vector a text. A text has at least one token and at most a window of them.
    pub(crate) fn encode(
        &self,
        texts: &[Vec<u16>],
        bench: &mut Bench,
    ) -> Result<Vec<Vector>, Error> {
        let shape = self.packed.shape();
        self.begin(texts, bench)?;
        for layer in 0..shape.layers {
            self.attention(layer, bench);
            self.feed_forward(layer, bench);
        }
        let rows = bench.stream.chunks_exact(shape.hidden);
        rows.map(|row| normalised(row.to_vec()).ok_or_else(|| self.nonsense())).collect()
    }

    /// The rows of all tokens with their positions.
    fn begin(&self, texts: &[Vec<u16>], bench: &mut Bench) -> Result<(), Error> {
        let shape = self.packed.shape();
        let positions: &[f32] = self.packed.numbers(Section::Positions);
        let rows: usize = texts.iter().map(Vec::len).sum();
        let Bench { spans, stream, added, wide, .. } = bench;
        stream.resize(rows * shape.hidden);
        added.resize(rows * shape.hidden);
        wide.resize(rows * shape.inner.max(3 * shape.hidden));
        spans.clear();
        let mut first = 0;
        for ids in texts {
            let length = ids.len();
            let own = first * shape.hidden..(first + length) * shape.hidden;
            for (&id, row) in ids.iter().zip(stream[own.clone()].chunks_exact_mut(shape.hidden)) {
                self.look_up(id, row)?;
            }
            added[own].copy_from_slice(&positions[..length * shape.hidden]);
            spans.push(Span { first, length, asking: length });
            first += length;
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

    fn attention(&self, layer: usize, bench: &mut Bench) {
        let shape = self.packed.shape();
        let width = shape.hidden;
        let rows = bench.stream.len() / width;
        let Bench { spans, stream, added, wide, codes } = bench;
        let heads = &mut wide[..rows * 3 * width];
        self.kernel.quantise(stream, width, codes);
        self.kernel.multiply(codes, &self.packed.linear(layer, Place::AttentionIn), heads);
        if layer + 1 == shape.layers {
            keep_first_rows(spans, stream, width);
        }
        let heads = Heads { rows: heads, width };
        added.truncate(stream.len());
        let mut rest = &mut added[..];
        for span in spans.iter() {
            let (own, behind) = rest.split_at_mut(span.asking * width);
            self.kernel.attend(&heads, *span, own);
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

/// In the last layer only the first token of each text is of interest: it stands for the text.
fn keep_first_rows(spans: &mut [Span], stream: &mut Aligned<f32>, width: usize) {
    for (nth, span) in spans.iter_mut().enumerate() {
        span.asking = 1;
        stream.copy_within(span.first * width..(span.first + 1) * width, nth * width);
    }
    stream.truncate(spans.len() * width);
}
