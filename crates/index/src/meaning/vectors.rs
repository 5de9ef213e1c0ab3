//! Stored vectors side by side, as they are measured when a segment is built.

use super::scan::dot;
use super::segment::Record;

/// Vectors by slot, each with its record.
#[derive(Clone, Copy)]
pub(super) struct Vectors<'a> {
    pub(super) records: &'a [Record],
    /// Of all vectors, one after the other.
    pub(super) components: &'a [u8],
    pub(super) dimensions: usize,
}

impl Vectors<'_> {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    fn of(&self, slot: u32) -> (&[u8], f32) {
        let start = slot as usize * self.dimensions;
        let components = &self.components[start..start + self.dimensions];
        (components, self.records[slot as usize].scale)
    }

    /// How far a vector reaches along another.
    pub(super) fn along(&self, slot: u32, other: &[f32]) -> f32 {
        let (components, scale) = self.of(slot);
        dot(other, components) * scale
    }

    pub(super) fn read(&self, slot: u32, into: &mut [f32]) {
        let (components, scale) = self.of(slot);
        for (into, component) in into.iter_mut().zip(components) {
            *into = f32::from(*component as i8) * scale;
        }
    }

    /// Of no vectors at all it is nowhere.
    pub(super) fn mean(&self, slots: impl ExactSizeIterator<Item = u32>) -> Vec<f32> {
        let count = slots.len().max(1) as f64;
        let mut sum = vec![0f64; self.dimensions];
        for slot in slots {
            let (components, scale) = self.of(slot);
            for (sum, component) in sum.iter_mut().zip(components) {
                *sum += f64::from(*component as i8) * f64::from(scale);
            }
        }
        sum.iter().map(|sum| (sum / count) as f32).collect()
    }
}
