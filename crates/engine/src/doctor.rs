//! `verify` and `doctor`: is everything well, and if not, what helps?

use crate::place::Place;
use crate::verbs::backup::remake;
use crate::verbs::jobs::describe;
use crate::{Engine, Result, Settings, StoreName, counted, local_zone, to_the_second};
use mnemic_model::job::{Job, JobKind, State};
use mnemic_model::{At, Timestamp};
use mnemic_store::sqlite::{SCHEMA, SqliteStore};
use mnemic_store::{VectorModel, Verification};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Good,
    Warning,
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkup {
    pub name: String,
    pub severity: Severity,
    pub message: String,
    pub hint: Option<String>,
    pub fixed: bool,
}

impl Engine {
    /// Looks at every row, version, index and audit entry of a store.
    pub fn verify(&self, store: StoreName) -> Result<Verification> {
        Ok(self.store(store)?.verify()?)
    }

    /// Makes everything derived anew; the number of records read.
    pub fn reindex(&self, store: StoreName) -> Result<u64> {
        Ok(self.store(store)?.rebuild_derived()?)
    }

    /// Looks at everything, even where no store opens. `fix` repairs what can be repaired without
    /// losing anything.
    pub fn doctor(settings: &Settings, fix: bool) -> Vec<Checkup> {
        let mut ward = Ward { settings, fix, checkups: Vec::new() };
        let places = [(StoreName::Project, &settings.project), (StoreName::User, &settings.user)];
        for (name, place) in places {
            match place {
                Some(place) if place.exists => ward.examine(name, place),
                _ => ward.note(
                    name,
                    "store",
                    Severity::Warning,
                    "there is none yet",
                    Some("mnemic init"),
                ),
            }
        }
        ward.checkups
    }
}

/// What is being examined.
struct Ward<'s> {
    settings: &'s Settings,
    fix: bool,
    checkups: Vec<Checkup>,
}

/// A journal larger than this means that nobody could empty it for long.
const LARGE_JOURNAL: u64 = 64 * 1024 * 1024;
const STALE_BACKUP_DAYS: i64 = 7;
/// Jobs that wait longer have nobody who does them.
const LATE_JOB_DAYS: i64 = 2;
/// Sessions that tell whether memory pays.
const SESSIONS_LOOKED_AT: usize = 10;

