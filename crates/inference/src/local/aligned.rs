//! Numbers that begin where a cache line does: a register that is loaded across two lines costs
//! two loads, and a tile of sixteen such rows three times as long as one of whole lines.

use std::ops::{Deref, DerefMut};

/// What processors fetch at once, in bytes.
const LINE: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Aligned<T> {
    room: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// What the numbers are afterwards is left open: whoever resizes writes all of them.
    pub(crate) fn resize(&mut self, length: usize) {
        let room = length + LINE / size_of::<T>();
        if self.room.len() < room {
            self.room.resize(room, T::default());
        }
        // `align_offset` may say that it does not know; that costs time and is not wrong.
        let start = self.room.as_ptr().align_offset(LINE);
        self.start = if start <= LINE / size_of::<T>() { start } else { 0 };
        self.length = length;
    }

    /// Keeps the first numbers.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.room[self.start..self.start + self.length]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.room[self.start..self.start + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_with_a_line_whatever_its_size() {
        let mut codes = Aligned::<i8>::default();
        for length in [1, 64, 5_000, 70, 1_000_000] {
            codes.resize(length);
            codes.fill(1);
            assert_eq!((codes.as_ptr() as usize % LINE, codes.len()), (0, length));
        }
        codes.truncate(7);
        assert_eq!(&codes[..], [1; 7]);
    }
}
