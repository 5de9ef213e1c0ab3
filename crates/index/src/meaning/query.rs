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
    let (step, steps) = (widest / highest, highest / widest);
    let mut entries = vec![0; groups * 16];
    let mut lowest = 0.0;
    for (group, table) in residual.chunks(4).zip(entries.chunks_mut(16)) {
        lowest -= spread(group);
        // From no positive sign on, each further dimension doubles the patterns that are known.
        let mut above = [0.0; 16];
        for at in 0..4 {
            let component = group.get(at).copied().unwrap_or_default();
            for pattern in 0..1 << at {
                above[pattern | 1 << at] = above[pattern] + 2.0 * component;
            }
        }
        let least = group.iter().map(|component| component.min(0.0)).sum::<f32>() * 2.0;
        for (entry, above) in table.iter_mut().zip(above) {
            // At least zero: adding a half and cutting off rounds to the nearest.
            *entry = ((above - least) * steps + 0.5).min(highest) as u8;
        }
    }
    Tables { entries, step, lowest, along_mean }
}
