//! The name of a segment file says what is in it: `FAMILY-FIRST-LAST-DIGEST.seg`.

use std::path::{Path, PathBuf};

const SUFFIX: &str = ".seg";
/// Digits of the digest in a name: enough that two contents of one range have two names.
const DIGITS: usize = 16;

/// A published segment with the rows `first..=last`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentFile {
    pub path: PathBuf,
    pub first: u64,
    pub last: u64,
}

impl SegmentFile {
    pub(super) fn name(family: &str, first: u64, last: u64, bytes: &[u8]) -> String {
        let digest = blake3::hash(bytes).to_hex();
        format!("{family}-{first}-{last}-{}{SUFFIX}", &digest[..DIGITS])
    }

    pub(super) fn is_segment(path: &Path) -> bool {
        path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SUFFIX))
    }

    /// `None` for other families and other files. Goes by the name alone: to ask for more would
    /// leave a hole in a list where a file has just been merged away, and no one would notice.
    pub(super) fn parse(path: &Path, family: &str) -> Option<SegmentFile> {
        let name = path.file_name()?.to_str()?;
        let (first, last) = range_of(name, family)?;
        Some(SegmentFile { path: path.to_owned(), first, last })
    }

    pub(super) fn range(&self) -> (u64, u64) {
        (self.first, self.last)
    }

    /// How many rows it may hold at most, less one.
    pub(super) fn width(&self) -> u64 {
        self.last - self.first
    }

    pub(super) fn overlaps(&self, other: &SegmentFile) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    pub(super) fn covers(&self, other: &SegmentFile) -> bool {
        self.first <= other.first && other.last <= self.last
    }
}

fn range_of(name: &str, family: &str) -> Option<(u64, u64)> {
    let rest = name.strip_suffix(SUFFIX)?.strip_prefix(family)?.strip_prefix('-')?;
    let mut pieces = rest.split('-');
    let first = pieces.next()?.parse().ok()?;
    let last = pieces.next()?.parse().ok()?;
    let digest = pieces.next()?;
    let is_ours = digest.len() == DIGITS && pieces.next().is_none() && first <= last;
    is_ours.then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_family_and_range() {
        let name = SegmentFile::name("words-1", 7, 90, b"content");
        assert_eq!(range_of(&name, "words-1"), Some((7, 90)));
        for family in ["words", "words-2", "ords-1", ""] {
            assert_eq!(range_of(&name, family), None, "{family}");
        }
    }

    #[test]
    fn other_files_are_not_segments() {
        for name in [
            "words-7-90-0123456789abcdef.tmp",
            "words-7-90.seg",
            "words-90-7-0123456789abcdef.seg",
            "words-7-x-0123456789abcdef.seg",
            "words-7-90-0123.seg",
            "words-7-90-0123456789abcdef-1.seg",
        ] {
            assert_eq!(range_of(name, "words"), None, "{name}");
        }
    }
}
