//! What the segments know of a version besides its words: enough to pass most rows over unread.

use mnemic_model::{Filter, Kind, ScopeLevel, Trust};

/// Kind, level, trust, a hash of the namespace, and the beginning of the text's fingerprint, which
/// tells whether a segment still speaks of the row that has this key now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facets(pub(super) u64);

const NAMESPACE_BITS: u64 = (1 << 21) - 1;

const FINE: u64 = 1 << 31;

impl Facets {
    pub(super) fn new(
        kind: Kind,
        level: ScopeLevel,
        trust: Trust,
        namespace: &str,
        fingerprint: &[u8],
    ) -> Facets {
        let print = beginning(fingerprint);
        Facets(
            kind as u64
                | (level as u64) << 5
                | (trust as u64) << 8
                | namespace_hash(namespace) << 10
                | print << 32,
        )
    }

    /// Marks a vector as one of a few sentences.
    pub(super) fn of_grain(self, fine: bool) -> Facets {
        Facets(if fine { self.0 | FINE } else { self.0 })
    }

    pub(super) fn is_fine(self) -> bool {
        self.0 & FINE != 0
    }

    pub(super) fn has_print(self, fingerprint: &[u8]) -> bool {
        self.0 >> 32 == beginning(fingerprint)
    }

    pub(super) fn kind(self) -> u32 {
        (self.0 & 0x1f) as u32
    }

    fn level(self) -> u32 {
        (self.0 >> 5 & 0x7) as u32
    }

    fn trust(self) -> u32 {
        (self.0 >> 8 & 0x3) as u32
    }

    fn namespace(self) -> u64 {
        self.0 >> 10 & NAMESPACE_BITS
    }
}

fn beginning(fingerprint: &[u8]) -> u64 {
    fingerprint.iter().take(4).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Two names may share one: the row itself decides in the end.
fn namespace_hash(name: &str) -> u64 {
    let hash = blake3::hash(name.as_bytes());
    let bytes: [u8; 4] = hash.as_bytes()[..4].try_into().expect("four of thirty-two");
    u64::from(u32::from_le_bytes(bytes)) & NAMESPACE_BITS
}

/// Which facets can pass a filter.
#[derive(Debug)]
pub(super) struct Sieve {
    kinds: u32,
    levels: u32,
    trusts: u32,
    /// A few, all looked through.
    namespaces: Option<Vec<u64>>,
}

fn mask(bits: impl Iterator<Item = u32>) -> u32 {
    match bits.fold(0, |mask, bit| mask | 1 << bit) {
        0 => u32::MAX,
        some => some,
    }
}

impl Sieve {
    pub(super) fn of(filter: &Filter) -> Sieve {
        let namespaces = &filter.namespaces;
        Sieve {
            kinds: mask(filter.kinds.iter().map(|kind| *kind as u32)),
            levels: mask(filter.levels.iter().map(|level| *level as u32)),
            trusts: mask(filter.trusts.iter().map(|trust| *trust as u32)),
            namespaces: (!namespaces.is_empty())
                .then(|| namespaces.iter().map(|name| namespace_hash(name.as_str())).collect()),
        }
    }

    /// Whether one of these kinds, as bits, can pass.
    pub(super) fn has_any(&self, kinds: u32) -> bool {
        self.kinds & kinds != 0
    }

    pub(super) fn lets_pass(&self, facets: Facets) -> bool {
        self.kinds >> facets.kind() & 1 == 1
            && self.levels >> facets.level() & 1 == 1
            && self.trusts >> facets.trust() & 1 == 1
            && self.namespaces.as_ref().is_none_or(|all| all.contains(&facets.namespace()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::{At, Namespace};

    #[test]
    fn a_sieve_holds_back_what_a_filter_excludes() {
        let facets = |kind, trust, namespace| {
            Facets::new(kind, ScopeLevel::Project, trust, namespace, &[1, 2, 3, 4, 5])
        };
        let fact = facets(Kind::Fact, Trust::Trusted, "default");
        let mut filter = Filter::new(At::LATEST);
        assert!(Sieve::of(&filter).lets_pass(fact));
        filter.kinds = vec![Kind::Skill];
        assert!(!Sieve::of(&filter).lets_pass(fact));
        filter.kinds = vec![Kind::Fact];
        filter.trusts = vec![Trust::Trusted, Trust::Unreviewed];
        filter.namespaces = vec![Namespace::root()];
        assert!(Sieve::of(&filter).lets_pass(fact));
        assert!(!Sieve::of(&filter).lets_pass(facets(Kind::Fact, Trust::Quarantined, "default")));
        assert!(!Sieve::of(&filter).lets_pass(facets(Kind::Fact, Trust::Trusted, "other")));
    }

    #[test]
    fn every_kind_level_and_trust_fits_its_bits() {
        assert!(Kind::ALL.len() <= 32);
        assert!(ScopeLevel::ALL.len() <= 8);
        assert!(Trust::ALL.len() <= 4);
    }
}
