//! `a × b + c` rounded once, to the same bits on every processor.

/// How a processor comes to it.
pub(super) trait Fused {
    fn fused(a: f32, b: f32, c: f32) -> f32;
}

/// By one instruction. Only for code that is compiled for processors that have it: elsewhere the
/// compiler makes a call of it, a slow one.
#[derive(Debug)]
pub(super) struct ByInstruction;

impl Fused for ByInstruction {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// By steps with twice as many digits, in which the product is exact.
#[derive(Debug)]
pub(super) struct BySteps;

impl Fused for BySteps {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
        let sum = product + c;
        let added = sum - product;
        let lost = (product - (sum - added)) + (c - added);
        // Rounding what was rounded goes wrong where the first rounding ended half-way between two
        // results. So it ends at an odd digit wherever it lost something: never half-way.
        let bits = sum.to_bits();
        let step = if (lost > 0.0) == (sum > 0.0) { 1 } else { u64::MAX };
        let is_to_move = lost.abs() > 0.0 && bits & 1 == 0;
        f64::from_bits(bits.wrapping_add(if is_to_move { step } else { 0 })) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn agree(a: f32, b: f32, c: f32) {
        let (found, expected) = (BySteps::fused(a, b, c), ByInstruction::fused(a, b, c));
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{a} × {b} + {c}: {found} is not {expected}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn steps_come_to_the_same(a: f32, b: f32, c: f32) {
            agree(a, b, c);
        }

        /// Sums in which much cancels, and ties.
        #[test]
        fn steps_come_to_the_same_where_it_is_close(a: f32, b in -3_i8..4, bits in 0_u32..24, c: i8) {
            let b = 1.0 + f32::from(b) / 4.0;
            let near = -a * b;
            agree(a, b, near);
            agree(a, b, f32::from_bits(near.to_bits() ^ 1 << bits));
            agree(a, b, near * f32::from(c) * 2_f32.powi(-(bits as i32)));
        }
    }

    #[test]
    fn a_tie_is_not_rounded_twice() {
        // 1 + 2^-24 is half-way between two results, and 2^-60 decides.
        let small = 2_f32.powi(-60);
        agree(1.0 + f32::EPSILON, 1.0 - f32::EPSILON / 2.0, small);
        agree(small, 1.0, 1.0 + f32::EPSILON / 2.0);
        for odd in [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, 1e-44]
        {
            agree(odd, 1.5, 2.0);
            agree(1.5, 2.0, odd);
            agree(odd, odd, -odd);
        }
    }
}
