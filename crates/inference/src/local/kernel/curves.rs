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

/// Beyond this the share of a normal distribution counts as all or nothing.
const FAR: f32 = 4.2;

/// What the share of a normal distribution is above one half, divided by `x`: the factors of the
/// even powers of `x`, the highest first. Fitted for the least error of `x` times the share up to
/// [`FAR`].
const SHARE: [f32; 9] = [
    4.866_040_6e-11,
    -4.753_020_6e-9,
    2.059_458_7e-7,
    -5.268_326_7e-6,
    8.963_635_6e-5,
    -1.085_375e-3,
    9.737_715e-3,
    -6.621_749e-2,
    3.988_323_8e-1,
];

/// `x` times the share of a normal distribution below `x`: absolute error below 3e-5, which is a
/// thousandth of what rounding to whole numbers takes afterwards; and no division.
#[inline(always)]
pub(super) fn gelu<F: Fused>(x: f32) -> f32 {
    let near = if x > -FAR { x } else { -FAR };
    let near = if near < FAR { near } else { FAR };
    let square = near * near;
    let mut sum = SHARE[0];
    for factor in &SHARE[1..] {
        sum = F::fused(sum, square, *factor);
    }
    x * F::fused(sum, near, 0.5)
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
            // Beyond where the share ends, what it lacks grows with `x`.
            let most = 3e-5_f32.max(1.5e-5 * x.abs());
            assert!((found - expected).abs() < most, "{x}: {found}");
        }
    }
}
