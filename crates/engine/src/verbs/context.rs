//! `context`: what an agent should read now, within its budget.

use super::questions::in_one;
use super::texts::{quick_texts, quoting, texts};
use crate::{Engine, Result};
use mnemic_lifecycle::consolidate::served::level_of_age;
use mnemic_model::session::{self, SessionId};
use mnemic_model::{Filter, Kind, RecordId, Timestamp, Version};
use mnemic_recall::context::{
    self, Ask, Assembled, Handout, Level, Offer, Profiles, Role, Segment, Situation, Task, Texts,
};
use mnemic_recall::{Found, Question, Recall, Sensed, taken_back};
use mnemic_text::stems::query_terms;
use mnemic_text::task::TaskType;
use mnemic_text::tokens::Counter;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, LazyLock};

/// Errors are looked back upon for a day.
const RECENT_SECONDS: i64 = 24 * 60 * 60;

/// Of every sort that matters whatever is asked.
const AT_HAND: usize = 40;

/// A short memory, in tokens: decides how many are looked for.
const SHORT_TOKENS: usize = 20;

/// How many are looked for at least and at most.
const LEAST: usize = 20;
const MOST: usize = 400;

/// Files at hand that are looked up at most, and memories that name one.
const FILES: usize = 4;
const OF_A_NAME: usize = 5;

/// From here on a memory matters whatever is asked.
const IMPORTANT: f64 = 0.9;

/// What nearly every piece of work is called tells nothing of what it is about.
static OF_WORK: LazyLock<HashSet<String>> = LazyLock::new(|| {
    query_terms(
        "add build change clean create debug delete deploy extend fix implement improve make migrate \
         move new page refactor remove rename replace review rewrite run service set show test update \
         upgrade use work write",
    )
    .into_iter()
    .collect()
});

/// The best so many have their shorter levels chosen sentence by sentence; what comes after them is
/// a line at most, and cut.
const CAREFUL: usize = 48;

/// The best so many episodes are quoted where they say what was asked.
const QUOTED: usize = 12;

/// What is asked of a context.
#[derive(Debug, Clone)]
pub struct ContextAsk {
    /// What the agent is about to do or wants to know; may be empty at the start of a session.
    pub question: Question,
    pub profile: String,
    pub ask: Ask,
    /// Files at hand, as the caller names them.
    pub files: Vec<String>,
    /// The id or name of the task.
    pub task: Option<String>,
    /// The session that it is for: what it will probably need is taken in.
    pub session: Option<SessionId>,
    /// Fill the budget also with what lacks evidence.
    pub fill: bool,
    pub profiles: Profiles,
    pub counter: Counter,
}

/// A context, and what recall says about the question behind it.
#[derive(Debug, Clone)]
pub struct Context {
    pub assembled: Assembled,
    pub task_type: Option<TaskType>,
    /// How sure we are that the store knows anything about it, 0..1.
    pub evidence: f64,
    /// How many memories answer the question; the others matter whatever is asked.
    pub answers: usize,
}

impl Engine {
    /// An ask with this engine's usual choices; change what you like.
    pub fn context_ask(&self, text: impl Into<String>, profile: impl Into<String>) -> ContextAsk {
        ContextAsk {
            question: self.question(text),
            profile: profile.into(),
            ask: Ask::default(),
            files: Vec::new(),
            task: None,
            session: None,
            fill: false,
            profiles: Profiles::built_in(),
            counter: Counter::default(),
        }
    }

    /// The text that an agent should read now. Reading changes nothing; say what was handed over
    /// with [`Engine::note_shown`].
    pub fn context(&self, wanted: &ContextAsk) -> Result<Context> {
        let gathered = self.offers(wanted, &wanted.situation(), &BTreeSet::new())?;
        let counts = |text: &str| wanted.counter.count(text);
        let Gathered { offers, task_type, evidence, answers } = gathered;
        let ask = wanted.by_age(&offers);
        let assembled = match (wanted.profile.as_str(), task_type) {
            ("task", found) => {
                let task_type = found.unwrap_or(TaskType::Implementation);
                let task = Task { goal: &wanted.question.text, task_type };
                context::before_task(task, &wanted.profiles, &offers, &ask, &counts)?
            }
            (name, task) => {
                let profile = wanted.profiles.choose(name, task)?;
                context::assemble(profile, &offers, &ask, &counts)
            }
        };
        Ok(Context { assembled, task_type, evidence, answers })
    }

