//! Merging what says the same in nearly the same words: one survives, the others lead to it.

use super::act::{Act, Effect, What};
use super::world::{Memory, World};
use mnemic_model::body::Body;
use mnemic_model::{Content, Interval, Kind, RecordId, Relation, Scope, Tier, Unit};
use mnemic_store::NewLink;
use mnemic_text::alike::{Bands, Signature, may_merge};
use mnemic_text::contradict::{Verdict, judge};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Below these cosines two texts mean different things however alike they look.
fn nearest_meaning(kind: Kind) -> f32 {
    if kind == Kind::Fact { 0.92 } else { 0.9 }
}

/// Kinds of which copies add nothing. Decisions are history: the same choice twice is two choices.
fn is_merged(kind: Kind) -> bool {
    matches!(kind, Kind::Fact | Kind::Pattern | Kind::AntiPattern)
}

/// The cosine of two memories, where both have vectors.
pub type Likeness<'a> = &'a dyn Fn(&RecordId, &RecordId) -> Option<f32>;

/// Merges for everything that changed, against everything there is.
pub fn plan(world: &World, changed: &BTreeSet<RecordId>, likeness: Likeness<'_>) -> Vec<Act> {
    let mut rooms: BTreeMap<(Kind, &Scope), Vec<&Memory>> = BTreeMap::new();
    for memory in world.live().filter(|memory| is_merged(memory.kind())) {
        rooms.entry((memory.kind(), &memory.content.scope)).or_default().push(memory);
    }
    let mut acts = Vec::new();
    for room in rooms.into_values() {
        if room.iter().any(|memory| changed.contains(&memory.id)) {
            merge_room(world, room, changed, likeness, &mut acts);
        }
    }
    acts
}

