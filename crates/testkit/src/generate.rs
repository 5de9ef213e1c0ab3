//! Drafts of every kind from a seed: each field is filled sometimes, and no text is tame.

use crate::{Home, SplitMix};
use mnemic_engine::{Engine, Note, SecretValue, StoreName};
use mnemic_model::body::*;
use mnemic_model::draft::DraftLink;
use mnemic_model::{
    Actor, Author, Draft, Kind, Namespace, Patch, RecordId, Relation, ScopeLevel, Tier, Timestamp,
    Trust, Unit, Use, Visibility,
};

/// Numbers, times and texts that repeat with their seed.
#[derive(Debug, Clone)]
pub struct Dice(SplitMix);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix::new(seed ^ 0x6d6e_656d_6963_2026))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// 0 to `end` - 1; 0 when there is nothing to choose from.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % (end.max(1) as u64)) as usize
    }

    /// `low` to `high` - 1.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low).max(1).unsigned_abs()) as i64
    }

    /// True once in `n` throws.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// 0 to 1 with all the digits that a double has.
    pub fn unit(&mut self) -> Unit {
        let value = match self.below(6) {
            0 => 0.0,
            1 => 1.0,
            _ => (self.bits() >> 11) as f64 / (1u64 << 53) as f64,
        };
        Unit::new(value).expect("53 bits over 2^53 lie in the unit interval")
    }

    /// Mostly this decade to the microsecond, sometimes the ends of the calendar.
    pub fn time(&mut self) -> Timestamp {
        let micros = match self.below(12) {
            0 => *self.pick(&[0, -1, 1, -62_135_596_800_000_000, 253_402_200_000_000_000]),
            1 => self.between(-60_000_000_000_000_000, 0),
            _ => self.between(1_577_836_800_000_000, 1_893_456_000_000_000),
        };
        Timestamp::from_micros(micros).expect("inside the calendar")
    }

    /// A few words without a line break.
    pub fn words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        let words: Vec<&str> = (0..count).map(|_| *self.pick(WORDS)).collect();
        words.join(" ")
    }

    /// A text as people and tools write them: scripts, quotes, escapes, line breaks.
    pub fn text(&mut self) -> String {
        let mut text = self.words(12);
        for _ in 0..self.below(4) {
            let between: &&str = self.pick(BETWEEN);
            text.push_str(between);
            text.push_str(&self.words(8));
        }
        if self.once_in(30) {
            let again = text.clone();
            for _ in 0..self.below(60) {
                text.push('\n');
                text.push_str(&again);
            }
        }
        text
    }

    fn maybe_text(&mut self) -> Option<String> {
        self.once_in(2).then(|| self.text())
    }

    fn texts(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text()).collect()
    }

    fn names(&mut self) -> Vec<RecordId> {
        (0..self.below(3)).map(|_| self.name()).collect()
    }

    fn name(&mut self) -> RecordId {
        let kind = *self.pick(Kind::ALL);
        RecordId::from_random(kind, self.bits())
    }
}

const WORDS: &[&str] = &[
    "the",
    "port",
    "of",
    "5432",
    "getUserName",
    "src/main.rs:42",
    "C++",
    "rm -rf /",
    "E0382",
    "naïve",
    "Straße",
    "İstanbul",
    "東京タワー",
    "데이터베이스",
    "Привет",
    "שלום",
    "مرحبا",
    "हिन्दी",
    "🦀",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "e\u{301}",
    "ﬁ",
    "\u{200b}",
    "\u{feff}bom",
    "\u{202e}rtl\u{202c}",
    "\"quoted\"",
    "it's",
    "back\\slash",
    "\\u0041",
    "%s",
    "{{x}}",
    "<b>",
    "&amp;",
    "null",
    "--flag=1",
    "a=b;",
    "@user",
    "#42",
    "v1.2.3-rc.1",
    "~/.config",
    "NEAR(",
    "AND",
    "OR",
    "*",
    "^",
    "\u{1f600}",
    "ℵ",
    "\u{10ffff}",
];

const BETWEEN: &[&str] = &[
    "\n",
    ". ",
    "\n\n",
    "\t",
    ": ",
    "\r\n",
    "; ",
    " — ",
    "\u{2028}",
    "\u{7f}",
    "\u{1b}[31m",
    "\u{1f}",
];

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

