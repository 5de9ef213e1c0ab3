//! A change to a memory, as small as it was asked for.

use crate::body::{Body, Fields};
use crate::{
    Actor, Content, Interval, Invalid, Kind, Namespace, ScopeLevel, Tier, Timestamp, Trust, Unit,
    Visibility, policy,
};
use serde_json::Value;

/// Only what is `Some` changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Patch {
    /// Fields of the body; `null` removes one.
    pub body: Fields,
    pub summary: Option<Option<String>>,
    pub compressed: Option<Option<String>>,
    pub index: Option<Option<String>>,
    pub tier: Option<Tier>,
    pub importance: Option<Unit>,
    pub confidence: Option<Unit>,
    pub add_tags: Vec<String>,
    pub remove_tags: Vec<String>,
    pub category: Option<Option<String>>,
    pub valid_at: Option<Timestamp>,
    pub invalid_at: Option<Option<Timestamp>>,
    pub trust: Option<Trust>,
    pub scope: Option<ScopeLevel>,
    pub namespace: Option<Namespace>,
    pub visibility: Option<Visibility>,
    pub pinned: Option<bool>,
    pub confirmed_by: Option<Option<String>>,
    pub extra: Option<Fields>,
}

impl Patch {
    pub fn is_empty(&self) -> bool {
        *self == Patch::default()
    }

    /// The content after this change, made by `actor`.
    pub fn apply(&self, old: &Content, actor: &Actor) -> Result<Content, Invalid> {
        let mut new = old.clone();
        new.body = self.patched_body(&old.body)?;
        for (slot, change) in [
            (&mut new.levels.summary, &self.summary),
            (&mut new.levels.compressed, &self.compressed),
            (&mut new.levels.index, &self.index),
            (&mut new.category, &self.category),
            (&mut new.confirmed_by, &self.confirmed_by),
        ] {
            if let Some(change) = change {
                slot.clone_from(change);
            }
        }
        new.tags.extend(self.add_tags.iter().cloned());
        for tag in &self.remove_tags {
            new.tags.remove(tag);
        }
        new.tier = self.tier.unwrap_or(old.tier);
        new.importance = self.importance.unwrap_or(old.importance);
        new.confidence = self.confidence.unwrap_or(old.confidence);
        new.pinned = self.pinned.unwrap_or(old.pinned);
        new.scope.level = self.scope.unwrap_or(old.scope.level);
        new.scope.visibility = self.visibility.unwrap_or(old.scope.visibility);
        if let Some(namespace) = &self.namespace {
            new.scope.namespace = namespace.clone();
        }
        if let Some(extra) = &self.extra {
            new.extra = extra.clone();
        }
        new.valid = Interval::new(
            self.valid_at.unwrap_or(old.valid.from()),
            self.invalid_at.unwrap_or(old.valid.to()),
        )?;
        new.provenance.trust = self.trust.unwrap_or(old.provenance.trust);
        self.disown(old, &mut new, actor)?;
        self.check_authority(old, &new, actor)?;
        new.check()?;
        Ok(new)
    }

    /// Words that a program put into a memory are no longer those that a person vouched for.
    fn disown(&self, old: &Content, new: &mut Content, actor: &Actor) -> Result<(), Invalid> {
        let reworded = old.says_otherwise_than(new) && old.kind().is_memory();
        if actor.is_human() || !reworded || old.provenance.trust != Trust::Trusted {
            return Ok(());
        }
        if old.tier != policy::lowered(old.tier) || old.scope.visibility == Visibility::Shared {
            return Err(Invalid::new(
                "text",
                format!("`{actor}` cannot change the words of what binds or is shared"),
                "remember it as a memory of its own; a person changes this one with `mnemic edit`",
            ));
        }
        if self.trust.is_none() {
            policy::take_over(new, actor);
        }
        Ok(())
    }

    fn patched_body(&self, old: &Body) -> Result<Body, Invalid> {
        if self.body.is_empty() {
            return Ok(old.clone());
        }
        let kind = old.kind();
        if kind == Kind::Episode {
            return Err(Invalid::new(
                "episode",
                "what happened is never edited afterwards",
                "remember what you know now as a memory of its own and link it with `elaborates`",
            ));
        }
        let mut fields = old.to_fields();
        for (name, value) in &self.body {
            match value {
                Value::Null => fields.remove(name),
                value => fields.insert(name.clone(), value.clone()),
            };
        }
        Body::from_fields(kind, fields)
    }

    /// Authority that grows is checked against who asks; what was already granted stays.
    fn check_authority(&self, old: &Content, new: &Content, actor: &Actor) -> Result<(), Invalid> {
        let grows = new.tier != old.tier
            || new.scope.visibility != old.scope.visibility
            || new.provenance.trust != old.provenance.trust;
        if new.scope.level != old.scope.level {
            policy::admit_level(new.provenance.trust, new.scope.level)?;
        }
        let lowers_trust = new.provenance.trust > old.provenance.trust;
        if new.provenance.trust < old.provenance.trust && !actor.is_human() {
            return Err(Invalid::new(
                "trust",
                format!("`{actor}` cannot raise the trust of a text"),
                "a person does so with `mnemic confirm ID`",
            ));
        }
        if grows && !(lowers_trust && new.tier == old.tier) {
            policy::admit(actor, new.provenance.trust, new.tier, new.scope.visibility)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Author, Draft, Scope, Timestamp};

    fn written_by_a_person(tier: &str) -> Content {
        let json = format!(r#"{{"kind":"fact","key":"port","value":"80","tier":"{tier}"}}"#);
        let draft = Draft::from_fields(serde_json::from_str(&json).unwrap()).unwrap();
        let scope = Scope::private(ScopeLevel::Project);
        let person = Actor::new(Author::Human, "ann");
        let content = draft.resolve(&person, Timestamp::from_micros(0).unwrap(), &scope).unwrap();
        Content { confirmed_by: Some("human:ann".into()), ..content }
    }

    fn new_value() -> Patch {
        let mut patch = Patch::default();
        patch.body.insert("value".into(), "81".into());
        patch
    }

    #[test]
    fn an_agent_does_not_speak_in_a_persons_name() {
        let agent = Actor::new(Author::Agent, "coder");
        let old = written_by_a_person("reference");
        let new = new_value().apply(&old, &agent).unwrap();
        assert_eq!((new.trust(), &new.provenance.writer), (Trust::Unreviewed, &agent));
        assert!(!new.belongs_to_a_person());
        let summary = Patch { summary: Some(Some("any port".into())), ..Patch::default() };
        assert_eq!(summary.apply(&old, &agent).unwrap().trust(), Trust::Unreviewed);
        let tags = Patch { add_tags: vec!["net".into()], ..Patch::default() };
        assert_eq!(tags.apply(&old, &agent).unwrap().trust(), Trust::Trusted);
    }

    #[test]
    fn an_agent_does_not_word_what_binds() {
        let agent = Actor::new(Author::Agent, "coder");
        for tier in ["mandate", "guardrail"] {
            assert!(new_value().apply(&written_by_a_person(tier), &agent).is_err(), "{tier}");
        }
        let person = Actor::new(Author::Human, "bob");
        let new = new_value().apply(&written_by_a_person("mandate"), &person).unwrap();
        assert!(new.belongs_to_a_person() && new.trust() == Trust::Trusted);
    }
}
