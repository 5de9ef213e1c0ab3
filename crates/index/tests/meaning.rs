//! Meaning finds what looking at every vector finds, however it is cut and filtered.

use std::cell::Cell;
use std::collections::HashSet;

use mnemic_index::meaning::{Coded, Hit, MeaningSearch, MeaningSegment, quantise, rotated};
use proptest::prelude::*;

/// Around a few centres and away from zero, as sentence vectors are.
fn vectors(count: usize, dimensions: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    let centres: Vec<Vec<f32>> =
        (0..1 + count / 30).map(|_| (0..dimensions).map(|_| next()).collect()).collect();
    (0..count)
        .map(|index| {
            let centre = &centres[index * 7 % centres.len()];
            unit(centre.iter().map(|component| 0.4 + component + 0.6 * next()).collect())
        })
        .collect()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    vector.into_iter().map(|component| component / length).collect()
}

fn coded(vectors: &[Vec<f32>]) -> Vec<Coded> {
    let rows = vectors.iter().zip(0u64..);
    rows.map(|(vector, row)| {
        let (scale, components) = quantise(vector);
        // Two vectors to each owner, far apart, and owners not in the order of rows.
        let owner = 50_000 - row % (vectors.len() as u64 / 2).max(1);
        Coded { row: 10 * row, owner, facets: row % 97, scale, components }
    })
    .collect()
}

fn segments(coded: &[Coded], cuts: usize) -> Vec<MeaningSegment> {
    let size = coded.len().div_ceil(cuts).max(1);
    let parts = coded.chunks(size).map(|part| MeaningSegment::build(part.iter().cloned()));
    parts.map(|bytes| MeaningSegment::from_bytes(bytes).expect("just built")).collect()
}

fn search(segments: &[MeaningSegment]) -> MeaningSearch<'_> {
    MeaningSearch::new(segments.iter().collect())
}

fn score(query: &[f32], coded: &Coded) -> f64 {
    let length = query.iter().map(|one| f64::from(*one).powi(2)).sum::<f64>().sqrt();
    let query = rotated(query.to_vec());
    let pairs = query.iter().zip(&coded.components);
    let sum: f64 = pairs.map(|(query, component)| f64::from(*query) * f64::from(*component)).sum();
    sum * f64::from(coded.scale) / length
}

fn rows(hits: &[Hit]) -> Vec<u64> {
    hits.iter().map(|hit| hit.row).collect()
}

