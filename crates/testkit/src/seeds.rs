//! Which seeds a test with many of them tries.

use crate::size;
use std::ops::Range;

/// As many as the form of the test says, unless the environment asks for one that failed
/// (`MNEMIC_SEED=17`) or for a part of them (`MNEMIC_SEEDS=2500..5000`).
pub fn seeds(short: usize, long: usize) -> Range<u64> {
    let said = |name| std::env::var(name).unwrap_or_default();
    let all = 0..size(short, long) as u64;
    asked(&said("MNEMIC_SEED"), &said("MNEMIC_SEEDS")).unwrap_or(all)
}

fn asked(one: &str, some: &str) -> Option<Range<u64>> {
    let only = one.parse().ok().map(|seed: u64| seed..seed.saturating_add(1));
    let part = || {
        let (from, to) = some.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    };
    only.or_else(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_a_part_or_all() {
        for (one, some, expected) in [
            ("", "", None),
            ("17", "", Some(17..18)),
            ("17", "0..5", Some(17..18)),
            ("", "2500..5000", Some(2500..5000)),
            ("", "2500", None),
            ("x", "a..b", None),
        ] {
            assert_eq!(asked(one, some), expected, "{one} {some}");
        }
    }
}
