//! Dividing vectors into cells of near neighbours, so that a scan can pass by those that are far
//! from the query.
//!
//! Means are moved to the middle of what is nearest to them, a few times over (k-means), in two
//! steps: a few wide cells, then narrow ones within each. Whoever divides the same vectors comes
//! to the same cells.

use super::vectors::Vectors;

/// Below this a scan of all takes no longer than choosing where to look.
const DIVIDED_FROM: usize = 16_384;
/// Vectors of a cell, more or less: few enough to lie close together, and enough to fill blocks.
const IN_A_CELL: usize = 256;
/// Choosing among more would take as long as scanning.
const MOST_CELLS: usize = 2048;
/// Vectors of each cell that means are learnt from. More do not make better cells.
const LEARNT_FROM: usize = 32;
const ROUNDS: usize = 5;

/// The slots of each cell, ascending; no cell is empty. `None` where dividing does not pay.
pub(super) fn divide(vectors: Vectors<'_>) -> Option<Vec<Vec<u32>>> {
    if vectors.len() < DIVIDED_FROM {
        return None;
    }
    let count = (vectors.len() / IN_A_CELL).min(MOST_CELLS);
    let all: Vec<u32> = (0..vectors.len() as u32).collect();
    // Odd, for vectors of a memory stand in a row: an even step might see only the first of each.
    let step = (vectors.len() / (count * LEARNT_FROM)) | 1;
    let sample: Vec<u32> = all.iter().copied().step_by(step).collect();
    let wide = means(vectors, &sample, count.isqrt());
    let samples = parted(vectors, &sample, &wide);
    let parts = parted(vectors, &all, &wide);
    let narrow = samples.iter().zip(&parts).flat_map(|(own, part)| {
        let share = (count * own.len()).div_ceil(sample.len());
        parted(vectors, part, &means(vectors, own, share))
    });
    Some(narrow.filter(|cell| !cell.is_empty()).collect())
}

/// The middle of a cell.
struct Mean {
    place: Vec<f32>,
    /// Half the square of its length: of two means that a vector reaches along equally far, the
    /// shorter one is nearer.
    half_square: f32,
}

impl Mean {
    fn at(place: Vec<f32>) -> Mean {
        let half_square = place.iter().map(|component| component * component).sum::<f32>() / 2.0;
        Mean { place, half_square }
    }
}

/// At least one, and no more than there are slots.
fn means(vectors: Vectors<'_>, slots: &[u32], count: usize) -> Vec<Mean> {
    let count = count.min(slots.len()).max(1);
    let start = |nth: usize| slots[nth * slots.len() / count..].iter().copied().take(1);
    let mut means: Vec<Mean> = (0..count).map(|nth| Mean::at(vectors.mean(start(nth)))).collect();
    for _ in 0..ROUNDS {
        let parts = parted(vectors, slots, &means);
        for (mean, part) in means.iter_mut().zip(parts) {
            if !part.is_empty() {
                *mean = Mean::at(vectors.mean(part.into_iter()));
            }
        }
    }
    means
}

/// The slots that are nearest to each mean.
fn parted(vectors: Vectors<'_>, slots: &[u32], means: &[Mean]) -> Vec<Vec<u32>> {
    let mut parts = vec![Vec::new(); means.len()];
    for &slot in slots {
        let nearness = means.iter().map(|mean| vectors.along(slot, &mean.place) - mean.half_square);
        let nearest = nearness.enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        if let Some((nearest, _)) = nearest {
            parts[nearest].push(slot);
        }
    }
    parts
}
