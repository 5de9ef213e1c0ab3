//! Drafts of every kind from a seed: each field is filled sometimes, and no text is tame.

mod bodies;
mod dice;

pub use dice::Dice;

use crate::Home;
use bodies::*;
use mnemic_engine::{Engine, Note, SecretValue, StoreName};
use mnemic_model::body::*;
use mnemic_model::draft::DraftLink;
use mnemic_model::{
    Actor, Author, Draft, Kind, Namespace, Patch, RecordId, Relation, ScopeLevel, Tier, Trust, Use,
    Visibility,
};

/// Namespaces that the first two drafts of every list declare for the project's store.
pub const NAMESPACES: [&str; 2] = ["backend", "web/ui"];

/// `n` drafts that one person may store, in this order; the same for the same seed. All kinds come,
/// in both stores, and each of them is accepted by stores that held nothing before; secrets, which
/// only the vault takes, hold their value unsealed.
pub fn drafts(seed: u64, n: usize) -> Vec<Draft> {
    let mut list = List { dice: Dice::new(seed), seed, anchors: [Vec::new(), Vec::new()] };
    (0..n).map(|index| list.draft(index)).collect()
}

/// Stores `n` drafts in both stores and then lives with them: edits, pins, links, uses, takes back
/// and forgets. What is still believed afterwards is a little less than `n`.
pub fn lived_in(home: &Home, engine: &Engine, seed: u64, n: usize) -> Vec<(StoreName, RecordId)> {
    let mut known = Vec::new();
    let note = Note::default();
    let (secrets, mut all): (Vec<Draft>, Vec<Draft>) =
        drafts(seed, n).into_iter().partition(|draft| draft.body.kind() == Kind::Secret);
    while !all.is_empty() {
        home.clock.tick(60);
        let rest = all.split_off(all.len().min(100));
        let answers = engine.remember_each(all, &Note::because("first told")).expect("a batch");
        known.extend(answers.into_iter().map(|answer| {
            let made = answer.expect("generated drafts are accepted");
            (made.store, made.id)
        }));
        all = rest;
    }
    for Draft { body, about } in secrets {
        let Body::Secret(Secret { name, sealed, description }) = body else { continue };
        let value = SecretValue::new(sealed);
        let id = engine.vault_put(&name, &value, description, about.scope, &note);
        let personal = about.scope.is_some_and(ScopeLevel::is_personal);
        let store = if personal { StoreName::User } else { StoreName::Project };
        known.push((store, id.expect("the vault takes it")));
    }
    let mut dice = Dice::new(seed ^ 0x11fe);
    for step in 0..n {
        home.clock.tick(dice.between(0, 500));
        let (store, id) = dice.pick(&known).clone();
        let (other_store, other) = dice.pick(&known).clone();
        let (relation, strength) = (*dice.pick(Relation::ALL), dice.unit());
        // Some of it is refused, e.g. what was taken back before; that is life.
        match dice.below(9) {
            0 => drop(engine.pin(id.as_str(), step % 2 == 0, &note)),
            1 | 2 => {
                let add_tags = vec![format!("step {step}")];
                let summary = Some(dice.once_in(2).then(|| cut(dice.text(), 9_000)));
                let confidence = Some(dice.unit());
                let patch = Patch { add_tags, summary, confidence, ..Patch::default() };
                drop(engine.edit(id.as_str(), &patch, &Note::because(dice.words(4))));
            }
            3 | 4 if store == other_store => {
                drop(engine.link(id.as_str(), relation, other.as_str(), strength, &note));
                if dice.once_in(3) {
                    drop(engine.unlink(id.as_str(), relation, other.as_str(), &note));
                }
            }
            5 | 6 => {
                let relevance = dice.once_in(2).then(|| dice.unit());
                drop(engine.record_use(&[id.as_str()], *dice.pick(Use::ALL), relevance));
            }
            7 if dice.once_in(3) => drop(engine.undo(None, &note)),
            8 => drop(engine.confirm(id.as_str(), &note)),
            _ => {}
        }
    }
    for _ in 0..n.div_ceil(400) {
        let (_, id) = dice.pick(&known).clone();
        drop(engine.forget(&[id.as_str()], &note));
    }
    known
}

