//! Rows that were read, kept from one view to the next until somebody touches them.
//!
//! Whoever changes what they are made of says so in the table `touched`, for triggers do it: this
//! process, another one, a repair. A view that heeds what was said since the last one may use the
//! rest. Turns change with their version alone, and names and kinds of records never.

use super::glance::usage_from;
use crate::Result;
use crate::find::{Beginning, Glance, Key};
use crate::sqlite::query::rows;
use foldhash::{HashMap, HashMapExt};
use mnemic_model::{Usage, Version};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};
use std::sync::Arc;

/// Rows of the last few hundred questions: some 40 MB for each open store that is asked as many, twice
/// that where all texts are long.
const MOST_GLANCES: usize = 65_536;
const MOST_VERSIONS: usize = 16_384;

/// Beginnings: what is usual is learnt from the same few, three megabytes of them at most.
const MOST_BEGINNINGS: usize = 512;

/// Bytes of a row's JSON. Longer ones are read each time: a few would take the room of all others.
const LONGEST: usize = 2_048;

/// What was read of rows, as this view would read it.
#[derive(Debug)]
pub(super) struct Kept {
    stand: Stand,
    /// The last touch that was heeded.
    heeded: Option<Touch>,
    glances: Recent<Arc<Glance>>,
    versions: Recent<Arc<Version>>,
    beginnings: Recent<Arc<Beginning>>,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            stand: Stand::Unasked,
            heeded: None,
            glances: Recent::new(MOST_GLANCES),
            versions: Recent::new(MOST_VERSIONS),
            beginnings: Recent::new(MOST_BEGINNINGS),
        }
    }
}

/// Whether this view may use what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Nobody has asked for it yet.
    Unasked,
    /// What was touched is gone from it.
    Good,
    /// What was touched could not be read: the rows themselves are asked, and not kept.
    Unknown,
}

/// That a row was touched. Copies of a store count alike; the mark tells them apart.
#[derive(Debug, PartialEq, Eq)]
struct Touch {
    seq: i64,
    mark: [u8; 8],
}

impl Kept {
    pub(super) fn begin_view(&mut self) {
        self.stand = Stand::Unasked;
    }

    /// Whether this view, inside of whose transaction this is called, may use what is kept.
    pub(super) fn is_good(&mut self, connection: &Connection) -> Result<bool> {
        if self.stand == Stand::Unasked {
            let heeded = self.heed(connection);
            self.stand = if heeded.is_ok() { Stand::Good } else { Stand::Unknown };
            if let Err(cause) = heeded {
                // Some errors end the transaction, and with it the view.
                if connection.is_autocommit() {
                    return Err(cause);
                }
            }
        }
        Ok(self.stand == Stand::Good)
    }

    /// Lets go of what was touched since the last view.
    fn heed(&mut self, connection: &Connection) -> Result<()> {
        let Some(last) = &self.heeded else { return self.start_over(connection) };
        let sql = "SELECT touched.seq, touched.mark, touched.version, usage.loaded, \
               usage.referenced, usage.ignored, usage.succeeded, usage.last_used \
             FROM touched LEFT JOIN usage ON usage.record = touched.used \
             WHERE touched.seq >= ?1 ORDER BY touched.seq";
        let touches = rows(connection, sql, [last.seq], |row| {
            let touch = Touch { seq: row.get(0)?, mark: row.get(1)? };
            let is_use = row.get_ref(3)? != ValueRef::Null;
            let usage = if is_use { Some(usage_from(row, 3)?) } else { None };
            Ok((touch, row.get::<_, i64>(2)?, usage))
        })?;
        let follows = touches.first().is_some_and(|(first, ..)| first == last);
        let news = || touches.iter().skip(1);
        if !follows {
            return self.start_over(connection);
        }
        for (_, version, usage) in news() {
            match usage {
                Some(usage) => self.note_use(Key(*version), usage),
                None => self.let_go(Key(*version)),
            }
        }
        self.heeded = touches.into_iter().last().map(|(touch, ..)| touch);
        Ok(())
    }

