//! The arithmetic of the encoder, on whatever this processor does best.
//!
//! Every path gives the same bits: whole numbers are summed exactly, numbers with a fraction in
//! one fixed order, and a product that is added is either rounded everywhere before that or
//! nowhere (see [`fused`]). A vector therefore does not depend on the machine that made it.

// Calling code for a processor's extensions is unsafe until someone has looked whether it has
// them. `Kernel` is the proof that someone has.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod amx;
mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512vnni;
#[cfg(target_arch = "x86_64")]
mod avxvnni;
mod curves;
mod fused;
mod norm;
mod portable;
mod quantised;

use std::fmt;

use super::packed::Linear;
pub(crate) use attention::{Heads, Span};
#[cfg(target_arch = "x86_64")]
use fused::ByInstruction;
pub(crate) use quantised::Quantised;

/// A way of computing that this processor knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Path);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2 but for the product of whole numbers.
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-512 but for the product of whole numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// The same.
    #[cfg(target_arch = "x86_64")]
    Amx,
}

impl Kernel {
    /// Every way that works here, the slowest first.
    pub fn all() -> Vec<Kernel> {
        #[allow(unused_mut)]
        let mut all = vec![Kernel(Path::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            let has_fused = is_x86_feature_detected!("fma");
            if has_fused && is_x86_feature_detected!("avx2") {
                all.push(Kernel(Path::Avx2));
                if is_x86_feature_detected!("avxvnni") {
                    all.push(Kernel(Path::AvxVnni));
                }
            }
            if has_fused
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                all.push(Kernel(Path::Avx512));
                if is_x86_feature_detected!("avx512vnni") {
                    all.push(Kernel(Path::Avx512Vnni));
                }
                if amx::granted() {
                    all.push(Kernel(Path::Amx));
                }
            }
        }
        all
    }

    pub fn best() -> Kernel {
        Kernel::all().pop().unwrap_or(Kernel(Path::Portable))
    }

    /// `output = input × weights + bias`, row by row.
    pub(crate) fn multiply(self, input: &Quantised, weights: &Linear<'_>, output: &mut [f32]) {
        input.check(weights, output.len());
        match self.0 {
            Path::Portable => portable::multiply(input, weights, output),
            // SAFETY: the kernel exists, so the processor has these extensions; the sizes were
            // checked above.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => unsafe { avx2::multiply(input, weights, output) },
            #[cfg(target_arch = "x86_64")]
            Path::AvxVnni => unsafe { avxvnni::multiply(input, weights, output) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => unsafe { avx512::multiply(input, weights, output) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx512Vnni => unsafe { avx512vnni::multiply(input, weights, output) },
            #[cfg(target_arch = "x86_64")]
            Path::Amx => unsafe { amx::multiply(input, weights, output) },
        }
    }

    /// What the asking rows of a text take from all its rows.
    pub(crate) fn attend(self, heads: &Heads<'_>, text: Span<'_>, output: &mut [f32]) {
        match self.0 {
            Path::Portable => attention::attend::<portable::Plain, 4>(heads, text, output),
            // SAFETY: the kernel exists, so the processor has these extensions.
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 | Path::AvxVnni => unsafe { avx2::attend(heads, text, output) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 | Path::Avx512Vnni | Path::Amx => unsafe {
                avx512::attend(heads, text, output)
            },
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Compiles a plain loop once for each path, so that the compiler may use wide registers.
macro_rules! on_each_path {
    ($(#[$doc:meta])* $module:ident::$name:ident($($argument:ident: $kind:ty),* $(,)?)) => {
        impl Kernel {
            $(#[$doc])*
            pub(crate) fn $name(self, $($argument: $kind),*) {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($argument: $kind),*) {
                    $module::$name::<ByInstruction>($($argument),*)
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
                fn avx512($($argument: $kind),*) {
                    $module::$name::<ByInstruction>($($argument),*)
                }
                match self.0 {
                    Path::Portable => $module::$name::<portable::Adding>($($argument),*),
                    // SAFETY: the kernel exists, so the processor has these extensions.
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx2 | Path::AvxVnni => unsafe { avx2($($argument),*) },
                    #[cfg(target_arch = "x86_64")]
                    Path::Avx512 | Path::Avx512Vnni | Path::Amx => unsafe {
                        avx512($($argument),*)
                    },
                }
            }
        }
    };
}

on_each_path! {
    /// Rounds rows of the given width to whole numbers, group by group.
    quantised::quantise(rows: &[f32], width: usize, into: &mut Quantised)
}
on_each_path! {
    /// The same after the activation function of the feed-forward layer, which changes `rows`.
    quantised::gelu_and_quantise(
        rows: &mut [f32], width: usize, into: &mut Quantised,
    )
}
on_each_path! {
    /// `rows = norm(rows + added)`, each row by itself; `norm` holds gains, then offsets.
    norm::add_and_norm(
        rows: &mut [f32], added: &[f32], norm: &[f32], epsilon: f32,
    )
}
/// How many sums are kept side by side; one fixed number, for the order of adding must not
/// depend on the width of registers.
const LANES: usize = 16;

/// The lanes brought together, in an order that halves.
#[inline(always)]
fn fold(mut lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = join(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Unlike `f32::max` one instruction, as it does not care which of the two is no number.
#[inline(always)]
fn greater(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

#[inline(always)]
fn sum(one: f32, other: f32) -> f32 {
    one + other
}

#[cfg(test)]
mod tests;
