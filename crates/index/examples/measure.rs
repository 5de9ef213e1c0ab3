//! How quick and how good the indexes are: `measure words|meaning N [VECTORS.npy [QUESTIONS.npy]]`.

#[path = "measure/meaning.rs"]
mod meaning;
#[path = "measure/random.rs"]
mod random;
#[path = "measure/words.rs"]
mod words;

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    match what.as_str() {
        "words" => words::measure(count),
        "meaning" => {
            let (vectors, questions) = (arguments.next(), arguments.next());
            meaning::measure(count, vectors.as_deref(), questions.as_deref());
        }
        _ => eprintln!("measure words|meaning N [VECTORS.npy [QUESTIONS.npy]]"),
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    println!("{what}: {:.0?}", start.elapsed());
    done
}

/// Prints the middle and the slowest hundredth of the rounds, in time on the processor: how long
/// a busy machine lets us wait is not what is asked for. A round counts with its quicker of two runs.
fn spread(what: &str, rounds: usize, mut work: impl FnMut(usize)) {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|round| {
            let runs = (0..2).map(|_| {
                let start = worked();
                work(round);
                worked() - start
            });
            runs.min().unwrap_or_default()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    println!("{what}: p50 {:.3?}, p99 {:.3?}", at(50), at(99));
}

/// How long this thread has been on a processor.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
