//! Prints what recurs in the code below the directories given: `cargo run --example patterns -- src`.

use mnemic_syntax::{Language, Limits, Source, recurring};
use std::path::Path;
use std::time::Instant;

fn collect(dir: &Path, sources: &mut Vec<Source>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            collect(&path, sources);
        } else if Language::of(&name).is_some()
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            sources.push(Source { path: path.to_string_lossy().into_owned(), text });
        }
    }
}

fn main() {
    let mut sources = Vec::new();
    for dir in std::env::args().skip(1) {
        collect(Path::new(&dir), &mut sources);
    }
    let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
    let began = Instant::now();
    let found = recurring(&sources, &Limits::default(), &mut || true);
    let took = began.elapsed();
    for pattern in &found {
        println!(
            "== {} [{} files, {:.1}] {}",
            pattern.hint, pattern.files, pattern.score, pattern.directory
        );
        println!("{}", pattern.code);
        println!("-- {}", pattern.places[0]);
    }
    println!("{} files, {bytes} bytes, {} patterns, {took:?}", sources.len(), found.len());
}
