//! `exp` and GELU without branches, so that loops over them become vector instructions.

use super::fused::Fused;

/// Adding this leaves only whole numbers in an f32's fraction: 1.5 × 2^23. It rounds to nearest,
/// ties to even, for anything up to ±2^22.
pub(super) const ROUNDER: f32 = 12_582_912.0;

/// e to the power of `x`, for `x` of at most zero; relative error below 3e-7.
#[inline(always)]
pub(super) fn exp_of_negative<F: Fused>(x: f32) -> f32 {
    // Below this the result has no normal f32. Nobody misses 1e-38.
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = F::fused(x, std::f32::consts::LOG2_E, ROUNDER);
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, so that the product with a small whole number is exact.
    let r = F::fused(whole, 2.121_944_4e-4, F::fused(whole, -0.693_359_4, x));
    let mut sum = 1.0 / 720.0;
    sum = F::fused(sum, r, 1.0 / 120.0);
    sum = F::fused(sum, r, 1.0 / 24.0);
    sum = F::fused(sum, r, 1.0 / 6.0);
    sum = F::fused(sum, r, 0.5);
    sum = F::fused(sum, r, 1.0);
    sum = F::fused(sum, r, 1.0);
    // The low bits of `shifted` are the whole number: moved into the exponent, they double.
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    sum * power
}

/// `x` times the share of a normal distribution below `x`.
///
/// The error function is Abramowitz and Stegun 7.1.26: absolute error below 1.5e-7.
#[inline(always)]
pub(super) fn gelu<F: Fused>(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / F::fused(size, 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2, 1.0);
    let mut sum = 1.061_405_4;
    sum = F::fused(sum, t, -1.453_152);
    sum = F::fused(sum, t, 1.421_413_7);
    sum = F::fused(sum, t, -0.284_496_74);
    sum = F::fused(sum, t, 0.254_829_6);
    // Half of 1 - erf: what lies beyond `size` on one side.
    let tail = 0.5 * sum * t * exp_of_negative::<F>(-0.5 * x * x);
    let share = if x < 0.0 { tail } else { 1.0 - tail };
    x * share
}

#[cfg(test)]
mod tests {
    use super::super::fused::BySteps;
    use super::*;

    #[test]
    fn exp_is_close() {
        for step in 0..=8_700 {
            let x = -(step as f32) / 100.0;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp_of_negative::<BySteps>(x)) - exact).abs() / exact;
            assert!(error < 3e-7, "{x}: {error}");
        }
        assert!(exp_of_negative::<BySteps>(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn gelu_is_close() {
        // Known values of x · Φ(x).
        for (x, expected) in [
            (0.0, 0.0),
            (1.0, 0.841_344_8),
            (-1.0, -0.158_655_25),
            (2.0, 1.954_499_7),
            (-2.0, -0.045_500_26),
            (0.5, 0.345_731_23),
            (-3.0, -0.004_049_69),
            (8.0, 8.0),
            (-12.0, 0.0),
        ] {
            let found = gelu::<BySteps>(x);
            assert!((found - expected).abs() < 1e-6, "{x}: {found}");
        }
    }
}
