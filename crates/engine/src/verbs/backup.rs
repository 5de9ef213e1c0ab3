//! `backup` and `restore`.

use super::forget::bury_in;
use crate::place::Place;
use crate::{Engine, Error, ErrorKind, Result, Settings, StoreName, counted};
use mnemic_model::{At, Timestamp, Verb};
use mnemic_store::sqlite::{self, BACKUP_DIR, Guards, SqliteStore};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupMade {
    pub path: PathBuf,
    pub bytes: u64,
    pub records: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    pub from: Option<PathBuf>,
    /// What was there before: a backup of it, or the damaged file itself.
    pub kept_aside: Option<PathBuf>,
    pub records: u64,
    /// Versions saved from the damaged file.
    pub salvaged: u64,
    /// Rows of the damaged file that could not be saved.
    pub lost: u64,
    /// Whether there were more of them than can be counted.
    pub more_lost: bool,
}

impl Engine {
    /// Copies a store while others go on writing.
    pub fn backup(&self, store: StoreName, to: Option<&Path>) -> Result<BackupMade> {
        let sqlite = self.store(store)?;
        let path = match to {
            Some(path) => std::path::absolute(path).map_err(|cause| {
                Error::new(ErrorKind::Io, format!("`{}` is not a path", path.display()))
                    .because(cause)
            })?,
            None => self.backup_path(sqlite, "memory"),
        };
        if to.is_some() && !path.parent().is_some_and(Path::is_dir) {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("there is no directory for `{}`", path.display()),
            )
            .hint("make it first; a typing error should not"));
        }
        if path.exists() {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("`{}` exists already", path.display()),
            )
            .hint("choose another name; a backup never overwrites a file"));
        }
        // Known before it is made: a copy that a crash leaves behind is still cleaned by `forget`.
        let mut tx = sqlite.write()?;
        tx.note_backup(&path)?;
        tx.audit(&self.settings.actor, Verb::Backup, &path.to_string_lossy(), None)?;
        tx.commit()?;
        let bytes = sqlite.copy_to(&path)?;
        Ok(BackupMade { path, bytes, records: count(sqlite)? })
    }

    /// Backups that the store knows of, oldest first.
    pub fn backups(&self, store: StoreName) -> Result<Vec<(PathBuf, Timestamp)>> {
        let known = self.store(store)?.read()?.backups()?;
        Ok(known.into_iter().filter(|(path, _)| path.exists()).collect())
    }

    /// Goes back to a backup, or to the latest good one. A store that is whole is backed up first
    /// and then is what the backup says; a damaged one is set aside, and every row of it that is
    /// still what was written is kept.
    pub fn restore(settings: &Settings, store: StoreName, from: Option<&Path>) -> Result<Restored> {
        let place = match store {
            StoreName::Project => {
                settings.project.as_ref().ok_or_else(crate::engine::no_project)?
            }
            StoreName::User => settings.user.as_ref().ok_or_else(crate::engine::no_user)?,
        };
        if from.is_none() && !place.file().exists() && backups_on_disk(place).is_empty() {
            return Err(match store {
                StoreName::Project => crate::engine::no_project(),
                StoreName::User => crate::engine::no_user(),
            });
        }
        let live = SqliteStore::open(&place.file(), settings.clock.clone());
        match live {
            Ok(live) if live.verify()?.findings.iter().all(|finding| finding.derived) => {
                go_back(settings, place, &live, from)
            }
            // Not to be read is not to be damaged: what lies there may be whole.
            Err(cause @ mnemic_store::Error::File { .. }) => Err(cause.into()),
            _ => rebuild(settings, place, from),
        }
    }

    fn backup_path(&self, store: &SqliteStore, name: &str) -> PathBuf {
        let dir = store.path().with_file_name(BACKUP_DIR);
        free_name(&dir, name, self.now())
    }
}

/// What a store was before a backup was put in its place.
const BEFORE_RESTORE: &str = "before-restore";

