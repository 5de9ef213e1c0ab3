//! The weights of prediction, and where they come from.

/// What each part of a score is multiplied by. A score is the logarithm of odds, so that the chance
/// that it stands for can be checked against what came.
#[derive(Debug)]
pub(crate) struct Weights {
    /// The odds of something that nothing speaks for.
    pub(crate) prior: f64,
    /// The longer a session goes on, the less comes that is new to it.
    pub(crate) late: f64,
    /// Used in the signal's sessions, each session shared among all that it used.
    pub(crate) together: f64,
    /// Used in many of the signal's sessions.
    pub(crate) often: f64,
    /// Used much and lately, whatever the signal.
    pub(crate) activation: f64,
    /// Among the last that were used.
    pub(crate) recency: f64,
    /// In the signal's folder, or near it.
    pub(crate) place: f64,
    /// Named like the signal.
    pub(crate) name: f64,
    /// A memory whose text names the signal.
    pub(crate) told: f64,
}

/// Fitted by `mnemic-bench predict --fit`: logistic regression on two histories and every other
/// session, each of the three sets counting the same, scaled so that the confidence of the first
/// five is the share that came; checked on the rest. No history says which memories were needed, so
/// that `told` is set by hand: one chance in three, too little to be handed over unasked.
pub(crate) const WEIGHTS: Weights = Weights {
    prior: -4.61,
    late: -1.61,
    together: 2.22,
    often: 1.18,
    activation: 2.03,
    recency: 0.24,
    place: 0.78,
    name: 0.87,
    told: 4.0,
};

/// From this confidence on a prediction is worth its tokens: it is more likely used than not, so
/// that at most half of what is injected is not (`mnemic-bench predict` shows the share).
pub const INJECT_FROM: f64 = 0.5;

/// Sessions read for each signal, and of the latest ones. Five hundred predict no better than one
/// hundred.
pub(crate) const SESSIONS: usize = 100;

/// Signals looked at, the latest ones: each costs a query.
pub(crate) const SIGNALS: usize = 8;

/// How many sessions' worth of doubt a signal starts with: what was seen together once proves
/// little.
pub(crate) const DOUBT: f64 = 0.3;
