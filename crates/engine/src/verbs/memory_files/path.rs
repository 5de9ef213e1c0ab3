//! Paths below `/memories`: what one may be, and what lies inside of what.

use crate::{Error, ErrorKind, Result};

/// The directory that is always there.
pub(super) const ROOT: &str = "/memories";

/// Longer ones are no names that anybody writes.
const MOST_BYTES: usize = 1_024;

/// A path in its one spelling, e.g. `/memories/notes/api.md`; never outside of the root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FilePath(String);

impl FilePath {
    pub(super) fn parse(given: &str) -> Result<FilePath> {
        let below = given
            .strip_prefix(ROOT)
            .filter(|below| below.is_empty() || below.starts_with('/'))
            .ok_or_else(|| refused(format!("Path must start with /memories, got: {given}")))?;
        let mut parts: Vec<&str> = Vec::new();
        for part in below.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    let escapes = || refused(format!("Path {given} would escape {ROOT} directory"));
                    parts.pop().ok_or_else(escapes)?;
                }
                part => parts.push(part),
            }
        }
        if given.len() > MOST_BYTES || given.chars().any(char::is_control) {
            let shown: String = given.escape_debug().take(80).collect();
            return Err(refused(format!("Path {shown} is too long or has control characters")));
        }
        Ok(FilePath(parts.iter().fold(ROOT.to_owned(), |path, part| format!("{path}/{part}"))))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn is_root(&self) -> bool {
        self.0 == ROOT
    }

    /// What follows after this directory, when `other` lies in it at any depth.
    pub(super) fn below<'a>(&self, other: &'a FilePath) -> Option<&'a str> {
        other.0.strip_prefix(&self.0)?.strip_prefix('/')
    }

    /// The same place after the directory `old` has become `new`.
    pub(super) fn moved(&self, old: &FilePath, new: &FilePath) -> Option<FilePath> {
        match old.below(self) {
            Some(rest) => Some(FilePath(format!("{}/{rest}", new.0))),
            None => (self == old).then(|| new.clone()),
        }
    }
}

pub(super) fn refused(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_one_spelling() {
        for (given, meant) in [
            ("/memories", "/memories"),
            ("/memories/", "/memories"),
            ("/memories//a/./b/", "/memories/a/b"),
            ("/memories/a/../b", "/memories/b"),
            ("/memories/..hidden", "/memories/..hidden"),
        ] {
            assert_eq!(FilePath::parse(given).unwrap().as_str(), meant, "{given}");
        }
    }

    #[test]
    fn nothing_leads_outside() {
        for (given, said) in [
            ("/etc/passwd", "Path must start with /memories, got: /etc/passwd"),
            ("memories/a", "Path must start with /memories, got: memories/a"),
            ("/memoriesque", "Path must start with /memories, got: /memoriesque"),
            ("", "Path must start with /memories, got: "),
            ("/memories/..", "Path /memories/.. would escape /memories directory"),
            ("/memories/a/../../b", "Path /memories/a/../../b would escape /memories directory"),
        ] {
            assert_eq!(FilePath::parse(given).unwrap_err().message(), said);
        }
        assert!(FilePath::parse("/memories/a\u{0}b").is_err());
        assert!(FilePath::parse(&format!("/memories/{}", "a".repeat(2_000))).is_err());
    }

    #[test]
    fn directories_hold_what_lies_below_them() {
        let path = |text: &str| FilePath::parse(text).unwrap();
        let (dir, file) = (path("/memories/a"), path("/memories/a/b/c"));
        assert_eq!(dir.below(&file), Some("b/c"));
        assert_eq!(dir.below(&path("/memories/ab")), None);
        assert_eq!(file.moved(&dir, &path("/memories/x")), Some(path("/memories/x/b/c")));
        assert_eq!(dir.moved(&dir, &path("/memories/x")), Some(path("/memories/x")));
        assert_eq!(path("/memories/ab").moved(&dir, &path("/memories/x")), None);
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_given_stays_inside(given in "/memories[a./]{0,24}") {
            if let Ok(path) = FilePath::parse(&given) {
                proptest::prop_assert!(path.is_root() || path.as_str().starts_with("/memories/"));
                let inner: Vec<&str> = path.as_str().split('/').skip(1).collect();
                proptest::prop_assert!(!inner.iter().any(|part| ["", ".", ".."].contains(part)));
                proptest::prop_assert_eq!(FilePath::parse(path.as_str()).unwrap(), path);
            }
        }
    }
}
