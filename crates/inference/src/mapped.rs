//! Bytes that are there without being read: a mapped file, or a part of the program itself.

// A map is a promise about a file that the compiler cannot see, and so is reading its bytes as
// numbers. Both happen only here.
#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::Error;

#[cfg(target_endian = "big")]
compile_error!("packed weights are little-endian and are read in place");

#[derive(Debug)]
pub(crate) enum Bytes {
    Mapped(Mmap),
    Within(&'static [u8]),
    /// Aligned as the allocator likes: for what is made, not read.
    Held(Vec<u8>),
}

impl Bytes {
    pub(crate) fn map(path: &Path) -> Result<Bytes, Error> {
        let unreadable = |cause| Error::Unreadable { path: path.to_owned(), cause };
        let file = File::open(path).map_err(unreadable)?;
        // SAFETY: packed weights are written beside their place and renamed into it, never
        // changed where they lie. Whoever does so all the same gets wrong numbers: every offset
        // that is read was checked against the length at the time of mapping.
        let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        Ok(Bytes::Mapped(map))
    }

    pub(crate) fn all(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Within(bytes) => bytes,
            Bytes::Held(bytes) => bytes,
        }
    }
}

/// Numbers for which every pattern of bits is a value.
pub(crate) trait Plain: Copy + sealed::Sealed {}

mod sealed {
    pub(crate) trait Sealed {}
}

macro_rules! plain {
    ($($number:ty),*) => { $(
        impl sealed::Sealed for $number {}
        impl Plain for $number {}
    )* };
}
plain!(u8, i8, u16, u64, f32);

/// The bytes as numbers; `None` if they are not aligned for them or end amid one.
pub(crate) fn numbers<T: Plain>(bytes: &[u8]) -> Option<&[T]> {
    // SAFETY: any bits are a value of a plain type, and `align_to` minds alignment and bounds.
    let (before, numbers, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(numbers)
}

/// The numbers as bytes, for writing them.
pub(crate) fn bytes<T: Plain>(numbers: &[T]) -> &[u8] {
    // SAFETY: plain types have no padding, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let there = [1.5_f32, -2.0, 0.0];
        assert_eq!(numbers::<f32>(bytes(&there)), Some(&there[..]));
        assert_eq!(numbers::<f32>(&bytes(&there)[..5]), None);
        assert_eq!(numbers::<u16>(&bytes(&there)[1..5]), None);
        assert_eq!(numbers::<u64>(&[]), Some(&[][..]));
    }
}
