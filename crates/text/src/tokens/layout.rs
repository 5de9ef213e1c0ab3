//! How a vocabulary lies in the program: a table of hashes that is used where it lies.
//!
//! Shared with the build script, which writes what `table.rs` reads. All numbers are u32, little
//! endian: how many slots, how many tokens, the slots, where each token ends, the tokens' bytes.
//! A slot is empty (0) or holds a token's number plus one, and above it as much of the hash as
//! there is room for, so that a wrong token is seldom looked at.

/// Bits of a slot for the token's number plus one: room for 262,143 tokens.
pub(super) const RANK_BITS: u32 = 18;

/// Where to begin to look, and what stands in the upper bits of the slot.
pub(super) fn place(bytes: &[u8]) -> (usize, u32) {
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash = hash.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((hash >> 40) as usize, (hash as u32) >> RANK_BITS << RANK_BITS)
}

/// The table of `tokens`, each at the place of its rank.
#[allow(dead_code, reason = "the build script writes, the crate only reads")]
pub(super) fn lay_out(tokens: &[Vec<u8>]) -> Vec<u8> {
    let count = (tokens.len() * 5 / 4).next_power_of_two();
    let mut slots = vec![0_u32; count];
    for (rank, token) in tokens.iter().enumerate() {
        let (start, tag) = place(token);
        let mut at = start % count;
        while slots[at] != 0 {
            at = (at + 1) % count;
        }
        slots[at] = tag | (rank as u32 + 1);
    }
    let ends = tokens.iter().scan(0, |end, token| {
        *end += token.len() as u32;
        Some(*end)
    });
    let head = [count as u32, tokens.len() as u32];
    let numbers = head.into_iter().chain(slots).chain(ends);
    let mut table: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    tokens.iter().for_each(|token| table.extend(token));
    table
}
