//! The steps of recall that `--without` leaves out.

use mnemic_engine::recall::Switches;

/// A step that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Meaning,
    Contrast,
    Words,
    Spelling,
    Graph,
    Time,
    Skills,
    Aspects,
    Person,
    Neighbours,
    Adapt,
    Recency,
    Usage,
    Age,
    Tiers,
    Gist,
    Kin,
    Reader,
    Strategy,
    Settle,
    Twins,
    Bounds,
}

impl Step {
    pub(super) const ALL: &'static [Step] = &[
        Step::Meaning,
        Step::Contrast,
        Step::Words,
        Step::Spelling,
        Step::Graph,
        Step::Time,
        Step::Skills,
        Step::Aspects,
        Step::Person,
        Step::Neighbours,
        Step::Adapt,
        Step::Recency,
        Step::Usage,
        Step::Age,
        Step::Tiers,
        Step::Gist,
        Step::Kin,
        Step::Reader,
        Step::Strategy,
        Step::Settle,
        Step::Twins,
        Step::Bounds,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Step::Meaning => "meaning",
            Step::Contrast => "contrast",
            Step::Words => "words",
            Step::Spelling => "spelling",
            Step::Graph => "graph",
            Step::Time => "time",
            Step::Skills => "skills",
            Step::Aspects => "aspects",
            Step::Person => "person",
            Step::Neighbours => "neighbours",
            Step::Adapt => "adapt",
            Step::Recency => "recency",
            Step::Usage => "usage",
            Step::Age => "age",
            Step::Tiers => "tiers",
            Step::Gist => "gist",
            Step::Kin => "kin",
            Step::Reader => "reader",
            Step::Strategy => "strategy",
            Step::Settle => "settle",
            Step::Twins => "twins",
            Step::Bounds => "bounds",
        }
    }

    pub(super) fn leave_out(self, switches: &mut Switches) {
        let switch = match self {
            Step::Meaning => &mut switches.meaning,
            Step::Contrast => &mut switches.contrast,
            Step::Words => &mut switches.words,
            Step::Spelling => &mut switches.spelling,
            Step::Graph => &mut switches.graph,
            Step::Time => &mut switches.time,
            Step::Skills => &mut switches.skills,
            Step::Aspects => &mut switches.aspects,
            Step::Person => &mut switches.person,
            Step::Neighbours => &mut switches.neighbours,
            Step::Adapt => &mut switches.adapt,
            Step::Recency => &mut switches.recency,
            Step::Usage => &mut switches.usage,
            Step::Age => &mut switches.age,
            Step::Tiers => &mut switches.tiers,
            Step::Gist => &mut switches.gist,
            Step::Kin => &mut switches.kin,
            Step::Reader => &mut switches.reader,
            Step::Strategy => &mut switches.strategy,
            Step::Settle => &mut switches.settle,
            Step::Twins => &mut switches.twins,
            Step::Bounds => &mut switches.bounds,
        };
        *switch = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_a_switch_of_its_own() {
        let all = Switches::default();
        for step in Step::ALL {
            let mut switches = all;
            step.leave_out(&mut switches);
            assert_ne!(switches, all, "{}", step.as_str());
            let others = Step::ALL.iter().filter(|other| *other != step);
            for other in others {
                let mut both = switches;
                other.leave_out(&mut both);
                assert_ne!(both, switches, "{} and {}", step.as_str(), other.as_str());
            }
        }
    }
}
