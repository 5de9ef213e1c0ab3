//! How fast texts become ranking terms: `cargo run --release --example term_speed FILE...`.

use std::time::Instant;

use mnemic_text::stems::recall_terms;

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("cannot read `{path}`");
            continue;
        };
        let pieces: Vec<&str> = text.split("\n\n").collect();
        measure(&path, "in one piece", &[&text]);
        measure(&path, "by paragraph", &pieces);
    }
}

fn measure(path: &str, how: &str, texts: &[&str]) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let start = Instant::now();
    let terms: usize = texts.iter().map(|text| recall_terms(text).len()).sum();
    let seconds = start.elapsed().as_secs_f64();
    let speed = bytes as f64 / 1e6 / seconds;
    println!("{path} {how}: {speed:.1} MB/s, {terms} terms of {} texts", texts.len());
}
