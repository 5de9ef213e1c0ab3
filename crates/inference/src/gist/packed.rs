//! One file that holds the rows and what finds them: mapped, measured, used as it lies.
//!
//! Opening compares the measures with the length; the digest is checked only by [`verify`].

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use super::add::{Rows, will_read};
use super::pieces::Piece;
use super::source::Source;
use crate::Error;
use crate::local::tokens::{Merges, merge_slots, merge_table};
use crate::mapped::{self, Bytes, Plain, bytes};

const MAGIC: [u8; 8] = *b"mnemicGS";

/// Bump whenever the same bytes would give other numbers, or other bytes the same.
const FORMAT: u32 = 1;

const DIGEST: Range<usize> = 32..64;
const HEADER: usize = 64;
const ALIGN: usize = 64;

/// No piece: the token lies outside every vocabulary.
const EMPTY: u64 = u64::MAX;

/// How much there is of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Measures {
    dimensions: usize,
    vocabulary: usize,
    characters: usize,
    merge_slots: usize,
    whole_slots: usize,
}

/// Where everything lies.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    /// The token of each byte of a character that has none: 256 × u16.
    bytes: Range<usize>,
    /// The characters that have a token, in order: u64, the token in its lowest 16 bits.
    characters: Range<usize>,
    /// Which two tokens become one: see `local::tokens::merges`.
    merges: Range<usize>,
    /// Pieces that are one token: u64, the token in the lowest 16 bits, above it those of the hash.
    wholes: Range<usize>,
    /// A row a token: i8.
    codes: Range<usize>,
    /// What each row is multiplied by: f32.
    scales: Range<usize>,
}

impl Measures {
    fn places(&self) -> (Places, usize) {
        let mut next = HEADER;
        let mut place = |length: usize| {
            let start = next;
            next = (next + length).next_multiple_of(ALIGN);
            start..start + length
        };
        let places = Places {
            bytes: place(2 * 256),
            characters: place(8 * self.characters),
            merges: place(8 * self.merge_slots),
            wholes: place(8 * self.whole_slots),
            codes: place(self.vocabulary * self.dimensions),
            scales: place(4 * self.vocabulary),
        };
        (places, next)
    }

    fn each(&self) -> [usize; 5] {
        let Measures { dimensions, vocabulary, characters, merge_slots, whole_slots } = *self;
        [dimensions, vocabulary, characters, merge_slots, whole_slots]
    }

    /// What is asked of numbers out of a file before anything is computed with them.
    fn are_sane(&self) -> bool {
        let [dimensions, vocabulary, characters, merges, wholes] = self.each();
        (1..=4_096).contains(&dimensions)
            && (1..=usize::from(u16::MAX)).contains(&vocabulary)
            && characters <= vocabulary
            && [merges, wholes].iter().all(|slots| slots.is_power_of_two() && *slots <= 1 << 20)
    }
}

/// An opened file.
#[derive(Debug)]
pub(super) struct Packed {
    bytes: Bytes,
    measures: Measures,
    places: Places,
}

impl Packed {
    pub(super) fn open(bytes: Bytes, called: &str) -> Result<Packed, Error> {
        let damaged = |why: String| Error::damaged(called, why);
        let all = bytes.all();
        if !all.starts_with(&MAGIC) || all.len() < HEADER {
            return Err(damaged("it begins with other bytes".to_owned()));
        }
        let number = |nth: usize| {
            let at = 8 + 4 * nth;
            u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]])
        };
        if number(0) != FORMAT {
            let found = number(0);
            return Err(Error::OtherFormat { file: called.to_owned(), found, known: FORMAT });
        }
        let measure = |nth: usize| number(nth + 1) as usize;
        let measures = Measures {
            dimensions: measure(0),
            vocabulary: measure(1),
            characters: measure(2),
            merge_slots: measure(3),
            whole_slots: measure(4),
        };
        if !measures.are_sane() {
            return Err(damaged("its measures are those of no vocabulary".to_owned()));
        }
        let (places, length) = measures.places();
        if all.len() != length {
            let have = all.len();
            return Err(damaged(format!("it has {have} bytes where {length} are due")));
        }
        if mapped::numbers::<u64>(&all[places.merges.clone()]).is_none() {
            return Err(damaged("it does not begin at a multiple of eight bytes".to_owned()));
        }
        Ok(Packed { bytes, measures, places })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.measures.dimensions
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows { codes: self.numbers(&self.places.codes), scales: self.numbers(&self.places.scales) }
    }

    /// Says that a piece of this hash will be asked for.
    pub(super) fn will_ask(&self, hash: u64) {
        let table = self.numbers::<u64>(&self.places.wholes);
        let slot = hash as usize & (table.len() - 1);
        will_read(&table[slot..slot + 1]);
    }

    /// The token of a piece that is one, by its hash.
    pub(super) fn whole(&self, hash: u64) -> Option<u16> {
        let table = self.numbers::<u64>(&self.places.wholes);
        // Once around at most: a damaged table may have no empty slot.
        for step in 0..table.len() {
            let entry = table[(hash as usize).wrapping_add(step) & (table.len() - 1)];
            if entry == EMPTY {
                return None;
            }
            if entry >> 16 == hash >> 16 {
                return Some(entry as u16);
            }
        }
        None
    }

    /// The tokens that the characters of a piece become.
    pub(super) fn joined(&self, piece: Piece<'_>, into: &mut Vec<u16>) {
        let characters = self.numbers::<u64>(&self.places.characters);
        let bytes = self.numbers::<u16>(&self.places.bytes);
        for char in piece.chars() {
            let code = u64::from(u32::from(char));
            match characters.binary_search_by_key(&code, |entry| entry >> 16) {
                Ok(at) => into.push(characters[at] as u16),
                Err(_) => into.extend(
                    char.encode_utf8(&mut [0; 4]).bytes().map(|byte| bytes[usize::from(byte)]),
                ),
            }
        }
        Merges::new(self.numbers(&self.places.merges)).apply(into);
    }

    fn numbers<T: Plain>(&self, place: &Range<usize>) -> &[T] {
        mapped::numbers(&self.bytes.all()[place.clone()])
            .expect("sections are aligned and of whole numbers")
    }
}

