//! What leaves the house: believed and valid now, nothing secret, nothing in quarantine.

use mnemic_model::{At, Kind, Link, RecordId, Relation, Trust, Version};
use mnemic_store::{Read, Result};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that may leave, by id, so that two exports of one store are the same.
pub(super) fn believed(read: &dyn Read) -> Result<BTreeMap<RecordId, Version>> {
    let now = read.now()?;
    let mut found = BTreeMap::new();
    read.each_record(&mut |id| {
        let leaves = |version: &Version| {
            let kind = version.kind();
            let is_known = kind.is_memory() || kind == Kind::Entity;
            is_known
                && kind != Kind::Secret
                && version.content.trust() != Trust::Quarantined
                && version.is_valid(now)
        };
        if let Some(version) = read.version(id, None)?.filter(leaves) {
            found.insert(id.clone(), version);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Links between what leaves, each once.
pub(super) fn links(
    read: &dyn Read,
    among: &BTreeMap<RecordId, Version>,
) -> Result<BTreeSet<(RecordId, Relation, RecordId)>> {
    let mut found = BTreeSet::new();
    for id in among.keys() {
        for Link { from, relation, to, .. } in read.links(id, At::LATEST)? {
            if among.contains_key(&from) && among.contains_key(&to) {
                found.insert((from, relation, to));
            }
        }
    }
    Ok(found)
}

/// A text under a name in `extra`.
pub(super) fn extra<'v>(version: &'v Version, name: &str) -> Option<&'v str> {
    version.content.extra.get(name)?.as_str()
}
