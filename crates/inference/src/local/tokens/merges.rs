//! Joining neighbouring tokens, the most frequent pairs first: the `BP` of BPE.

/// Two tokens that become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Merge {
    pub(crate) left: u16,
    pub(crate) right: u16,
    pub(crate) joined: u16,
}

/// No merge: its tokens would lie outside every vocabulary.
const EMPTY: u64 = u64::MAX;

/// The rank of a pair that does not join.
const NEVER: u32 = u32::MAX;

/// How many slots a table of so many merges has: at most half of them are taken.
pub(crate) fn merge_slots(merges: usize) -> usize {
    (2 * merges).next_power_of_two()
}

/// The merges, given in order of rank, as a hash table that is used as it lies: 16 bits each of
/// left, right, joined and rank, from low to high; a taken slot pushes to the next.
pub(crate) fn merge_table(merges: &[Merge], slots: usize) -> Vec<u64> {
    assert!(merges.len() < slots, "there must be an empty slot to end every search");
    let mut table = vec![EMPTY; slots];
    for (rank, merge) in merges.iter().enumerate() {
        let pair = pair(merge.left, merge.right);
        let mut slot = place(pair, slots);
        // Of two equal pairs the first wins.
        while table[slot] != EMPTY && table[slot] as u32 != pair {
            slot = (slot + 1) % slots;
        }
        if table[slot] == EMPTY {
            table[slot] =
                u64::from(pair) | u64::from(merge.joined) << 32 | (rank as u64 & 0xffff) << 48;
        }
    }
    table
}

fn pair(left: u16, right: u16) -> u32 {
    u32::from(left) | u32::from(right) << 16
}

/// Fibonacci hashing: the upper bits of the product depend on all of the pair.
fn place(pair: u32, slots: usize) -> usize {
    let spread = u64::from(pair).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread >> 32) as usize & (slots - 1)
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Merges<'a> {
    table: &'a [u64],
}

impl<'a> Merges<'a> {
    /// The table's length is a power of two.
    pub(crate) fn new(table: &'a [u64]) -> Merges<'a> {
        Merges { table }
    }

    /// Rank and result of joining two tokens.
    fn find(&self, left: u16, right: u16) -> Option<(u32, u16)> {
        let pair = pair(left, right);
        let start = place(pair, self.table.len());
        // Once around at most: a damaged table may have no empty slot.
        for step in 0..self.table.len() {
            let entry = self.table[(start + step) & (self.table.len() - 1)];
            if entry == EMPTY {
                return None;
            }
            if entry as u32 == pair {
                return Some(((entry >> 48) as u32, (entry >> 32) as u16));
            }
        }
        None
    }

    fn rank(&self, ids: &[u16], at: usize) -> u32 {
        match ids.get(at..at + 2) {
            Some(&[left, right]) => self.find(left, right).map_or(NEVER, |(rank, _)| rank),
            _ => NEVER,
        }
    }

    /// Joins until nothing joins any more; of equal ranks the leftmost first.
    pub(crate) fn apply(&self, ids: &mut Vec<u16>) {
        let mut ranks: Vec<u32> = (0..ids.len()).map(|at| self.rank(ids, at)).collect();
        while let Some((at, &rank)) = ranks.iter().enumerate().min_by_key(|&(_, rank)| *rank) {
            if rank == NEVER {
                break;
            }
            let Some((_, joined)) = self.find(ids[at], ids[at + 1]) else { break };
            ids[at] = joined;
            ids.remove(at + 1);
            ranks.remove(at + 1);
            ranks[at] = self.rank(ids, at);
            if at > 0 {
                ranks[at - 1] = self.rank(ids, at - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(merges: &[(u16, u16, u16)]) -> Vec<u64> {
        let merges: Vec<Merge> =
            merges.iter().map(|&(left, right, joined)| Merge { left, right, joined }).collect();
        merge_table(&merges, merge_slots(merges.len()))
    }

    #[test]
    fn earlier_merges_come_first() {
        let table = table(&[(2, 3, 10), (1, 2, 11), (1, 10, 12), (5, 5, 13)]);
        for (given, expected) in [
            (vec![1, 2, 3], vec![12]),
            (vec![1, 2, 4], vec![11, 4]),
            (vec![5, 5, 5], vec![13, 5]),
            (vec![5, 5, 5, 5], vec![13, 13]),
            (vec![4], vec![4]),
            (vec![], vec![]),
        ] {
            let mut ids = given.clone();
            Merges::new(&table).apply(&mut ids);
            assert_eq!(ids, expected, "{given:?}");
        }
    }

    #[test]
    fn a_table_without_an_empty_slot_ends_the_search() {
        assert_eq!(Merges::new(&[0; 8]).find(1, 2), None);
    }

    proptest! {
        #[test]
        fn what_is_put_in_is_found(pairs in prop::collection::hash_set((0..500_u16, 0..500_u16), 1..300)) {
            let merges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, a ^ b)).collect();
            let table = table(&merges);
            let found = Merges::new(&table);
            for (rank, &(left, right, joined)) in merges.iter().enumerate() {
                prop_assert_eq!(found.find(left, right), Some((rank as u32, joined)));
            }
            prop_assert_eq!(found.find(500, 0), None);
        }
    }
}
