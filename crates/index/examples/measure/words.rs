//! Words: documents of about sixty terms from a vocabulary as uneven as that of a language.

use std::collections::HashMap;
use std::time::Duration;

use mnemic_index::words::{Bm25, Document, WordsSearch, WordsSegment};

use crate::random::Random;
use crate::{spread, timed, worked};

const VOCABULARY: usize = 300_000;
const QUERIES: usize = 1000;

pub(crate) fn measure(count: usize) {
    let mut random = Random::new(1);
    let terms = Terms::new();
    let parts = build_parts(count as u64, &terms, &mut random);
    let bytes = timed("merge", || WordsSegment::merge(&parts.iter().collect::<Vec<_>>()));
    drop(parts);
    println!("{:.0} bytes a row", bytes.len() as f64 / count as f64);
    let path = std::env::temp_dir().join(format!("measure-{}.seg", std::process::id()));
    std::fs::write(&path, &bytes).expect("a temporary file can be written");
    let segment = timed("open", || WordsSegment::open(&path)).expect("just built");
    let _ = timed("verify", || segment.verify());
    let search = WordsSearch::new(vec![&segment], Bm25::default());
    for (what, length, uneven) in [
        ("5 terms as in text", 5, true),
        ("5 terms, common and rare alike", 5, false),
        ("16 terms as in text", 16, true),
    ] {
        let queries: Vec<Vec<(String, f32)>> =
            (0..QUERIES).map(|_| query(&terms, length, uneven, &mut random)).collect();
        let best = |round: usize, want, accept: &dyn Fn(u64, u64) -> bool| {
            std::hint::black_box(search.best(&queries[round], want, accept));
        };
        spread(&format!("{what}, best 10"), QUERIES, |round| best(round, 10, &|_, _| true));
        spread(&format!("{what}, best 100"), QUERIES, |round| best(round, 100, &|_, _| true));
        let one_in_a_hundred = |facets: u64, _| facets == 7;
        let what = format!("{what}, best 10 of one in a hundred");
        spread(&what, QUERIES, |round| best(round, 10, &one_in_a_hundred));
    }
    let _ = std::fs::remove_file(&path);
}

/// In parts, as making up all documents beforehand would take too much memory.
fn build_parts(count: u64, terms: &Terms, random: &mut Random) -> Vec<WordsSegment> {
    const PART: u64 = 50_000;
    let (mut parts, mut spent) = (Vec::new(), Duration::ZERO);
    for first in (0..count).step_by(PART as usize) {
        let rows = first..count.min(first + PART);
        let documents: Vec<Document> = rows.map(|row| document(row, terms, random)).collect();
        let start = worked();
        let bytes = WordsSegment::build(documents);
        spent += worked() - start;
        parts.push(WordsSegment::from_bytes(bytes).expect("just built"));
    }
    println!("build in {} parts: {spent:.0?}", parts.len());
    parts
}

/// Terms by rank: the one of rank r is drawn with a share of about 1 / r.
struct Terms {
    summed: Vec<f64>,
}

impl Terms {
    fn new() -> Terms {
        let mut sum = 0.0;
        let shares = (0..VOCABULARY).map(|rank| 1.0 / (rank as f64 + 3.0));
        let summed = shares.map(|share| {
            sum += share;
            sum
        });
        Terms { summed: summed.collect() }
    }

    fn draw(&self, random: &mut Random) -> usize {
        let at = random.share() * self.summed[VOCABULARY - 1];
        self.summed.partition_point(|&summed| summed < at).min(VOCABULARY - 1)
    }
}

fn spelled(rank: usize) -> String {
    format!("t{rank:x}")
}

fn document(row: u64, terms: &Terms, random: &mut Random) -> Document {
    let length = 20 + random.below(80) as u32;
    let mut counted = HashMap::new();
    for _ in 0..length {
        *counted.entry(terms.draw(random)).or_insert(0) += 1;
    }
    let terms = counted.into_iter().map(|(rank, count)| (spelled(rank), count)).collect();
    Document { row, facets: row % 100, terms, length }
}

fn query(terms: &Terms, length: usize, uneven: bool, random: &mut Random) -> Vec<(String, f32)> {
    let draw = |random: &mut Random| match uneven {
        true => terms.draw(random),
        false => (VOCABULARY as f64).powf(random.share()) as usize,
    };
    (0..length).map(|_| (spelled(draw(random)), 1.0)).collect()
}
