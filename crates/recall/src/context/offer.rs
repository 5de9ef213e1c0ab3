//! A memory as it is offered to a context: its texts, what it is worth, who said it, and why.

use super::level::{Level, Texts};
use super::quote::quoted;
use super::role::{Role, Situation, roles};
use mnemic_model::body::AntiPattern;
use mnemic_model::{
    Actor, Author, Body, Content, Kind, RecordId, Scope, ScopeLevel, Tier, Timestamp, Trust,
    Version,
};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Names in an attribution are short; what is longer is no name.
const NAME: usize = 40;

/// Addresses and paths may be a little longer.
const SOURCE: usize = 80;

#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    pub id: RecordId,
    /// The version of the record, so that of two the later is shown.
    pub n: u32,
    pub kind: Kind,
    pub tier: Tier,
    pub texts: Texts,
    pub score: f64,
    pub importance: f64,
    pub attribution: Attribution,
    pub trust: Trust,
    pub roles: BTreeSet<Role>,
    /// Of an anti-pattern.
    pub avoid: Option<Avoid>,
}

/// Who said it, when, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    pub writer: Actor,
    pub at: Timestamp,
    pub scope: Scope,
    pub source: Option<String>,
    pub confirmed_by: Option<String>,
    /// Another memory says otherwise, and nobody has settled which of them holds.
    pub disputed: bool,
}

/// What an anti-pattern warns of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Avoid {
    /// Somebody said it in a sentence of their own.
    pub is_told: bool,
    pub context: String,
    /// It is known where it holds or was met.
    pub is_placed: bool,
    pub what: String,
    pub why: Option<String>,
    pub instead: Option<String>,
}

impl Offer {
    /// What a version is to the work at hand. Its texts come from the caller, who derives and keeps
    /// them; roles that only the caller knows are added with [`Offer::also`].
    pub fn of(version: &Version, texts: Texts, score: f64, situation: &Situation) -> Offer {
        let content = &version.content;
        Offer {
            id: version.id.clone(),
            n: version.n,
            kind: content.kind(),
            tier: content.tier,
            texts,
            score,
            importance: content.importance.get(),
            attribution: Attribution {
                writer: content.provenance.writer.clone(),
                at: content.valid.from(),
                scope: content.scope.clone(),
                source: content.provenance.source.clone(),
                confirmed_by: content.confirmed_by.clone(),
                disputed: false,
            },
            trust: content.trust(),
            roles: roles(version, situation),
            avoid: avoid(content),
        }
    }

    pub fn also(mut self, role: Role) -> Offer {
        self.roles.insert(role);
        self
    }

    /// Whether a person stands behind it: only then may it bind an agent.
    pub fn is_vouched_for(&self) -> bool {
        self.trust == Trust::Trusted
    }

    /// Finite and not negative, whatever the caller measured.
    pub(super) fn score(&self) -> f64 {
        if self.score.is_finite() { self.score.max(0.0) } else { 0.0 }
    }

