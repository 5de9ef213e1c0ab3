//! The encoder: token ids in, one vector a text out.
//!
//! A BERT of the RoBERTa kind. Texts of a batch lie one below the other in the same rows; only
//! attention minds where one ends. No row looks at another's rounding, so a text's vector does
//! not depend on its company.

use super::kernel::{Heads, Kernel, Quantised, Span};
use super::packed::{GROUP, Packed, Place, Section};
use crate::embedder::normalised;
use crate::{Error, Vector};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Encoder<'a> {
    pub(crate) packed: &'a Packed,
    pub(crate) kernel: Kernel,
}

/// What is at work between the layers.
struct Bench {
    spans: Vec<Span>,
    /// The stream that runs through all layers: `hidden` numbers a row.
    stream: Vec<f32>,
    /// What a step adds to the stream.
    added: Vec<f32>,
    /// The widest rows: queries, keys and values, or the middle of the feed-forward layer.
    wide: Vec<f32>,
    codes: Quantised,
}

impl Encoder<'_> {
    /// One unit vector a text. A text has at least one token and at most a window of them.
    pub(crate) fn encode(&self, texts: &[Vec<u16>]) -> Result<Vec<Vector>, Error> {
        let shape = self.packed.shape();
        let mut bench = self.begin(texts)?;
        for layer in 0..shape.layers {
            self.attention(layer, &mut bench);
            self.feed_forward(layer, &mut bench);
        }
        let rows = bench.stream.chunks_exact(shape.hidden);
        rows.map(|row| normalised(row.to_vec()).ok_or_else(|| self.nonsense())).collect()
    }

    /// The rows of all tokens with their positions.
    fn begin(&self, texts: &[Vec<u16>]) -> Result<Bench, Error> {
        let shape = self.packed.shape();
        let positions: &[f32] = self.packed.numbers(Section::Positions);
        let rows: usize = texts.iter().map(Vec::len).sum();
        let mut stream = Vec::with_capacity(rows * shape.hidden);
        let mut added = Vec::with_capacity(rows * shape.hidden);
        let mut spans = Vec::with_capacity(texts.len());
        for ids in texts {
            let (first, length) = (stream.len() / shape.hidden, ids.len());
            spans.push(Span { first, length, asking: length });
            for &id in ids {
                self.look_up(id, &mut stream)?;
            }
            added.extend_from_slice(&positions[..length * shape.hidden]);
        }
        let norm = self.packed.numbers(Section::FirstNorm);
        self.kernel.add_and_norm(&mut stream, &added, norm, shape.epsilon);
        let wide = vec![0.0; rows * shape.inner.max(3 * shape.hidden)];
        Ok(Bench { spans, stream, added, wide, codes: Quantised::default() })
    }

    fn look_up(&self, id: u16, rows: &mut Vec<f32>) -> Result<(), Error> {
        let shape = self.packed.shape();
        let id = usize::from(id);
        if id >= shape.vocabulary {
            // Only a damaged merge table gives such an id.
            return Err(self.nonsense());
        }
        let codes: &[i8] = self.packed.numbers(Section::TokenCodes);
        let scales: &[f32] = self.packed.numbers(Section::TokenScales);
        let codes = &codes[id * shape.hidden..][..shape.hidden];
        let scales = &scales[id * shape.hidden / GROUP..][..shape.hidden / GROUP];
        for (group, &scale) in codes.chunks_exact(GROUP).zip(scales) {
            rows.extend(group.iter().map(|&code| f32::from(code) * scale));
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
fn keep_first_rows(spans: &mut [Span], stream: &mut Vec<f32>, width: usize) {
    for (nth, span) in spans.iter_mut().enumerate() {
        span.asking = 1;
        stream.copy_within(span.first * width..(span.first + 1) * width, nth * width);
    }
    stream.truncate(spans.len() * width);
}
