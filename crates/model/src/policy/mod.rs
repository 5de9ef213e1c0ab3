//! What a writer may claim: trust follows from who wrote, and authority from trust.

mod deed;

pub use deed::{Deed, Door, Verdict, verdict};

use crate::{Actor, Author, Content, Invalid, ScopeLevel, Tier, Trust, Visibility};

/// The trust that a text begins with.
pub fn initial_trust(writer: &Actor) -> Trust {
    match writer.author {
        Author::Human => Trust::Trusted,
        Author::Agent | Author::Tool | Author::Web | Author::Import => Trust::Unreviewed,
    }
}

/// Whether `actor` may store a memory of this authority. Text that no person vouches for is data:
/// it never becomes a mandate, a guardrail or a shared memory by itself.
pub fn admit(
    actor: &Actor,
    trust: Trust,
    tier: Tier,
    visibility: Visibility,
) -> Result<(), Invalid> {
    if trust == Trust::Trusted && !actor.is_human() {
        return Err(Invalid::new(
            "trust",
            format!("`{actor}` cannot declare a text trusted"),
            "leave it out; a person raises trust with `mnemic confirm ID`",
        ));
    }
    if trust == Trust::Trusted {
        return Ok(());
    }
    if matches!(tier, Tier::Mandate | Tier::Guardrail) {
        return Err(Invalid::new(
            "tier",
            format!("a text that is `{trust}` cannot be a `{tier}`"),
            "store it as a reference; a person raises it with `mnemic confirm ID`",
        ));
    }
    if visibility == Visibility::Shared {
        return Err(Invalid::new(
            "visibility",
            format!("a text that is `{trust}` cannot be shared"),
            "store it as private; a person confirms it first with `mnemic confirm ID`",
        ));
    }
    Ok(())
}

/// Words that no person wrote are not a person's words: whoever changed them is their writer, and
/// nobody vouches for them any more.
pub(crate) fn take_over(content: &mut Content, writer: &Actor) {
    content.provenance.writer = writer.clone();
    content.provenance.trust = content.provenance.trust.max(Trust::Unreviewed);
    content.confirmed_by = None;
}

/// Whether a memory of this trust may hold for more than one person's work. Only what somebody
/// looked at does.
pub fn admit_level(trust: Trust, level: ScopeLevel) -> Result<(), Invalid> {
    if trust == Trust::Trusted || level == own_level(level) {
        return Ok(());
    }
    Err(Invalid::new(
        "scope",
        format!("a text that is `{trust}` cannot hold for the whole `{level}`"),
        "store it for yourself or the project; a person confirms it first with `mnemic confirm ID`",
    ))
}

/// The level of what holds for nobody but its owner.
pub fn own_level(level: ScopeLevel) -> ScopeLevel {
    match level {
        ScopeLevel::System | ScopeLevel::Org => ScopeLevel::User,
        level => level,
    }
}

/// The trust of what was made from others: that of the least trusted of them.
pub fn inherited_trust(sources: impl IntoIterator<Item = Trust>) -> Trust {
    sources.into_iter().max().unwrap_or(Trust::Unreviewed)
}

/// From here on a text that no person wrote is set apart.
pub const SUSPECT: f64 = 0.45;
/// The same for what came from a tool, a file or the web, of which nobody knows the author.
pub const SUSPECT_FROM_OUTSIDE: f64 = 0.4;

/// The trust of a text after somebody looked for orders to agents in it. It never rises.
pub fn doubted(trust: Trust, author: Author, suspicion: f64) -> Trust {
    let bar = match author {
        Author::Human => return trust,
        Author::Agent => SUSPECT,
        Author::Tool | Author::Web | Author::Import => SUSPECT_FROM_OUTSIDE,
    };
    if suspicion >= bar { Trust::Quarantined } else { trust }
}

/// The tier of a text that nobody vouches for.
pub fn lowered(tier: Tier) -> Tier {
    match tier {
        Tier::Mandate | Tier::Guardrail => Tier::Reference,
        tier => tier,
    }
}

/// The most that one memory may hold, in bytes of its body: what does not fit is refused, not cut.
pub const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_looked_at_holds_for_others() {
        use ScopeLevel::*;
        for level in ScopeLevel::ALL.iter().copied() {
            let wide = matches!(level, System | Org);
            assert!(admit_level(Trust::Trusted, level).is_ok());
            for trust in [Trust::Unreviewed, Trust::Quarantined] {
                assert_eq!(admit_level(trust, level).is_err(), wide, "{trust} {level}");
            }
            assert_eq!(
                level.is_personal(),
                own_level(level).is_personal(),
                "it stays where it lies"
            );
        }
    }

    #[test]
    fn doubt_only_lowers() {
        use {Author::*, Trust::*};
        for (trust, author, score, after) in [
            (Trusted, Human, 1.0, Trusted),
            (Unreviewed, Agent, 0.44, Unreviewed),
            (Unreviewed, Agent, 0.45, Quarantined),
            (Unreviewed, Web, 0.4, Quarantined),
            (Trusted, Import, 0.9, Quarantined),
            (Quarantined, Agent, 0.0, Quarantined),
        ] {
            assert_eq!(doubted(trust, author, score), after, "{trust} {author} {score}");
        }
    }

    #[test]
    fn only_a_person_gives_authority() {
        let person = Actor::new(Author::Human, "a");
        let agent = Actor::new(Author::Agent, "b");
        use {Tier::*, Trust::*, Visibility::*};
        for (actor, trust, tier, visibility, allowed) in [
            (&person, Trusted, Mandate, Shared, true),
            (&person, Unreviewed, Mandate, Private, false),
            (&person, Unreviewed, Reference, Shared, false),
            (&agent, Unreviewed, Reference, Private, true),
            (&agent, Unreviewed, Guardrail, Private, false),
            (&agent, Trusted, Reference, Private, false),
            (&agent, Quarantined, Archive, Private, true),
        ] {
            let verdict = admit(actor, trust, tier, visibility).is_ok();
            assert_eq!(verdict, allowed, "{actor} {trust} {tier} {visibility}");
        }
    }
}