/// The same rows, but for those whose scores differ by no more than rounding.
fn assert_nearest(hits: &[Hit], query: &[f32], wanted: &[&Coded], want: usize) {
    let mut scores: Vec<f64> = wanted.iter().map(|coded| score(query, coded)).collect();
    scores.sort_by(|one, other| other.total_cmp(one));
    assert_eq!(hits.len(), want.min(wanted.len()));
    for (hit, expected) in hits.iter().zip(&scores) {
        let of_row = wanted.iter().find(|coded| coded.row == hit.row).expect("accepted");
        assert!((f64::from(hit.score) - expected).abs() < 1e-5, "{hit:?} {expected}");
        assert!((f64::from(hit.score) - score(query, of_row)).abs() < 1e-5, "{hit:?}");
        assert_eq!(hit.owner, of_row.owner);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn small_sets_are_exact(
        count in 0usize..500,
        dimensions in prop::sample::select(vec![1usize, 8, 17, 48]),
        seed in any::<u64>(),
        want in 0usize..30,
        facets in prop::option::of(0u64..97),
        cuts in 1usize..4,
    ) {
        let coded = coded(&vectors(count, dimensions, seed));
        let query = vectors(1, dimensions, !seed).remove(0);
        let segments = segments(&coded, cuts);
        let search = search(&segments);
        let accept = |found: u64| facets.is_none_or(|facets| facets == found);
        let wanted: Vec<&Coded> = coded.iter().filter(|coded| accept(coded.facets)).collect();
        assert_nearest(&search.best(&query, want, &accept), &query, &wanted, want);
        assert_nearest(&search.exact(&query, want, &accept), &query, &wanted, want);
        for owner in coded.iter().map(|coded| coded.owner).take(20) {
            let own = coded.iter().filter(|coded| coded.owner == owner);
            let expected = own.map(|coded| score(&query, coded)).fold(f64::MIN, f64::max);
            let found = search.score_of_owner(&query, owner).expect("it has vectors");
            prop_assert!((f64::from(found) - expected).abs() < 1e-5);
        }
        prop_assert_eq!(search.score_of_owner(&query, 1), None);
        let (owners, is_all) = search.best_owners(&query, want, &accept);
        let mut expected = search.exact(&query, coded.len(), &accept);
        let mut seen = HashSet::new();
        expected.retain(|hit| seen.insert(hit.owner));
        prop_assert_eq!(is_all, expected.len() <= want && wanted.len() < 400);
        expected.truncate(want);
        if wanted.len() < 400 {
            prop_assert_eq!(owners, expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// As few pass the filter as are checked exactly: all that there are must be found.
    #[test]
    fn filtered_search_finds_all_that_pass(
        count in 512usize..4000,
        dimensions in prop::sample::select(vec![8usize, 24, 64, 136]),
        seed in any::<u64>(),
        facets in 0u64..97,
        cuts in 1usize..3,
    ) {
        let coded = coded(&vectors(count, dimensions, seed));
        let query = vectors(1, dimensions, !seed).remove(0);
        let segments = segments(&coded, cuts);
        let accept = |found: u64| facets == found;
        let wanted: Vec<&Coded> = coded.iter().filter(|coded| coded.facets == facets).collect();
        assert_nearest(&search(&segments).best(&query, 10, &accept), &query, &wanted, 10);
        let all = search(&segments).best(&query, 1000, &accept);
        assert_nearest(&all, &query, &wanted, 1000);
    }

    #[test]
    fn cutting_and_merging_change_nothing(count in 1500usize..3500, seed in any::<u64>()) {
        let coded = coded(&vectors(count, 64, seed));
        let parts = segments(&coded, 3);
        let merged = MeaningSegment::merge(&parts.iter().collect::<Vec<_>>());
        prop_assert_eq!(merged, MeaningSegment::build(coded.iter().cloned()));
        let keep = |row: u64, owner: u64| row.is_multiple_of(3) && owner.is_multiple_of(2);
        let kept = coded.into_iter().filter(|coded| keep(coded.row, coded.owner));
        let merged = MeaningSegment::merge_keeping(&parts.iter().collect::<Vec<_>>(), &keep);
        prop_assert_eq!(merged, MeaningSegment::build(kept));
    }
}

#[test]
fn codes_find_the_true_neighbours() {
    let mut all = vectors(6_020, 384, 1);
    let queries = all.split_off(6_000);
    let segments = segments(&coded(&all), 2);
    let search = search(&segments);
    let mut found = 0;
    for query in &queries {
        let expected = rows(&search.exact(query, 10, &|_| true));
        let hits = rows(&search.best(query, 10, &|_| true));
        found += expected.iter().filter(|row| hits.contains(row)).count();
    }
    assert!(found >= 10 * queries.len() * 995 / 1000, "{found}");
}

/// As large as it must be to be divided.
const DIVIDED: usize = 17_000;

#[test]
fn cells_find_the_true_neighbours() {
    let mut all = vectors(DIVIDED + 40, 128, 5);
    let queries = all.split_off(DIVIDED);
    let coded = coded(&all);
    let asked_of = |cuts: usize| {
        let segments = segments(&coded, cuts);
        let search = search(&segments);
        let (mut found, asked) = (0, Cell::new(0));
        let accept = |_| {
            asked.set(asked.get() + 1);
            true
        };
        for query in &queries {
            let expected = rows(&search.exact(query, 10, &|_| true));
            let hits = rows(&search.best(query, 10, &accept));
            found += expected.iter().filter(|row| hits.contains(row)).count();
        }
        assert!(found >= 10 * queries.len() * 995 / 1000, "{found} with {cuts} segments");
        asked.get() / queries.len()
    };
    // The nearest cells come first, so that fewer of the others ever look promising; two segments
    // are too small to have cells.
    let (divided, whole) = (asked_of(1), asked_of(2));
    assert!(divided < whole, "{divided} and {whole} were asked about");
}

#[test]
fn what_passes_a_filter_is_found_in_whatever_cell_it_lies() {
    let coded = coded(&vectors(DIVIDED, 32, 6));
    let query = vectors(1, 32, 7).remove(0);
    let segments = segments(&coded, 1);
    let accept = |facets: u64| facets == 13;
    let wanted: Vec<&Coded> = coded.iter().filter(|coded| accept(coded.facets)).collect();
    assert_nearest(&search(&segments).best(&query, 1000, &accept), &query, &wanted, 1000);
}

#[test]
fn the_same_vectors_are_divided_alike() {
    let coded = coded(&vectors(DIVIDED, 32, 8));
    let parts = segments(&coded, 2);
    let merged = MeaningSegment::merge(&parts.iter().collect::<Vec<_>>());
    assert_eq!(merged, MeaningSegment::build(coded.iter().cloned()));
    // Vectors that do not differ cannot be told apart, and are found all the same.
    let alike = MeaningSegment::build(coded.into_iter().map(|one| Coded {
        scale: 0.01,
        components: vec![100; 32],
        ..one
    }));
    let alike = MeaningSegment::from_bytes(alike).expect("just built");
    assert_eq!(MeaningSearch::new(vec![&alike]).best(&[1.0; 32], 10, &|_| true).len(), 10);
}

#[test]
fn the_filter_is_asked_only_about_promising_vectors() {
    let segments = segments(&coded(&vectors(10_000, 64, 2)), 1);
    let query = vectors(1, 64, 3).remove(0);
    let asked = Cell::new(0);
    let accept = |_| {
        asked.set(asked.get() + 1);
        true
    };
    assert_eq!(search(&segments).best(&query, 10, &accept).len(), 10);
    assert!(asked.get() < 6000, "{}", asked.get());
}

#[test]
fn a_sample_is_spread_over_all_however_they_are_cut() {
    for count in [1, 31, 48, 49, 62, 64, 65, 97, 500] {
        let coded = coded(&vectors(count, 32, 7));
        let picks = |cuts: usize| search(&segments(&coded, cuts)).owners_of_sample(64);
        let wanted = count.min(64);
        let evenly: Vec<u64> = (0..wanted).map(|nth| coded[nth * count / wanted].owner).collect();
        for cuts in [1, 2, 3, 7] {
            assert_eq!(picks(cuts), evenly, "{count} in {cuts}");
        }
    }
    assert!(search(&[]).owners_of_sample(64).is_empty());
    assert!(search(&segments(&coded(&vectors(5, 32, 7)), 1)).owners_of_sample(0).is_empty());
}

#[test]
fn a_sample_of_vectors_is_made_of_those_that_pass() {
    let coded = coded(&vectors(2_000, 32, 7));
    let segments = segments(&coded, 3);
    let search = search(&segments);
    let as_kept = |one: &Coded| -> Vec<f32> {
        one.components.iter().map(|component| f32::from(*component) * one.scale).collect()
    };
    let evenly: Vec<Vec<f32>> = (0..40).map(|nth| as_kept(&coded[nth * 50])).collect();
    assert_eq!(search.vectors_of_sample(40, &|_| true), evenly);
    for one_in in [6, 24] {
        let rare = |facets: u64| facets % one_in == 1;
        let passing: Vec<Vec<f32>> =
            coded.iter().filter(|one| rare(one.facets)).map(as_kept).collect();
        let picked = search.vectors_of_sample(40, &rare);
        assert_eq!(picked.len(), 40, "one in {one_in}");
        assert!(picked.iter().all(|one| passing.contains(one)));
    }
    assert!(search.vectors_of_sample(40, &|_| false).is_empty());
}

#[test]
fn odd_queries_find_nothing_or_anything_but_never_fail() {
    let segments = segments(&coded(&vectors(2500, 16, 4)), 1);
    let search = search(&segments);
    for query in [vec![], vec![1.0; 8], vec![1.0; 24]] {
        assert_eq!(search.best(&query, 5, &|_| true), []);
        assert_eq!(search.score_of_owner(&query, 50_000), None);
    }
    for query in [[0.0; 16], [f32::NAN; 16], [f32::INFINITY; 16], [f32::MAX; 16]] {
        assert!(search.best(&query, 5, &|_| true).len() <= 5);
    }
    assert_eq!(search.best(&[1.0; 16], 0, &|_| true), []);
}