    /// Just these memories, as a text: for what stood in a window that was thrown away. Those that
    /// were forgotten meanwhile are left out; the first is worth most.
    pub fn context_of(&self, wanted: &ContextAsk, ids: &[RecordId]) -> Result<Assembled> {
        let situation = wanted.situation();
        let mut offers: Vec<Offer> = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            let known = offers.iter().any(|offer| offer.id == *id);
            let shown = self.show(id.as_str(), wanted.question.filter.at);
            if let (false, Ok(shown)) = (known, shown) {
                let worth = 1.0 / (1.0 + place as f64 / ids.len() as f64);
                offers.push(Offer::of(&shown.version, texts(&shown.version), worth, &situation));
            }
        }
        let counts = |text: &str| wanted.counter.count(text);
        let profile = wanted.profiles.choose(&wanted.profile, None)?;
        Ok(context::assemble(profile, &offers, &wanted.by_age(&offers), &counts))
    }

    /// The pack of somebody who begins a piece of work with nothing, and the pointers that stay with
    /// the one who handed it out.
    pub fn hand_out(&self, wanted: &ContextAsk, segment: &Segment) -> Result<Handout> {
        let situation = segment.situation(self.now());
        let mut reached = BTreeSet::new();
        for (_, store) in self.stores() {
            let read = store.read()?;
            let of: BTreeSet<RecordId> = read
                .ids_starting_with(&segment.task, 2)?
                .into_iter()
                .filter(|id| id.as_str() == segment.task)
                .collect();
            let mut links = Vec::new();
            for id in &of {
                links.extend(read.links(id, mnemic_model::At::LATEST)?);
            }
            reached.extend(context::contracts(&of, &links));
        }
        let offers = self.offers(wanted, &situation, &reached)?.offers;
        let counts = |text: &str| wanted.counter.count(text);
        Ok(context::hand_out(segment, &wanted.profiles, &offers, &wanted.ask, &counts)?)
    }

    /// Records that these memories were put into a context.
    pub fn note_shown(&self, assembled: &Assembled) -> Result<()> {
        self.note_loads(&assembled.shown.iter().map(|one| one.id.as_str()).collect::<Vec<_>>())
    }

    /// The same, as part of a session.
    pub fn note_shown_in(&self, session: &SessionId, assembled: &Assembled) -> Result<()> {
        let tiers: BTreeSet<&str> = assembled.shown.iter().map(|one| one.tier.as_str()).collect();
        for tier in tiers {
            let mut shown = Vec::new();
            for one in assembled.shown.iter().filter(|one| one.tier == tier) {
                let level: session::Level = one.level.as_str().parse()?;
                shown.push((one.id.clone(), level, one.tokens));
            }
            self.session_shown(session, tier, &shown)?;
        }
        Ok(())
    }

    /// Everything that may stand in a context: what answers the question, what matters whatever is
    /// asked, and what the work depends on.
    fn offers(
        &self,
        wanted: &ContextAsk,
        situation: &Situation,
        contracts: &BTreeSet<RecordId>,
    ) -> Result<Gathered> {
        let Answered { mut found, task_type, evidence } = self.answered(wanted)?;
        let answers = found.len();
        let profile = wanted.profiles.choose(&wanted.profile, task_type)?;
        let is_asked = !wanted.question.text.trim().is_empty();
        let only_answers = is_asked && profile.only_answers();
        let mut at_hand = match only_answers {
            true => Vec::new(),
            false => self.at_hand(&wanted.question.filter, situation.now)?,
        };
        // An answer has been settled already.
        if !is_asked {
            let all = found.iter().map(|(version, _)| version).chain(&at_hand);
            let gone = taken_back(&self.with_first_vectors(all)?);
            found.retain(|(version, _)| !gone.contains(&version.id));
            at_hand.retain(|version| !gone.contains(&version.id));
        }
        let questions = self.open_questions(&at_hand, &wanted.question.filter)?;
        let is_episode = |(version, _): &&(Version, f64)| version.kind() == Kind::Episode;
        let last_session =
            found.iter().filter(is_episode).max_by_key(|(it, _)| it.content.valid.from());
        let last_session = last_session.map(|(version, _)| version.id.clone());
        let offered = |version: &Version, texts: Texts, score: f64| {
            let texts = questions.told.get(&version.id).map_or(texts, |told| in_one(told));
            let mut offer = Offer::of(version, texts, score, situation);
            if last_session.as_ref() == Some(&version.id) {
                offer = offer.also(Role::LastSession);
            }
            offer.attribution.disputed = questions.sides.contains(&version.id);
            match contracts.contains(&version.id) {
                true => offer.also(Role::Contract),
                false => offer,
            }
        };
        let offer = |version: &Version, score: f64| offered(version, texts(version), score);
        let (careful, quick) = found.split_at(CAREFUL.min(found.len()));
        let asked = &wanted.question.text;
        let careful = careful.iter().enumerate().map(|(place, (version, score))| {
            let quotes = place < QUOTED && version.kind() == Kind::Episode;
            let texts = texts(version);
            offered(version, if quotes { quoting(texts, asked) } else { texts }, *score)
        });
        let quick = quick.iter().map(|(one, score)| offered(one, quick_texts(one), *score));
        let mut offers: Vec<Offer> = careful.chain(quick).collect();
        let known: BTreeSet<RecordId> = offers.iter().map(|offer| offer.id.clone()).collect();
        for (version, score) in self.about_files(wanted)? {
            if !offers.iter().any(|offer| offer.id == version.id) {
                offers.push(offer(&version, score));
            }
        }
        let asked_for: HashSet<String> =
            query_terms(asked).into_iter().filter(|term| !OF_WORK.contains(term)).collect();
        let is_elsewhere =
            |version: &Version| !asked_for.is_empty() && !speaks_of(version, &asked_for);
        let is_needed = |version: &&Version| {
            let roles = context::roles(version, situation);
            let is_at_hand = roles.iter().any(|role| role.is_at_hand());
            // What failed yesterday, or is disputed, is no news to who asks for something else.
            let is_passing = |role: &Role| matches!(role, Role::RecentError | Role::Contradiction);
            let is_elsewhere = || {
                roles.iter().filter(|role| role.is_at_hand()).all(is_passing)
                    && is_elsewhere(version)
            };
            !known.contains(&version.id)
                && (version.content.importance.get() >= IMPORTANT || is_at_hand && !is_elsewhere())
        };
        // Found for a word that every task has, what failed lately is no more than a find.
        for offer in offers.iter_mut().filter(|offer| offer.roles.contains(&Role::RecentError)) {
            let mut versions = found.iter().filter(|(version, _)| version.id == offer.id);
            if versions.any(|(version, _)| is_elsewhere(version)) {
                offer.roles.remove(&Role::RecentError);
            }
        }
        offers.extend(at_hand.iter().filter(is_needed).map(|one| offer(one, 0.0)));
        let predicted = match only_answers {
            true => Vec::new(),
            false => self.predicted_memories(wanted.session.as_ref(), &wanted.files)?,
        };
        for (version, confidence) in &predicted {
            match offers.iter_mut().find(|offer| offer.id == version.id) {
                Some(offer) => drop(offer.roles.insert(Role::Predicted)),
                None => offers.push(offer(version, *confidence).also(Role::Predicted)),
            }
        }
        for id in contracts.iter().filter(|id| !known.contains(*id)) {
            offers.push(offer(&self.show(id.as_str(), wanted.question.filter.at)?.version, 0.0));
        }
        Ok(Gathered { offers, task_type, evidence, answers })
    }

    /// What answers the question. Without one, as at the start of a session, the latest memories
    /// and those cited most must do, what matters most first.
    fn answered(&self, wanted: &ContextAsk) -> Result<Answered> {
        if wanted.question.text.trim().is_empty() {
            let Question { filter, task, .. } = &wanted.question;
            return Ok(Answered { found: self.latest(filter)?, task_type: *task, evidence: 0.0 });
        }
        let question = wanted.recalled()?;
        let Recall { found, understanding, evidence, .. } = self.recall(&question)?;
        // What recall shows has passed its bound already, whatever took its place in the order.
        let passed = if question.switches.bounds { question.weights.least_score } else { 0.0 };
        let scored = |one: Found| (one.version, one.score.max(passed));
        Ok(Answered {
            found: found.into_iter().map(scored).collect(),
            task_type: question.task.or(understanding.task),
            evidence,
        })
    }

    /// Memories that name a file at hand, whatever the task is.
    fn about_files(&self, wanted: &ContextAsk) -> Result<Vec<(Version, f64)>> {
        let mut found = Vec::new();
        for file in wanted.files.iter().take(FILES) {
            found.extend(self.memories_naming(file, &wanted.question)?);
        }
        Ok(found)
    }

    /// The best memories with this name in their text, asked as the question is.
    pub(super) fn memories_naming(
        &self,
        name: &str,
        asked: &Question,
    ) -> Result<Vec<(Version, f64)>> {
        let mut question = Question { text: name.to_owned(), ..asked.clone() };
        question.vectors.clear();
        question.aspects.clear();
        question.limit = OF_A_NAME;
        question.switches.meaning = false;
        question.switches.strategy = false;
        let mut found = self.recall(&question)?.found;
        found.retain(|one| one.version.content.body.full_text().contains(name));
        Ok(found.into_iter().map(|one| (one.version, one.score)).collect())
    }

    pub(super) fn in_lineage(&self, filter: &Filter) -> Result<Filter> {
        let mut filter = filter.clone();
        if filter.namespaces.is_empty() {
            filter.namespaces = self.lineage()?;
        }
        Ok(filter)
    }

    /// Memories with the vectors of their beginnings, where they have one.
    fn with_first_vectors<'v>(
        &self,
        versions: impl Iterator<Item = &'v Version>,
    ) -> Result<Vec<Sensed<'v>>> {
        let mut all: Vec<Sensed<'_>> = versions.map(|one| (one, None)).collect();
        for (_, store) in self.stores() {
            let read = store.read()?;
            let Some(model) = read.vector_models()?.into_iter().next() else { continue };
            for (version, vector) in all.iter_mut().filter(|(_, vector)| vector.is_none()) {
                if let Some(key) = read.key_of(&version.id, None)? {
                    *vector = read.first_vectors(&model, &[key])?.pop().flatten();
                }
            }
        }
        Ok(all)
    }

    fn at_hand(&self, filter: &Filter, now: Timestamp) -> Result<Vec<Version>> {
        let filter = self.in_lineage(filter)?;
        let mut found = Vec::new();
        for (_, store) in self.stores() {
            let read = store.read()?;
            let keys = read.at_hand(now.plus_seconds(-RECENT_SECONDS), &filter, AT_HAND)?;
            let versions = read.versions_of(&keys)?.into_iter();
            found.extend(versions.map(|(_, version)| Arc::unwrap_or_clone(version)));
        }
        Ok(found)
    }
}

