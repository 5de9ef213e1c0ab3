//! Every number that decides a score, with its documented default, and every switch.

/// How the channels become one relevance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fusion {
    /// A weighted sum over normalised scores.
    Weighted,
    /// Reciprocal ranks.
    Ranks,
}

/// Weights and bounds. The sums of the formula are written in `score.rs`.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    pub meaning: f64,
    pub words: f64,
    pub recency: f64,
    pub usage: f64,
    /// What an episode loses that was lived through long before or after the time of the question.
    pub age: f64,
    /// What standing near a hit in the graph adds.
    pub graph: f64,
    /// What having happened in the time asked about adds, for each time that this is e-fold rarer
    /// by chance.
    pub time: f64,
    /// What being called by its name adds.
    pub name: f64,
    /// What it counts, behind the first answers, to be like one of them: for each deviation from what is
    /// usual there, so much of a deviation of the scores.
    pub kin: f64,
    /// What a reader adds that says yes without a doubt.
    pub reader: f64,
    pub mandate: f64,
    pub guardrail: f64,
    pub reference: f64,
    /// In days.
    pub half_life: f64,
    pub half_life_mandate: f64,
    /// The least days by which age takes half of the most; so many times as far as half of what is found
    /// lies, where that is more.
    pub half_life_age: f64,
    pub far_age: f64,
    /// Below this score, before age, gist and kin come in, nothing is shown.
    pub least_score: f64,
    /// Below this evidence for any of it, nothing is shown at all.
    pub least_evidence: f64,
    /// References not used for so many days are at rest, like what is archived.
    pub reference_window_days: f64,
    /// How many times the usual evidence what is at rest must show. A quarter more than usual cost a
    /// point of recall@10 after 120 days on long conversations, a half more four.
    pub rest_evidence: f64,
    /// How much of a score diversity may cost: 1 is nothing.
    pub diversity: f64,
    pub rank_constant: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            meaning: 0.4,
            words: 0.2,
            recency: 0.2,
            usage: 0.2,
            age: 0.2,
            graph: 0.1,
            time: 0.08,
            name: 0.1,
            kin: 0.3,
            reader: 0.4,
            mandate: 2.0,
            guardrail: 1.5,
            reference: 1.0,
            half_life: 7.0,
            half_life_mandate: 30.0,
            half_life_age: 14.0,
            far_age: 4.0,
            least_score: 0.35,
            least_evidence: 0.2,
            reference_window_days: 90.0,
            rest_evidence: 1.0,
            diversity: 0.7,
            rank_constant: 60.0,
        }
    }
}

/// Each step on its own, so that what it is worth can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    pub meaning: bool,
    /// A question's vector is taken without what is usual in the stores.
    pub contrast: bool,
    pub words: bool,
    /// A word that the stores do not know is read as one that they know, where it may be a slip.
    pub spelling: bool,
    pub graph: bool,
    pub time: bool,
    pub skills: bool,
    /// Each of several things that a question sets side by side is looked for on its own as well.
    pub aspects: bool,
    /// What somebody said whom the question names comes before what others said.
    pub person: bool,
    /// Neighbouring turns lend each other some of their score.
    pub neighbours: bool,
    /// Weights move with what question and store look like.
    pub adapt: bool,
    pub fusion: Fusion,
    pub recency: bool,
    pub usage: bool,
    /// Episodes far from the time of the question give way.
    pub age: bool,
    pub tiers: bool,
    /// A share of the places for each kind of memory.
    pub strategy: bool,
    pub diversity: bool,
    /// A model reads question and answer together, where there is one.
    pub reader: bool,
    /// The gist of the best answers takes over a share of meaning, where it has more to say. Only
    /// where weights adapt: that is what it does.
    pub gist: bool,
    /// Behind the first answers, what is like one of them comes before what is not.
    pub kin: bool,
    /// Older statements of what a newer one says otherwise become history.
    pub settle: bool,
    /// What says the same to the letter is one answer, which names the others.
    pub twins: bool,
    /// Bounds on score, idleness and evidence.
    pub bounds: bool,
    /// What is at rest answers where it is clearly meant: nobody used it for long, but somebody asks
    /// for it now.
    pub rest: bool,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            meaning: true,
            contrast: true,
            words: true,
            spelling: true,
            graph: true,
            time: true,
            skills: true,
            aspects: true,
            person: true,
            neighbours: true,
            adapt: true,
            fusion: Fusion::Weighted,
            recency: true,
            usage: true,
            age: true,
            tiers: true,
            strategy: true,
            diversity: false,
            reader: true,
            gist: true,
            kin: true,
            settle: true,
            twins: true,
            bounds: true,
            rest: true,
        }
    }
}
