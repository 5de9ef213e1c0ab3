//! How binding a memory is, decided by what became of it: cited rises, ignored sinks.

use super::act::{Act, What};
use super::activation::{self, PRESENT};
use super::world::{Memory, SEMANTIC, World};
use mnemic_model::{Content, Tier, Timestamp, Trust};

/// What the table of tiers looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    pub tier: Tier,
    /// A person wrote, pinned or confirmed it.
    pub kept_by_person: bool,
    pub confirmed: bool,
    pub trust: Trust,
    pub referenced: u64,
    pub succeeded: u64,
    pub relevance: Option<f64>,
    pub unused_days: i64,
    /// How present it is by all its uses.
    pub activation: f64,
}

/// References and average relevance that make a reference a guardrail.
const GUARDRAIL: (u64, f64) = (10, 0.7);
/// References, and successes where no person confirmed it, that make a guardrail a mandate.
const MANDATE: (u64, u64) = (25, 20);
/// Unused for so many days with fewer references, anything is archived.
const ARCHIVE: (i64, u64) = (90, 5);

/// The tier that a memory deserves. Going on from the answer gives the same answer: a memory that
/// deserves two steps takes them at once.
pub fn deserved(standing: Standing) -> Tier {
    let (days, references) = ARCHIVE;
    let is_far = standing.activation < PRESENT;
    let unused = standing.unused_days >= days && standing.referenced < references && is_far;
    match standing.tier {
        // Bringing something back from the archive is a person's choice.
        Tier::Archive => Tier::Archive,
        _ if unused && !standing.kept_by_person => Tier::Archive,
        // No text rises that nobody vouches for, however often it is cited.
        tier if standing.trust != Trust::Trusted => tier,
        Tier::Reference if rises_to_guardrail(standing) => {
            deserved(Standing { tier: Tier::Guardrail, ..standing })
        }
        Tier::Guardrail if rises_to_mandate(standing) => Tier::Mandate,
        tier => tier,
    }
}

fn rises_to_guardrail(standing: Standing) -> bool {
    let (references, relevance) = GUARDRAIL;
    let relevant = standing.relevance.is_some_and(|average| average >= relevance);
    standing.referenced >= references && relevant
}

/// A person's yes stands for successes, not for use: one who confirms a fact has not asked for it
/// to be read in every context.
fn rises_to_mandate(standing: Standing) -> bool {
    let (references, successes) = MANDATE;
    let proven = standing.succeeded >= successes || standing.confirmed;
    standing.referenced >= references && proven
}

/// What rises and what sinks. An episode says what happened and binds nobody; how those are put
/// away is the business of forgetting.
pub fn plan(world: &World) -> Vec<Act> {
    let candidates = world.live().filter(|memory| SEMANTIC.contains(&memory.kind()));
    candidates.filter_map(|memory| act(memory, world.now())).collect()
}

/// Whole days since it came in, was changed by somebody or was used.
pub(super) fn unused_days(memory: &Memory, now: Timestamp) -> i64 {
    (now.micros() - memory.touched_at().micros()).div_euclid(86_400_000_000)
}

fn act(memory: &Memory, now: Timestamp) -> Option<Act> {
    let Memory { content, usage, .. } = memory;
    let unused_days = unused_days(memory, now);
    let tier = deserved(Standing {
        tier: content.tier,
        kept_by_person: memory.is_kept_by_a_person(),
        confirmed: content.confirmed_by.is_some(),
        trust: content.trust(),
        referenced: usage.referenced,
        succeeded: usage.succeeded,
        relevance: usage.average_relevance(),
        unused_days,
        activation: activation::of(memory, now),
    });
    if tier == content.tier {
        return None;
    }
    let (what, why) = if tier == Tier::Archive {
        (What::Archived, format!("unused for {unused_days} days"))
    } else {
        (What::Promoted, format!("{} references", usage.referenced))
    };
    let told = format!("{} to {tier}, {why}: {}", memory.id, content.body.title());
    let effects = vec![memory.becomes(Content { tier, ..content.clone() })];
    Some(Act { what, told, effects })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CITED: Standing = Standing {
        tier: Tier::Reference,
        kept_by_person: false,
        confirmed: false,
        trust: Trust::Trusted,
        referenced: 10,
        succeeded: 0,
        relevance: Some(0.7),
        unused_days: 0,
        activation: f64::NEG_INFINITY,
    };

    #[test]
    fn tiers_by_the_table() {
        use Tier::*;
        for (standing, expected) in [
            (CITED, Guardrail),
            (Standing { referenced: 9, ..CITED }, Reference),
            (Standing { relevance: Some(0.69), ..CITED }, Reference),
            (Standing { relevance: None, ..CITED }, Reference),
            (Standing { trust: Trust::Unreviewed, ..CITED }, Reference),
            (Standing { referenced: 25, succeeded: 20, ..CITED }, Mandate),
            (Standing { referenced: 25, succeeded: 19, ..CITED }, Guardrail),
            (Standing { referenced: 25, confirmed: true, ..CITED }, Mandate),
            (Standing { tier: Guardrail, referenced: 24, succeeded: 30, ..CITED }, Guardrail),
            (Standing { referenced: 4, unused_days: 90, ..CITED }, Archive),
            (Standing { referenced: 4, unused_days: 89, ..CITED }, Reference),
            (Standing { referenced: 5, unused_days: 900, ..CITED }, Reference),
            (Standing { referenced: 4, unused_days: 90, activation: 0.1, ..CITED }, Reference),
            (Standing { tier: Mandate, referenced: 0, unused_days: 90, ..CITED }, Archive),
            (Standing { tier: Archive, referenced: 99, ..CITED }, Archive),
            (
                Standing { referenced: 0, unused_days: 900, kept_by_person: true, ..CITED },
                Reference,
            ),
        ] {
            assert_eq!(deserved(standing), expected, "{standing:?}");
        }
    }

    fn standings() -> impl Strategy<Value = Standing> {
        let tiers = prop::sample::select(Tier::ALL.to_vec());
        let trusts = prop::sample::select(Trust::ALL.to_vec());
        let counts = (0u64..40, 0u64..40, prop::option::of(0.0f64..=1.0), 0i64..200, -3.0f64..3.0);
        (tiers, trusts, any::<bool>(), any::<bool>(), counts).prop_map(
            |(tier, trust, kept, confirmed, counts)| {
                let (referenced, succeeded, relevance, unused_days, activation) = counts;
                Standing {
                    tier,
                    kept_by_person: kept || confirmed,
                    confirmed,
                    trust,
                    referenced,
                    succeeded,
                    relevance,
                    unused_days,
                    activation,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn deciding_twice_is_deciding_once(standing in standings()) {
            let tier = deserved(standing);
            prop_assert_eq!(deserved(Standing { tier, ..standing }), tier);
        }

        #[test]
        fn a_persons_memory_never_sinks_and_untrusted_text_never_rises(standing in standings()) {
            let tier = deserved(standing);
            if standing.kept_by_person {
                prop_assert!(tier <= standing.tier);
            }
            if standing.trust != Trust::Trusted {
                prop_assert!(tier >= standing.tier);
            }
        }
    }
}
