//! Random numbers that are the same in every run.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() >> 11) as usize % limit
    }

    /// From zero up to one.
    pub(crate) fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal: the sum of four of 16 bits, brought to mean zero and spread one.
    pub(crate) fn normal(&mut self) -> f32 {
        let bits = self.bits();
        let sum: u64 = (0..4).map(|at| bits >> (16 * at) & 0xffff).sum();
        (sum as f32 / 65536.0 - 2.0) * 3f32.sqrt()
    }
}
