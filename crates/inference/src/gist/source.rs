//! Static rows as they come: a `safetensors` file with one matrix, and the `tokenizer.json` of the
//! SentencePiece kind that belongs to it.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::packed::{self, Packed};
use super::pieces::{BEGIN, Piece, pieces};
use crate::Error;
use crate::local::source::vocabulary::Pair;
use crate::local::tokens::Merge;
use crate::mapped::Bytes;

/// Everything that is packed.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(super) dimensions: usize,
    /// The token of each byte.
    pub(super) bytes: Vec<u16>,
    pub(super) characters: Vec<(char, u16)>,
    /// In order of rank: the earlier ones are done first.
    pub(super) merges: Vec<Merge>,
    /// Pieces that become one token, with what stands for the space.
    pub(super) wholes: Vec<(String, u16)>,
    pub(super) codes: Vec<i8>,
    pub(super) scales: Vec<f32>,
}

/// Packs downloaded rows and their tokenizer.
pub fn pack_gist(rows: &Path, tokenizer: &Path, to: &Path) -> Result<(), Error> {
    let read = |path: &Path| {
        std::fs::read(path).map_err(|cause| Error::Unreadable { path: path.to_owned(), cause })
    };
    let unpackable = |path: &Path, why| Error::Unpackable { path: path.to_owned(), why };
    let mut source = Source::default();
    source.read_rows(&read(rows)?).map_err(|why| unpackable(rows, why))?;
    source.read_tokenizer(&read(tokenizer)?).map_err(|why| unpackable(tokenizer, why))?;
    packed::write(&source, to)
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

#[derive(Deserialize)]
struct Tokenizer {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    byte_fallback: bool,
    vocab: HashMap<String, u16>,
    merges: Vec<Pair>,
}

impl Source {
    pub(super) fn read_rows(&mut self, file: &[u8]) -> Result<(), String> {
        let cut_off = || "it is cut off".to_owned();
        let (length, rest) = file.split_first_chunk::<8>().ok_or_else(cut_off)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut_off())?;
        let (header, body) = rest.split_at_checked(length).ok_or_else(cut_off)?;
        let mut tensors: HashMap<String, serde_json::Value> = serde_json::from_slice(header)
            .map_err(|error| format!("its header cannot be read: {error}"))?;
        tensors.remove("__metadata__");
        let mut tensors = tensors.into_values();
        let (Some(tensor), None) = (tensors.next(), tensors.next()) else {
            return Err("it does not hold one matrix".to_owned());
        };
        let Tensor { dtype, shape, data_offsets: (start, end) } = serde_json::from_value(tensor)
            .map_err(|error| format!("its header cannot be read: {error}"))?;
        let (rows, width) = match (dtype.as_str(), &shape[..]) {
            ("F16", &[rows, width]) if rows > 0 && width > 0 => (rows, width),
            _ => return Err(format!("it holds {dtype} of shape {shape:?}, not rows of F16")),
        };
        let halves = body.get(start..end).ok_or_else(cut_off)?;
        if Some(halves.len()) != rows.checked_mul(width).and_then(|count| count.checked_mul(2)) {
            return Err(cut_off());
        }
        self.dimensions = width;
        for row in halves.chunks_exact(2 * width) {
            let row: Vec<f32> =
                row.chunks_exact(2).map(|half| from_half([half[0], half[1]])).collect();
            let largest = row.iter().map(|number| number.abs()).fold(0.0, f32::max);
            let scale = largest / 127.0;
            let steps = |number: &f32| if scale > 0.0 { (number / scale).round() as i8 } else { 0 };
            self.codes.extend(row.iter().map(steps));
            self.scales.push(scale);
        }
        Ok(())
    }

    pub(super) fn read_tokenizer(&mut self, json: &[u8]) -> Result<(), String> {
        let Tokenizer { model } = serde_json::from_slice(json)
            .map_err(|error| format!("its tokenizer cannot be read: {error}"))?;
        if !model.byte_fallback {
            return Err("its tokenizer has no tokens for single bytes".to_owned());
        }
        let vocab = &model.vocab;
        if let Some((token, _)) =
            vocab.iter().find(|(_, id)| usize::from(**id) >= self.scales.len())
        {
            return Err(format!("the token `{token}` has no row"));
        }
        let id = |token: &str| {
            vocab.get(token).copied().ok_or_else(|| format!("it has no token `{token}`"))
        };
        self.bytes =
            (0..=255_u8).map(|byte| id(&format!("<0x{byte:02X}>"))).collect::<Result<_, _>>()?;
        let merge = |pair: &Pair| {
            let (left, right) = pair.halves()?;
            let joined = id(&format!("{left}{right}"))?;
            Ok(Merge { left: id(left)?, right: id(right)?, joined })
        };
        self.merges = model.merges.iter().map(merge).collect::<Result<_, String>>()?;
        if self.merges.len() > usize::from(u16::MAX) {
            return Err("it has more than 65535 merges".to_owned());
        }
        let single = |token: &str| {
            let mut chars = token.chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        self.characters =
            vocab.iter().filter_map(|(token, id)| Some((single(token)?, *id))).collect();
        self.wholes = self.find_wholes(vocab)?;
        Ok(())
    }

    /// The tokens that a piece of text becomes: a piece of one kind of characters, which its
    /// characters are joined to. In the order of their numbers, so that packing twice gives the same.
    fn find_wholes(&self, vocab: &HashMap<String, u16>) -> Result<Vec<(String, u16)>, String> {
        let called = "what is being packed";
        let joining = Packed::open(Bytes::Held(packed::packed(self)), called)
            .map_err(|error| error.to_string())?;
        let becomes = |token: &str| {
            let (text, begins) = match token.strip_prefix(BEGIN) {
                Some(text) => (text, true),
                None => (token, false),
            };
            let mut cut = pieces(text);
            let is_one = cut.next().is_some_and(|piece| piece.text == text);
            let mut ids = Vec::new();
            joining.joined(Piece { text, begins }, &mut ids);
            is_one.then_some(ids)
        };
        let is_whole = |(token, id): &(&String, &u16)| becomes(token) == Some(vec![**id]);
        let mut wholes: Vec<(String, u16)> =
            vocab.iter().filter(is_whole).map(|(token, id)| (token.clone(), *id)).collect();
        wholes.sort_by_key(|(_, id)| *id);
        Ok(wholes)
    }
}

/// A number of half precision: a sign, five bits of exponent, ten of fraction.
fn from_half(half: [u8; 2]) -> f32 {
    let bits = u16::from_le_bytes(half);
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2_f32.powi(-24),
        // Neither infinite nor no number at all: rows have none.
        31 => 0.0,
        _ => sign * (1024.0 + fraction) * 2_f32.powi(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read() {
        for (bits, number) in [
            (0x3c00_u16, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65_504.0),
            (0x8000, 0.0),
            (0x7c00, 0.0),
        ] {
            assert_eq!(from_half(bits.to_le_bytes()), number, "{bits:04x}");
        }
    }
}