fn episode(dice: &mut Dice, goal: String) -> Body {
    let seconds = |dice: &mut Dice| dice.unit().get() * 100_000.0;
    Body::Episode(Episode {
        goal,
        task_id: dice.maybe_text(),
        agent: dice.maybe_text(),
        phase: dice.maybe_text(),
        constraints: dice.texts(),
        files: dice.texts(),
        duration_seconds: dice.once_in(2).then(|| seconds(dice)),
        actions: (0..dice.below(4))
            .map(|_| Action {
                t: seconds(dice),
                action: dice.text(),
                target: dice.maybe_text(),
                result: dice.maybe_text(),
                error: dice.maybe_text(),
            })
            .collect(),
        messages: (0..dice.below(4))
            .map(|_| Message {
                role: dice.pick(&["user", "assistant", "tool"]).to_string(),
                text: dice.text(),
                at: dice.once_in(2).then(|| dice.time()),
            })
            .collect(),
        outcome: dice.once_in(2).then(|| *dice.pick(Outcome::ALL)),
        errors: (0..dice.below(3))
            .map(|_| Failure {
                error_type: dice.pick(&["", "E0382", "panic"]).to_string(),
                message: dice.text(),
                resolution: dice.maybe_text(),
            })
            .collect(),
        artifacts: dice.texts(),
        git_commit: dice.once_in(2).then(|| format!("{:016x}", dice.bits())),
        git_branch: dice.maybe_text(),
        tokens_used: dice.once_in(2).then(|| dice.bits()),
    })
}

fn pattern(dice: &mut Dice, statement: String) -> Body {
    Body::Pattern(Pattern {
        statement,
        conditions: dice.texts(),
        correct_approach: dice.maybe_text(),
        incorrect_approach: dice.maybe_text(),
        source_episodes: dice.names(),
        template: dice.once_in(3).then(|| Template {
            language: "rust".to_owned(),
            code: format!("fn ${{name}}() {{\n    {}\n}}\n", dice.text()),
            placeholders: dice.texts(),
            hint: dice.words(5),
        }),
    })
}

fn skill(dice: &mut Dice, name: String) -> Body {
    Body::Skill(Skill {
        name,
        description: dice.maybe_text(),
        trigger: dice.maybe_text(),
        prerequisites: dice.texts(),
        steps: (0..dice.below(5))
            .map(|at| Step { action: format!("{at} {}", dice.text()), detail: dice.maybe_text() })
            .collect(),
        common_errors: (0..dice.below(3))
            .map(|_| Remedy { error: dice.text(), fix: dice.text() })
            .collect(),
        exit_criteria: dice.texts(),
        hint: dice.maybe_text(),
    })
}

fn block(dice: &mut Dice, index: usize) -> Body {
    let text = dice.text();
    let length = text.chars().count();
    let limit = *dice.pick(&[length.max(1), length + 1, length * 2 + 5, Block::MAX_LIMIT]);
    Body::Block(Block { label: format!("block {index}"), text, limit })
}

fn ledger(dice: &mut Dice) -> Body {
    Body::Ledger(Ledger {
        agent_id: format!("agent {}", dice.below(9)),
        last_checkpoint: dice.once_in(2).then(|| dice.time()),
        tasks_completed: dice.bits(),
        current_task: dice.maybe_text(),
        state: LedgerState {
            files_modified: dice.texts(),
            uncommitted_changes: dice.once_in(2),
            last_git_commit: dice.maybe_text(),
        },
        context: LedgerContext {
            tech_stack: dice.texts(),
            patterns_learned: dice.texts(),
            current_goal: dice.maybe_text(),
        },
    })
}

fn handoff(dice: &mut Dice, to_agent: String) -> Body {
    Body::Handoff(Handoff {
        from_agent: dice.words(2) + " agent",
        to_agent,
        what_was_done: dice.maybe_text(),
        artifacts: dice.texts(),
        git_state: dice.maybe_text(),
        needs_testing: dice.texts(),
        known_issues: dice.texts(),
        relevant_patterns: dice.texts(),
        reason: dice.maybe_text(),
        iteration: dice.once_in(2).then(|| dice.bits()),
        files_modified: dice.texts(),
        recent_commits: dice.texts(),
        task_status: dice.maybe_text(),
        open_questions: dice.texts(),
        key_decisions: dice.texts(),
        blockers: dice.texts(),
    })
}

fn contradiction(dice: &mut Dice, note: String) -> Body {
    let resolution = dice.once_in(2).then(|| *dice.pick(Resolution::ALL));
    Body::Contradiction(Contradiction {
        a: dice.name(),
        b: dice.name(),
        detected_by: dice.words(3),
        status: if resolution.is_some() { Status::Resolved } else { Status::Open },
        resolution,
        note: Some(note),
    })
}
