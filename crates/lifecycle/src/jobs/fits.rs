//! Which work fits into the end of a command, before anybody notices that it is still there.

use mnemic_model::job::JobKind;

/// Milliseconds that work over a whole store takes for each thousand records, on a slow machine.
const CONSOLIDATE: u64 = 400;
const COOL: u64 = 20;

/// What it takes to read and write at all, and to look around one change.
const LEAST: u64 = 20;

/// Whether a job over a store of so many records is likely to be done in so many milliseconds. What
/// does not fit waits for `mnemic worker`.
pub fn fits(kind: JobKind, records: u64, milliseconds: u64) -> bool {
    let whole = |each: u64| LEAST + records * each / 1_000;
    let cost = match kind {
        JobKind::Consolidate => whole(CONSOLIDATE),
        JobKind::Cool => whole(COOL),
        // Step by step; it stops when the time is over.
        JobKind::Embed | JobKind::ScanContradictions | JobKind::Extract => LEAST,
        // Rewriting files takes as long as they are large; who asked to forget has waited for it.
        JobKind::ScrubStore | JobKind::ScrubBackup => return false,
        _ => LEAST,
    };
    cost <= milliseconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_work_waits_for_a_worker() {
        for (kind, records, milliseconds, expected) in [
            (JobKind::Consolidate, 100, 200, true),
            (JobKind::Consolidate, 10_000, 200, false),
            (JobKind::Consolidate, 10_000, 60_000, true),
            (JobKind::Cool, 1_000, 200, true),
            (JobKind::Cool, 100_000, 200, false),
            (JobKind::ScanContradictions, 100_000, 200, true),
            (JobKind::ScanContradictions, 1, 0, false),
            (JobKind::ScrubStore, 1, 60_000, false),
            (JobKind::ReviewTopics, 1_000, 20, true),
        ] {
            let fit = fits(kind, records, milliseconds);
            assert_eq!(fit, expected, "{kind} of {records} in {milliseconds}");
        }
    }
}
