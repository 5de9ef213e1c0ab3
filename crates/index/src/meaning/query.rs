//! A query made ready: of unit length, rotated as stored vectors are, and as tables for the codes
//! of one segment.

use super::codes::groups;
use super::rotate::rotated;
use super::scan::Tables;
use super::segment::MeaningSegment;
use crate::frame::f32_at;

pub(super) struct Query {
    pub(super) unit: Vec<f32>,
}

impl Query {
    pub(super) fn new(query: &[f32]) -> Query {
        let length = query.iter().map(|component| component * component).sum::<f32>().sqrt();
        let factor = if length.is_normal() { 1.0 / length } else { 0.0 };
        Query { unit: rotated(query.iter().map(|component| component * factor).collect()) }
    }

    /// The look-up tables of a segment that has codes for vectors as long as the query.
    pub(super) fn tables(&self, segment: &MeaningSegment) -> Tables {
        let mean = segment.mean();
        let mean: Vec<f32> = (0..self.unit.len()).map(|at| f32_at(mean, at)).collect();
        let along_mean = self.unit.iter().zip(&mean).map(|(query, mean)| query * mean).sum();
        let residual: Vec<f32> =
            self.unit.iter().zip(&mean).map(|(query, mean)| query - mean).collect();
        tables(&residual, along_mean)
    }
}

/// For each group of four dimensions the sum under each pattern of signs, in steps above the
/// lowest; the step is common to all, so that whole numbers can be added.
fn tables(residual: &[f32], along_mean: f32) -> Tables {
    let groups = groups(residual.len());
    // The sum over all groups must fit into 16 bits.
    let highest = (usize::from(u16::MAX) / groups).min(255) as f32;
    let spread = |group: &[f32]| group.iter().map(|component| component.abs()).sum::<f32>();
    let widest = residual.chunks(4).map(spread).fold(f32::MIN_POSITIVE, f32::max) * 2.0;
    let step = widest / highest;
    let mut entries = vec![0; groups * 16];
    let mut lowest = 0.0;
    for (group, table) in residual.chunks(4).zip(entries.chunks_mut(16)) {
        lowest -= spread(group);
        for (pattern, entry) in table.iter_mut().enumerate() {
            let positive = group.iter().enumerate().filter(|(at, _)| pattern >> at & 1 == 1);
            let negative = group.iter().enumerate().filter(|(at, _)| pattern >> at & 1 == 0);
            let sum = positive.map(|(_, component)| component).sum::<f32>()
                - negative.map(|(_, component)| component).sum::<f32>();
            *entry = ((sum + spread(group)) / step).round().clamp(0.0, highest) as u8;
        }
    }
    Tables { entries, step, lowest, along_mean }
}
