//! Meaning: real vectors from a file, repeated with noise as needed, or clusters.

use mnemic_index::meaning::{Coded, MeaningSearch, MeaningSegment, quantise};

use crate::random::Random;
use crate::{spread, timed};

const DIMENSIONS: usize = 384;
const QUERIES: usize = 200;
const WANT: usize = 10;

/// Without a file of questions, some of the vectors ask.
pub(crate) fn measure(count: usize, file: Option<&str>, questions: Option<&str>) {
    let mut random = Random::new(2);
    let mut vectors = match file {
        Some(file) => read_npy(file),
        None => clusters(count + QUERIES, &mut random),
    };
    let mut queries = vectors.split_off(vectors.len() - QUERIES);
    if let Some(questions) = questions {
        queries.splice(.., read_npy(questions).into_iter().cycle().take(QUERIES));
    }
    repeat(&mut vectors, count, &mut random);
    vectors.truncate(count);
    let coded = vectors.iter().zip(0..).map(|(vector, row)| {
        let (scale, components) = quantise(vector);
        Coded { row, owner: row / 2, facets: row % 100, scale, components }
    });
    let bytes = timed("build", || MeaningSegment::build(coded));
    println!("{:.0} bytes a row", bytes.len() as f64 / count as f64);
    let path = std::env::temp_dir().join(format!("measure-{}.seg", std::process::id()));
    std::fs::write(&path, &bytes).expect("a temporary file can be written");
    let segment = timed("open", || MeaningSegment::open(&path)).expect("just built");
    let search = MeaningSearch::new(vec![&segment]);
    let best = |round: usize, accept: &dyn Fn(u64) -> bool| {
        std::hint::black_box(search.best(&queries[round % QUERIES], WANT, accept));
    };
    best(0, &|_| true);
    spread("best 10", QUERIES, |round| best(round, &|_| true));
    spread("best 10 of one in a hundred", QUERIES, |round| best(round, &|facets| facets == 7));
    spread("exact best 10", QUERIES.min(20), |round| {
        std::hint::black_box(search.exact(&queries[round], WANT, &|_| true));
    });
    // Looking at all takes its time: of a million for fewer queries.
    let checked = (20_000_000 / count).clamp(40, QUERIES);
    report_recall(&search, &vectors, &queries[..checked]);
    let _ = std::fs::remove_file(&path);
}

/// How many of the true ten, by floating-point vectors, are found: by codes and bytes, by bytes
/// alone, and what the codes miss of what the bytes would find.
fn report_recall(search: &MeaningSearch<'_>, vectors: &[Vec<f32>], queries: &[Vec<f32>]) {
    let (mut by_codes, mut by_bytes, mut codes_of_bytes, mut of_hundred) = (0, 0, 0, 0);
    for query in queries {
        let all = |_: u64| true;
        let rows = |hits: Vec<mnemic_index::meaning::Hit>| -> Vec<u64> {
            hits.into_iter().map(|hit| hit.row).collect()
        };
        let truth = nearest(vectors, query);
        let codes = rows(search.best(query, WANT, &all));
        let bytes = rows(search.exact(query, WANT, &all));
        let hundred = rows(search.best(query, 100, &all));
        let exact_hundred = rows(search.exact(query, 100, &all));
        by_codes += truth.iter().filter(|row| codes.contains(row)).count();
        by_bytes += truth.iter().filter(|row| bytes.contains(row)).count();
        codes_of_bytes += bytes.iter().filter(|row| codes.contains(row)).count();
        of_hundred += exact_hundred.iter().filter(|row| hundred.contains(row)).count();
    }
    let all = (queries.len() * WANT) as f64;
    println!("recall@10 of floating point: search {:.4}", by_codes as f64 / all);
    println!("recall@10 of floating point: bytes alone {:.4}", by_bytes as f64 / all);
    println!("recall@10 of bytes: search {:.4}", codes_of_bytes as f64 / all);
    println!("recall@100 of bytes: search {:.4}", of_hundred as f64 / (all * 10.0));
}

fn nearest(vectors: &[Vec<f32>], query: &[f32]) -> Vec<u64> {
    let mut scored: Vec<(f32, u64)> = vectors
        .iter()
        .zip(0..)
        .map(|(vector, row)| (vector.iter().zip(query).map(|(one, other)| one * other).sum(), row))
        .collect();
    scored.select_nth_unstable_by(WANT, |one, other| other.0.total_cmp(&one.0));
    scored.truncate(WANT);
    scored.into_iter().map(|(_, row)| row).collect()
}

/// Fills up with copies that differ a little in every component.
fn repeat(vectors: &mut Vec<Vec<f32>>, count: usize, random: &mut Random) {
    let real = vectors.len();
    for index in real..count {
        let like = &vectors[index % real];
        let noise = 0.5 / (like.len() as f32).sqrt();
        vectors
            .push(unit(like.iter().map(|component| component + noise * random.normal()).collect()));
    }
}

fn clusters(count: usize, random: &mut Random) -> Vec<Vec<f32>> {
    let vector =
        |random: &mut Random| (0..DIMENSIONS).map(|_| random.normal()).collect::<Vec<f32>>();
    let common = vector(random);
    let centres: Vec<Vec<f32>> = (0..count / 50 + 1).map(|_| vector(random)).collect();
    (0..count)
        .map(|_| {
            let centre = &centres[random.below(centres.len())];
            let pairs = common.iter().zip(centre);
            unit(pairs.map(|(common, centre)| common + centre + 0.7 * random.normal()).collect())
        })
        .collect()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|component| component * component).sum::<f32>().sqrt();
    vector.into_iter().map(|component| component / length).collect()
}

/// A two-dimensional array of little-endian floats of 32 bits, as NumPy writes it.
fn read_npy(file: &str) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(file).expect("the file can be read");
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10;
    let described = String::from_utf8_lossy(&bytes[..header]).into_owned();
    assert!(described.contains("'<f4'"), "{described}");
    let shape = described.split("'shape': (").nth(1).expect("a shape");
    let columns = shape.split([',', ')']).nth(1).expect("two dimensions").trim();
    let columns: usize = columns.parse().expect("a number of columns");
    let numbers: Vec<f32> =
        bytes[header..].as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let mut vectors: Vec<Vec<f32>> =
        numbers.chunks(columns).map(|vector| unit(vector.to_vec())).collect();
    // Queries are taken from the end: make that any part of the file.
    let mut random = Random::new(3);
    for index in (1..vectors.len()).rev() {
        vectors.swap(index, random.below(index + 1));
    }
    vectors
}
