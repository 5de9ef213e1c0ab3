//! Which of overlapping files to read: the widest wins.

use std::cmp::Reverse;

use super::SegmentFile;

pub(super) struct Cover {
    /// Ascending, without overlap.
    pub(super) chosen: Vec<SegmentFile>,
    /// Those whose rows all lie in a chosen one.
    pub(super) covered: Vec<SegmentFile>,
}

/// Depends on the set of files only, not on their order. Of two with the same range the one that
/// was `written` later wins: it was built again because the first became wrong.
pub(super) fn cover<T: Ord>(
    mut files: Vec<SegmentFile>,
    written: impl Fn(&SegmentFile) -> T,
) -> Cover {
    files.sort_by_key(|file| (Reverse(file.width()), file.first));
    for same in files.chunk_by_mut(|one, other| one.range() == other.range()) {
        // Asked once for each file: one that vanishes meanwhile must not change its place.
        same.sort_by_cached_key(|file| (Reverse(written(file)), file.path.clone()));
    }
    let mut cover = Cover { chosen: Vec::<SegmentFile>::new(), covered: Vec::new() };
    for file in files {
        if cover.chosen.iter().any(|chosen| chosen.covers(&file)) {
            cover.covered.push(file);
        } else if !cover.chosen.iter().any(|chosen| chosen.overlaps(&file)) {
            cover.chosen.push(file);
        }
    }
    cover.chosen.sort_by_key(|file| file.first);
    cover
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file((first, last): (u64, u64)) -> SegmentFile {
        let path = format!("words-{first}-{last}").into();
        SegmentFile { path, first, last }
    }

    fn ranges(files: &[SegmentFile]) -> Vec<(u64, u64)> {
        files.iter().map(|file| (file.first, file.last)).collect()
    }

    #[test]
    fn the_widest_wins() {
        type Ranges = &'static [(u64, u64)];
        let table: &[(&str, Ranges, Ranges, Ranges)] = &[
            ("nothing", &[], &[], &[]),
            ("neighbours", &[(5, 9), (1, 4)], &[(1, 4), (5, 9)], &[]),
            ("a gap", &[(1, 4), (8, 9)], &[(1, 4), (8, 9)], &[]),
            ("a merge and its parts", &[(1, 4), (5, 9), (1, 9)], &[(1, 9)], &[(5, 9), (1, 4)]),
            ("one that sticks out", &[(1, 4), (3, 9)], &[(3, 9)], &[]),
            ("merged twice", &[(1, 2), (1, 4), (1, 9)], &[(1, 9)], &[(1, 4), (1, 2)]),
        ];
        for (what, files, chosen, covered) in table {
            let cover = cover(files.iter().copied().map(file).collect(), |_| 0);
            assert_eq!(ranges(&cover.chosen), *chosen, "{what}");
            assert_eq!(ranges(&cover.covered), *covered, "{what}");
        }
    }

    #[test]
    fn of_the_same_range_the_later_wins() {
        let named = |name: &str| SegmentFile { path: name.into(), ..file((1, 9)) };
        let written = |file: &SegmentFile| if file.path.ends_with("b") { 2 } else { 1 };
        let cover = cover(vec![named("c"), named("b"), named("a")], written);
        assert_eq!(cover.chosen[0].path.to_str(), Some("b"));
        assert_eq!(cover.covered.len(), 2);
    }
}