    fn let_go(&mut self, key: Key) {
        self.glances.remove(key);
        self.versions.remove(key);
        self.beginnings.remove(key);
    }

    /// What is used is read again and again, and nothing but its numbers has changed.
    fn note_use(&mut self, key: Key, usage: &Usage) {
        if let Some(glance) = self.glances.change(key) {
            Arc::make_mut(glance).usage = usage.clone();
        }
    }

    fn start_over(&mut self, connection: &Connection) -> Result<()> {
        *self = Kept::default();
        let sql = "SELECT seq, mark FROM touched ORDER BY seq DESC LIMIT 1";
        let mut last = connection.prepare_cached(sql)?;
        let touch = |row: &rusqlite::Row<'_>| Ok(Touch { seq: row.get(0)?, mark: row.get(1)? });
        self.heeded = last.query_row([], touch).optional()?;
        Ok(())
    }

    pub(super) fn glance(&mut self, key: Key) -> Option<Arc<Glance>> {
        self.glances.get(key)
    }

    /// The turns before and after this one, none if it is no turn; `None` where what is kept does not
    /// tell. Turns of one thread in rows that follow each other have no other between them.
    pub(super) fn beside(&mut self, key: Key) -> Option<Vec<Key>> {
        let Some(turn) = self.glance(key)?.turn else { return Some(Vec::new()) };
        [key.0.checked_sub(1)?, key.0.checked_add(1)?]
            .into_iter()
            .map(|next| {
                let glance = self.glance(Key(next))?;
                glance.turn.is_some_and(|next| next.thread == turn.thread).then_some(glance.key)
            })
            .collect()
    }

    pub(super) fn keep_glance(&mut self, glance: Arc<Glance>) {
        if self.heeded.is_some() {
            self.glances.put(glance.key, glance);
        }
    }

    pub(super) fn version(&mut self, key: Key) -> Option<Arc<Version>> {
        self.versions.get(key)
    }

    pub(super) fn beginning(&mut self, key: Key) -> Option<Arc<Beginning>> {
        self.beginnings.get(key)
    }

    pub(super) fn keep_beginning(&mut self, key: Key, beginning: &Arc<Beginning>) {
        if self.heeded.is_some() {
            self.beginnings.put(key, beginning.clone());
        }
    }

    pub(super) fn keep_version(&mut self, key: Key, version: &Arc<Version>, bytes: usize) {
        if self.heeded.is_some() && bytes <= LONGEST {
            self.versions.put(key, version.clone());
        }
    }
}

/// Makes the table anew, inside the caller's transaction: all views read everything again.
pub(in crate::sqlite) fn remake_touched(connection: &Connection) -> Result<()> {
    connection.execute_batch("DROP TABLE IF EXISTS touched")?;
    Ok(connection.execute_batch(include_str!("../migrations/008_touched.sql"))?)
}

/// What was wanted lately. When the newer half is full, the older half goes.
#[derive(Debug)]
struct Recent<T> {
    newer: HashMap<Key, T>,
    older: HashMap<Key, T>,
    most: usize,
}

impl<T: Clone> Recent<T> {
    fn new(most: usize) -> Recent<T> {
        Recent { newer: HashMap::new(), older: HashMap::new(), most }
    }

    fn get(&mut self, key: Key) -> Option<T> {
        if let Some(found) = self.newer.get(&key) {
            return Some(found.clone());
        }
        let found = self.older.remove(&key)?;
        self.put(key, found.clone());
        Some(found)
    }

    fn put(&mut self, key: Key, value: T) {
        if self.newer.len() >= self.most / 2 {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, value);
    }

    fn change(&mut self, key: Key) -> Option<&mut T> {
        self.newer.get_mut(&key).or_else(|| self.older.get_mut(&key))
    }

    fn remove(&mut self, key: Key) {
        self.newer.remove(&key);
        self.older.remove(&key);
    }
}