/// Drafts in the making.
struct List {
    dice: Dice,
    seed: u64,
    /// Ids that later drafts may link to, of the project's store and of the person's.
    anchors: [Vec<RecordId>; 2],
}

impl List {
    fn draft(&mut self, index: usize) -> Draft {
        if let Some(name) = NAMESPACES.get(index) {
            return self.namespace(name, index);
        }
        let kind = Kind::ALL[index % Kind::ALL.len()];
        let body = self.body(kind, index);
        let mut draft = Draft::new(body);
        self.about(&mut draft, index);
        draft
    }

    fn namespace(&mut self, name: &str, index: usize) -> Draft {
        let parse = |name: &str| Namespace::parse(name).expect("a name of ours");
        let mut draft = Draft::new(Body::Namespace(NamespaceBody {
            name: parse(name),
            parent: (index > 0).then(|| parse(NAMESPACES[0])),
            description: self.dice.maybe_text(),
        }));
        draft.about.scope = Some(ScopeLevel::Project);
        draft
    }

    fn body(&mut self, kind: Kind, index: usize) -> Body {
        let dice = &mut self.dice;
        // What makes a text one of a kind, so that no draft is known already.
        let unique = format!("{} №{index}", dice.text());
        match kind {
            Kind::Episode => episode(dice, unique),
            Kind::Fact => Body::Fact(Fact {
                key: format!("key.{}", dice.below(40)),
                value: unique,
                within: (0..dice.below(3)).map(|at| (format!("part{at}"), dice.words(2))).collect(),
            }),
            Kind::Decision => Body::Decision(Decision {
                decision: unique,
                rationale: dice.maybe_text(),
                alternatives: dice.texts(),
                affects: dice.texts(),
                active: !dice.once_in(4),
            }),
            Kind::Pattern => pattern(dice, unique),
            Kind::AntiPattern => Body::AntiPattern(AntiPattern {
                what_fails: unique,
                why: dice.maybe_text(),
                prevention: dice.maybe_text(),
                learnt_from: dice.maybe_text(),
            }),
            Kind::Skill => skill(dice, unique),
            Kind::Resource => Body::Resource(Resource {
                title: unique,
                text: (0..dice.below(20)).map(|_| dice.text()).collect::<Vec<_>>().join("\n"),
                media_type: dice.once_in(2).then(|| "text/markdown".to_owned()),
                origin: dice.maybe_text(),
            }),
            Kind::Block => block(dice, index),
            Kind::Secret => Body::Secret(Secret {
                name: format!("secret {index}"),
                sealed: format!("{:016x}{:016x}", dice.bits(), dice.bits()),
                description: dice.maybe_text(),
            }),
            Kind::Ledger => ledger(dice),
            Kind::Handoff => handoff(dice, unique),
            Kind::Verdict => Body::Verdict(Verdict {
                subject: unique,
                outcome: dice.pick(&["approved", "rejected", "später"]).to_string(),
                reviewer: dice.maybe_text(),
                rationale: dice.maybe_text(),
                findings: dice.texts(),
                votes_for: dice.once_in(2).then(|| dice.bits()),
                votes_against: dice.once_in(2).then(|| dice.bits()),
            }),
            Kind::Entity => Body::Entity(Entity {
                entity_kind: *dice.pick(EntityKind::ALL),
                name: unique,
                aliases: dice.texts(),
                description: dice.maybe_text(),
            }),
            Kind::Community => {
                Body::Community(Community { name: unique, description: dice.maybe_text() })
            }
            Kind::Saga => Body::Saga(Saga { title: unique, description: dice.maybe_text() }),
            Kind::Contradiction => contradiction(dice, unique),
            Kind::Namespace => Body::Namespace(NamespaceBody {
                name: Namespace::parse(&format!("räume/{index}")).expect("letters and digits"),
                parent: dice
                    .once_in(2)
                    .then(|| Namespace::parse(NAMESPACES[0]).expect("a name of ours")),
                description: dice.maybe_text(),
            }),
        }
    }

