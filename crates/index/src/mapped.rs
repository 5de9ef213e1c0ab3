//! The bytes of a segment, in memory or mapped from a file.
// Mapping a file is unsafe since someone could shrink or change it under the reader. Segments are
// published by rename and never written again; removing one leaves its mapping intact. A process
// that breaks this rule can spoil answers, and no reader trusts what it reads for memory safety.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::Error;

pub(crate) enum Bytes {
    Held(Vec<u8>),
    Mapped(Mmap),
}

impl Bytes {
    pub(crate) fn map(path: &Path) -> Result<Bytes, Error> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        // SAFETY: see the head of this file.
        let mapping = unsafe { Mmap::map(&file) }.map_err(Error::io("map", path))?;
        Ok(Bytes::Mapped(mapping))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Held(bytes) => bytes,
            Bytes::Mapped(mapping) => mapping,
        }
    }
}
