//! Whoever waits for the write lock says so after a moment, with the name of who holds it.

use super::{PATIENCE, files};
use std::cell::{Cell, RefCell};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// A wait of this length is worth a word; nearly all are over long before.
pub(super) const SILENT: Duration = Duration::from_secs(2);

/// Somebody waits for somebody else to end writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    pub store: PathBuf,
    /// Who holds the lock, where the system tells.
    pub holder: Option<Holder>,
    /// How long it is waited for from now on.
    pub most: Duration,
}

/// A process that writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub process: u32,
    /// The name of its program.
    pub name: Option<String>,
}

type Listener = Box<dyn Fn(&Wait) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

thread_local! {
    /// The store whose lock this thread asks for: SQLite does not say so when it asks whether to wait.
    static ASKED: RefCell<Option<PathBuf>> = const { RefCell::new(None) };

    /// How long this thread waits for a lock.
    static WAITS: Cell<Duration> = const { Cell::new(PATIENCE) };
}

/// What is only worth a moment, such as counting that something was read: in `work` a lock is waited
/// for no longer than this.
pub fn waiting_at_most<T>(moment: Duration, work: impl FnOnce() -> T) -> T {
    struct Before(Duration);
    impl Drop for Before {
        fn drop(&mut self) {
            WAITS.set(self.0);
        }
    }
    let _before = Before(WAITS.replace(moment));
    work()
}

/// How long this thread waits for a lock now.
pub(crate) fn patience() -> Duration {
    WAITS.get()
}

/// Tells of waits that take long, in this process. The first who asks is told; libraries stay silent
/// unless somebody does.
pub fn tell_of_waiting(listener: impl Fn(&Wait) + Send + Sync + 'static) {
    // Told already.
    let _ = LISTENER.set(Box::new(listener));
}

/// From here on this thread asks for the lock of that store.
pub(super) fn asks_for(store: &Path) {
    if LISTENER.get().is_some() {
        ASKED.with(|asked| *asked.borrow_mut() = Some(store.to_owned()));
    }
}

/// This thread has waited for [`SILENT`].
pub(super) fn tell() {
    let Some(listener) = LISTENER.get() else { return };
    let Some(store) = ASKED.with(|asked| asked.borrow().clone()) else { return };
    let holder = holder(&store);
    listener(&Wait { store, holder, most: patience().saturating_sub(SILENT) });
}

/// Which process holds a lock for writing on the store or on one of the files beside it.
fn holder(store: &Path) -> Option<Holder> {
    let beside = ["-turn", "-queue", "-shm", "-wal"].map(|suffix| files::sibling(store, suffix));
    let inode = |path: &Path| Some(path.metadata().ok()?.ino());
    let inodes: Vec<u64> =
        beside.iter().map(PathBuf::as_path).chain([store]).filter_map(inode).collect();
    // Linux tells who holds which lock; elsewhere the wait alone is told of.
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let mine = std::process::id();
    let process = locks.lines().filter_map(|line| writer(line, &inodes)).find(|it| *it != mine)?;
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).ok();
    Some(Holder { process, name: name.map(|name| name.trim().to_owned()) })
}

/// The process of a line such as `1: POSIX  ADVISORY  WRITE 4711 08:01:13 120 120`, if it holds one of
/// these files; a line with `->` is of one who waits.
fn writer(line: &str, inodes: &[u64]) -> Option<u32> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, _, _, "WRITE", process, file, ..] = words.as_slice() else { return None };
    let inode: u64 = file.rsplit(':').next()?.parse().ok()?;
    inodes.contains(&inode).then(|| process.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_writes_is_read_from_the_locks() {
        for (line, process) in [
            ("1: POSIX  ADVISORY  WRITE 4711 08:01:13 120 120", Some(4711)),
            ("2: FLOCK  ADVISORY  WRITE 17 00:2f:13 0 EOF", Some(17)),
            ("3: POSIX  ADVISORY  READ 4711 08:01:13 124 124", None),
            ("3: -> FLOCK  ADVISORY  WRITE 18 00:2f:13 0 EOF", None),
            ("4: FLOCK  ADVISORY  WRITE 17 00:2f:14 0 EOF", None),
            ("", None),
        ] {
            assert_eq!(writer(line, &[13]), process, "{line}");
        }
    }
}