    fn about(&mut self, draft: &mut Draft, index: usize) {
        let kind = draft.body.kind();
        let dice = &mut self.dice;
        let level = *dice.pick(ScopeLevel::ALL);
        let home = usize::from(level.is_personal());
        let about = &mut draft.about;
        about.scope = Some(level);
        about.summary = dice.once_in(5).then(|| cut(dice.text(), 9_000));
        about.compressed = dice.once_in(5).then(|| cut(dice.text(), 900));
        about.index = dice.once_in(5).then(|| dice.words(3));
        about.importance = dice.once_in(2).then(|| dice.unit());
        about.confidence = dice.once_in(2).then(|| dice.unit());
        about.tags = (0..dice.below(4))
            .map(|_| {
                dice.pick(&["net", "größe", "🦀 rust", "c++", "a/b", "\u{202e}tag"]).to_string()
            })
            .collect();
        about.category = dice.once_in(4).then(|| dice.words(2));
        about.source = dice.once_in(4).then(|| cut(dice.text(), 3_000));
        about.episodes = dice.names();
        about.pinned = dice.once_in(8);
        about.confirmed_by = dice.once_in(8).then(|| dice.words(2));
        about.discovery_tokens = dice.once_in(4).then(|| dice.bits() >> 20);
        about.idempotency_key = dice.once_in(6).then(|| format!("key-{}-{index}", self.seed));
        authority(dice, about);
        if kind != Kind::Namespace && home == 0 && dice.once_in(6) {
            let name = dice.pick(&NAMESPACES);
            about.namespace = Some(Namespace::parse(name).expect("a name of ours"));
        }
        if dice.once_in(3) {
            about.valid_at = Some(dice.time());
            let after = about.valid_at.map(|from| from.plus_seconds(dice.between(1, 90_000_000)));
            about.invalid_at =
                after.filter(|after| Some(*after) > about.valid_at && dice.once_in(2));
        }
        if dice.once_in(4) {
            about.extra = extra(dice);
        }
        for _ in 0..dice.below(3) {
            if let Some(to) = self.anchors[home].get(dice.below(self.anchors[home].len())) {
                let relation = *dice.pick(Relation::ALL);
                let strength = dice.once_in(2).then(|| dice.unit());
                about.links.push(DraftLink { relation, to: to.clone(), strength });
            }
        }
        // Only what holds no slot stays believed for sure, and can be linked to.
        if draft.body.slot().is_none() && dice.once_in(2) {
            let id = RecordId::parse(&format!("gen-{}-{index}-ü", self.seed));
            let id = id.expect("visible characters");
            about.id = Some(id.clone());
            self.anchors[home].push(id);
        }
    }
}

/// Who wrote it and how much it claims, within what a person may grant.
fn authority(dice: &mut Dice, about: &mut mnemic_model::draft::About) {
    if dice.once_in(3) {
        let name = dice.pick(&["", "alice", "codex 5", "a:b", "ü"]).to_string();
        about.writer = Some(Actor::new(*dice.pick(Author::ALL), name));
    }
    about.trust = dice.once_in(3).then(|| *dice.pick(Trust::ALL));
    let by_a_person = about.writer.as_ref().is_none_or(Actor::is_human);
    let trusted = about.trust.map_or(by_a_person, |trust| trust == Trust::Trusted);
    let tiers = if trusted { Tier::ALL } else { &[Tier::Reference, Tier::Archive][..] };
    about.tier = dice.once_in(2).then(|| *dice.pick(tiers));
    if !trusted {
        about.scope = about.scope.map(mnemic_model::policy::own_level);
    }
    if trusted {
        about.visibility = dice.once_in(2).then(|| *dice.pick(Visibility::ALL));
    }
}

fn extra(dice: &mut Dice) -> Fields {
    let mut inner = Fields::new();
    inner.insert(dice.words(2), dice.text().into());
    inner.insert("ünï".to_owned(), vec![1i64, -2, i64::MAX].into());
    let mut extra = Fields::new();
    extra.insert("z last?".to_owned(), dice.once_in(2).into());
    extra.insert("nested".to_owned(), inner.into());
    extra.insert("number".to_owned(), dice.unit().get().into());
    extra.insert("big".to_owned(), dice.bits().into());
    extra.insert("a first".to_owned(), dice.text().into());
    extra
}

/// At most `most` bytes, whole characters.
fn cut(mut text: String, most: usize) -> String {
    text.truncate(text.floor_char_boundary(most));
    text
}
