//! A vocabulary: which run of bytes is a token, and how early it is merged.

use super::layout::{RANK_BITS, place};

/// The longest token of any encoding here, in bytes: 128 spaces.
pub(super) const LONGEST: usize = 128;

#[derive(Debug)]
pub(super) struct Table {
    slots: &'static [u8],
    ends: &'static [u8],
    bytes: &'static [u8],
}

pub(super) static O200K: Table =
    Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/o200k.table")));
pub(super) static CL100K: Table =
    Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.table")));

impl Table {
    const fn new(data: &'static [u8]) -> Table {
        let (head, rest) = data.split_at(8);
        let slots = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let tokens = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let (slots, rest) = rest.split_at(slots * 4);
        let (ends, bytes) = rest.split_at(tokens * 4);
        Table { slots, ends, bytes }
    }

    /// The rank of these bytes if they are one token; a lower rank is merged first.
    pub(super) fn rank(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > LONGEST {
            return None;
        }
        let (start, tag) = place(bytes);
        let mask = self.slots.len() / 4 - 1;
        let mut at = start & mask;
        loop {
            let slot = number(self.slots, at);
            // Some slots are always empty, so the walk ends.
            let rank = (slot & ((1 << RANK_BITS) - 1)).checked_sub(1)?;
            if slot >> RANK_BITS == tag >> RANK_BITS && self.token(rank as usize) == bytes {
                return Some(rank);
            }
            at = (at + 1) & mask;
        }
    }

    fn token(&self, rank: usize) -> &'static [u8] {
        let start = rank.checked_sub(1).map_or(0, |before| number(self.ends, before));
        &self.bytes[start as usize..number(self.ends, rank) as usize]
    }
}

fn number(numbers: &[u8], at: usize) -> u32 {
    let bytes = numbers[at * 4..].first_chunk().expect("the build wrote whole numbers");
    u32::from_le_bytes(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_at_its_rank() {
        for table in [&O200K, &CL100K] {
            let count = table.ends.len() / 4;
            for rank in 0..count {
                let token = table.token(rank);
                assert!(token.len() <= LONGEST);
                assert_eq!(table.rank(token), Some(rank as u32), "{token:?}");
            }
        }
        assert_eq!(O200K.rank(b""), None);
        assert_eq!(O200K.rank("zzzyxq unheard of".as_bytes()), None);
    }
}