impl Ward<'_> {
    fn note(
        &mut self,
        store: StoreName,
        what: &str,
        severity: Severity,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.checkups.push(Checkup {
            name: format!("{store} {what}"),
            severity,
            message: message.into(),
            hint: hint.map(str::to_owned),
            fixed: false,
        });
    }

    /// Notes a problem, or that it was repaired.
    fn repair(
        &mut self,
        store: StoreName,
        what: &str,
        problem: &str,
        mend: impl FnOnce() -> Result<(), String>,
    ) {
        let outcome = if self.fix { mend() } else { Err(String::new()) };
        let (severity, message, fixed) = match outcome {
            Ok(()) => (Severity::Good, format!("{problem}: repaired"), true),
            Err(why) if why.is_empty() => (Severity::Warning, problem.to_owned(), false),
            Err(why) => {
                (Severity::Bad, format!("{problem}; it could not be repaired: {why}"), false)
            }
        };
        let hint = (!fixed).then(|| "mnemic doctor --fix".to_owned());
        self.checkups.push(Checkup {
            name: format!("{store} {what}"),
            severity,
            message,
            hint,
            fixed,
        });
    }

    fn examine(&mut self, name: StoreName, place: &Place) {
        let store = match SqliteStore::open(&place.file(), self.settings.clock.clone()) {
            Ok(store) => store,
            Err(cause) => {
                let error = crate::Error::from(cause);
                let hint = error.hint.clone();
                self.note(name, "store", Severity::Bad, error.chain().join(": "), hint.as_deref());
                return;
            }
        };
        if let Some(why) = store.read_only_because() {
            let hint = Some("make the directory writable");
            self.note(name, "store", Severity::Warning, format!("read-only: {why}"), hint);
        }
        self.contents(name, place, &store);
        self.permissions(name, place);
        self.housekeeping(name, place, &store);
        self.vectors(name, &store);
        self.price(name, &store);
        self.clock_and_backups(name, &store);
    }

    /// Whether everything can be found by what it means. Where there is no model, nobody waits.
    fn vectors(&mut self, name: StoreName, store: &SqliteStore) {
        let Some(model) = self.settings.meaning.model() else { return };
        let Ok(census) = store.read().and_then(|read| read.vector_census()) else { return };
        // Of a remote model the dimensions are unknown until it has answered.
        let is_ours =
            |other: &VectorModel| other.name == model.name && other.generation == model.generation;
        let problem = match census.models.first() {
            Some((present, 1..)) if !is_ours(present) && present.name == model.name => {
                "they are of another build of the model, which finds them; made anew they are exact"
                    .to_owned()
            }
            Some((present, 1..)) if !is_ours(present) => {
                format!("the model is now {}, the vectors are of {}", model.name, present.name)
            }
            _ if census.waiting > 0 => match census.waiting {
                1 => "one memory waits for its own; until then words find it".to_owned(),
                n => format!("{n} memories wait for theirs; until then words find them"),
            },
            _ => {
                let all: u64 = census.models.iter().map(|(_, vectors)| vectors).sum();
                let message = format!("{all}, none missing");
                return self.note(name, "vectors", Severity::Good, message, None);
            }
        };
        if !self.fix || store.read_only_because().is_some() {
            return self.note(name, "vectors", Severity::Warning, problem, Some("mnemic embed"));
        }
        let engine = Engine::open(self.settings.clone());
        self.repair(name, "vectors", &problem, || {
            let embed = |engine: Engine| engine.embed_waiting(u64::MAX, &mut |_| true);
            engine.and_then(embed).map(drop).map_err(|e| e.to_string())
        });
    }

    /// Whether memory pays, as far as the last sessions tell.
    fn price(&mut self, name: StoreName, store: &SqliteStore) {
        let Ok(read) = store.read() else { return };
        let sessions = read.sessions(SESSIONS_LOOKED_AT).unwrap_or_default();
        let is_doubted = |id| read.economics(id).is_ok_and(|economics| economics.doubted);
        let doubted = sessions.iter().filter(|session| is_doubted(&session.id)).count();
        if doubted * 2 > sessions.len() {
            let message = match sessions.len() {
                1 => "memory saved next to nothing in the last session".to_owned(),
                all => {
                    format!("memory saved next to nothing in {doubted} of the last {all} sessions")
                }
            };
            drop(read);
            self.note(name, "price", Severity::Warning, message, Some("mnemic economics"));
        }
    }

    fn contents(&mut self, name: StoreName, place: &Place, store: &SqliteStore) {
        let report = match store.verify() {
            Ok(report) => report,
            Err(cause) => {
                let hint = Some("mnemic restore --latest");
                return self.note(name, "rows", Severity::Bad, cause.to_string(), hint);
            }
        };
        let (derived, rows): (Vec<_>, Vec<_>) =
            report.findings.iter().partition(|finding| finding.derived);
        match rows.len() {
            0 => self.note(
                name,
                "rows",
                Severity::Good,
                format!(
                    "{}, {}, all as written (schema {SCHEMA})",
                    counted(report.records, "record", "records"),
                    counted(report.versions, "version", "versions")
                ),
                None,
            ),
            damaged => self.note(
                name,
                "rows",
                Severity::Bad,
                {
                    let places = counted(damaged as u64, "damaged place", "damaged places");
                    format!("{places}; `mnemic verify` names them")
                },
                Some("mnemic restore --latest"),
            ),
        }
        match derived.len() {
            0 => self.note(name, "indexes", Severity::Good, "agree with the rows", None),
            wrong => {
                let places = counted(wrong as u64, "place disagrees", "places disagree");
                let problem = format!("{places} with the rows");
                let settings = self.settings;
                let mend = || {
                    // The small repair first; what resists it is left behind with the old file.
                    let mended = store.rebuild_derived().and_then(|_| store.verify());
                    match mended {
                        Ok(report) if report.findings.is_empty() => Ok(()),
                        _ => remake(settings, place).map_err(|e| e.to_string()),
                    }
                };
                self.repair(name, "indexes", &problem, mend);
            }
        }
    }

    fn permissions(&mut self, name: StoreName, place: &Place) {
        let mut wanted = vec![(place.dir.clone(), 0o700), (place.file(), 0o600)];
        let key = place.dir.join("vault.key");
        if key.exists() {
            wanted.push((key, 0o600));
        }
        let open: Vec<_> =
            wanted.into_iter().filter(|(path, mode)| mode_of(path) & !mode & 0o777 != 0).collect();
        if open.is_empty() {
            return self.note(name, "permissions", Severity::Good, "for the owner alone", None);
        }
        let names: Vec<String> = open.iter().map(|(path, _)| path.display().to_string()).collect();
        let problem = format!("others can read {}", names.join(", "));
        self.repair(name, "permissions", &problem, || {
            open.iter().try_for_each(|(path, mode)| {
                fs::set_permissions(path, fs::Permissions::from_mode(*mode))
                    .map_err(|cause| cause.to_string())
            })
        });
    }

    fn housekeeping(&mut self, name: StoreName, place: &Place, store: &SqliteStore) {
        if !store.has_all_ballast() && store.read_only_because().is_none() {
            self.repair(
                name,
                "ballast",
                "missing: on a full disk nothing could be forgotten",
                || {
                    store.lay_ballast().map_err(|e| e.to_string())?;
                    if store.has_all_ballast() {
                        Ok(())
                    } else {
                        Err("there is no room".to_owned())
                    }
                },
            );
        }
        if name == StoreName::Project && !place.dir.join(".gitignore").exists() {
            self.repair(name, "ignore file", "git could pick up the store", || {
                fs::write(place.dir.join(".gitignore"), "*\n").map_err(|e| e.to_string())
            });
        }
        let leftovers = leftovers(&place.dir);
        if !leftovers.is_empty() {
            let problem = format!("{} unfinished files were left behind", leftovers.len());
            self.repair(name, "leftovers", &problem, || {
                leftovers
                    .iter()
                    .try_for_each(|path| fs::remove_file(path).map_err(|e| e.to_string()))
            });
        }
        self.jobs(name, store);
    }

    /// Jobs come and go; what was given up, waits too long or concerns forgotten text is told.
    fn jobs(&mut self, name: StoreName, store: &SqliteStore) {
        let jobs = store.read().and_then(|read| read.jobs()).unwrap_or_default();
        let now = self.settings.clock.now();
        let late = |job: &&Job| {
            JobKind::SCRUBBING.contains(&job.kind)
                || job.state(now) == State::GivenUp
                || job.created_at < now.plus_seconds(-LATE_JOB_DAYS * 86_400)
        };
        let told: Vec<String> = jobs.iter().filter(late).map(describe).collect();
        if told.is_empty() {
            if !jobs.is_empty() {
                let message = format!("{} in the queue, none of them late", jobs.len());
                self.note(name, "jobs", Severity::Good, message, None);
            }
            return;
        }
        let engine = Engine::open(self.settings.clone());
        let some: Vec<&str> = told.iter().take(3).map(String::as_str).collect();
        let jobs = counted(told.len() as u64, "job waits", "jobs wait");
        let problem = format!("{jobs}: {}", some.join("; "));
        self.repair(name, "jobs", &problem, || {
            let waiting = engine.and_then(|e| e.finish_jobs()).map_err(|e| e.to_string())?;
            if waiting.is_empty() { Ok(()) } else { Err(waiting.join("; ")) }
        });
    }

    fn clock_and_backups(&mut self, name: StoreName, store: &SqliteStore) {
        let Ok(upkeep) = store.upkeep() else { return };
        let now = self.settings.clock.now();
        if upkeep.journal_bytes > LARGE_JOURNAL {
            let problem = format!("the journal has grown to {} bytes", upkeep.journal_bytes);
            self.repair(name, "journal", &problem, || {
                store.scrub(false).map_err(|e| e.to_string())
            });
        }
        match upkeep.last_recorded {
            Some(last) if last > now.plus_seconds(3600) => self.note(
                name,
                "clock",
                Severity::Warning,
                format!(
                    "the last write is dated {}: a clock was ahead; order is kept",
                    local(last)
                ),
                Some("check the system clock"),
            ),
            _ => self.note(name, "clock", Severity::Good, "time goes forward", None),
        }
        let memories: u64 = store
            .read()
            .and_then(|read| read.census(At::LATEST))
            .map_or(0, |census| census.kinds.values().sum());
        let fresh = now.plus_seconds(-STALE_BACKUP_DAYS * 86_400);
        match upkeep.last_backup {
            Some(at) if at >= fresh => {
                self.note(name, "backup", Severity::Good, format!("last made {}", local(at)), None);
            }
            _ if memories == 0 => {
                self.note(name, "backup", Severity::Good, "nothing to back up", None)
            }
            _ => self.note(
                name,
                "backup",
                Severity::Warning,
                format!("none within {STALE_BACKUP_DAYS} days"),
                Some("mnemic backup"),
            ),
        }
    }
}

fn mode_of(path: &Path) -> u32 {
    fs::metadata(path).map_or(0, |file| file.permissions().mode())
}

/// Files that a killed backup, restore or key creation left behind, long enough ago.
fn leftovers(dir: &Path) -> Vec<std::path::PathBuf> {
    let dirs = [dir.to_owned(), dir.join(mnemic_store::sqlite::BACKUP_DIR)];
    let entries = dirs.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let unfinished = name.ends_with(".part")
                || name.starts_with("restore-")
                || name.starts_with(".vault.key.");
            let age = entry.metadata().and_then(|file| file.modified()).map(|at| at.elapsed());
            unfinished && age.is_ok_and(|age| age.is_ok_and(|age| age.as_secs() > 600))
        })
        .map(|entry| entry.path())
        .collect()
}

fn local(time: Timestamp) -> String {
    to_the_second(time, &local_zone())
}
