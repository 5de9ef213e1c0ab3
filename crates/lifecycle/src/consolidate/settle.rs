//! Who is right of two memories that cannot both hold: a person, then the newer one; else it is open.

use super::world::{Memory, claim};
use mnemic_model::body::Resolution;
use mnemic_model::{Interval, Timestamp, Trust};
use mnemic_text::contradict::Rule;
use mnemic_text::normalise::loosened;

/// What decides between two memories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    pub by_person: bool,
    pub pinned: bool,
    pub trust: Trust,
    pub tells_of_change: bool,
    pub valid_at: Timestamp,
    pub recorded_at: Timestamp,
}

impl Standing {
    pub(super) fn of(memory: &Memory) -> Standing {
        Standing {
            by_person: memory.is_a_persons(),
            pinned: memory.content.pinned,
            trust: memory.content.trust(),
            tells_of_change: tells_of_change(&claim(&memory.content.body)),
            valid_at: memory.content.valid.from(),
            recorded_at: memory.recorded_at,
        }
    }
}

/// Rules that tell a change of the world from two opinions about it.
pub fn is_certain(rule: Rule) -> bool {
    matches!(rule, Rule::Slot | Rule::Changed)
}

/// Words that say of themselves that something was otherwise before.
const CHANGE: &[&str] = &[
    "no longer",
    "no more",
    "not anymore",
    "any more",
    "anymore",
    "switched to",
    "switched from",
    "moved to",
    "moved from",
    "migrated to",
    "migrated from",
    "replaced by",
    "replaced with",
    "renamed to",
    "from now on",
    "stopped using",
];

/// Whether a text says that something has changed.
pub fn tells_of_change(text: &str) -> bool {
    let plain = format!(" {} ", loosened(text));
    CHANGE.iter().any(|words| plain.contains(&format!(" {words} ")))
}

/// Who wins, where that is clear: a person's statement, then the newer one. What is pinned never
/// loses, and nothing loses against what is trusted less.
pub fn winner(rule: Rule, a: Standing, b: Standing) -> Option<Resolution> {
    let newness = |one: Standing| (one.valid_at, one.recorded_at);
    if newness(a) == newness(b) {
        return None;
    }
    let a_is_newer = newness(a) > newness(b);
    let newer = if a_is_newer { a } else { b };
    if !is_certain(rule) && !newer.tells_of_change {
        return None;
    }
    let a_wins = if a.by_person == b.by_person { a_is_newer } else { a.by_person };
    let (winning, losing) = if a_wins { (a, b) } else { (b, a) };
    if losing.pinned || winning.trust > losing.trust {
        return None;
    }
    Some(if a_wins { Resolution::AWins } else { Resolution::BWins })
}

/// When the loser stopped being true: where the winner began, or now if that began earlier.
pub fn closed(loser: Interval, winner: Interval, now: Timestamp) -> Option<Interval> {
    let later = winner.from() > loser.from();
    let end = if later { winner.from().min(now) } else { now };
    Interval::new(loser.from(), Some(end)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH.plus_seconds(seconds)
    }

    fn standing(by_person: bool, valid_at: i64) -> Standing {
        Standing {
            by_person,
            pinned: false,
            trust: if by_person { Trust::Trusted } else { Trust::Unreviewed },
            tells_of_change: false,
            valid_at: at(valid_at),
            recorded_at: at(valid_at),
        }
    }

    #[test]
    fn a_person_then_the_newer_one_wins_and_what_is_unclear_stays_open() {
        use Resolution::{AWins, BWins};
        let (old, new) = (standing(false, 1), standing(false, 2));
        let (person, later) = (standing(true, 1), standing(true, 2));
        let pinned = Standing { pinned: true, ..old };
        let change = Standing { tells_of_change: true, ..new };
        let before = Standing { tells_of_change: true, ..old };
        for (rule, a, b, expected) in [
            (Rule::Slot, old, new, Some(BWins)),
            (Rule::Slot, new, old, Some(AWins)),
            (Rule::Changed, old, new, Some(BWins)),
            (Rule::Slot, person, new, Some(AWins)),
            (Rule::Slot, new, person, Some(BWins)),
            (Rule::Slot, person, later, Some(BWins)),
            (Rule::Slot, pinned, new, None),
            (Rule::Slot, old, old, None),
            (Rule::Denial, old, new, None),
            (Rule::Denial, old, change, Some(BWins)),
            (Rule::Denial, before, new, None),
            (Rule::Denial, person, change, Some(AWins)),
        ] {
            assert_eq!(winner(rule, a, b), expected, "{rule:?} {a:?} {b:?}");
        }
        let trusted = Standing { trust: Trust::Trusted, ..old };
        assert_eq!(winner(Rule::Slot, trusted, new), None, "less trusted does not win");
    }

    #[test]
    fn the_loser_was_true_until_the_winner_began() {
        let loser = Interval::since(at(10));
        let ends = |winner, now| closed(loser, Interval::since(at(winner)), at(now));
        assert_eq!(ends(20, 100).and_then(|valid| valid.to()), Some(at(20)));
        assert_eq!(ends(5, 100).and_then(|valid| valid.to()), Some(at(100)));
        assert_eq!(ends(5, 10), None, "no time is left in which it was true");
    }

    #[test]
    fn change_is_heard_in_whole_words() {
        for text in ["It no longer runs", "We switched to pnpm.", "They don't use it any more!"] {
            assert!(tells_of_change(text), "{text}");
        }
        for text in ["It runs", "Removed topics", "Casino longer open", "It moved together"] {
            assert!(!tells_of_change(text), "{text}");
        }
    }
}
