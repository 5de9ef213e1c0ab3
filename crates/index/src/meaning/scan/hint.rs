//! Asking memory for what will be read soon. Candidates lie all over a segment: whoever waits for
//! each in turn waits longer than it takes to compare them.
// Unsafe only to call an instruction that every x86-64 processor has.
#![allow(unsafe_code)]

/// What processors fetch at once, in bytes.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// A hint, and no more: nothing depends on it.
#[inline]
pub(in crate::meaning) fn will_read(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is always there, and reads nothing that can be seen.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}
