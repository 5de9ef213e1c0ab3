//! The short names by which an agent cites what it was shown.

use mnemic_model::{Digest, RecordId};
use std::collections::{BTreeMap, BTreeSet};

/// Hex digits of a citation, unless two memories of one text would share them.
pub(super) const DIGITS: usize = 8;

/// The usual citation of a record: the same wherever and whenever it is shown.
pub fn citation(id: &RecordId) -> String {
    digits(id, DIGITS)
}

/// Citations that tell all of these apart: those that would be alike are longer.
pub(super) fn citations<'a>(
    ids: impl IntoIterator<Item = &'a RecordId>,
) -> BTreeMap<&'a RecordId, String> {
    let ids: BTreeSet<&RecordId> = ids.into_iter().collect();
    let mut named = BTreeMap::new();
    let mut unnamed: Vec<&RecordId> = ids.into_iter().collect();
    for length in DIGITS..=32 {
        let mut groups: BTreeMap<String, Vec<&RecordId>> = BTreeMap::new();
        for id in unnamed.drain(..) {
            groups.entry(digits(id, length)).or_default().push(id);
        }
        for (name, mut alike) in groups {
            match alike.as_slice() {
                [id] => _ = named.insert(*id, name),
                _ if length == 32 => named.extend(alike.drain(..).map(|id| (id, name.clone()))),
                _ => unnamed.append(&mut alike),
            }
        }
    }
    named
}

fn digits(id: &RecordId, length: usize) -> String {
    let mut hex = Digest::of("citation", [id.as_str().as_bytes()]).to_hex();
    hex.truncate(length);
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> RecordId {
        RecordId::parse(text).unwrap()
    }

    /// Two ids with the same first eight digits, found by trying some hundred thousand.
    fn twins() -> (RecordId, RecordId) {
        let mut seen = std::collections::HashMap::new();
        for number in 0.. {
            let id = id(&format!("fact-{number}"));
            if let Some(other) = seen.insert(citation(&id), id.clone()) {
                return (other, id);
            }
        }
        unreachable!("there are only so many citations of eight digits")
    }

    #[test]
    fn alike_ones_grow_until_they_differ_and_others_stay_short() {
        let (a, b) = twins();
        let other = id("dec-1");
        let names = citations([&a, &other, &b, &a]);
        assert_eq!(names.len(), 3);
        assert_ne!(names[&a], names[&b]);
        assert!(names[&a].len() > DIGITS && names[&a].starts_with(&citation(&a)));
        assert_eq!(names[&other], citation(&other));
    }
}
