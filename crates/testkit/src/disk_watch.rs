//! How fast the disk is while a test runs, so that a slow disk is not taken for a slow program.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const PAGE: [u8; 4096] = [0x6d; 4096];
/// Often enough to meet every stall, seldom enough not to be one.
const PAUSE: Duration = Duration::from_millis(20);

/// Writes one page beside the program, again and again, and times how long the disk keeps it.
#[derive(Debug)]
pub struct DiskWatch {
    over: Arc<AtomicBool>,
    watching: JoinHandle<Vec<Duration>>,
}

impl DiskWatch {
    pub fn start(dir: &Path) -> DiskWatch {
        let mut page = File::create(dir.join("disk-watch")).expect("a writable place");
        let over = Arc::new(AtomicBool::new(false));
        let seen = over.clone();
        let watching = thread::spawn(move || {
            let mut times = Vec::new();
            while times.is_empty() || !seen.load(Ordering::Relaxed) {
                let begun = Instant::now();
                page.rewind().and_then(|()| page.write_all(&PAGE)).expect("room for one page");
                page.sync_data().expect("a disk that keeps one page");
                times.push(begun.elapsed());
                thread::sleep(PAUSE);
            }
            times
        });
        DiskWatch { over, watching }
    }

    /// What 99 of 100 pages took at most.
    pub fn p99(self) -> Duration {
        self.over.store(true, Ordering::Relaxed);
        let mut times = self.watching.join().expect("the watch goes on to the end");
        times.sort();
        times[(times.len() - 1) * 99 / 100]
    }
}
