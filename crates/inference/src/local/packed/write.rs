//! Writing a packed file: the weights of a source, brought into the order of the kernels.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::{ALIGN, GROUP, Header, Place, Section, code_place, scale_place};
use crate::Error;
use crate::local::source::Source;
use crate::local::tokens::merge_table;
use crate::mapped::bytes;

/// Writes beside the place and renames, so that a reader never sees half a file.
pub(crate) fn write(source: &Source, path: &Path) -> Result<(), Error> {
    let body = body(source);
    let header = Header {
        name: source.name.clone(),
        shape: source.shape,
        body_digest: *blake3::hash(&body).as_bytes(),
    };
    let unwritable = |cause| Error::Unwritable { path: path.to_owned(), cause };
    let beside = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&beside).map_err(unwritable)?);
    file.write_all(&header.to_bytes()).map_err(unwritable)?;
    file.write_all(&body).map_err(unwritable)?;
    let file = file.into_inner().map_err(|error| unwritable(error.into_error()))?;
    file.sync_all().map_err(unwritable)?;
    std::fs::rename(&beside, path).map_err(unwritable)
}

fn body(source: &Source) -> Vec<u8> {
    let mut body = Vec::new();
    for (section, length) in source.shape.sections() {
        let content = content(source, section);
        assert_eq!(content.len(), length, "{section:?} has the size its shape asks for");
        body.extend_from_slice(&content);
        body.resize(body.len().next_multiple_of(ALIGN), 0);
    }
    body
}

fn content(source: &Source, section: Section) -> Vec<u8> {
    let layers = &source.layers;
    match section {
        Section::FirstTokens => bytes(&source.vocabulary.first).to_vec(),
        Section::Merges => {
            bytes(&merge_table(&source.vocabulary.merges, source.shape.merge_slots)).to_vec()
        }
        Section::TokenCodes => bytes(&source.tokens.codes).to_vec(),
        Section::TokenScales => bytes(&source.tokens.scales).to_vec(),
        Section::Positions => bytes(&source.positions).to_vec(),
        Section::FirstNorm => bytes(&source.norm).to_vec(),
        Section::Codes(layer, place) => {
            let matrix = layers[layer].matrix(place);
            codes(matrix.width, &matrix.regrouped().0)
        }
        Section::Scales(layer, place) => {
            let matrix = layers[layer].matrix(place);
            bytes(&scales(matrix.width, &matrix.regrouped().1)).to_vec()
        }
        Section::Bias(layer, place) => bytes(&layers[layer].bias[place as usize]).to_vec(),
        Section::AttentionNorm(layer) => bytes(&layers[layer].attention_norm).to_vec(),
        Section::LastNorm(layer) => bytes(&layers[layer].last_norm).to_vec(),
    }
}

/// From rows of the given width to the order of the kernels.
fn codes(width: usize, rows: &[i8]) -> Vec<u8> {
    let mut codes = vec![0; rows.len()];
    for (output, row) in rows.chunks_exact(width).enumerate() {
        for (input, &weight) in row.iter().enumerate() {
            codes[code_place(width, output, input)] = weight as u8 ^ 0x80;
        }
    }
    codes
}

fn scales(width: usize, rows: &[f32]) -> Vec<f32> {
    let groups = width / GROUP;
    let mut scales = vec![0.0; rows.len()];
    for (output, row) in rows.chunks_exact(groups).enumerate() {
        for (group, &scale) in row.iter().enumerate() {
            scales[scale_place(groups, output, group)] = scale;
        }
    }
    scales
}

const _: () = assert!(Place::Narrow as usize == 3, "biases are kept in the order of places");
