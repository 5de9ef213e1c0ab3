//! The short names by which an agent cites what it was shown.

use mnemic_model::{Digest, RecordId};
use std::collections::{BTreeMap, BTreeSet};

/// Hex digits of a citation, unless two memories of one text would share them.
pub(super) const DIGITS: usize = 8;

/// So many tell any two records apart.
const LONGEST: usize = 32;

/// The usual citation of a record: the same wherever and whenever it is shown.
pub fn citation(id: &RecordId) -> String {
    digits(id, DIGITS)
}

/// The digits of a citation as an agent may write it: `[M:1a2b3c4d]`, `M:1a2b3c4d` or `1a2b3c4d`.
pub fn as_citation(text: &str) -> Option<&str> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let bare = ["M:", "G:", "R:"].iter().find_map(|mark| bare.strip_prefix(mark)).unwrap_or(bare);
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    ((DIGITS..=LONGEST).contains(&bare.len()) && bare.bytes().all(is_digit)).then_some(bare)
}

/// Whether a record is cited by these digits.
pub fn is_cited_as(id: &RecordId, cited: &str) -> bool {
    digits(id, cited.len()) == cited
}

/// Citations that tell all of these apart: those that would be alike are longer.
pub(super) fn citations<'a>(
    ids: impl IntoIterator<Item = &'a RecordId>,
) -> BTreeMap<&'a RecordId, String> {
    let ids: BTreeSet<&RecordId> = ids.into_iter().collect();
    let mut named = BTreeMap::new();
    let mut unnamed: Vec<&RecordId> = ids.into_iter().collect();
    for length in DIGITS..=LONGEST {
        let mut groups: BTreeMap<String, Vec<&RecordId>> = BTreeMap::new();
        for id in unnamed.drain(..) {
            groups.entry(digits(id, length)).or_default().push(id);
        }
        for (name, mut alike) in groups {
            match alike.as_slice() {
                [id] => _ = named.insert(*id, name),
                _ if length == LONGEST => {
                    named.extend(alike.drain(..).map(|id| (id, name.clone())))
                }
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
