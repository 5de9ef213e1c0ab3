//! From coded vectors to the bytes of a segment, and from several segments to one.

use super::Coded;
use super::codes::{CodesWriter, can_code};
use super::segment::{MeaningSegment, Record};
use crate::frame::{Kind, assemble};

/// Below this comparing all vectors exactly is as quick as a scan, and building costs nothing.
const CODES_FROM: usize = 2000;

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
        let (mean, codes) = match self.records.len() >= CODES_FROM && can_code(dimensions) {
            true => self.code(dimensions),
            false => (Vec::new(), Vec::new()),
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
                &mean.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>(),
                &codes,
            ],
        )
    }

    /// The mean and the codes of all vectors relative to it.
    fn code(&self, dimensions: usize) -> (Vec<f32>, Vec<u8>) {
        let mean = self.mean(dimensions);
        let mut writer = CodesWriter::new(dimensions, self.records.len());
        let mut residual = vec![0.0; dimensions];
        for (slot, record) in self.records.iter().enumerate() {
            for (at, component) in residual.iter_mut().zip(self.vector(slot, dimensions)) {
                *at = f32::from(*component as i8) * record.scale;
            }
            let mut shift = 0.0;
            for (at, mean) in residual.iter_mut().zip(&mean) {
                *at -= mean;
                shift += *at * mean;
            }
            writer.add(&residual, shift);
        }
        (mean, writer.finish())
    }

    fn vector(&self, slot: usize, dimensions: usize) -> &[u8] {
        &self.components[slot * dimensions..(slot + 1) * dimensions]
    }

    fn mean(&self, dimensions: usize) -> Vec<f32> {
        let mut sum = vec![0f64; dimensions];
        for (slot, record) in self.records.iter().enumerate() {
            for (sum, component) in sum.iter_mut().zip(self.vector(slot, dimensions)) {
                *sum += f64::from(*component as i8) * f64::from(record.scale);
            }
        }
        sum.iter().map(|sum| (sum / self.records.len() as f64) as f32).collect()
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
