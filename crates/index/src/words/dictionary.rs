//! The terms of a segment in byte order, each with where its list lies.

use std::cmp::Ordering;

use crate::frame::{u32_at, u64_at};

/// Where the list of a term lies and how many documents it names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) count: u32,
    pub(super) offset: u64,
}

const ENTRY: usize = 16;

/// Takes terms in ascending order.
#[derive(Default)]
pub(super) struct DictionaryWriter {
    pub(super) entries: Vec<u8>,
    pub(super) text: Vec<u8>,
}

impl DictionaryWriter {
    /// A term beyond 4 GiB of distinct text is left out: only damaged parts lead there.
    pub(super) fn add(&mut self, term: &[u8], entry: Entry) {
        let Ok(end) = u32::try_from(self.text.len() + term.len()) else { return };
        self.text.extend_from_slice(term);
        self.entries.extend_from_slice(&end.to_le_bytes());
        self.entries.extend_from_slice(&entry.count.to_le_bytes());
        self.entries.extend_from_slice(&entry.offset.to_le_bytes());
    }
}

/// Reads what [`DictionaryWriter`] wrote.
#[derive(Clone, Copy)]
pub(super) struct Dictionary<'a> {
    pub(super) entries: &'a [u8],
    pub(super) text: &'a [u8],
}

impl<'a> Dictionary<'a> {
    pub(super) fn terms(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// Empty where damaged.
    pub(super) fn term(&self, index: usize) -> &'a [u8] {
        let end = u32_at(self.entries, index * 4) as usize;
        let start = match index {
            0 => 0,
            _ => u32_at(self.entries, index * 4 - 4) as usize,
        };
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn entry(&self, index: usize) -> Entry {
        Entry {
            count: u32_at(self.entries, index * 4 + 1),
            offset: u64_at(self.entries, index * 2 + 1),
        }
    }

    pub(super) fn find(&self, term: &str) -> Option<Entry> {
        let place = self.place_of(term)?;
        (self.term(place) == term.as_bytes()).then(|| self.entry(place))
    }

    /// Every term that begins so, in order, with how many documents it names. What is no text is
    /// damaged, and left out.
    pub(super) fn each_beginning(&self, beginning: &str, see: &mut dyn FnMut(&'a str, u32)) {
        let Some(first) = self.place_of(beginning) else { return };
        let terms = (first..self.terms()).map(|place| (place, self.term(place)));
        for (place, term) in terms.take_while(|(_, term)| term.starts_with(beginning.as_bytes())) {
            if let Ok(term) = std::str::from_utf8(term) {
                see(term, self.entry(place).count);
            }
        }
    }

    /// Where a term lies, or else the next one; `None` behind the last.
    fn place_of(&self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.terms());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.term(middle).cmp(term.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        (low < self.terms()).then_some(low)
    }
}