impl ContextAsk {
    /// What recall is asked for this context.
    pub fn recalled(&self) -> Result<Question> {
        let mut question = self.question.clone();
        let profile = self.profiles.choose(&self.profile, question.task)?;
        let budget = self.ask.budget.or(profile.budget).unwrap_or_default();
        // More than a profile has places for would be looked for in vain; what is left over of the
        // best is enough to point at.
        let read = profile.tiers.iter().filter(|tier| tier.level != Level::Index);
        let places = read.map(|tier| tier.most).sum();
        question.limit = (budget / SHORT_TOKENS).min(places).clamp(LEAST, MOST);
        // Tiers share the places out; the profile says what is too weak for each.
        question.switches.strategy = false;
        question.switches.bounds &= !self.fill;
        Ok(question)
    }

    /// What happened long ago is told in short, unless somebody asks for just that.
    fn by_age(&self, offers: &[Offer]) -> Ask {
        let mut ask = self.ask.clone();
        let old = |offer: &&Offer| offer.kind == Kind::Episode && self.profile != "answer";
        for offer in offers.iter().filter(old) {
            let age = self.question.now.micros() - offer.attribution.at.micros();
            let level = level_of_age(age.div_euclid(86_400_000_000));
            ask.trimmed.entry(offer.id.clone()).or_insert(Some(level));
        }
        ask
    }

    fn situation(&self) -> Situation {
        Situation { now: self.question.now, files: self.files.clone(), task: self.task.clone() }
    }
}

/// What recall found, with scores.
struct Answered {
    found: Vec<(Version, f64)>,
    task_type: Option<TaskType>,
    evidence: f64,
}

struct Gathered {
    offers: Vec<Offer>,
    task_type: Option<TaskType>,
    evidence: f64,
    answers: usize,
}

/// Whether a memory has any of these terms.
fn speaks_of(version: &Version, terms: &HashSet<String>) -> bool {
    query_terms(&version.content.body.full_text()).iter().any(|term| terms.contains(term))
}
