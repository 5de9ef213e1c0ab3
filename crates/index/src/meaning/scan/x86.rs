//! The scan with byte shuffles: one instruction looks up 64 (AVX-512) or 32 (AVX2) patterns.
// Unsafe for two reasons only: calling code compiled for instructions whose presence has just been
// asked for, and loading from slices whose length the loop's bounds guarantee.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Scan, portable};
use crate::meaning::codes::LANES;

/// How many bytes ahead to ask memory for. The processor does so by itself, but stops at the end
/// of each page; asking saves a quarter of the time of a scan that does not fit into its caches.
const AHEAD: usize = 3072;

pub(super) fn next_promising(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> Option<usize> {
    if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: the processor has the instructions.
        return unsafe { with_avx512(scan, block, threshold, estimates) };
    }
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the instructions.
        return unsafe { with_avx2(scan, block, threshold, estimates) };
    }
    portable::next_promising(scan, block, threshold, estimates)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
fn with_avx512(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> Option<usize> {
    portable::walk(scan, block, threshold, estimates, |patterns, tables| {
        sums_avx512(patterns, tables)
    })
}

#[target_feature(enable = "avx2")]
fn with_avx2(
    scan: &Scan<'_>,
    block: usize,
    threshold: f32,
    estimates: &mut [f32; LANES],
) -> Option<usize> {
    portable::walk(scan, block, threshold, estimates, |patterns, tables| {
        sums_avx2(patterns, tables)
    })
}

/// Looked-up bytes are added in pairs as 16-bit numbers: `both` gathers even + 256 · odd, `odd` the
/// odd ones alone. Subtracting at the end parts them; overflow on the way cancels out.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
fn sums_avx512(patterns: &[u8], tables: &[u8]) -> [u16; LANES] {
    let low_half = _mm512_set1_epi8(15);
    let mut both = [_mm512_setzero_si512(); 2];
    let mut odd = [_mm512_setzero_si512(); 2];
    for (patterns, table) in patterns.as_chunks::<64>().0.iter().zip(tables.as_chunks::<64>().0) {
        // A hint may point anywhere, also behind the end.
        _mm_prefetch::<_MM_HINT_T0>(patterns.as_ptr().wrapping_add(AHEAD).cast());
        // SAFETY: both are 64 bytes long.
        let (patterns, table) = unsafe {
            (
                _mm512_loadu_si512(patterns.as_ptr().cast()),
                _mm512_loadu_si512(table.as_ptr().cast()),
            )
        };
        let halves = [
            _mm512_and_si512(patterns, low_half),
            _mm512_and_si512(_mm512_srli_epi16::<4>(patterns), low_half),
        ];
        for half in 0..2 {
            let found = _mm512_shuffle_epi8(table, halves[half]);
            both[half] = _mm512_add_epi16(both[half], found);
            odd[half] = _mm512_add_epi16(odd[half], _mm512_srli_epi16::<8>(found));
        }
    }
    let mut sums = [0; LANES];
    for (half, sums) in sums.chunks_exact_mut(16).enumerate() {
        let fold = |all: __m512i| {
            let front = _mm512_castsi512_si256(all);
            _mm256_add_epi16(front, _mm512_extracti64x4_epi64::<1>(all))
        };
        let pair = (fold(both[half]), fold(odd[half]));
        put_in_order(pair, sums);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn sums_avx2(patterns: &[u8], tables: &[u8]) -> [u16; LANES] {
    let low_half = _mm256_set1_epi8(15);
    let mut both = [_mm256_setzero_si256(); 2];
    let mut odd = [_mm256_setzero_si256(); 2];
    for (patterns, table) in patterns.as_chunks::<32>().0.iter().zip(tables.as_chunks::<32>().0) {
        _mm_prefetch::<_MM_HINT_T0>(patterns.as_ptr().wrapping_add(AHEAD).cast());
        // SAFETY: both are 32 bytes long.
        let (patterns, table) = unsafe {
            (
                _mm256_loadu_si256(patterns.as_ptr().cast()),
                _mm256_loadu_si256(table.as_ptr().cast()),
            )
        };
        let halves = [
            _mm256_and_si256(patterns, low_half),
            _mm256_and_si256(_mm256_srli_epi16::<4>(patterns), low_half),
        ];
        for half in 0..2 {
            let found = _mm256_shuffle_epi8(table, halves[half]);
            both[half] = _mm256_add_epi16(both[half], found);
            odd[half] = _mm256_add_epi16(odd[half], _mm256_srli_epi16::<8>(found));
        }
    }
    let mut sums = [0; LANES];
    for (half, sums) in sums.chunks_exact_mut(16).enumerate() {
        put_in_order((both[half], odd[half]), sums);
    }
    sums
}

/// Parts what was added in pairs and writes the sums of sixteen vectors in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn put_in_order((both, odd): (__m256i, __m256i), sums: &mut [u16]) {
    let fold = |all: __m256i| {
        _mm_add_epi16(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all))
    };
    let (both, odd) = (fold(both), fold(odd));
    let even = _mm_sub_epi16(both, _mm_slli_epi16::<8>(odd));
    let (front, back) = sums.split_at_mut(8);
    store(front, _mm_unpacklo_epi16(even, odd));
    store(back, _mm_unpackhi_epi16(even, odd));
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(sums: &mut [u16], values: __m128i) {
    assert_eq!(sums.len(), 8);
    // SAFETY: eight numbers of 16 bits are the 16 bytes written.
    unsafe { _mm_storeu_si128(sums.as_mut_ptr().cast(), values) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_scans_come_to_the_same_sums(
            groups in (1usize..=256).prop_map(|fours| fours * 4),
            seed in any::<u64>(),
        ) {
            let highest = (65535 / groups).min(255) as u64;
            let mut state = seed | 1;
            let mut next = move || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state >> 11
            };
            let patterns: Vec<u8> = (0..groups * 16).map(|_| next() as u8).collect();
            let tables: Vec<u8> = (0..groups * 16).map(|_| (next() % (highest + 1)) as u8).collect();
            let expected = portable::sums(&patterns, &tables);
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the instructions.
                prop_assert_eq!(unsafe { sums_avx2(&patterns, &tables) }, expected);
            }
            if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
                // SAFETY: the processor has the instructions.
                prop_assert_eq!(unsafe { sums_avx512(&patterns, &tables) }, expected);
            }
        }
    }
}
