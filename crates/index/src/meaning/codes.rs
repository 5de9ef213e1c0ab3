//! One bit for each dimension, laid out in blocks of 32 vectors for table look-ups.
//!
//! A vector `o` is coded relative to the segment's mean `c`: the signs of `r = R(o - c)` for the
//! rotation `R`, and two numbers. `slope = |r|² / Σ|rᵢ|` makes `slope · (signs · u)` an unbiased
//! estimate of `r · u` (RaBitQ); `shift = c · (o - c)` is exact. For a query `q`, `u = R(q - c)`:
//!
//! ```text
//! q · o  =  q · c  +  c · (o - c)  +  (q - c) · (o - c)  ≈  q · c  +  shift  +  slope · (signs · u)
//! ```
//!
//! Four dimensions are a group. A block has 16 bytes for each group (byte `i` holds vector `i` in
//! its low and vector `i + 16` in its high half), then 32 slopes, then 32 shifts.

/// Vectors in a block: what one shuffle of 16 bytes, twice, can look up.
pub(super) const LANES: usize = 32;
const GROUP_BYTES: usize = 16;
const NUMBERS: usize = 2 * LANES * 4;
/// A scan takes up to four groups at once; missing ones are filled with zeros.
const GROUPS_AT_ONCE: usize = 4;

pub(super) fn groups(dimensions: usize) -> usize {
    dimensions.div_ceil(4).next_multiple_of(GROUPS_AT_ONCE)
}

pub(super) fn block_bytes(dimensions: usize) -> usize {
    groups(dimensions) * GROUP_BYTES + NUMBERS
}

/// Whether vectors of these dimensions can be coded; others are compared one by one.
pub(super) fn can_code(dimensions: usize) -> bool {
    dimensions > 0 && dimensions.is_multiple_of(8) && dimensions <= 4096
}

/// Writes blocks, vector after vector.
pub(super) struct CodesWriter {
    groups: usize,
    block_bytes: usize,
    count: usize,
    out: Vec<u8>,
}

impl CodesWriter {
    pub(super) fn new(dimensions: usize, vectors: usize) -> CodesWriter {
        let block_bytes = block_bytes(dimensions);
        let out = Vec::with_capacity(vectors.div_ceil(LANES) * block_bytes);
        CodesWriter { groups: groups(dimensions), block_bytes, count: 0, out }
    }

    /// `residual` is the rotated difference to the mean.
    pub(super) fn add(&mut self, residual: &[f32], shift: f32) {
        let lane = self.count % LANES;
        if lane == 0 {
            self.start_block();
        }
        self.count += 1;
        let start = self.out.len() - self.block_bytes;
        let block = &mut self.out[start..];
        for (group, components) in residual.chunks(4).enumerate() {
            let byte = &mut block[group * GROUP_BYTES + lane % 16];
            *byte |= signs(components) << (lane / 16 * 4);
        }
        let numbers = &mut block[self.groups * GROUP_BYTES..];
        put(numbers, lane, slope(residual));
        put(numbers, LANES + lane, shift);
    }

    /// What comes next begins a block of its own.
    pub(super) fn end_block(&mut self) {
        self.count = self.count.next_multiple_of(LANES);
    }

    /// How many blocks are begun.
    pub(super) fn blocks(&self) -> usize {
        self.count.div_ceil(LANES)
    }

    /// How many places there are in the blocks that are begun, used or not.
    pub(super) fn lanes(&self) -> usize {
        self.blocks() * LANES
    }

    /// Lanes that stay unused must never look like a candidate.
    fn start_block(&mut self) {
        self.out.resize(self.out.len() + self.groups * GROUP_BYTES + LANES * 4, 0);
        for _ in 0..LANES {
            self.out.extend_from_slice(&f32::NEG_INFINITY.to_le_bytes());
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out
    }
}

fn put(numbers: &mut [u8], index: usize, number: f32) {
    numbers[index * 4..index * 4 + 4].copy_from_slice(&number.to_le_bytes());
}

fn signs(components: &[f32]) -> u8 {
    let bits = components.iter().enumerate();
    bits.fold(0, |bits, (at, component)| bits | (u8::from(*component >= 0.0) << at))
}

fn slope(residual: &[f32]) -> f32 {
    let squares: f32 = residual.iter().map(|component| component * component).sum();
    let sum: f32 = residual.iter().map(|component| component.abs()).sum();
    if sum > 0.0 { squares / sum } else { 0.0 }
}
