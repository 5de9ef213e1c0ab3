//! One run of the program: where it was started, who acts, and the engine when it is needed.

use crate::args::Global;
use crate::hooks;
use crate::output::Output;
use crate::report::{self, Done};
use crate::settings::{self, Flags, Resolved, environment};
use mnemic_engine::inference::language::Guarded;
use mnemic_engine::model::policy::{Deed, Door};
use mnemic_engine::model::{Clock, Timestamp, Trust};
use mnemic_engine::place::{self, Place};
use mnemic_engine::{Engine, Error, ErrorKind, Meaning, Result, Screen, Settings, SystemClock};
use serde_json::json;
use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) out: Output,
    pub(crate) dir: PathBuf,
    /// One time for the whole run, so that all its questions are about the same moment.
    pub(crate) now: Timestamp,
    flags: Flags,
    // Verbs that need no settings must work when the settings are broken.
    resolved: OnceCell<Resolved>,
    // Loading a model costs time, so it happens once; without one the reason is kept.
    meaning: OnceCell<Models>,
    /// Shared by all engines of this run, so that what was replaced is told once.
    screen: OnceCell<Arc<Screen>>,
    language: OnceCell<(Option<Arc<Guarded>>, Option<Error>)>,
}

/// What finds by meaning, and why it cannot.
#[derive(Debug)]
struct Models {
    meaning: Meaning,
    /// Why there is no embedder although one was asked for.
    trouble: Option<Error>,
    /// The same for what reads answers again.
    unread: Option<Error>,
}

impl Invocation {
    pub(crate) fn begin(global: Global) -> Done<Invocation> {
        if let Some(dir) = &global.dir {
            // Changing the directory makes every relative path of the command line start there.
            std::env::set_current_dir(dir)
                .map_err(|cause| report::file("go to", dir.display(), cause))?;
        }
        let dir = std::env::current_dir().map_err(|cause| {
            Error::new(ErrorKind::Io, "the current directory is gone or cannot be read")
                .because(cause)
                .hint("go to another directory, or name one with `--dir`")
        })?;
        Ok(Invocation {
            out: Output::new(global.json, global.quiet),
            dir,
            now: SystemClock.now(),
            flags: Flags { actor: global.actor, namespace: global.namespace },
            resolved: OnceCell::new(),
            meaning: OnceCell::new(),
            screen: OnceCell::new(),
            language: OnceCell::new(),
        })
    }

    pub(crate) fn project(&self) -> Place {
        place::project(&self.dir)
    }

    pub(crate) fn project_is_missing(&self) -> bool {
        !self.project().exists
    }

    pub(crate) fn personal(&self) -> Option<Place> {
        let data = environment::path(environment::XDG_DATA_HOME);
        let home = environment::path(environment::HOME);
        place::personal(data.as_deref(), home.as_deref())
    }

    pub(crate) fn resolved(&self) -> Result<&Resolved> {
        if let Some(resolved) = self.resolved.get() {
            return Ok(resolved);
        }
        let resolved = settings::resolve(&self.project().dir, &self.flags)?;
        Ok(self.resolved.get_or_init(|| resolved))
    }

    /// Whether whoever calls may do this. With settings that cannot be read nobody is known: they
    /// must be mended first, which is a deed of this kind.
    pub(crate) fn require(&self, deed: Deed) -> Result<()> {
        let Ok(resolved) = self.resolved() else { return Ok(()) };
        mnemic_engine::require(deed, Door::Terminal, &resolved.actor, Trust::Trusted)
    }

    /// What the engine must be told.
    pub(crate) fn engine_settings(&self) -> Result<Settings> {
        let resolved = self.resolved()?;
        let mut settings =
            Settings::new(Some(self.project()), self.personal(), resolved.actor.clone());
        settings.namespace = resolved.namespace.clone();
        settings.visibility = resolved.visibility;
        settings.meaning = self.meaning()?.meaning.clone();
        let screen = || Arc::new(Screen::new(resolved.detector.clone()));
        settings.screen = self.screen.get_or_init(screen).clone();
        settings.language = self.language()?.0.clone();
        Ok(settings)
    }

