//! Finding memories that cannot both hold, and settling those where the winner is clear.

use super::act::{Act, Effect, What};
use super::made::made;
use super::near::{Sense, nearest};
use super::world::{Memory, World, claim, id_of};
use mnemic_model::body::{Body, Contradiction, Resolution, Status};
use mnemic_model::{Content, Interval, Kind, RecordId, Relation, Timestamp, Trust, Unit, policy};
use mnemic_store::{NewLink, Read, Result};
use mnemic_text::contradict::{Conflict, Judgement, Reading, Rule, Verdict, judge_readings};
use mnemic_text::normalise::loosened;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that claim something about how things are.
const CLAIMS: &[Kind] = &[Kind::Fact, Kind::Decision, Kind::Pattern];

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
    fn of(memory: &Memory) -> Standing {
        Standing {
            by_person: memory.content.belongs_to_a_person(),
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

/// Contradictions of everything that changed with what stands near it.
pub fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    let mut known = known_pairs(world);
    let mut readings: BTreeMap<RecordId, Reading> = BTreeMap::new();
    let mut closed = BTreeSet::new();
    let mut acts = Vec::new();
    let new = changed.iter().filter_map(|id| world.get(id));
    for memory in new.filter(|memory| is_claim(world, memory)) {
        let text = claim(&memory.content.body);
        for id in nearest(read, memory, &text, CLAIMS, world.now(), sense)?.into_keys() {
            let Some(other) = world.get(&id).filter(|other| is_claim(world, other)) else {
                continue;
            };
            let (a, b) = if memory.id < other.id { (memory, other) } else { (other, memory) };
            let is_over = closed.contains(&a.id) || closed.contains(&b.id);
            if is_over || !may_differ(&a.content, &b.content) {
                continue;
            }
            if !known.insert((a.id.clone(), b.id.clone())) {
                continue;
            }
            for one in [a, b] {
                let read = || Reading::of(&claim(&one.content.body));
                readings.entry(one.id.clone()).or_insert_with(read);
            }
            if let Judgement { verdict: Verdict::Contradicts(conflict), confidence } =
                judge_readings(&readings[&a.id], &readings[&b.id])
            {
                acts.push(act(world, a, b, &conflict, confidence, &mut closed));
            }
        }
    }
    Ok(acts)
}

fn is_claim(world: &World, memory: &Memory) -> bool {
    let is_active = match &memory.content.body {
        Body::Decision(decision) => decision.active,
        _ => true,
    };
    CLAIMS.contains(&memory.kind()) && is_active && world.is_live(memory)
}

/// Facts of different parts of the code may differ.
fn may_differ(a: &Content, b: &Content) -> bool {
    match (&a.body, &b.body) {
        (Body::Fact(a), Body::Fact(b)) => a.within == b.within,
        _ => true,
    }
}

fn known_pairs(world: &World) -> BTreeSet<(RecordId, RecordId)> {
    let pairs = world.memories().filter_map(|memory| match &memory.content.body {
        Body::Contradiction(Contradiction { a, b, .. }) => Some((a.clone(), b.clone())),
        _ => None,
    });
    pairs.map(|(a, b)| if a < b { (a, b) } else { (b, a) }).collect()
}

fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Slot => "slot",
        Rule::Changed => "changed",
        Rule::Denial => "denial",
        Rule::Opposites => "opposites",
        Rule::Numbers => "numbers",
        Rule::Choice => "choice",
        Rule::Roles => "roles",
    }
}

fn act(
    world: &World,
    a: &Memory,
    b: &Memory,
    conflict: &Conflict,
    confidence: f32,
    over: &mut BTreeSet<RecordId>,
) -> Act {
    let words = format!("{}: `{}` against `{}`", conflict.about, conflict.first, conflict.second);
    let mut effects = Vec::new();
    let mut resolution = winner(conflict.rule, Standing::of(a), Standing::of(b));
    if let Some(won) = resolution {
        let (winning, losing) = if won == Resolution::AWins { (a, b) } else { (b, a) };
        match closed(losing.content.valid, winning.content.valid, world.now()) {
            Some(valid) => {
                effects.extend(settling(world, winning, losing, valid));
                over.insert(losing.id.clone());
            }
            None => resolution = None,
        }
    }
    let content = record(world, a, b, conflict.rule, &words, confidence, resolution);
    let id = id_of(Kind::Contradiction, &[a.id.as_str(), b.id.as_str()]);
    effects.push(Effect::Put { id, base: None, content: Box::new(content) });
    let (what, end) = match resolution {
        Some(Resolution::AWins) => (What::Settled, format!("{} holds", a.id)),
        Some(_) => (What::Settled, format!("{} holds", b.id)),
        None => (What::Opened, "open".to_owned()),
    };
    Act { what, told: format!("{} and {}: {words}; {end}", a.id, b.id), effects }
}

fn settling(world: &World, winning: &Memory, losing: &Memory, valid: Interval) -> [Effect; 2] {
    [
        losing.becomes(losing.content.valid_during(valid)),
        Effect::Link(NewLink {
            from: winning.id.clone(),
            to: losing.id.clone(),
            relation: Relation::Supersedes,
            strength: Unit::ONE,
            valid: Interval::since(world.now()),
        }),
    ]
}

fn record(
    world: &World,
    a: &Memory,
    b: &Memory,
    rule: Rule,
    words: &str,
    confidence: f32,
    resolution: Option<Resolution>,
) -> Content {
    let body = Body::Contradiction(Contradiction {
        a: a.id.clone(),
        b: b.id.clone(),
        detected_by: format!("rule:{}", rule_name(rule)),
        status: if resolution.is_some() { Status::Resolved } else { Status::Open },
        resolution,
        note: Some(words.to_owned()),
    });
    let trust = policy::inherited_trust([a.content.trust(), b.content.trust()]);
    let mut content = made(world, body, &a.content.scope, trust, Vec::new());
    content.confidence = Unit::new(f64::from(confidence)).unwrap_or(Unit::HALF);
    content
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
