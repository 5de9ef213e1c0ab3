//! What an edited file changes, as the patch that `edit` would have made.

use mnemic_model::{Content, Patch, Tier, Trust};
use serde_json::Value;

/// The smallest patch from one content to the other. Who wrote it, and from where, is not edited.
pub(super) fn between(old: &Content, new: &Content) -> Patch {
    let mut patch = Patch::default();
    let (before, after) = (old.body.to_fields(), new.body.to_fields());
    for (name, value) in &after {
        if before.get(name) != Some(value) {
            patch.body.insert(name.clone(), value.clone());
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        patch.body.insert(name.clone(), Value::Null);
    }
    patch.summary = changed(&old.levels.summary, &new.levels.summary);
    patch.compressed = changed(&old.levels.compressed, &new.levels.compressed);
    patch.index = changed(&old.levels.index, &new.levels.index);
    patch.category = changed(&old.category, &new.category);
    patch.tier = changed(&old.tier, &new.tier);
    patch.importance = changed(&old.importance, &new.importance);
    patch.confidence = changed(&old.confidence, &new.confidence);
    patch.pinned = changed(&old.pinned, &new.pinned);
    patch.visibility = changed(&old.scope.visibility, &new.scope.visibility);
    patch.namespace = changed(&old.scope.namespace, &new.scope.namespace);
    patch.valid_at = changed(&old.valid.from(), &new.valid.from());
    patch.invalid_at = changed(&old.valid.to(), &new.valid.to());
    patch.extra = changed(&old.extra, &new.extra);
    patch.add_tags = new.tags.difference(&old.tags).cloned().collect();
    patch.remove_tags = old.tags.difference(&new.tags).cloned().collect();
    patch
}

/// What a file says otherwise and no file may say: who wrote it, from what, and whom to trust.
pub(super) fn beyond(old: &Content, new: &Content) -> Vec<&'static str> {
    let (was, is) = (&old.provenance, &new.provenance);
    let fields = [
        ("trust", was.trust != is.trust),
        ("confirmed_by", old.confirmed_by != new.confirmed_by),
        ("writer", was.writer != is.writer),
        ("source", was.source != is.source),
        ("episodes", was.episodes != is.episodes),
        ("scope", old.scope.level != new.scope.level),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

fn changed<T: PartialEq + Clone>(old: &T, new: &T) -> Option<T> {
    (old != new).then(|| new.clone())
}

/// An edit that somebody else committed: their words, but none of the authority that they claim, and
/// what was trusted waits for a person again.
pub(super) fn of_a_stranger(old: &Content, new: &Content) -> Patch {
    let mut patch = between(old, new);
    patch.tier = None;
    patch.pinned = None;
    patch.visibility = None;
    if old.trust() == Trust::Trusted && !patch.is_empty() {
        patch.trust = Some(Trust::Unreviewed);
        patch.confirmed_by = Some(None);
        if matches!(old.tier, Tier::Mandate | Tier::Guardrail) {
            patch.tier = Some(Tier::Reference);
        }
    }
    patch
}
