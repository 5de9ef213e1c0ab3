//! Days of a store as a seed tells them: writes, edits, forgetting, jobs, crashes and clocks that
//! jump. Whatever happens, what was acknowledged is there and what was forgotten is not.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Fact, Failure, Message, Outcome, Pattern};
use mnemic_engine::model::job::State;
use mnemic_engine::model::{Actor, At, Author, Draft, Patch, RecordId};
use mnemic_engine::{Engine, ErrorKind, JobView, Meaning, Note, StoreName};
use mnemic_testkit::{Home, SplitMix, seeds};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

const WORDS: &[&str] = &[
    "port",
    "database",
    "staging",
    "deploy",
    "login",
    "test",
    "export",
    "nightly",
    "never",
    "always",
    "cache",
    "queue",
    "gateway",
    "Frankfurt",
    "scheduler",
    "branch",
];

struct Life {
    home: Home,
    engine: Engine,
    dice: SplitMix,
    /// What was acknowledged, and the word by which it is known.
    there: BTreeMap<RecordId, String>,
    gone: BTreeSet<RecordId>,
    told: Vec<String>,
    count: u64,
}

fn open(home: &Home, author: Author) -> Engine {
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(32));
    settings.actor = Actor::new(author, "tester");
    Engine::open(settings).expect("an engine")
}

impl Life {
    fn new(seed: u64) -> Life {
        let home = Home::new();
        drop(home.engine());
        let engine = open(&home, Author::Agent);
        let dice = SplitMix::new(seed);
        let (there, gone, told) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        Life { home, engine, dice, there, gone, told, count: 0 }
    }

    fn words(&mut self, number: u64) -> String {
        let mut words = Vec::new();
        for _ in 0..number {
            words.push(WORDS[self.dice.below(WORDS.len() as u64) as usize]);
        }
        words.join(" ")
    }

    /// One at random of what is there.
    fn some(&mut self) -> Option<RecordId> {
        let at = self.dice.below(self.there.len().max(1) as u64) as usize;
        self.there.keys().nth(at).cloned()
    }

    fn step(&mut self) {
        match self.dice.below(20) {
            0..=3 => self.remember_fact(),
            4..=6 => self.remember_episode(),
            7..=8 => self.remember_pattern(),
            9 => self.edit(),
            10 => self.forget(),
            11..=13 => self.work(),
            14..=15 => self.consolidate(),
            16 => self.reopen(),
            17 => self.queue(),
            _ => self.let_time_pass(),
        }
    }

    fn keep(&mut self, body: Body, mark: String) {
        match self.engine.remember(Draft::new(body), &Note::default()) {
            Ok(answer) => {
                self.told.push(format!("remember {} {mark}", answer.id));
                for old in &answer.superseded {
                    self.told.push(format!("  in place of {old}"));
                }
                assert!(!self.gone.contains(&answer.id));
                self.there.entry(answer.id).or_insert(mark);
            }
            // Its subject or its words were forgotten before.
            Err(refused) => assert_eq!(refused.kind, ErrorKind::Forgotten, "{refused:?}"),
        }
    }

    fn mark(&mut self) -> String {
        self.count += 1;
        format!("mark{}x", self.count)
    }

    fn remember_fact(&mut self) {
        let (key, value) = (self.words(3), self.mark());
        let body = Body::Fact(Fact { key, value: value.clone(), ..Fact::default() });
        self.keep(body, value);
    }

    fn remember_pattern(&mut self) {
        let mark = self.mark();
        let statement = format!("{} {mark}", self.words(8));
        self.keep(Body::Pattern(Pattern { statement, ..Pattern::default() }), mark);
    }

    fn remember_episode(&mut self) {
        let mark = self.mark();
        let message = self.words(4);
        let failure = Failure { message, resolution: Some(self.words(3)), ..Failure::default() };
        let messages = (0..self.dice.below(12))
            .map(|n| Message {
                role: "assistant".into(),
                text: format!("{n} {mark} said and done, and then looked at again by hand"),
                at: None,
            })
            .collect();
        let episode = Episode {
            goal: format!("{} {mark}", self.words(2)),
            task_id: Some(format!("t{}", self.dice.below(4))),
            outcome: Some(Outcome::Success),
            errors: vec![failure],
            messages,
            ..Episode::default()
        };
        self.keep(Body::Episode(episode), mark);
    }

    /// A person says another word on a fact.
    fn edit(&mut self) {
        let Some(id) = self.some() else { return };
        let person = open(&self.home, Author::Human);
        let Ok(shown) = person.show(id.as_str(), At::LATEST) else { return };
        if !matches!(shown.version.content.body, Body::Fact(_)) {
            return;
        }
        let mark = self.mark();
        let mut patch = Patch::default();
        patch.body.insert("value".into(), json!(mark));
        if person.edit(id.as_str(), &patch, &Note::default()).is_ok() {
            self.told.push(format!("edit {id} {mark}"));
            self.there.insert(id, mark);
        }
    }

