//! What a text is about, part by part.

use super::add::dot;

/// The parts of a text as unit vectors, one behind the other.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sketch {
    pub(super) fine: Vec<f32>,
    pub(super) coarse: Vec<f32>,
}

impl Sketch {
    pub(super) fn numbers(&self) -> usize {
        self.fine.len() + self.coarse.len()
    }

    /// The mean of the nearest coarse and the nearest fine part; `None` if there is none.
    pub(super) fn nearness(&self, direction: &[f32]) -> Option<f32> {
        let nearest = |parts: &[f32]| {
            parts.chunks_exact(direction.len()).map(|part| dot(direction, part)).reduce(f32::max)
        };
        Some(nearest(&self.coarse)?.midpoint(nearest(&self.fine)?))
    }
}

/// Adds the vector to the parts, of length 1; one without a length, or with none
/// that is a number, points nowhere and is left out.
pub(super) fn push_unit(parts: &mut Vec<f32>, vector: &[f32]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 && length.is_finite() {
        parts.extend(vector.iter().map(|component| component / length));
    }
}
