//! Cutting words into pieces that a vocabulary can be asked for: runs of letters and digits, and
//! runs of everything else.

/// What stands for the space before a word.
pub(super) const BEGIN: &str = "▁";

/// Characters in a piece. Longer runs are no words, and joining them takes the square of their
/// length.
const LONGEST: usize = 32;

/// A piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    /// Whether a space stands before it.
    pub(super) begins: bool,
}

impl<'a> Piece<'a> {
    /// With what stands for the space, where there is one.
    pub(super) fn chars(self) -> impl Iterator<Item = char> {
        let space = if self.begins { BEGIN } else { "" };
        space.chars().chain(self.text.chars())
    }

    /// A number for the piece that does not change with versions: FNV-1a, mixed so that its lowest
    /// bits depend on all of it.
    pub(super) fn hash(self) -> u64 {
        let space = if self.begins { BEGIN } else { "" };
        let bytes = space.bytes().chain(self.text.bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        hash ^ hash >> 32
    }
}

/// The pieces of a word, in order.
pub(super) fn pieces(word: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut left = word;
    std::iter::from_fn(move || {
        let is_letter = left.chars().next()?.is_alphanumeric();
        let other = |char: char| char.is_alphanumeric() != is_letter;
        let longest = left.char_indices().nth(LONGEST).map_or(left.len(), |(at, _)| at);
        let end = left[..longest].find(other).unwrap_or(longest);
        let begins = left.len() == word.len();
        let (text, rest) = left.split_at(end);
        left = rest;
        Some(Piece { text, begins })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_others_are_cut_apart() {
        let cut = |word| pieces(word).map(|piece| piece.chars().collect()).collect::<Vec<String>>();
        assert_eq!(cut("database"), ["▁database"]);
        assert_eq!(cut("src/main.rs,"), ["▁src", "/", "main", ".", "rs", ","]);
        assert_eq!(cut("(v2)"), ["▁(", "v2", ")"]);
        assert_eq!(cut("naïve—日本"), ["▁naïve", "—", "日本"]);
        assert!(cut("").is_empty());
        assert_eq!(cut(&"x".repeat(70)).len(), 3);
    }

    #[test]
    fn the_space_before_a_word_counts() {
        let piece = |text, begins| Piece { text, begins }.hash();
        assert_ne!(piece("a", true), piece("a", false));
        assert_eq!(piece("▁a", false), piece("a", true));
    }
}
