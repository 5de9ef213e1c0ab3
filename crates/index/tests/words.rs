//! Words give the same answers as looking at every document, however they are cut into segments.

use mnemic_index::words::{Bm25, Document, Hit, WordsSearch, WordsSegment};
use proptest::prelude::*;

const BM25: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

/// Few terms, so that lists get long: the first is in almost every document.
fn documents(most: usize) -> impl Strategy<Value = Vec<Document>> {
    let document =
        (1u64..4, 0u64..4, 1u32..60, prop::collection::vec(0.0f64..1.0, 0..8), any::<bool>());
    prop::collection::vec(document, 0..most).prop_map(|drawn| {
        let mut row = 0;
        let made = drawn.into_iter().map(|(step, facets, length, shares, common)| {
            row += step;
            let mut terms: Vec<(String, u32)> = Vec::new();
            if common {
                terms.push((term(0), 1 + length % 3));
            }
            for share in shares {
                let name = term(1 + (share * share * 40.0) as usize);
                if !terms.iter().any(|(other, _)| *other == name) {
                    terms.push((name, 1 + (share * 1000.0) as u32 % 4));
                }
            }
            Document { row, facets, terms, length }
        });
        made.collect()
    })
}

fn query() -> impl Strategy<Value = Vec<(String, f32)>> {
    let weight = prop::sample::select(vec![1.0, 1.0, 0.5, 2.0, 0.0, -1.0, f32::NAN]);
    prop::collection::vec((0usize..45, weight), 0..18)
        .prop_map(|drawn| drawn.into_iter().map(|(index, weight)| (term(index), weight)).collect())
}

fn term(index: usize) -> String {
    format!("term{index}")
}

fn segments(documents: &[Document], cuts: usize) -> Vec<WordsSegment> {
    let size = documents.len().div_ceil(cuts).max(1);
    let parts = documents.chunks(size).map(|part| WordsSegment::build(part.iter().cloned()));
    parts.map(|bytes| WordsSegment::from_bytes(bytes).expect("just built")).collect()
}

fn search(segments: &[WordsSegment]) -> WordsSearch<'_> {
    WordsSearch::new(segments.iter().collect(), BM25)
}

/// BM25 as the books have it, with numbers of twice the precision.
fn textbook(documents: &[Document], terms: &[(String, f32)], document: &Document) -> f64 {
    let all = documents.len() as f64;
    let average = documents.iter().map(|one| f64::from(one.length)).sum::<f64>() / all;
    let (k1, b) = (f64::from(BM25.k1), f64::from(BM25.b));
    let frequency = |one: &Document, term: &str| {
        one.terms.iter().find(|(name, _)| name == term).map_or(0.0, |(_, count)| f64::from(*count))
    };
    let weighed = terms.iter().filter(|(_, weight)| *weight > 0.0);
    weighed
        .map(|(term, weight)| {
            let holding = documents.iter().filter(|one| frequency(one, term) > 0.0).count() as f64;
            let rarity = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
            let often = frequency(document, term);
            let discount = k1 * (1.0 - b + b * f64::from(document.length) / average);
            f64::from(*weight) * rarity * often * (k1 + 1.0) / (often + discount)
        })
        .sum()
}

/// Every document scored, sorted, cut.
fn by_brute_force(
    search: &WordsSearch<'_>,
    documents: &[Document],
    terms: &[(String, f32)],
    want: usize,
    facets: Option<u64>,
) -> Vec<Hit> {
    let wanted = documents.iter().filter(|one| facets.is_none_or(|facets| one.facets == facets));
    let rows: Vec<u64> = wanted.map(|one| one.row).collect();
    let scores = search.scores_of(terms, &rows).into_iter();
    let scored = rows.into_iter().zip(scores).map(|(row, score)| Hit { row, score });
    let mut hits: Vec<Hit> = scored.filter(|hit| hit.score > 0.0).collect();
    hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(other.row.cmp(&one.row)));
    hits.truncate(want);
    hits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_best_are_those_of_brute_force(
        documents in documents(600),
        terms in query(),
        want in 0usize..30,
        facets in prop::option::of(0u64..4),
        cuts in 1usize..4,
    ) {
        let segments = segments(&documents, cuts);
        let search = search(&segments);
        let accept = |found: u64, _| facets.is_none_or(|facets| facets == found);
        let expected = by_brute_force(&search, &documents, &terms, want, facets);
        prop_assert_eq!(search.best(&terms, want, &accept), expected);
    }

    #[test]
    fn scores_are_those_of_the_textbook(documents in documents(60), terms in query()) {
        let segments = segments(&documents, 2);
        let search = search(&segments);
        for document in &documents {
            let expected = textbook(&documents, &terms, document);
            let score = f64::from(search.score_of(&terms, document.row));
            prop_assert!((score - expected).abs() <= 1e-5 * expected.max(1.0), "{score} {expected}");
            let parts: f32 = search.parts_of(&terms, document.row).iter().sum();
            prop_assert!((f64::from(parts) - expected).abs() <= 1e-5 * expected.max(1.0));
        }
    }

    #[test]
    fn cutting_and_merging_change_nothing(
        documents in documents(600),
        terms in query(),
        cuts in 1usize..5,
    ) {
        let whole = segments(&documents, 1);
        let parts = segments(&documents, cuts);
        let expected = search(&whole).best(&terms, 20, &|_, _| true);
        prop_assert_eq!(&search(&parts).best(&terms, 20, &|_, _| true), &expected);
        let merged = WordsSegment::merge(&parts.iter().collect::<Vec<_>>());
        prop_assert_eq!(merged, WordsSegment::build(documents));
    }

    #[test]
    fn a_merge_keeps_only_what_it_is_told(documents in documents(400), cuts in 1usize..4) {
        let parts = segments(&documents, cuts);
        let keep = |row: u64| !row.is_multiple_of(3);
        let merged =
            WordsSegment::merge_keeping(&parts.iter().collect::<Vec<_>>(), &keep);
        let kept = documents.into_iter().filter(|document| keep(document.row));
        prop_assert_eq!(merged, WordsSegment::build(kept));
    }

    #[test]
    fn what_was_put_in_can_be_looked_up(documents in documents(400)) {
        let bytes = WordsSegment::build(documents.iter().cloned());
        let segment = WordsSegment::from_bytes(bytes).expect("just built");
        prop_assert_eq!(segment.documents() as usize, documents.len());
        for (document, slot) in documents.iter().zip(0..) {
            prop_assert_eq!(segment.slot_of(document.row), Some(slot));
            prop_assert_eq!(segment.row(slot), document.row);
            prop_assert_eq!(segment.facets(slot), document.facets);
            prop_assert_eq!(segment.length(slot), document.length);
            for (term, count) in &document.terms {
                prop_assert_eq!(segment.frequency(term, slot), *count);
            }
            prop_assert_eq!(segment.frequency("unknown", slot), 0);
        }
        prop_assert_eq!(segment.slot_of(0), None);
    }
}

