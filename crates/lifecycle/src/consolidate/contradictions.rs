//! Finding memories that cannot both hold, and settling those where the winner is clear.

use super::act::{Act, Effect, What};
use super::answered;
use super::claimed::Claimed;
use super::made::made;
use super::near::{Field, Neighbours, Sense, Vectors, nearest};
use super::settle::{Standing, closed, winner};
use super::world::{Memory, World, claim, id_of};
use foldhash::{HashMap, HashSet};
use mnemic_model::body::{Body, Contradiction, Fact, Resolution, Status};
use mnemic_model::{Content, Interval, Kind, RecordId, Relation, Unit, policy};
use mnemic_store::{NewLink, Read, Result};
use mnemic_text::contradict::{Conflict, Judgement, Rule, Verdict};
use std::collections::BTreeSet;

/// Kinds that claim something about how things are.
const CLAIMS: &[Kind] = &[Kind::Fact, Kind::Decision, Kind::Pattern];

/// Contradictions of everything that changed with what stands near it, and those that it ended.
pub fn plan(
    world: &World,
    changed: &BTreeSet<RecordId>,
    read: &dyn Read,
    sense: Sense<'_>,
) -> Result<Vec<Act>> {
    let mut known = known_pairs(world);
    let mut claims: HashMap<&RecordId, Claimed> = HashMap::default();
    let mut closed = BTreeSet::new();
    let mut acts = Vec::new();
    let new = || changed.iter().filter_map(|id| world.get(id)).filter(|it| is_claim(world, it));
    let vectors = Vectors::of_store(read)?;
    let neighbours = Neighbours::for_many(world, new().count(), field(read, sense), &vectors);
    for memory in new() {
        for other in neighbours.of(memory)?.into_iter().filter(|other| is_claim(world, other)) {
            let (a, b) = if memory.id < other.id { (memory, other) } else { (other, memory) };
            let is_over = closed.contains(&a.id) || closed.contains(&b.id);
            if is_over || !may_differ(&a.content, &b.content) {
                continue;
            }
            if !known.insert((&a.id, &b.id)) {
                continue;
            }
            for one in [a, b] {
                claims.entry(&one.id).or_insert_with(|| Claimed::of(&one.content.body));
            }
            if let Judgement { verdict: Verdict::Contradicts(conflict), confidence } =
                claims[&a.id].judge(&claims[&b.id])
            {
                if differ_in_name_alone(&a.content.body, &b.content.body, &conflict) {
                    continue;
                }
                let mut settle = conflict.rule != Rule::Slot || confidence >= SURE;
                match taken_back(read, a, b)? {
                    Some(Status::Open) => continue,
                    Some(Status::Resolved) => settle = false,
                    None => {}
                }
                let found = Found { a, b, conflict: &conflict, confidence, settle };
                acts.push(act(world, &found, &mut closed));
            }
        }
    }
    acts.retain(|act| act.what != What::Opened || !answered::is_moot(act, &closed));
    acts.extend(answered::plan(world, changed, &closed, read)?);
    Ok(acts)
}

/// Claims, compared by what they claim.
pub(super) fn field<'a>(read: &'a dyn Read, sense: Sense<'a>) -> Field<'a> {
    Field { read, sense, kinds: CLAIMS, text: claim }
}

/// What is needed to compare these with what stands near them, read without the rest of the store.
pub fn neighbourhood(
    read: &dyn Read,
    changed: &BTreeSet<RecordId>,
    sense: Sense<'_>,
) -> Result<World> {
    let alone = World::read_some(read, changed)?;
    let mut ids = changed.clone();
    for memory in changed.iter().filter_map(|id| alone.get(id)) {
        if is_claim(&alone, memory) {
            ids.extend(nearest(memory, field(read, sense), alone.now())?);
        }
    }
    World::read_some(read, &ids)
}

/// Below this a person is asked, although two values of one thing are certain to differ.
const SURE: f32 = 0.9;

/// A text that is longer is prose: its sentences lean on one another and cannot be judged alone.
const LONGEST_CLAIM: usize = 1_000;

