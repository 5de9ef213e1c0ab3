//! `mnemic-pack`: turns a downloaded model into packed weights, and measures what came out.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use mnemic_inference::Error;
use mnemic_inference::gist_from;
use mnemic_inference::packing::{Kernel, Subject, pack, pack_gist, verify, verify_gist};

const USAGE: &str = "\
usage: mnemic-pack IN.hmsemb OUT.mnw    pack a downloaded model
       mnemic-pack --verify FILE        compare a packed file with its digest
       mnemic-pack --check FILE [IN.hmsemb]
                                        measure speed, and on the lines of stdin nearness to f32,
                                        with the packed numbers or those of the download
       mnemic-pack --vectors FILE       print the vector of each line of stdin
       mnemic-pack --gist IN.safetensors TOKENIZER.json OUT.mng
                                        pack downloaded rows of words
       mnemic-pack --nearness FILE.mng  print how near each line of stdin is to the first, by the gist";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["--verify", file] if file.ends_with(".mng") => {
            verify_gist(Path::new(file)).map(|digest| println!("{digest}"))
        }
        ["--verify", file] => verify(Path::new(file)).map(|digest| println!("{digest}")),
        ["--check", file] => check(Path::new(file), None),
        ["--check", file, download] => check(Path::new(file), Some(Path::new(download))),
        ["--vectors", file] => vectors(Path::new(file)),
        ["--gist", rows, tokenizer, to] => {
            pack_gist(Path::new(rows), Path::new(tokenizer), Path::new(to))
        }
        ["--nearness", file] => nearness(Path::new(file)),
        [from, to] if !from.starts_with('-') => pack(Path::new(from), Path::new(to)),
        ["-h" | "--help"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn complain(error: &Error) {
    eprintln!("error: {error}");
    if let Some(cause) = std::error::Error::source(error) {
        eprintln!("  why:  {cause}");
    }
    if let Some(hint) = error.hint() {
        eprintln!("  next: {hint}");
    }
}

fn stdin() -> Result<String, Error> {
    let mut text = String::new();
    let unreadable = |cause| Error::Unreadable { path: "stdin".into(), cause };
    std::io::stdin().read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

fn check(file: &Path, download: Option<&Path>) -> Result<(), Error> {
    let text = stdin()?;
    let texts: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = Instant::now();
    let first = Subject::open(file, Kernel::best())?;
    println!("open: {:.3} ms", milliseconds(start));
    let start = Instant::now();
    first.embed("which port does the staging database listen on, and who changed it last")?;
    println!("first embedding: {:.2} ms", milliseconds(start));
    for kernel in Kernel::all() {
        let subject = Subject::open(file, kernel)?;
        for (tokens, times) in [(16, 60), (32, 40), (128, 15), (512, 4)] {
            let millis = time(&subject, &[sample(tokens)], times)?;
            println!("{kernel:?}: {tokens} tokens: {millis:.2} ms");
        }
        let batch = vec![sample(16); 8];
        println!("{kernel:?}: 8 texts of 16 tokens: {:.2} ms", time(&subject, &batch, 20)?);
    }
    if !texts.is_empty() {
        // All paths give the same bits, so the fastest speaks for them; the tests see to that.
        let measured = first.measure(&texts, download)?;
        println!(
            "cosine to f32 on {} texts: least {:.6}, mean {:.6}",
            measured.texts, measured.least_cosine, measured.mean_cosine
        );
    }
    Ok(())
}

fn vectors(file: &Path) -> Result<(), Error> {
    let subject = Subject::open(file, Kernel::best())?;
    for line in stdin()?.lines() {
        let numbers: Vec<String> = subject.embed(line)?.iter().map(f32::to_string).collect();
        println!("{:?}\t{}", subject.ids(line), numbers.join(" "));
    }
    Ok(())
}

/// How near, and how long it took to read all.
fn nearness(file: &Path) -> Result<(), Error> {
    let gist = gist_from(file)?;
    let text = stdin()?;
    let mut lines = text.lines();
    let Some(question) = lines.next().and_then(|line| gist.direction(line)) else { return Ok(()) };
    let start = Instant::now();
    let near: Vec<Option<f32>> = lines.map(|line| gist.nearness(&question, line)).collect();
    let took = milliseconds(start);
    for near in &near {
        println!("{:.6}", near.unwrap_or_default());
    }
    eprintln!("{} texts in {took:.2} ms", near.len());
    Ok(())
}

/// Ids all over the vocabulary, between the marks of start and end.
fn sample(tokens: usize) -> Vec<u16> {
    let mut ids: Vec<u16> = (0..tokens).map(|nth| 100 + (nth * 7_919 % 40_000) as u16).collect();
    ids[0] = 0;
    ids[tokens - 1] = 2;
    ids
}

/// The fastest of several runs: others on the same machine only ever make it slower.
fn time(subject: &Subject, batch: &[Vec<u16>], times: usize) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for _ in 0..times {
        let start = Instant::now();
        subject.encode(batch)?;
        best = best.min(milliseconds(start));
    }
    Ok(best)
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1_000.0
}