/// Longer than a window, with lists of many blocks: what the small cases above do not reach.
#[test]
fn the_best_of_many_windows_are_those_of_brute_force() {
    let documents: Vec<Document> = (0..12_000u64)
        .map(|row| {
            let mix = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let holds = |index: &usize| mix.rotate_left(7 * *index as u32) % (1 << index) == 0;
            let terms = (0..12).filter(holds).map(|index| (term(index), 1 + (mix % 3) as u32));
            Document {
                row,
                facets: mix % 50,
                terms: terms.collect(),
                length: 5 + (mix % 90) as u32,
            }
        })
        .collect();
    for cuts in [1, 3] {
        let segments = segments(&documents, cuts);
        let search = search(&segments);
        for chosen in
            [&[0, 1, 2, 3][..], &[11, 10, 0], &[5], &[0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]]
        {
            let terms: Vec<_> = chosen.iter().map(|&index| (term(index), 1.0)).collect();
            for facets in [None, Some(7)] {
                let accept = |found: u64, _| facets.is_none_or(|facets| facets == found);
                let expected = by_brute_force(&search, &documents, &terms, 10, facets);
                assert_eq!(search.best(&terms, 10, &accept), expected, "{chosen:?} {facets:?}");
            }
        }
    }
}

#[test]
fn the_filter_is_asked_only_about_what_would_enter() {
    let documents = (0..20_000u64).map(|row| Document {
        row,
        facets: 0,
        terms: vec![(term(0), 1)],
        // The first are the best, so that after them nothing enters.
        length: 1 + row as u32,
    });
    let segment = WordsSegment::from_bytes(WordsSegment::build(documents)).expect("just built");
    let asked = std::cell::Cell::new(0);
    let accept = |_, _| {
        asked.set(asked.get() + 1);
        true
    };
    let search = WordsSearch::new(vec![&segment], BM25);
    assert_eq!(search.best(&[(term(0), 1.0)], 10, &accept).len(), 10);
    assert_eq!(asked.get(), 10);
}

#[test]
fn of_equals_the_newer_comes_first() {
    let document = |row| Document { row, facets: 0, terms: vec![(term(0), 1)], length: 3 };
    let segments = segments(&(0..10).map(document).collect::<Vec<_>>(), 2);
    let hits = search(&segments).best(&[(term(0), 1.0)], 4, &|_, _| true);
    assert_eq!(hits.iter().map(|hit| hit.row).collect::<Vec<_>>(), [9, 8, 7, 6]);
}

#[test]
fn a_row_out_of_order_is_left_out() {
    let document = |row| Document { row, facets: 0, terms: vec![(term(0), 1)], length: 3 };
    let built = WordsSegment::build([3, 5, 5, 4, 6].map(document));
    assert_eq!(built, WordsSegment::build([3, 5, 6].map(document)));
}

#[test]
fn nothing_is_found_in_nothing() {
    let search = WordsSearch::new(Vec::new(), BM25);
    assert_eq!(search.best(&[(term(0), 1.0)], 4, &|_, _| true), []);
    assert_eq!(search.average_length(), 0.0);
    let empty = WordsSegment::from_bytes(WordsSegment::build([])).expect("just built");
    let search = WordsSearch::new(vec![&empty], BM25);
    assert_eq!(search.best(&[(term(0), 1.0)], 4, &|_, _| true), []);
    assert_eq!(search.score_of(&[(term(0), 1.0)], 1), 0.0);
}

#[test]
fn terms_are_listed_by_how_they_begin() {
    let documents = [(1, vec!["cab", "cache", "cast"]), (2, vec!["cache", "dog"])];
    let documents = documents.map(|(row, terms)| Document {
        row,
        facets: 0,
        length: 3,
        terms: terms.into_iter().map(|term| (term.to_owned(), 1)).collect(),
    });
    let segment = WordsSegment::from_bytes(WordsSegment::build(documents)).expect("just built");
    let listed = |beginning: &str| {
        let mut terms = Vec::new();
        segment.each_beginning(beginning, &mut |term, count| terms.push((term.to_owned(), count)));
        terms
    };
    let term = |term: &str, count| (term.to_owned(), count);
    assert_eq!(listed("ca"), [term("cab", 1), term("cache", 2), term("cast", 1)]);
    assert_eq!(listed("cache"), [term("cache", 2)]);
    assert_eq!(listed("").len(), 4);
    assert!(listed("cc").is_empty() && listed("z").is_empty());
}
