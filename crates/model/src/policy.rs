//! What a writer may claim: trust follows from who wrote, and authority from trust.

use crate::{Actor, Author, Invalid, Tier, Trust, Visibility};

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

/// The trust of what was made from others: that of the least trusted of them.
pub fn inherited_trust(sources: impl IntoIterator<Item = Trust>) -> Trust {
    sources.into_iter().max().unwrap_or(Trust::Unreviewed)
}

/// The most that one memory may hold, in bytes of its body: what does not fit is refused, not cut.
pub const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

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
