//! What should be done about the price of memory: six thresholds, three moments to look at them.

use mnemic_model::job::JobKind;
use mnemic_model::session::Economics;

/// What sessions should reach: less than this for finding, more than that saved.
pub const TARGET_RATIO: f64 = 0.1;
pub const TARGET_SAVINGS: f64 = 0.6;

const HIGH_RATIO: f64 = 0.15;
const LOW_SAVINGS: f64 = 0.5;
const MANY_FULL_LOADS: u64 = 3;
const MUCH_DISCOVERY: u64 = 200;
const LONG_TIMELINE: f64 = 100.0;
const LITTLE_SAVED: i64 = 1_000;

/// Full loads from which on one looks without waiting for the end.
const EARLY_LOOK: u64 = 2;

/// When one looks at the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    AfterTask,
    MidSession,
    SessionEnd,
}

impl Moment {
    pub const ALL: [Moment; 3] = [Moment::AfterTask, Moment::MidSession, Moment::SessionEnd];

    /// Whether this is worth a look now.
    pub fn has_come(self, economics: &Economics) -> bool {
        self != Moment::MidSession || economics.full_loads > EARLY_LOOK
    }

    fn looks_at(self, action: Action) -> bool {
        let first_signs = matches!(action, Action::CompressTopics | Action::SpecialiseIndex);
        self == Moment::SessionEnd || first_signs
    }
}

/// What maintenance can do, the most pressing first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    CompressTopics,
    ReviewTopics,
    SpecialiseIndex,
    ReorganiseTopics,
    SplitTimelines,
    QuestionMemory,
}

impl Action {
    pub const ALL: [Action; 6] = [
        Action::CompressTopics,
        Action::ReviewTopics,
        Action::SpecialiseIndex,
        Action::ReorganiseTopics,
        Action::SplitTimelines,
        Action::QuestionMemory,
    ];

    /// 1 is the most pressing.
    pub fn priority(self) -> u8 {
        match self {
            Action::CompressTopics => 1,
            Action::ReviewTopics => 2,
            Action::SpecialiseIndex => 3,
            Action::ReorganiseTopics => 4,
            Action::SplitTimelines => 5,
            Action::QuestionMemory => 6,
        }
    }

    /// The job that carries it out.
    pub fn job(self) -> JobKind {
        match self {
            Action::CompressTopics => JobKind::CompressTopics,
            Action::ReviewTopics => JobKind::ReviewTopics,
            Action::SpecialiseIndex => JobKind::SpecialiseIndex,
            Action::ReorganiseTopics => JobKind::ReorganiseTopics,
            Action::SplitTimelines => JobKind::SplitTimelines,
            Action::QuestionMemory => JobKind::QuestionMemory,
        }
    }

    /// Why it is wanted, where it is.
    fn because(self, e: &Economics) -> Option<String> {
        let over = |exceeds: bool, why: String| exceeds.then_some(why);
        match self {
            Action::CompressTopics => e.ratio().and_then(|ratio| {
                over(ratio > HIGH_RATIO, format!("finding cost {ratio:.2} of reading"))
            }),
            Action::ReviewTopics => e.savings().and_then(|saved| {
                over(saved < LOW_SAVINGS, format!("only {:.0} % was saved", saved * 100.0))
            }),
            Action::SpecialiseIndex => over(
                e.task_full_loads > MANY_FULL_LOADS,
                format!("one task loaded {} times in full", e.task_full_loads),
            ),
            Action::ReorganiseTopics => over(
                e.discovery_tokens > MUCH_DISCOVERY,
                format!("finding out what there is took {} tokens", e.discovery_tokens),
            ),
            Action::SplitTimelines => over(
                e.timeline_per_query() > LONG_TIMELINE,
                format!("a query scans {:.0} tokens of timelines", e.timeline_per_query()),
            ),
            Action::QuestionMemory => {
                over(e.saved() < LITTLE_SAVED, format!("{} tokens were saved", e.saved()))
            }
        }
    }
}

/// Something that should be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub action: Action,
    pub priority: u8,
    pub because: String,
}

