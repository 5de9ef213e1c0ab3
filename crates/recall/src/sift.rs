//! Sifting: what is too weak, or at rest and not clearly meant, is left out, with the reason.

use crate::candidate::Candidate;
use crate::score::days_between;
use crate::{Explanation, Question};
use mnemic_model::Tier;

/// From a few dozen memories on the full evidence is asked for.
const MANY: f64 = 32.0;

/// The evidence asked for among so many memories: among few, less is alike by chance.
pub(crate) fn least_evidence(question: &Question, documents: u64) -> f64 {
    let grown = (1.0 + documents as f64).ln() / (1.0 + MANY).ln();
    question.weights.least_evidence * grown.min(1.0)
}

/// Why a candidate is left out, or the bounds that it passed.
pub(crate) fn judge(
    question: &Question,
    candidate: &Candidate,
    explanation: &Explanation,
    evidence: f64,
    least_evidence: f64,
) -> Result<Vec<String>, String> {
    if !question.switches.bounds {
        return Ok(Vec::new());
    }
    let weights = &question.weights;
    let mut passed = Vec::new();
    let rest = rest(question, candidate);
    let least_evidence = match rest {
        Some(_) => (least_evidence * weights.rest_evidence).min(1.0),
        None => least_evidence,
    };
    let mut bound = |holds: bool, said: String| {
        if holds {
            passed.push(said);
            Ok(())
        } else {
            Err(said)
        }
    };
    bound(
        evidence >= least_evidence,
        // So near that two digits would look the same.
        match least_evidence - evidence < 0.005 {
            true => format!("evidence {evidence:.4} against {least_evidence:.4}"),
            false => format!("evidence {evidence:.2} against {least_evidence:.2}"),
        },
    )?;
    bound(
        explanation.score >= weights.least_score,
        format!("score {:.2} against {:.2}", explanation.score, weights.least_score),
    )?;
    if let Some(rest) = rest {
        // Who names the archive among the tiers wants it whatever the switch says.
        let is_named = candidate.glance.tier == Tier::Archive;
        bound(question.switches.rest || is_named, rest)?;
    }
    Ok(passed)
}

/// Why a candidate is at rest, where it is. What happened in the time asked about never is.
fn rest(question: &Question, candidate: &Candidate) -> Option<String> {
    let glance = &candidate.glance;
    if glance.tier == Tier::Archive {
        return Some("at rest in the archive".to_owned());
    }
    if glance.tier != Tier::Reference || candidate.in_time {
        return None;
    }
    let last = glance.usage.last_used.unwrap_or(glance.recorded_at).max(glance.recorded_at);
    let days = days_between(last, question.now);
    let window = question.weights.reference_window_days;
    (days > window).then(|| format!("at rest: last used {days:.0} days ago, window {window:.0}"))
}
