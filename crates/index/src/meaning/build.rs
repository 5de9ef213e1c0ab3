//! From coded vectors to the bytes of a segment, and from several segments to one.

use super::Coded;
use super::codes::{CodesWriter, can_code};
use super::divide::divide;
use super::quantise::to_bytes;
use super::segment::{CellRecord, MeaningSegment, NOBODY, Record};
use super::vectors::Vectors;
use crate::frame::{Kind, assemble};

/// Below this comparing all vectors exactly is as quick as a scan, and building costs nothing.
const CODES_FROM: usize = 512;

/// What goes into a segment, by slot.
#[derive(Default)]
struct Columns {
    dimensions: Option<usize>,
    records: Vec<Record>,
    components: Vec<u8>,
}

impl Columns {
    /// Leaves out what does not come after the last row or has other dimensions than the first.
    fn add(&mut self, record: Record, components: &[u8]) {
        let dimensions = *self.dimensions.get_or_insert(components.len());
        let ascends = self.records.last().is_none_or(|last| last.row < record.row);
        let has_room = self.records.len() < u32::MAX as usize;
        if ascends && has_room && dimensions == components.len() {
            self.records.push(record);
            self.components.extend_from_slice(components);
        }
    }

    fn finish(self) -> Vec<u8> {
        let dimensions = self.dimensions.unwrap_or(0);
        let mut by_owner: Vec<u32> = (0..self.records.len() as u32).collect();
        by_owner.sort_unstable_by_key(|&slot| (self.records[slot as usize].owner, slot));
        let coding = match self.records.len() >= CODES_FROM && can_code(dimensions) {
            true => Coding::of(self.vectors(dimensions)),
            false => Coding::default(),
        };
        let counts = [self.records.len() as u64, dimensions as u64];
        let mut records = Vec::with_capacity(self.records.len() * Record::BYTES);
        self.records.iter().for_each(|record| record.write(&mut records));
        // The order is that of the constants in `segment.rs`.
        assemble(
            Kind::Meaning,
            &[
                &counts.iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<u8>>(),
                &records,
                &by_owner.iter().flat_map(|slot| slot.to_le_bytes()).collect::<Vec<u8>>(),
                &self.components,
                &coding.mean.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>(),
                &coding.codes,
                &coding.cells,
                &coding.means,
                &coding.slots.iter().flat_map(|slot| slot.to_le_bytes()).collect::<Vec<u8>>(),
            ],
        )
    }

    fn vectors(&self, dimensions: usize) -> Vectors<'_> {
        Vectors { records: &self.records, components: &self.components, dimensions }
    }
}

/// What a scan reads, and what tells it where to read. Without cells, codes lie in the order of
/// their slots.
#[derive(Default)]
struct Coding {
    mean: Vec<f32>,
    codes: Vec<u8>,
    cells: Vec<u8>,
    /// The components of the means of all cells.
    means: Vec<u8>,
    /// The slot of each code.
    slots: Vec<u32>,
}

impl Coding {
    fn of(vectors: Vectors<'_>) -> Coding {
        let all = 0..vectors.len() as u32;
        let mean = vectors.mean(all.clone());
        let mut writer = Writer {
            vectors,
            codes: CodesWriter::new(vectors.dimensions, vectors.len()),
            residual: vec![0.0; vectors.dimensions],
            mean: &mean,
        };
        let mut coding = Coding::default();
        match divide(vectors) {
            None => all.for_each(|slot| writer.add(slot)),
            Some(cells) => cells.into_iter().for_each(|cell| coding.add_cell(&mut writer, &cell)),
        }
        coding.codes = writer.codes.finish();
        Coding { mean, ..coding }
    }

    fn add_cell(&mut self, writer: &mut Writer<'_>, slots: &[u32]) {
        let first_block = writer.codes.blocks() as u32;
        slots.iter().for_each(|slot| writer.add(*slot));
        writer.codes.end_block();
        self.slots.extend(slots);
        self.slots.resize(writer.codes.lanes(), NOBODY);
        let vectors = writer.vectors;
        let mean = vectors.mean(slots.iter().copied());
        let away = slots.iter().map(|slot| {
            vectors.read(*slot, &mut writer.residual);
            let steps = writer.residual.iter().zip(&mean).map(|(one, mean)| one - mean);
            steps.map(|step| step * step).sum::<f32>()
        });
        let spread = (away.sum::<f32>() / slots.len() as f32).sqrt();
        let (scale, components) = to_bytes(&mean);
        CellRecord { first_block, scale, spread }.write(&mut self.cells);
        self.means.extend(components.iter().map(|&component| component as u8));
    }
}

/// Codes vector after vector, relative to the mean of all.
struct Writer<'a> {
    vectors: Vectors<'a>,
    codes: CodesWriter,
    residual: Vec<f32>,
    mean: &'a [f32],
}

impl Writer<'_> {
    fn add(&mut self, slot: u32) {
        self.vectors.read(slot, &mut self.residual);
        let mut shift = 0.0;
        for (at, mean) in self.residual.iter_mut().zip(self.mean) {
            *at -= mean;
            shift += *at * mean;
        }
        self.codes.add(&self.residual, shift);
    }
}

pub(super) fn build(vectors: impl IntoIterator<Item = Coded>) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut components = Vec::new();
    for coded in vectors {
        components.clear();
        components.extend(coded.components.iter().map(|&component| component as u8));
        let Coded { row, owner, facets, scale, .. } = coded;
        columns.add(Record { row, owner, facets, scale }, &components);
    }
    columns.finish()
}

pub(super) fn merge(parts: &[&MeaningSegment], keep: &dyn Fn(u64, u64) -> bool) -> Vec<u8> {
    let mut columns = Columns::default();
    for part in parts {
        for slot in 0..part.len() {
            let record = part.record(slot);
            if keep(record.row, record.owner) {
                columns.add(record, part.components(slot));
            }
        }
    }
    columns.finish()
}
