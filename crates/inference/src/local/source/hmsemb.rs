//! Reading a `.hmsemb` model: a JSON header, a Hugging Face tokenizer, then the tensors in turn.

use serde::Deserialize;

use super::{Layer, Matrix, Source, Vocabulary};
use crate::local::packed::{FINE, HEAD, Shape};
use crate::local::tokens::merge_slots;

const MAGIC: &[u8] = b"HMSEMB01";

#[derive(Deserialize)]
struct Header {
    meta: Meta,
    arch: Arch,
    tokenizer_len: usize,
    tensors: Vec<Tensor>,
}

#[derive(Deserialize)]
struct Meta {
    model: String,
    pooling: String,
    max_length: usize,
}

#[derive(Deserialize)]
struct Arch {
    hidden: usize,
    layers: usize,
    heads: usize,
    intermediate: usize,
    vocab: usize,
    layer_norm_eps: f32,
    position_offset: usize,
}

#[derive(Deserialize)]
struct Tensor {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    len: usize,
    group: usize,
}

/// The error says why in words.
pub(super) fn read(bytes: &[u8]) -> Result<Source, String> {
    let bytes = bytes.strip_prefix(MAGIC).ok_or("it does not begin with HMSEMB01")?;
    let (length, bytes) = bytes.split_first_chunk::<8>().ok_or("it is cut off")?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|error| error.to_string())?;
    let (header, bytes) = bytes.split_at_checked(length).ok_or("its header is cut off")?;
    let header: Header = serde_json::from_slice(header)
        .map_err(|error| format!("its header cannot be read: {error}"))?;
    let (tokenizer, bytes) =
        bytes.split_at_checked(header.tokenizer_len).ok_or("its tokenizer is cut off")?;
    let vocabulary = Vocabulary::read(tokenizer)?;
    let tensors = Tensors::cut(&header.tensors, bytes)?;
    assemble(&header, vocabulary, &tensors)
}

fn assemble(header: &Header, vocabulary: Vocabulary, tensors: &Tensors) -> Result<Source, String> {
    let (arch, meta) = (&header.arch, &header.meta);
    if meta.pooling != "cls" || arch.heads * HEAD != arch.hidden {
        return Err("only models with `cls` pooling and heads of width 32 are known".to_owned());
    }
    let shape = Shape {
        hidden: arch.hidden,
        layers: arch.layers,
        inner: arch.intermediate,
        vocabulary: arch.vocab,
        window: meta.max_length,
        merge_slots: merge_slots(vocabulary.merges.len()),
        start: vocabulary.start,
        end: vocabulary.end,
        epsilon: arch.layer_norm_eps,
    };
    if let Some(fault) = shape.fault() {
        return Err(fault.to_owned());
    }
    Ok(Source {
        name: meta.model.rsplit('/').next().unwrap_or(&meta.model).to_owned(),
        shape,
        vocabulary,
        tokens: tensors.matrix("word_emb", shape.vocabulary, shape.hidden)?,
        positions: positions(tensors, &shape, arch.position_offset)?,
        norm: tensors.norm("emb_ln", shape.hidden)?,
        layers: (0..shape.layers)
            .map(|nth| layer(tensors, &shape, nth))
            .collect::<Result<_, _>>()?,
    })
}

/// The rows that are used, with the one token type that is used added once and for all.
fn positions(tensors: &Tensors, shape: &Shape, offset: usize) -> Result<Vec<f32>, String> {
    let width = shape.hidden;
    let rows = tensors.floats("pos_emb")?;
    let kind = tensors.floats("type_emb")?;
    let kind = kind.get(..width).ok_or("`type_emb` is too short")?;
    let used = rows
        .get(offset * width..(offset + shape.window) * width)
        .ok_or("`pos_emb` has fewer rows than the window")?;
    Ok(used.iter().zip(kind.iter().cycle()).map(|(position, kind)| position + kind).collect())
}

fn layer(tensors: &Tensors, shape: &Shape, nth: usize) -> Result<Layer, String> {
    let (hidden, inner) = (shape.hidden, shape.inner);
    let matrix =
        |name: &str, outputs, inputs| tensors.matrix(&format!("l{nth}.{name}.w"), outputs, inputs);
    let bias = |name: &str, width| tensors.row(&format!("l{nth}.{name}.b"), width);
    Ok(Layer {
        matrices: [
            matrix("qkv", 3 * hidden, hidden)?,
            matrix("ao", hidden, hidden)?,
            matrix("f1", inner, hidden)?,
            matrix("f2", hidden, inner)?,
        ],
        bias: [
            bias("qkv", 3 * hidden)?,
            bias("ao", hidden)?,
            bias("f1", inner)?,
            bias("f2", hidden)?,
        ],
        attention_norm: tensors.norm(&format!("l{nth}.aln"), hidden)?,
        last_norm: tensors.norm(&format!("l{nth}.fln"), hidden)?,
    })
}

/// The tensors with their bytes.
struct Tensors<'a>(Vec<(&'a Tensor, &'a [u8])>);

impl<'a> Tensors<'a> {
    fn cut(list: &'a [Tensor], mut bytes: &'a [u8]) -> Result<Tensors<'a>, String> {
        let mut cut = Vec::with_capacity(list.len());
        for tensor in list {
            let (own, rest) = bytes
                .split_at_checked(tensor.len)
                .ok_or_else(|| format!("`{}` is cut off", tensor.name))?;
            cut.push((tensor, own));
            bytes = rest;
        }
        if bytes.is_empty() { Ok(Tensors(cut)) } else { Err("it is longer than it says".into()) }
    }

    fn find(&self, name: &str, dtype: &str) -> Result<&(&'a Tensor, &'a [u8]), String> {
        self.0
            .iter()
            .find(|(tensor, _)| tensor.name == name && tensor.dtype == dtype)
            .ok_or_else(|| format!("it has no `{name}` of type {dtype}"))
    }

    fn floats(&self, name: &str) -> Result<Vec<f32>, String> {
        Ok(floats(self.find(name, "f32")?.1))
    }

    fn row(&self, name: &str, width: usize) -> Result<Vec<f32>, String> {
        let row = self.floats(name)?;
        if row.len() == width { Ok(row) } else { Err(format!("`{name}` is not {width} wide")) }
    }

    /// Gains, then offsets.
    fn norm(&self, name: &str, width: usize) -> Result<Vec<f32>, String> {
        let mut norm = self.row(&format!("{name}.w"), width)?;
        norm.extend(self.row(&format!("{name}.b"), width)?);
        Ok(norm)
    }

    /// All codes row by row, then one f32 scale a group.
    fn matrix(&self, name: &str, rows: usize, width: usize) -> Result<Matrix, String> {
        let (tensor, bytes) = self.find(name, "i8")?;
        if tensor.group != FINE || tensor.shape != [rows, width] {
            return Err(format!("`{name}` is not {rows} × {width} in groups of {FINE}"));
        }
        let wrong = || format!("`{name}` has the wrong size, or a code or scale out of range");
        let (codes, scales) = bytes.split_at_checked(rows * width).ok_or_else(wrong)?;
        let codes = codes.iter().map(|&byte| byte as i8).collect();
        Matrix::new(width, codes, floats(scales)).ok_or_else(wrong)
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|&four| f32::from_le_bytes(four)).collect()
}