fn free_name(dir: &Path, name: &str, now: Timestamp) -> PathBuf {
    let stamp = now.to_jiff().strftime("%Y%m%dT%H%M%SZ");
    let first = dir.join(format!("{name}-{stamp}.db"));
    let others = (2..).map(|n| dir.join(format!("{name}-{stamp}-{n}.db")));
    std::iter::once(first).chain(others).find(|path| !path.exists()).expect("some number is free")
}

fn count(store: &SqliteStore) -> Result<u64> {
    Ok(store.read()?.census(At::LATEST)?.kinds.values().sum())
}

fn go_back(
    settings: &Settings,
    place: &Place,
    live: &SqliteStore,
    from: Option<&Path>,
) -> Result<Restored> {
    let (from, draft) = good_copy(settings, place, from)?;
    // From the copy that is set aside to the new content nobody may write: it would be in neither.
    let _quiet = live.hold_writers()?;
    let dir = place.dir.join(BACKUP_DIR);
    let aside = free_name(&dir, BEFORE_RESTORE, settings.clock.now());
    live.copy_to(&aside)?;
    let stones = live.read()?.tombstones()?;
    let backups = live.read()?.backups()?;
    {
        let copy = SqliteStore::open(&draft, settings.clock.clone())?;
        bury_in(&copy, &stones)?;
        let mut tx = copy.write()?;
        for (path, _) in &backups {
            tx.note_backup(path)?;
        }
        tx.note_backup(&aside)?;
        tx.audit(&settings.actor, Verb::Restore, &from.to_string_lossy(), None)?;
        tx.commit()?;
        copy.leave_as_single_file()?;
    }
    live.replace_with(&draft)?;
    remove(&draft)?;
    Ok(Restored {
        from: Some(from),
        kept_aside: Some(aside),
        records: count(live)?,
        salvaged: 0,
        lost: 0,
        more_lost: false,
    })
}

/// Makes the file anew from its own rows, when every one of them is intact: whatever is derived from
/// them comes out right, however damaged it was.
pub(crate) fn remake(settings: &Settings, place: &Place) -> Result<()> {
    let file = place.file();
    let _quiet = sqlite::hold_writers(&file)?;
    let saved = sqlite::salvage(&file)?;
    if saved.lost > 0 {
        return Err(Error::new(
            ErrorKind::Damaged,
            format!("{} too", counted(saved.lost, "row is damaged", "rows are damaged")),
        )
        .hint("mnemic restore --latest"));
    }
    let draft = draft_path(place);
    drop(SqliteStore::create(&draft, settings.clock.clone(), Guards::Plain)?);
    saved.pour_into(&draft)?;
    swap_in(settings, place, &draft, "remade")?;
    Ok(())
}

/// Puts a finished file into the place of the present one, which is set aside.
fn swap_in(
    settings: &Settings,
    place: &Place,
    draft: &Path,
    subject: &str,
) -> Result<Option<PathBuf>> {
    {
        let copy = SqliteStore::open(draft, settings.clock.clone())?;
        let stones = copy.read()?.tombstones()?;
        bury_in(&copy, &stones)?;
        let mut tx = copy.write()?;
        tx.audit(&settings.actor, Verb::Restore, subject, None)?;
        tx.commit()?;
        copy.leave_as_single_file()?;
    }
    let stamp = settings.clock.now().to_jiff().strftime("%Y%m%dT%H%M%SZ").to_string();
    let file = place.file();
    let aside = place.dir.join(format!("memory.db.damaged-{stamp}"));
    let was_there = file.exists();
    for suffix in ["", "-wal", "-shm"] {
        let part = with_suffix(&file, suffix);
        if part.exists() {
            rename(&part, &with_suffix(&aside, suffix))?;
        }
    }
    rename(draft, &file)?;
    Ok(was_there.then_some(aside))
}

