//! Where a text is read: sums in the making, and the pieces that had to be joined lately.

use super::add::add;
use super::packed::Packed;
use super::pieces::Piece;

/// Pieces kept, a power of two: two hundred kilobytes.
const SEEN: usize = 8_192;

/// Tokens of a piece that is kept; one of more is joined again.
const MOST_TOKENS: usize = 7;

#[derive(Debug)]
pub(super) struct Bench {
    pub(super) part: Vec<f32>,
    pub(super) whole: Vec<f32>,
    pub(super) ids: Vec<u16>,
    joined: Vec<u16>,
    /// Each at the place that its hash names, until another comes there.
    seen: Vec<Seen>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    hash: u64,
    /// Bytes of the piece: nobody makes another of the same hash as short.
    length: u8,
    count: u8,
    ids: [u16; MOST_TOKENS],
}

impl Bench {
    pub(super) fn new(dimensions: usize) -> Bench {
        Bench {
            part: vec![0.0; dimensions],
            whole: vec![0.0; dimensions],
            ids: Vec::new(),
            joined: Vec::new(),
            seen: vec![Seen::default(); SEEN],
        }
    }

    /// Makes the part out of these pieces. First all are hashed, then all are looked up, then all are
    /// added: each step asks for what the next one reads, so that nobody waits for memory.
    pub(super) fn add_up<'a>(&mut self, packed: &Packed, pieces: impl Iterator<Item = Piece<'a>>) {
        let pieces: Vec<(Piece<'a>, u64)> = pieces
            .map(|piece| (piece, piece.hash()))
            .inspect(|(_, hash)| packed.will_ask(*hash))
            .collect();
        self.ids.clear();
        for (piece, hash) in pieces {
            let known = self.ids.len();
            self.take(packed, piece, hash);
            for id in &self.ids[known..] {
                packed.rows().will_add(*id, packed.dimensions());
            }
        }
        self.part.fill(0.0);
        add(&mut self.part, packed.rows(), &self.ids);
    }

    /// Adds the tokens of a piece to those that are to be added up: names and rare words are several,
    /// and are joined once.
    fn take(&mut self, packed: &Packed, piece: Piece<'_>, hash: u64) {
        if let Some(id) = packed.whole(hash) {
            self.ids.push(id);
            return;
        }
        let seen = &mut self.seen[hash as usize & (SEEN - 1)];
        let length = piece.text.len() as u8;
        if (seen.hash, seen.length) != (hash, length) || seen.count == 0 {
            self.joined.clear();
            packed.joined(piece, &mut self.joined);
            if self.joined.len() > MOST_TOKENS {
                self.ids.extend(&self.joined);
                return;
            }
            seen.ids[..self.joined.len()].copy_from_slice(&self.joined);
            (seen.hash, seen.length) = (hash, length);
            seen.count = self.joined.len() as u8;
        }
        self.ids.extend(&seen.ids[..usize::from(seen.count)]);
    }
}
