//! Whatever happens to the bytes of a file, reading it ends with an answer or an error.

use mnemic_index::meaning::{Coded, MeaningSearch, MeaningSegment};
use mnemic_index::words::{Bm25, Document, WordsSearch, WordsSegment};
use proptest::prelude::*;
use std::sync::LazyLock;

const DIMENSIONS: u64 = 16;

static WORDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    WordsSegment::build((0..700u64).map(|row| {
        let held = (0..9).filter(|index| row.is_multiple_of(index + 1));
        let terms = held.map(|index| (format!("term{index}"), 1 + (row % 5) as u32)).collect();
        Document { row, facets: row, terms, length: 3 + (row % 7) as u32 }
    }))
});

/// Enough of them to have codes.
static MEANING: LazyLock<Vec<u8>> = LazyLock::new(|| meaning(2100));

/// Enough of them to be divided into cells.
static CELLS: LazyLock<Vec<u8>> = LazyLock::new(|| meaning(16_500));

fn meaning(count: u64) -> Vec<u8> {
    MeaningSegment::build((0..count).map(|row| Coded {
        row,
        owner: (row * 7919) % 1000,
        facets: row,
        scale: 0.01,
        components: (0..DIMENSIONS).map(|at| (row * row + row * 31 + at * 17) as i8).collect(),
    }))
}

/// Where the sections start: behind the header, whose digest would stop us at the door.
const HEADER: usize = 300;

#[derive(Debug, Clone)]
enum Harm {
    Flip(Vec<(usize, u8)>),
    Fill(usize, usize, u8),
    Cut(usize),
}

fn harm() -> impl Strategy<Value = Harm> {
    let place = any::<usize>();
    prop_oneof![
        4 => prop::collection::vec((place, 1u8..), 1..40).prop_map(Harm::Flip),
        2 => (place, 1usize..2000, prop::sample::select(vec![0u8, 0x7f, 0x80, 0xff]))
            .prop_map(|(start, length, byte)| Harm::Fill(start, length, byte)),
        1 => place.prop_map(Harm::Cut),
    ]
}

/// Half of the harm falls on the whole file, half on what lies behind the header, there with the
/// header as it was: as if a disk had changed it after it was opened.
fn harmed(intact: &[u8], harm: &Harm, behind: bool) -> Vec<u8> {
    harmed_from(if behind { HEADER } else { 0 }, intact, harm)
}

fn harmed_from(first: usize, intact: &[u8], harm: &Harm) -> Vec<u8> {
    let mut bytes = intact.to_vec();
    let place = |at: usize| first + at % (intact.len() - first);
    match harm {
        Harm::Flip(flips) => flips.iter().for_each(|&(at, bits)| bytes[place(at)] ^= bits),
        Harm::Fill(start, length, byte) => {
            let start = place(*start);
            let end = (start + length).min(bytes.len());
            bytes[start..end].fill(*byte);
        }
        Harm::Cut(at) => bytes.truncate(place(*at)),
    }
    bytes
}

fn use_words(segment: &WordsSegment) {
    let _ = segment.verify();
    let search = WordsSearch::new(vec![segment], Bm25::default());
    let terms: Vec<_> = (0..12).map(|index| (format!("term{index}"), 1.0)).collect();
    for want in [3, 5000] {
        let hits = search.best(&terms, want, &|facets, _| facets.is_multiple_of(2));
        assert!(hits.len() <= want);
    }
    for row in [0, 5, 699, 700, u64::MAX] {
        let _ = search.parts_of(&terms, row);
    }
    for slot in [0, 699, 700, u32::MAX] {
        let _ = (segment.row(slot), segment.length(slot), segment.frequency("term1", slot));
    }
}

fn use_meaning(segment: &MeaningSegment) {
    let _ = segment.verify();
    let search = MeaningSearch::new(vec![segment]);
    let query: Vec<f32> = (0..DIMENSIONS).map(|at| at as f32 - 8.0).collect();
    for want in [3, 5000] {
        let _ = search.best(&query, want, &|facets| facets.is_multiple_of(2));
        let _ = search.exact(&query, want, &|facets| facets.is_multiple_of(2));
    }
    for owner in [0, 999, 1000, u64::MAX] {
        let _ = search.score_of_owner(&query, owner);
    }
    for slot in [0, 2099, 2100, u32::MAX] {
        let _ = (segment.row(slot), segment.owner(slot), segment.scale(slot));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn damaged_words_never_panic(harm in harm(), behind in any::<bool>()) {
        let bytes = harmed(&WORDS, &harm, behind);
        let changed = bytes != *WORDS;
        if let Ok(segment) = WordsSegment::from_bytes(bytes) {
            prop_assert_eq!(segment.verify().is_err(), changed);
            use_words(&segment);
            let again = WordsSegment::merge(&[&segment, &segment]);
            use_words(&WordsSegment::from_bytes(again).expect("just built"));
        }
    }

    /// Cells are told of at the end of a file.
    #[test]
    fn damaged_cells_never_panic(harm in harm(), bytes in 1usize..70_000) {
        let bytes = harmed_from(CELLS.len() - bytes, &CELLS, &harm);
        if let Ok(segment) = MeaningSegment::from_bytes(bytes) {
            use_meaning(&segment);
        }
    }

    #[test]
    fn damaged_meaning_never_panics(harm in harm(), behind in any::<bool>()) {
        let bytes = harmed(&MEANING, &harm, behind);
        let changed = bytes != *MEANING;
        if let Ok(segment) = MeaningSegment::from_bytes(bytes) {
            prop_assert_eq!(segment.verify().is_err(), changed);
            use_meaning(&segment);
            let again = MeaningSegment::merge(&[&segment, &segment]);
            use_meaning(&MeaningSegment::from_bytes(again).expect("just built"));
        }
    }

    #[test]
    fn noise_is_not_a_segment(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(WordsSegment::from_bytes(bytes.clone()).is_err());
        prop_assert!(MeaningSegment::from_bytes(bytes).is_err());
    }
}

#[test]
fn an_empty_or_missing_file_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("empty.seg");
    assert!(WordsSegment::open(&path).is_err_and(|error| error.is_gone()));
    std::fs::write(&path, b"").expect("written");
    assert!(WordsSegment::open(&path).is_err());
    assert!(MeaningSegment::open(&path).is_err());
}

#[test]
fn one_kind_is_not_taken_for_the_other() {
    let words = MeaningSegment::from_bytes(WORDS.clone());
    assert!(words.is_err_and(|error| error.is_useless()));
    assert!(WordsSegment::from_bytes(MEANING.clone()).is_err());
}