    pub(super) fn importance(&self) -> f64 {
        if self.importance.is_finite() { self.importance.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The text of a level; where that is blank the next longer one.
    pub(super) fn text(&self, level: Level) -> &str {
        Level::ALL
            .into_iter()
            .filter(|longer| *longer >= level)
            .map(|level| self.texts.at(level))
            .find(|text| !text.trim().is_empty())
            .unwrap_or(&self.texts.full)
    }
}

/// A name that cannot end the brackets it stands in and open others that say more.
fn blunt(name: &str, most: usize) -> String {
    let plain = |c| match c {
        '(' => '[',
        ')' => ']',
        c => c,
    };
    quoted(name, most).chars().map(plain).collect()
}

impl Attribution {
    /// `alice, 2026-01-05`: the writer, then all that is not as usual. Never the time of today.
    pub fn short(&self, trust: Trust) -> String {
        let source = self.source.as_deref().filter(|_| !self.writer.is_human());
        self.told(trust, source)
    }

    /// The same for ten words, which a source would outweigh.
    pub fn shortest(&self, trust: Trust) -> String {
        self.told(trust, None)
    }

    fn told(&self, trust: Trust, source: Option<&str>) -> String {
        let mut parts = vec![self.who()];
        if let Some(person) = &self.confirmed_by {
            parts.push(format!("confirmed by {}", blunt(person, NAME)));
        }
        parts.push(self.at.to_jiff().strftime("%Y-%m-%d").to_string());
        parts.extend(self.place());
        parts.extend(source.map(|source| blunt(&by_name(source), SOURCE)));
        if trust != Trust::Trusted {
            parts.push(trust.to_string());
        }
        if self.disputed {
            parts.push("disputed".to_owned());
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    fn who(&self) -> String {
        match (self.writer.author, blunt(&self.writer.name, NAME)) {
            (author, name) if name.is_empty() => author.to_string(),
            (Author::Human, name) => name,
            (author, name) => format!("{author} {name}"),
        }
    }

    /// Most is of the project and says nothing about it.
    fn place(&self) -> Option<String> {
        let Scope { level, namespace, .. } = &self.scope;
        match (level, namespace.is_root()) {
            (ScopeLevel::Project, true) => None,
            (_, true) => Some(level.to_string()),
            (_, false) => Some(format!("{level} {}", quoted(namespace.as_str(), NAME))),
        }
    }
}

/// A source by the name of its file: where that lies on somebody's disk says nothing to whoever
/// reads, and the whole path of a transcript costs more than what was learnt from it. `show` and
/// `get` tell it.
fn by_name(source: &str) -> Cow<'_, str> {
    if !source.starts_with('/') {
        return source.into();
    }
    let name = source.rsplit('/').next().unwrap_or(source);
    let stem = name.find('.').unwrap_or(name.len());
    match name[..stem].char_indices().nth(LONGEST_STEM) {
        None => name.into(),
        Some(_) => {
            let cut = name.char_indices().nth(KEPT_OF_STEM).map_or(name.len(), |(at, _)| at);
            format!("{}…{}", &name[..cut], &name[stem..]).into()
        }
    }
}

/// The name of a transcript is often a number as long as a line; its beginning tells it from others.
const LONGEST_STEM: usize = 24;
const KEPT_OF_STEM: usize = 8;

fn avoid(content: &Content) -> Option<Avoid> {
    let Body::AntiPattern(body) = &content.body else { return None };
    // How it was found out says nothing about where it holds.
    let place =
        |category: &&String| ![AntiPattern::TOLD, "pitfall", "fix"].contains(&category.as_str());
    let context = content.category.as_ref().filter(place).or(body.learnt_from.as_ref());
    Some(Avoid {
        is_told: content.category.as_deref() == Some(AntiPattern::TOLD),
        is_placed: context.is_some(),
        context: context.cloned().unwrap_or_else(|| everywhere(content.scope.level).to_owned()),
        what: body.what_fails.clone(),
        why: body.why.clone(),
        instead: body.prevention.clone(),
    })
}

/// Where a warning holds that does not say where.
fn everywhere(level: ScopeLevel) -> &'static str {
    match level {
        ScopeLevel::System | ScopeLevel::Org | ScopeLevel::User => "any project",
        ScopeLevel::Project => "this project",
        ScopeLevel::Agent | ScopeLevel::Session => "this work",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample::version;
    use serde_json::json;

    fn offer(body: serde_json::Value) -> Offer {
        let now = Timestamp::parse("2026-03-10T12:00:00Z").unwrap();
        Offer::of(&version("x-1", body), Texts::default(), 0.5, &Situation::at(now))
    }

    #[test]
    fn attributions_tell_what_is_not_as_usual() {
        for (more, expected) in [
            (json!({}), "alice, 2026-03-01"),
            (json!({"scope": "user"}), "alice, 2026-03-01, user"),
            (json!({"namespace": "web"}), "alice, 2026-03-01, project web"),
            (
                json!({"writer": "web", "trust": "unreviewed", "source": "https://x.example/\na"}),
                "web, 2026-03-01, https://x.example/; a, unreviewed",
            ),
            (
                json!({"writer": "agent:codex", "source": "/home/al/notes/day.md#L1-L9"}),
                "agent codex, 2026-03-01, day.md#L1-L9",
            ),
            (
                json!({"writer": "agent:codex", "source":
                    "/home/al/.x/9da5a1ca-08a7-4596-b817-9d2a6bbbb108.jsonl#L3"}),
                "agent codex, 2026-03-01, 9da5a1ca….jsonl#L3",
            ),
            (
                json!({"writer": "agent:codex", "source": "src/main.rs#L3"}),
                "agent codex, 2026-03-01, src/main.rs#L3",
            ),
            (
                json!({"writer": "agent:codex", "confirmed_by": "bob"}),
                "agent codex, confirmed by bob, 2026-03-01",
            ),
        ] {
            let mut body = json!({"kind": "fact", "key": "k", "value": "v"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let offer = offer(body);
            assert_eq!(offer.attribution.short(offer.trust), expected);
        }
    }

    #[test]
    fn anti_patterns_say_where_they_hold() {
        let body = json!({"kind": "anti_pattern", "what_fails": "sleeping", "prevention": "wait"});
        let avoid = offer(body.clone()).avoid.unwrap();
        assert_eq!((avoid.context.as_str(), avoid.what.as_str()), ("this project", "sleeping"));
        let mut placed = body;
        placed["learnt_from"] = "the login test".into();
        assert_eq!(offer(placed.clone()).avoid.unwrap().context, "the login test");
        placed["category"] = "tests".into();
        assert_eq!(offer(placed).avoid.unwrap().context, "tests");
        // How it was found out is no place, and a sentence is nothing to avoid.
        let told = json!({"kind": "anti_pattern", "what_fails": "It fails", "category": "warning"});
        let told = offer(told).avoid.unwrap();
        assert_eq!((told.is_told, told.context.as_str()), (true, "this project"));
    }
}
