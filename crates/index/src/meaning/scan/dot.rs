//! The exact score: floating-point query times whole-number components.
// Unsafe only to call code compiled for instructions whose presence has just been asked for.
#![allow(unsafe_code)]

/// Partial sums kept apart, so that they can be added side by side. As their number is fixed and
/// no step is fused, all processors come to the same result.
const APART: usize = 32;

pub(in crate::meaning) fn dot(query: &[f32], components: &[u8]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY, both: the processor has the instructions.
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
            return unsafe { dot_avx512(query, components) };
        }
        if is_x86_feature_detected!("avx2") {
            return unsafe { dot_avx2(query, components) };
        }
    }
    dot_apart(query, components)
}

/// The same lines, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_avx2(query: &[f32], components: &[u8]) -> f32 {
    dot_apart(query, components)
}

/// And for the widest.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn dot_avx512(query: &[f32], components: &[u8]) -> f32 {
    dot_apart(query, components)
}

#[inline(always)]
fn dot_apart(query: &[f32], components: &[u8]) -> f32 {
    let mut sums = [0f32; APART];
    let (query, query_rest) = query.as_chunks::<APART>();
    let (components, components_rest) = components.as_chunks::<APART>();
    for (query, components) in query.iter().zip(components) {
        for at in 0..APART {
            sums[at] += query[at] * f32::from(components[at] as i8);
        }
    }
    for ((sum, query), &component) in sums.iter_mut().zip(query_rest).zip(components_rest) {
        *sum += query * f32::from(component as i8);
    }
    // Halves onto each other: one after the other they would wait for one another.
    let mut half = APART / 2;
    while half > 0 {
        for at in 0..half {
            sums[at] += sums[at + half];
        }
        half /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processors_agree_to_the_last_bit() {
        for dimensions in [0, 1, 8, 31, 32, 40, 384, 1000] {
            let query: Vec<f32> = (0..dimensions).map(|at| (at as f32 * 1.7).sin()).collect();
            let components: Vec<u8> = (0..dimensions).map(|at| (at * 91 + 7) as u8).collect();
            let expected = dot_apart(&query, &components);
            assert_eq!(dot(&query, &components).to_bits(), expected.to_bits(), "{dimensions}");
        }
    }
}