    fn forget(&mut self) {
        let Some(id) = self.some() else { return };
        self.told.push(format!("forget {id}"));
        // It may be an agent's word that a person has corrected.
        let person = open(&self.home, Author::Human);
        person.forget(&[id.as_str()], &Note::default()).expect("forgotten");
        self.there.remove(&id);
        self.gone.insert(id);
    }

    /// Runs something that dies after so many questions whether to go on, if it comes so far.
    fn perhaps_crash(&mut self, what: &str, run: impl FnOnce(&Engine, &mut dyn FnMut())) {
        let mut left = self.dice.below(12);
        let mut die = || {
            assert!(left > 0, "pulled the plug");
            left -= 1;
        };
        let crashed = catch_unwind(AssertUnwindSafe(|| run(&self.engine, &mut die))).is_err();
        self.told.push(format!("{what}{}", if crashed { ", crashed" } else { "" }));
        if crashed {
            self.engine = open(&self.home, Author::Agent);
        }
    }

    fn work(&mut self) {
        self.perhaps_crash("work", |engine, die| {
            engine
                .work(&mut || {
                    die();
                    true
                })
                .map(drop)
                .expect("worked");
        });
    }

    fn consolidate(&mut self) {
        self.perhaps_crash("consolidate", |engine, die| {
            engine
                .consolidate(false, &Note::default(), &mut |_, _| die())
                .map(drop)
                .expect("tended");
        });
    }

    fn reopen(&mut self) {
        self.told.push("reopen".to_owned());
        self.engine = open(&self.home, Author::Agent);
    }

    fn queue(&mut self) {
        self.told.push("queue".to_owned());
        self.engine.queue_due(Some(600)).expect("asked");
    }

    fn let_time_pass(&mut self) {
        let seconds = match self.dice.below(10) {
            0 => -3 * 86_400,
            1 => 40 * 86_400,
            2..=4 => 86_400,
            _ => 3_600,
        };
        self.told.push(format!("time {seconds}"));
        self.home.clock.tick(seconds);
    }

    /// What must hold at any moment.
    fn check(&self) {
        let report = self.engine.verify(StoreName::Project).expect("verified");
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let mut out = Vec::new();
        self.engine.export(StoreName::Project, &mut out).expect("exported");
        let text = String::from_utf8(out).expect("text");
        for (id, mark) in &self.there {
            assert!(text.contains(mark), "{id} with {mark} is lost");
        }
        for id in &self.gone {
            let shown = self.engine.show(id.as_str(), At::LATEST).map(drop);
            assert_eq!(shown.map_err(|refused| refused.kind), Err(ErrorKind::Forgotten), "{id}");
        }
    }

    /// What must hold when everybody had time to finish.
    fn settle(&mut self) {
        for _ in 0..8 {
            self.home.clock.tick(4 * 3_600);
            self.engine.work(&mut || true).expect("worked");
        }
        // A job whose worker died each of the five times is given up, and told; nothing else is left.
        let crashes = self.told.iter().filter(|line| line.ends_with(", crashed")).count();
        let jobs = self.engine.jobs().expect("jobs");
        let given_up = |view: &JobView| {
            let died = view.job.last_error.is_none() && view.job.attempts as usize <= crashes;
            view.state == State::GivenUp && died
        };
        assert!(jobs.iter().all(given_up), "{jobs:?}");
        self.engine.consolidate(false, &Note::default(), &mut |_, _| {}).expect("tended");
        let again = self.engine.consolidate(false, &Note::default(), &mut |_, _| {});
        for report in again.expect("tended") {
            assert!(report.counts.is_empty(), "a second run did {report:?}");
        }
        let held = |view: &JobView| view.state == State::Running;
        assert!(!self.engine.jobs().expect("jobs").iter().any(held));
        self.check();
    }
}

fn live(seed: u64) {
    let mut life = Life::new(seed);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        for n in 1..=40 {
            life.step();
            if n % 20 == 0 {
                life.check();
            }
        }
        life.settle();
    }));
    if outcome.is_err() {
        eprintln!("{}", life.told.join("\n"));
        panic!("again: MNEMIC_SEED={seed} cargo test -p mnemic-engine --test simulation");
    }
}

#[test]
fn nothing_acknowledged_is_lost_whatever_happens() {
    // Most panics here are planned: they are the crashes.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |told| {
        let planned = told.payload().downcast_ref::<String>();
        let planned =
            planned.map(String::as_str).or(told.payload().downcast_ref::<&str>().copied());
        if planned != Some("pulled the plug") {
            usual(told);
        }
    }));
    let seeds = seeds(6, 10_000);
    seeds.clone().for_each(live);
    eprintln!(
        "R18: {} seeds of captures, edits, jobs, crashes and clock jumps, 0 failed",
        seeds.count()
    );
}
