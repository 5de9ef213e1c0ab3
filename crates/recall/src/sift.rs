//! Sifting: what is too weak, or at rest and not clearly meant, is left out, with the reason.

use crate::Question;
use crate::candidate::Candidate;
use crate::score::days_between;
use mnemic_model::Tier;
use std::fmt;

/// From a few dozen memories on the full evidence is asked for.
const MANY: f64 = 32.0;

/// The evidence asked for among so many memories: among few, less is alike by chance.
pub(crate) fn least_evidence(question: &Question, documents: u64) -> f64 {
    let grown = (1.0 + documents as f64).ln() / (1.0 + MANY).ln();
    question.weights.least_evidence * grown.min(1.0)
}

/// What a candidate must pass, and how it stood to it. Many are judged and few are told of, so it is
/// put into words only then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    Evidence {
        is: f64,
        least: f64,
    },
    Score {
        is: f64,
        least: f64,
    },
    /// At rest in the archive.
    Archived,
    /// At rest because nobody has used it for so many days.
    Idle {
        days: f64,
        window: f64,
    },
}

impl fmt::Display for Bound {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            // So near that two digits would look the same.
            Bound::Evidence { is, least } if least - is < 0.005 => {
                write!(to, "evidence {is:.4} against {least:.4}")
            }
            Bound::Evidence { is, least } => write!(to, "evidence {is:.2} against {least:.2}"),
            Bound::Score { is, least } => write!(to, "score {is:.2} against {least:.2}"),
            Bound::Archived => to.write_str("at rest in the archive"),
            Bound::Idle { days, window } => {
                write!(to, "at rest: last used {days:.0} days ago, window {window:.0}")
            }
        }
    }
}

/// The bound that a candidate is left out by, or those that it passed.
pub(crate) fn judge(
    question: &Question,
    candidate: &Candidate,
    score: f64,
    evidence: f64,
    least_evidence: f64,
) -> Result<Vec<Bound>, Bound> {
    if !question.switches.bounds {
        return Ok(Vec::new());
    }
    let weights = &question.weights;
    let rest = rest(question, candidate);
    let least = match rest {
        Some(_) => (least_evidence * weights.rest_evidence).min(1.0),
        None => least_evidence,
    };
    // Who names the archive among the tiers wants it whatever the switch says.
    let may_rest = question.switches.rest || candidate.glance.tier == Tier::Archive;
    let of_evidence = Bound::Evidence { is: evidence, least };
    let of_score = Bound::Score { is: score, least: weights.least_score };
    // What is no number, as damage may make it, is not enough.
    let (enough_evidence, enough_score) = (evidence >= least, score >= weights.least_score);
    match rest {
        _ if !enough_evidence => Err(of_evidence),
        _ if !enough_score => Err(of_score),
        Some(rest) if !may_rest => Err(rest),
        _ => Ok([of_evidence, of_score].into_iter().chain(rest).collect()),
    }
}

/// Why a candidate is at rest, where it is. What happened in the time asked about never is.
fn rest(question: &Question, candidate: &Candidate) -> Option<Bound> {
    let glance = &candidate.glance;
    if glance.tier == Tier::Archive {
        return Some(Bound::Archived);
    }
    if glance.tier != Tier::Reference || candidate.is_of_time() {
        return None;
    }
    let last = glance.usage.last_used.unwrap_or(glance.recorded_at).max(glance.recorded_at);
    let days = days_between(last, question.now);
    let window = question.weights.reference_window_days;
    (days > window).then_some(Bound::Idle { days, window })
}