    /// What turns text into vectors. Without it memories are found by their words, which no verb
    /// but those that look for something need to tell.
    fn meaning(&self) -> Result<&Models> {
        if let Some(meaning) = self.meaning.get() {
            return Ok(meaning);
        }
        let (mut meaning, trouble) = match self.resolved()?.meaning.build() {
            Ok(meaning) => (meaning, None),
            Err(trouble) => (Meaning::none(), Some(trouble)),
        };
        let unread = match self.resolved()?.rerank.build() {
            Ok(reranker) => {
                meaning = reranker.into_iter().fold(meaning, Meaning::read_by);
                None
            }
            Err(why) => Some(why),
        };
        Ok(self.meaning.get_or_init(|| Models { meaning, trouble, unread }))
    }

    /// What may be asked to read. Without it rules alone do, which no verb needs to tell.
    fn language(&self) -> Result<&(Option<Arc<Guarded>>, Option<Error>)> {
        if let Some(language) = self.language.get() {
            return Ok(language);
        }
        let built = match self.resolved()?.language.build() {
            Ok(language) => (language, None),
            Err(trouble) => (None, Some(trouble)),
        };
        Ok(self.language.get_or_init(|| built))
    }

    /// Why there is no language model although one was asked for.
    pub(crate) fn language_trouble(&self) -> Result<Option<&Error>> {
        Ok(self.language()?.1.as_ref())
    }

    /// Why there is no model although one was asked for.
    pub(crate) fn meaning_trouble(&self) -> Result<Option<&Error>> {
        Ok(self.meaning()?.trouble.as_ref())
    }

    /// The engine for verbs that look for something, with a word on what they must do without.
    pub(crate) fn finding_engine(&self) -> Result<Engine> {
        self.answering_engine("")
    }

    /// The same for a question that is known already: it is read while the stores are opened.
    pub(crate) fn answering_engine(&self, question: &str) -> Result<Engine> {
        self.meaning()?.meaning.read_ahead(question);
        let engine = self.engine()?;
        if let Some(trouble) = self.meaning_trouble()? {
            let hint = trouble.hint.as_deref().unwrap_or("see `mnemic config`");
            self.out.warn(&format!("found by words alone: {}; {hint}", trouble.message()));
        }
        if let Some(why) = &self.meaning()?.unread {
            let hint = why.hint.as_deref().unwrap_or("see `mnemic config`");
            self.out.warn(&format!("nothing is read again: {}; {hint}", why.message()));
        }
        Ok(engine)
    }

    /// Says what was replaced before it was kept, however the command ended.
    pub(crate) fn tell_replaced(&self) {
        let Some(replaced) = self.screen.get().map(|screen| screen.take_tally()) else { return };
        if replaced.is_empty() {
            return;
        }
        if self.out.json {
            return self.out.aside_json(&json!({ "redacted": replaced }));
        }
        let told: Vec<String> = replaced.iter().map(|(rule, n)| format!("{n} × {rule}")).collect();
        self.out.warn(&format!(
            "replaced by placeholders, not kept: {}; `mnemic vault put NAME` keeps what must be kept",
            told.join(", ")
        ));
    }

    /// The engine without a word: for what goes on after the answer.
    pub(crate) fn quiet_engine(&self) -> Result<Engine> {
        Engine::open(self.engine_settings()?)
    }

    pub(crate) fn engine(&self) -> Result<Engine> {
        hooks::before_a_command(self);
        let engine = Engine::open(self.engine_settings()?)?;
        for warning in engine.warnings() {
            self.out.warn(&warning);
        }
        Ok(engine)
    }

    /// The engine of a verb that takes in many; `later` leaves their vectors to `mnemic embed`.
    pub(crate) fn engine_for_many(&self, later: bool) -> Result<Engine> {
        let engine = self.engine()?;
        Ok(if later { engine.embedding_later() } else { engine })
    }
}