/// Writes beside the place and renames, so that a reader never sees half a file.
pub(super) fn write(source: &Source, path: &Path) -> Result<(), Error> {
    let unwritable = |cause| Error::Unwritable { path: path.to_owned(), cause };
    let beside = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&beside).map_err(unwritable)?);
    file.write_all(&packed(source)).map_err(unwritable)?;
    let file = file.into_inner().map_err(|error| unwritable(error.into_error()))?;
    file.sync_all().map_err(unwritable)?;
    std::fs::rename(&beside, path).map_err(unwritable)
}

pub(super) fn packed(source: &Source) -> Vec<u8> {
    let wholes = whole_table(source);
    let mut characters: Vec<u64> = source
        .characters
        .iter()
        .map(|(char, id)| u64::from(u32::from(*char)) << 16 | u64::from(*id))
        .collect();
    characters.sort_unstable();
    let merges = merge_table(&source.merges, merge_slots(source.merges.len()));
    let measures = Measures {
        dimensions: source.dimensions,
        vocabulary: source.scales.len(),
        characters: characters.len(),
        merge_slots: merges.len(),
        whole_slots: wholes.len(),
    };
    let (places, length) = measures.places();
    let mut all = vec![0; length];
    all[..8].copy_from_slice(&MAGIC);
    let numbers = std::iter::once(FORMAT).chain(measures.each().map(|measure| measure as u32));
    for (number, place) in numbers.zip(all[8..DIGEST.start].chunks_exact_mut(4)) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    let mut put = |place: Range<usize>, content: &[u8]| all[place].copy_from_slice(content);
    put(places.bytes, bytes(&source.bytes));
    put(places.characters, bytes(&characters));
    put(places.merges, bytes(&merges));
    put(places.wholes, bytes(&wholes));
    put(places.codes, bytes(&source.codes));
    put(places.scales, bytes(&source.scales));
    let digest = digest(&all);
    all[DIGEST].copy_from_slice(&digest);
    all
}

/// The pieces that are one token as a hash table that is used as it lies; a taken slot pushes to
/// the next.
fn whole_table(source: &Source) -> Vec<u64> {
    let slots = (2 * source.wholes.len() + 1).next_power_of_two();
    let mut table = vec![EMPTY; slots];
    for (text, id) in &source.wholes {
        let hash = Piece { text, begins: false }.hash();
        let mut slot = hash as usize & (slots - 1);
        while table[slot] != EMPTY {
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = hash >> 16 << 16 | u64::from(*id);
    }
    table
}

/// Of everything but itself.
fn digest(all: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&all[..DIGEST.start]).update(&all[DIGEST.end..]);
    *hasher.finalize().as_bytes()
}

/// Reads a packed file from end to end and compares its digest, which is returned in hex.
pub fn verify(path: &Path) -> Result<String, Error> {
    let called = path.display().to_string();
    let packed = Packed::open(Bytes::map(path)?, &called)?;
    let digest = digest(packed.bytes.all());
    if digest != packed.bytes.all()[DIGEST] {
        return Err(Error::damaged(&called, "its content does not match its digest"));
    }
    Ok(blake3::Hash::from(digest).to_hex().to_string())
}
