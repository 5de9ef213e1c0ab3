//! What a sentence becomes that somebody says without naming a kind.

use mnemic_lifecycle::extract::choice;
use mnemic_model::Body;
use mnemic_model::body::{Decision, Pattern};

/// A decision where the sentence tells that one was made, with its reason and what it was made
/// against; anything else is a pattern, word for word.
pub fn spoken(sentence: String) -> Body {
    match choice(&sentence, true) {
        Some(chosen) => Body::Decision(Decision {
            decision: chosen.text,
            rationale: chosen.reason,
            alternatives: chosen.alternative.into_iter().collect(),
            affects: Vec::new(),
            active: true,
        }),
        None => Body::Pattern(Pattern { statement: sentence, ..Pattern::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_kept_as_one() {
        let body = spoken("We decided to use PostgreSQL over MySQL because of its JSONB".into());
        let Body::Decision(decision) = body else { panic!("{body:?}") };
        assert_eq!(decision.decision, "We decided to use PostgreSQL over MySQL");
        assert_eq!(decision.rationale.as_deref(), Some("its JSONB"));
        assert_eq!(decision.alternatives, ["MySQL"]);
    }

    #[test]
    fn anything_else_is_kept_word_for_word() {
        for said in ["Never run migrations on Fridays.", "The billing service is in Go", "我们用"]
        {
            let body = spoken(said.into());
            assert!(matches!(&body, Body::Pattern(it) if it.statement == said), "{body:?}");
        }
    }
}
