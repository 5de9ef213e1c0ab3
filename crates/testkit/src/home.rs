//! A temporary home with a project in it, and engines over both.

use crate::FakeClock;
use mnemic_engine::place::Place;
use mnemic_engine::{Engine, Random, Settings};
use mnemic_model::{Actor, Author, Timestamp};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// Reads a time, or fails the test.
pub fn at(time: &str) -> Timestamp {
    Timestamp::parse(time).expect("a test writes its times well")
}

/// The same ids in every run.
#[derive(Debug)]
pub struct SeededRandom(AtomicU64);

impl SeededRandom {
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom(AtomicU64::new(seed))
    }
}

impl Random for SeededRandom {
    fn bits(&self) -> u64 {
        // SplitMix64: every state gives another value.
        let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Goes away with everything in it.
#[derive(Debug)]
pub struct Home {
    pub dir: TempDir,
    pub clock: Arc<FakeClock>,
    random: Arc<SeededRandom>,
}

impl Home {
    #[expect(clippy::new_without_default, reason = "making one has effects")]
    pub fn new() -> Home {
        Home {
            dir: tempfile::tempdir().expect("a temporary directory"),
            clock: Arc::new(FakeClock::new(at("2026-01-01T00:00:00Z"))),
            random: Arc::new(SeededRandom::new(7)),
        }
    }

    pub fn project_dir(&self) -> PathBuf {
        self.dir.path().join("project/.mnemic")
    }

    fn place(&self, name: &str) -> Option<Place> {
        let dir = self.dir.path().join(name);
        let exists = dir.join("memory.db").exists();
        Some(Place { dir, exists })
    }

    /// Settings over the stores as they are now.
    pub fn settings(&self) -> Settings {
        let actor = Actor::new(Author::Human, "tester");
        let mut settings =
            Settings::new(self.place("project/.mnemic"), self.place("data/mnemic"), actor);
        settings.clock = self.clock.clone();
        settings.random = self.random.clone();
        settings
    }

    /// An engine with both stores; they are made at the first call.
    pub fn engine(&self) -> Engine {
        let mut settings = self.settings();
        Engine::init_project(&mut settings).expect("a project store");
        Engine::init_user(&mut settings).expect("a personal store");
        Engine::open(settings).expect("an engine")
    }
}

/// Every namespace that an engine knows, to ask for all of them.
pub fn namespaces(engine: &mnemic_engine::Engine) -> Vec<mnemic_engine::model::Namespace> {
    let stats = engine.namespace_stats().expect("namespaces are counted").into_iter();
    let parse = |name: &str| mnemic_engine::model::Namespace::parse(name).expect("it is one");
    stats.map(|stats| parse(&stats.name)).collect()
}