/// The base is the last good backup, or nothing; over it go all rows that could be saved.
fn rebuild(settings: &Settings, place: &Place, from: Option<&Path>) -> Result<Restored> {
    let file = place.file();
    let base = match good_copy(settings, place, from) {
        Ok((from, draft)) => (Some(from), draft),
        Err(none) if from.is_some() => return Err(none),
        Err(_) => {
            let draft = draft_path(place);
            SqliteStore::create(&draft, settings.clock.clone(), Guards::Plain)?;
            (None, draft)
        }
    };
    let (from, draft) = base;
    let _quiet = sqlite::hold_writers(&file)?;
    let saved = sqlite::salvage(&file)?;
    if from.is_none() && saved.versions() == 0 && file.exists() {
        remove(&draft)?;
        return Err(Error::new(
            ErrorKind::Damaged,
            format!(
                "nothing could be saved from `{}`, and there is no good backup",
                file.display()
            ),
        )
        .hint(
            "the file was left as it is; copy a backup here and name it: `mnemic restore FILE`",
        ));
    }
    saved.pour_into(&draft)?;
    let aside = swap_in(settings, place, &draft, "salvage")?;
    let store = SqliteStore::open(&file, settings.clock.clone())?;
    Ok(Restored {
        from,
        kept_aside: aside,
        records: count(&store)?,
        salvaged: saved.versions(),
        lost: saved.lost,
        more_lost: saved.more_lost,
    })
}

/// A working copy of a backup that was verified, brought up to date if it is older.
fn good_copy(
    settings: &Settings,
    place: &Place,
    from: Option<&Path>,
) -> Result<(PathBuf, PathBuf)> {
    let candidates = match from {
        Some(path) => vec![path.to_owned()],
        None => backups_on_disk(place),
    };
    let mut why = Vec::new();
    for candidate in candidates {
        match copy_and_verify(settings, place, &candidate) {
            Ok(draft) => return Ok((candidate, draft)),
            Err(cause) => why.push(format!("{}: {cause}", candidate.display())),
        }
    }
    let message = match why.as_slice() {
        [] => "there is no backup".to_owned(),
        why => format!("no backup is good: {}", why.join("; ")),
    };
    Err(Error::new(ErrorKind::NotFound, message)
        .hint("name a file with `mnemic restore FILE`; `mnemic backup --list` shows what is known"))
}

fn copy_and_verify(settings: &Settings, place: &Place, backup: &Path) -> Result<PathBuf> {
    let draft = draft_path(place);
    remove(&draft)?;
    fs::copy(backup, &draft).map_err(|cause| {
        Error::new(ErrorKind::Io, format!("cannot copy `{}`", backup.display())).because(cause)
    })?;
    let checked = SqliteStore::open(&draft, settings.clock.clone()).and_then(|store| {
        let findings = store.verify()?.findings;
        store.leave_as_single_file()?;
        Ok(findings)
    });
    match checked {
        Ok(findings) if findings.iter().all(|finding| finding.derived) => Ok(draft),
        Ok(findings) => {
            remove(&draft)?;
            Err(Error::new(
                ErrorKind::Damaged,
                counted(findings.len() as u64, "row is damaged", "rows are damaged"),
            ))
        }
        Err(cause) => {
            remove(&draft)?;
            Err(cause.into())
        }
    }
}

/// Newest first.
fn backups_on_disk(place: &Place) -> Vec<PathBuf> {
    let mut found: Vec<(std::time::SystemTime, PathBuf)> = fs::read_dir(place.dir.join(BACKUP_DIR))
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "db"))
        // Going back once more would otherwise undo the going back.
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with(BEFORE_RESTORE))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

fn draft_path(place: &Place) -> PathBuf {
    place.dir.join(format!("restore-{}.db", std::process::id()))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn remove(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        match fs::remove_file(with_suffix(path, suffix)) {
            Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::new(
                    ErrorKind::Io,
                    format!("cannot remove `{}`", path.display()),
                )
                .because(cause));
            }
            _ => {}
        }
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|cause| {
        Error::new(ErrorKind::Io, format!("cannot move `{}` to `{}`", from.display(), to.display()))
            .because(cause)
            .hint("check the permissions of the directory; nothing was lost")
    })
}
