//! BM25: what one occurrence of a term is worth.

/// How fast repetition saturates (`k1`) and how much a long document is discounted (`b`, 0 to 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    pub k1: f32,
    pub b: f32,
}

impl Default for Bm25 {
    /// The values that most engines start from.
    fn default() -> Bm25 {
        Bm25 { k1: 1.2, b: 0.75 }
    }
}

/// `ln(1 + (N - df + 0.5) / (df + 0.5))`: never negative, even for a term in every document.
pub(super) fn rarity(documents: u64, document_frequency: u64) -> f32 {
    let (documents, frequency) = (documents as f64, document_frequency as f64);
    ((documents - frequency + 0.5).max(0.0) / (frequency + 0.5)).ln_1p() as f32
}

/// The part of the formula that all terms share.
///
/// Every step of it is monotone also when rounded: a higher frequency or a shorter document never
/// scores less. So the formula at a block's ceiling bounds all its postings, to the last bit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formula {
    saturation: f32,
    base: f32,
    per_term: f32,
}

impl Formula {
    pub(super) fn new(bm25: Bm25, average_length: f32) -> Formula {
        let average = if average_length > 0.0 { average_length } else { 1.0 };
        Formula {
            saturation: bm25.k1 + 1.0,
            base: bm25.k1 * (1.0 - bm25.b),
            per_term: bm25.k1 * bm25.b / average,
        }
    }

    /// What a term's occurrence approaches as it repeats: rarity, weight and saturation.
    pub(super) fn top(&self, rarity: f32, weight: f32) -> f32 {
        rarity * weight * self.saturation
    }

    #[inline(always)]
    pub(super) fn part(&self, top: f32, frequency: u32, length: u32) -> f32 {
        let discount = self.base + self.per_term * length as f32;
        top / (1.0 + discount / frequency as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_terms_are_worth_more() {
        assert!(rarity(100, 1) > rarity(100, 50));
        assert!(rarity(100, 100) > 0.0);
        assert_eq!(rarity(1, 5), 0.0, "statistics of a damaged file");
    }

    #[test]
    fn repetition_and_brevity_raise_a_part() {
        let formula = Formula::new(Bm25::default(), 10.0);
        let part = |frequency, length| formula.part(1.0, frequency, length);
        assert!(part(2, 10) > part(1, 10));
        assert!(part(1, 5) > part(1, 10));
        assert!((part(1, 10) - 1.0 / 2.2).abs() < 1e-6);
        assert_eq!(part(0, 10), 0.0);
    }
}