/// What should be done now, the most pressing first. A session that asked for nothing paid nothing,
/// and tells nothing.
pub fn evaluate(economics: &Economics, moment: Moment) -> Vec<Finding> {
    if economics.spent() == 0 || !moment.has_come(economics) {
        return Vec::new();
    }
    let looked_at = Action::ALL.into_iter().filter(|action| moment.looks_at(*action));
    looked_at
        .filter_map(|action| {
            let because = action.because(economics)?;
            Some(Finding { action, priority: action.priority(), because })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing wrong with it at any moment.
    const FINE: Economics = Economics {
        discovery_tokens: 150,
        timeline_tokens: 100,
        read_tokens: 1_500,
        index_loads: 3,
        timeline_loads: 1,
        full_loads: 3,
        task_full_loads: 3,
        all_tokens: 10_000,
        doubted: false,
    };

    fn actions(economics: &Economics, moment: Moment) -> Vec<Action> {
        evaluate(economics, moment).into_iter().map(|finding| finding.action).collect()
    }

    #[test]
    fn each_threshold_at_each_moment() {
        use Action::*;
        // Just past each threshold; on it nothing happens, as FINE shows for most.
        let cases: [(Economics, Action, [bool; 3]); 6] = [
            (Economics { read_tokens: 999, ..FINE }, CompressTopics, [true, true, true]),
            (Economics { all_tokens: 3_299, ..FINE }, ReviewTopics, [false, false, true]),
            (Economics { task_full_loads: 4, ..FINE }, SpecialiseIndex, [true, true, true]),
            (
                Economics { discovery_tokens: 201, read_tokens: 2_000, ..FINE },
                ReorganiseTopics,
                [false, false, true],
            ),
            (Economics { timeline_tokens: 101, ..FINE }, SplitTimelines, [false, false, true]),
            (
                Economics { discovery_tokens: 60, read_tokens: 600, all_tokens: 1_659, ..FINE },
                QuestionMemory,
                [false, false, true],
            ),
        ];
        for (economics, action, expected) in cases {
            for (moment, expected) in Moment::ALL.into_iter().zip(expected) {
                let found = actions(&economics, moment);
                let wanted: &[Action] = if expected { &[action] } else { &[] };
                assert_eq!(found, wanted, "{action:?} at {moment:?}");
            }
        }
        for moment in Moment::ALL {
            assert_eq!(actions(&FINE, moment), [], "{moment:?}");
        }
    }

    #[test]
    fn on_the_threshold_nothing_happens() {
        for economics in [
            Economics { read_tokens: 1_000, ..FINE },
            Economics { all_tokens: 3_300, ..FINE },
            Economics { discovery_tokens: 200, read_tokens: 2_000, ..FINE },
            Economics { timeline_tokens: 200, timeline_loads: 2, ..FINE },
            Economics { discovery_tokens: 60, read_tokens: 600, all_tokens: 1_660, ..FINE },
        ] {
            assert_eq!(actions(&economics, Moment::SessionEnd), [], "{economics:?}");
        }
    }

    #[test]
    fn in_mid_session_one_looks_only_after_the_second_full_load() {
        let dear = Economics { read_tokens: 200, task_full_loads: 9, ..FINE };
        let early = Economics { full_loads: 2, ..dear };
        assert_eq!(actions(&early, Moment::MidSession), []);
        assert_eq!(
            actions(&dear, Moment::MidSession),
            [Action::CompressTopics, Action::SpecialiseIndex]
        );
    }

    #[test]
    fn everything_wrong_comes_in_order_and_nothing_asked_is_nothing_wrong() {
        let all = Economics {
            discovery_tokens: 900,
            timeline_tokens: 800,
            read_tokens: 400,
            full_loads: 5,
            task_full_loads: 5,
            timeline_loads: 2,
            all_tokens: 1_500,
            ..FINE
        };
        let findings = evaluate(&all, Moment::SessionEnd);
        let priorities: Vec<u8> = findings.iter().map(|finding| finding.priority).collect();
        assert_eq!(priorities, [1, 2, 3, 4, 5, 6]);
        assert_eq!(actions(&Economics::default(), Moment::SessionEnd), []);
    }
}