fn merge_room(
    world: &World,
    mut room: Vec<&Memory>,
    changed: &BTreeSet<RecordId>,
    likeness: Likeness<'_>,
    acts: &mut Vec<Act>,
) {
    room.sort_by(|one, other| {
        seniority(one).partial_cmp(&seniority(other)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let texts: Vec<String> = room.iter().map(|memory| memory.content.body.full_text()).collect();
    let signatures: Vec<Signature> = texts.iter().map(|text| Signature::of(text)).collect();
    let mut bands = Bands::default();
    for signature in &signatures {
        bands.add(signature);
    }
    let mut gone = BTreeSet::new();
    for (at, survivor) in room.iter().enumerate() {
        if gone.contains(&at) {
            continue;
        }
        let is_new = |memory: &Memory| changed.contains(&memory.id);
        let others = bands.near(&signatures[at]).into_iter();
        let losers: Vec<usize> = others
            .filter(|other| *other > at && !gone.contains(other))
            .filter(|other| is_new(survivor) || is_new(room[*other]))
            .filter(|other| {
                let loser = room[*other];
                let cosine = likeness(&survivor.id, &loser.id);
                let kept = loser.content.pinned || loser.is_corrected;
                !world.taken_back().parted(&survivor.id, &loser.id)
                    && may_take_in(&survivor.content, &loser.content, kept, cosine)
            })
            .collect();
        if !losers.is_empty() {
            gone.extend(losers.iter().copied());
            let losers: Vec<&Memory> = losers.iter().map(|other| room[*other]).collect();
            acts.push(act(world, survivor, &losers));
        }
    }
}

/// Who survives comes first: a person's, the most trusted, the most certain, the oldest.
fn seniority(memory: &Memory) -> impl PartialOrd + use<> {
    let content = &memory.content;
    (
        !memory.is_kept_by_a_person(),
        content.trust(),
        Reverse(content.confidence),
        content.valid.from(),
        memory.id.clone(),
    )
}

/// Whether one memory may stand for another without anything being lost or anybody overruled.
pub fn may_take_in(survivor: &Content, loser: &Content, pinned: bool, cosine: Option<f32>) -> bool {
    let kept = loser.belongs_to_a_person() || pinned;
    if kept || survivor.trust() > loser.trust() || within(survivor) != within(loser) {
        return false;
    }
    if cosine.is_some_and(|cosine| cosine < nearest_meaning(survivor.kind())) {
        return false;
    }
    let (one, other) = (survivor.body.full_text(), loser.body.full_text());
    may_merge(&one, &other).is_ok()
        && !matches!(judge(&one, &other).verdict, Verdict::Contradicts(_))
}

fn within(content: &Content) -> Option<&BTreeMap<String, String>> {
    match &content.body {
        Body::Fact(fact) => Some(&fact.within),
        _ => None,
    }
}

/// The survivor with the sources of those it stands for. What is less trusted than itself adds to
/// its sources alone: tags are read by agents.
pub fn merged(survivor: &Content, losers: &[&Content]) -> Content {
    let mut content = survivor.clone();
    for loser in losers {
        if loser.trust() == survivor.trust() {
            content.tags.extend(loser.tags.iter().cloned());
            content.importance = greater(content.importance, loser.importance);
            content.confidence = greater(content.confidence, loser.confidence);
        }
        let episodes = &mut content.provenance.episodes;
        add_new(episodes, &loser.provenance.episodes);
        content.provenance.source = content.provenance.source.or(loser.provenance.source.clone());
        if let (Body::Pattern(ours), Body::Pattern(theirs)) = (&mut content.body, &loser.body) {
            add_new(&mut ours.source_episodes, &theirs.source_episodes);
        }
    }
    if content.check().is_err() {
        content.tags.clone_from(&survivor.tags);
    }
    content
}

fn greater(one: Unit, other: Unit) -> Unit {
    if other > one { other } else { one }
}

pub(super) fn add_new(ids: &mut Vec<RecordId>, more: &[RecordId]) {
    if let [one] = more {
        if !ids.contains(one) {
            ids.push(one.clone());
        }
        return;
    }
    let mut known: BTreeSet<RecordId> = ids.iter().cloned().collect();
    for id in more {
        if known.insert(id.clone()) {
            ids.push(id.clone());
        }
    }
}

fn act(world: &World, survivor: &Memory, losers: &[&Memory]) -> Act {
    let contents: Vec<&Content> = losers.iter().map(|loser| &loser.content).collect();
    let mut effects = Vec::new();
    let content = merged(&survivor.content, &contents);
    if content != survivor.content {
        effects.push(survivor.becomes(content));
    }
    for loser in losers {
        let archived = Content { tier: Tier::Archive, ..loser.content.clone() };
        effects.push(loser.becomes(archived));
        effects.push(Effect::Link(NewLink {
            from: loser.id.clone(),
            to: survivor.id.clone(),
            relation: Relation::SupersededBy,
            strength: Unit::ONE,
            valid: Interval::since(world.now()),
        }));
        effects.push(Effect::AddUsage { to: survivor.id.clone(), usage: loser.usage.clone() });
    }
    let names: Vec<&str> = losers.iter().map(|loser| loser.id.as_str()).collect();
    let told =
        format!("{} into {}: {}", names.join(", "), survivor.id, survivor.content.body.title());
    Act { what: What::Merged, told, effects }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::Pattern;
    use mnemic_model::{Actor, Author, Draft, ScopeLevel, Timestamp, Trust, Usage};
    use proptest::prelude::*;

    fn said(text: &str, author: Author) -> Content {
        let body = Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() });
        let actor = Actor::new(author, "a");
        let scope = Scope::private(ScopeLevel::Project);
        Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope).expect("a sound draft")
    }

    fn memory(number: usize, content: Content) -> Memory {
        let id = RecordId::parse(&format!("sem-{number}")).expect("an id");
        let usage = Usage { referenced: 1, ..Usage::default() };
        Memory {
            id,
            n: 1,
            content,
            recorded_at: Timestamp::EPOCH,
            is_derived: false,
            is_corrected: false,
            usage,
        }
    }

    const TEXT: &str = "The nightly export copies the accounting tables to the warehouse at dawn";
    const COPY: &str = "The nightly export copies accounting tables, to the warehouse, at dawn.";

    #[test]
    fn one_stands_for_another_only_where_nobody_is_overruled() {
        use Author::{Agent, Human};
        let other = TEXT.replace("dawn", "noon");
        for (survivor, loser, cosine, expected) in [
            (said(TEXT, Agent), said(COPY, Agent), None, true),
            (said(TEXT, Agent), said(COPY, Agent), Some(0.95), true),
            (said(TEXT, Agent), said(COPY, Agent), Some(0.85), false),
            (said(TEXT, Human), said(COPY, Agent), None, true),
            (said(TEXT, Human), said(COPY, Human), None, false),
            (said(TEXT, Agent), said(COPY, Human), None, false),
            (said(TEXT, Agent), said(&other, Agent), Some(0.99), false),
        ] {
            let verdict = may_take_in(&survivor, &loser, false, cosine);
            assert_eq!(verdict, expected, "{survivor:?} {loser:?} {cosine:?}");
        }
        assert!(!may_take_in(&said(TEXT, Agent), &said(COPY, Agent), true, None), "pinned");
    }

    #[test]
    fn tags_of_the_less_trusted_stay_out() {
        let tagged = |author, tag: &str| {
            let mut content = said(TEXT, author);
            content.tags.insert(tag.to_owned());
            content
        };
        let (person, agent) = (tagged(Author::Human, "ours"), tagged(Author::Agent, "theirs"));
        assert_eq!(merged(&person, &[&agent]).tags, person.tags);
        assert_eq!(merged(&agent, &[&tagged(Author::Agent, "more")]).tags.len(), 2);
        assert_eq!(merged(&person, &[&agent]).trust(), Trust::Trusted);
    }

    fn contents() -> impl Strategy<Value = Vec<Content>> {
        let texts = prop::sample::select(vec![
            TEXT.to_owned(),
            COPY.to_owned(),
            TEXT.to_uppercase(),
            TEXT.replace("copies", "does not copy"),
            TEXT.replace("dawn", "noon"),
        ]);
        let authors = prop::sample::select(vec![Author::Human, Author::Agent]);
        let one = (texts, authors).prop_map(|(text, author)| said(&text, author));
        prop::collection::vec(one, 0..8)
    }

    proptest! {
        #[test]
        fn merging_loses_nothing_and_ends(contents in contents()) {
            let memories = contents.into_iter().enumerate().map(|(n, it)| memory(n, it));
            let mut world = World::of(memories, Timestamp::EPOCH.plus_seconds(60));
            let before = world.clone();
            let changed = world.ids();
            for act in plan(&world, &changed, &|_, _| None) {
                world.absorb(&act);
            }
            prop_assert!(plan(&world, &changed, &|_, _| None).is_empty(), "once is enough");
            for old in before.memories() {
                let new = world.get(&old.id).expect("nothing is erased");
                prop_assert_eq!(&new.content.body, &old.content.body);
                if new.content.tier == Tier::Archive {
                    prop_assert!(!old.is_kept_by_a_person());
                    let to = world.links().find(|link| link.0 == old.id).map(|link| &link.2);
                    let to = to.and_then(|to| world.get(to)).expect("it leads to its survivor");
                    prop_assert!(may_merge(&to.content.body.full_text(), &old.content.body.full_text()).is_ok());
                }
            }
            let live: u64 = world.live().map(|memory| memory.usage.referenced).sum();
            prop_assert_eq!(live, before.memories().count() as u64, "counts add up");
        }
    }
}