pub(super) fn is_claim(world: &World, memory: &Memory) -> bool {
    let is_active = match &memory.content.body {
        Body::Decision(decision) => decision.active,
        _ => true,
    };
    let is_short = claim(&memory.content.body).len() <= LONGEST_CLAIM;
    CLAIMS.contains(&memory.kind()) && is_active && is_short && world.is_live(memory)
}

/// Whether two could contradict at all: facts of different parts of the code may differ, and those
/// that give two things the same value agree.
pub(super) fn may_differ(a: &Content, b: &Content) -> bool {
    match (&a.body, &b.body) {
        (Body::Fact(a), Body::Fact(b)) => {
            a.within == b.within && plain(&a.value) != plain(&b.value)
        }
        _ => true,
    }
}

/// A fact says of a key what its value is: two keys with different names are no contradiction,
/// whatever sentence a name and a value seem to make together.
fn differ_in_name_alone(a: &Body, b: &Body, conflict: &Conflict) -> bool {
    let (Body::Fact(a), Body::Fact(b)) = (a, b) else { return false };
    let is_name = |side: &str, fact: &Fact| {
        let side = plain(side);
        plain(&fact.key).contains(&side) && !plain(&fact.value).contains(&side)
    };
    is_name(&conflict.first, a) && is_name(&conflict.second, b)
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ").to_lowercase()
}

pub(super) fn known_pairs(world: &World) -> HashSet<(&RecordId, &RecordId)> {
    let pairs = world.memories().filter_map(|memory| match &memory.content.body {
        Body::Contradiction(Contradiction { a, b, .. }) => Some((a, b)),
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

/// How the contradiction of a pair stood when somebody took it back, if somebody did. Whoever takes
/// a settlement back is asked; whoever takes the question back wants to hear no more of it.
pub(super) fn taken_back(read: &dyn Read, a: &Memory, b: &Memory) -> Result<Option<Status>> {
    let last = read.versions(&id_of_pair(a, b))?.pop();
    Ok(last.filter(|version| !version.is_current()).and_then(|version| {
        match version.content.body {
            Body::Contradiction(Contradiction { status, .. }) => Some(status),
            _ => None,
        }
    }))
}

pub(super) fn id_of_pair(a: &Memory, b: &Memory) -> RecordId {
    id_of(Kind::Contradiction, &[a.id.as_str(), b.id.as_str()])
}

/// Two memories that cannot both hold, the smaller id first.
struct Found<'a> {
    a: &'a Memory,
    b: &'a Memory,
    conflict: &'a Conflict,
    confidence: f32,
    /// Whether the winner may be told without a person.
    settle: bool,
}

fn act(world: &World, found: &Found<'_>, over: &mut BTreeSet<RecordId>) -> Act {
    let Found { a, b, conflict, .. } = *found;
    let about = if conflict.about.is_empty() { "" } else { &format!("{}: ", conflict.about) };
    let words = format!("{about}`{}` against `{}`", conflict.first, conflict.second);
    let mut effects = Vec::new();
    let clear = || winner(conflict.rule, Standing::of(a), Standing::of(b));
    let mut resolution = if found.settle { clear() } else { None };
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
    let content = record(world, found, &words, resolution);
    let id = id_of_pair(a, b);
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
    found: &Found<'_>,
    words: &str,
    resolution: Option<Resolution>,
) -> Content {
    let Found { a, b, conflict, confidence, .. } = *found;
    let body = Body::Contradiction(Contradiction {
        a: a.id.clone(),
        b: b.id.clone(),
        detected_by: format!("rule:{}", rule_name(conflict.rule)),
        status: if resolution.is_some() { Status::Resolved } else { Status::Open },
        resolution,
        note: Some(words.to_owned()),
    });
    let trust = policy::inherited_trust([a.content.trust(), b.content.trust()]);
    let mut content = made(world, body, &a.content.scope, trust, Vec::new());
    content.confidence = Unit::new(f64::from(confidence)).unwrap_or(Unit::HALF);
    content
}
