//! The indexes of a store: immutable segments beside the file, and the tail of rows that none of
//! them covers yet. Derived from rows, never the truth; nobody waits for anybody here.

mod document;
mod facets;
mod find;
mod glance;
mod growth;
mod hand;
mod kept;
mod tail;
pub(super) mod thread;
pub(super) mod vector;

pub(super) use find::{
    background, by_meaning, by_words, each_term, happened, key_of, meaning_scores, neighbours,
    sample, usual_cosines, versions_of, word_parts, word_statistics,
};
pub(super) use glance::{ended, glances};
pub(super) use growth::{grow, uncovered, verify};
pub(super) use hand::{at_hand, most_cited, open_contradictions};
pub(super) use kept::remake_touched;

use super::files;
use super::query::in_transaction;
use crate::Result;
use crate::find::{Glance, Key};
use facets::Facets;
use kept::Kept;
use mnemic_index::meaning::MeaningSegment;
use mnemic_index::shelf::{SegmentFile, Shelf};
use mnemic_index::words::WordsSegment;
use mnemic_model::Filter;
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tail::{MeaningTail, WordsTail};

/// Bump whenever a version would give other terms than before: segments are then built anew.
const WORDS_FAMILY: &str = "words-1";

/// Open segments and tails, kept from one question to the next.
#[derive(Debug)]
pub(super) struct Lookup {
    shelf: Shelf,
    open: Mutex<Open>,
    /// Whether what was looked up holds until the view ends, and rows until they are touched.
    keeps: bool,
}

#[derive(Debug, Default)]
struct Open {
    /// The files of each family, as they were when their folder had last changed.
    listed: HashMap<String, (SystemTime, Vec<SegmentFile>)>,
    words: HashMap<PathBuf, Arc<WordsSegment>>,
    words_tail: Option<WordsTail>,
    meaning: HashMap<PathBuf, Arc<MeaningSegment>>,
    meaning_tails: HashMap<i64, MeaningTail>,
    /// What this view has looked up already.
    viewed_words: Option<Vec<Arc<WordsSegment>>>,
    viewed_meaning: HashMap<i64, Vec<Arc<MeaningSegment>>>,
    /// Rows that this view has read already, and what it read, by the filter they were read with.
    glanced: Vec<(Filter, Glanced)>,
    /// Rows that views before this one have read.
    kept: Kept,
    /// The kinds that occur in each segment, as bits, by its address.
    kinds: HashMap<usize, u32>,
}

/// Rows that were looked at; `None` where one did not pass what only rows can answer.
type Glanced = foldhash::HashMap<Key, Option<Arc<Glance>>>;

/// What covers the rows from the first one on without a gap, and the last row covered.
#[derive(Debug)]
struct Cover<S> {
    segments: Vec<Arc<S>>,
    upto: u64,
}

/// Segments of both kinds are opened, doubted and merged in the same way.
trait Segment: Sized {
    fn open_file(path: &Path) -> Option<Self>;

    fn in_memory(bytes: Vec<u8>) -> Result<Self>;

    /// The last version it knows, with the facets that it had.
    fn witness(&self) -> Option<(u64, Facets)>;

    fn size(&self) -> u64;

    fn merged(parts: &[&Self]) -> Vec<u8>;
}

impl Segment for WordsSegment {
    fn open_file(path: &Path) -> Option<Self> {
        WordsSegment::open(path).ok()
    }

    fn in_memory(bytes: Vec<u8>) -> Result<Self> {
        WordsSegment::from_bytes(bytes).map_err(broken)
    }

    fn witness(&self) -> Option<(u64, Facets)> {
        let slot = self.documents().checked_sub(1)?;
        Some((self.row(slot), Facets(self.facets(slot))))
    }

    fn size(&self) -> u64 {
        u64::from(self.documents())
    }

    fn merged(parts: &[&Self]) -> Vec<u8> {
        WordsSegment::merge(parts)
    }
}

impl Segment for MeaningSegment {
    fn open_file(path: &Path) -> Option<Self> {
        MeaningSegment::open(path).ok()
    }

    fn in_memory(bytes: Vec<u8>) -> Result<Self> {
        MeaningSegment::from_bytes(bytes).map_err(broken)
    }

    fn witness(&self) -> Option<(u64, Facets)> {
        let slot = self.len().checked_sub(1)?;
        Some((self.owner(slot), Facets(self.facets(slot))))
    }

    fn size(&self) -> u64 {
        u64::from(self.len())
    }

    fn merged(parts: &[&Self]) -> Vec<u8> {
        MeaningSegment::merge(parts)
    }
}

impl Lookup {
    pub(super) fn beside(store: &Path) -> Lookup {
        let shelf = Shelf::at(&files::sibling(store, "-index"));
        Lookup { shelf, open: Mutex::default(), keeps: true }
    }

    /// The same files without anything kept: for a transaction whose rows may never come to be.
    pub(super) fn passing(&self) -> Lookup {
        Lookup { shelf: self.shelf.clone(), open: Mutex::default(), keeps: false }
    }

    /// Throws every segment away: text that must be gone is gone from here too.
    pub(super) fn clear(&self) -> Result<()> {
        *self.lock() = Open::default();
        self.shelf.clear().map_err(broken)
    }

    /// What others have published meanwhile is seen from here on.
    pub(super) fn begin_view(&self) {
        let mut open = self.lock();
        open.viewed_words = None;
        open.viewed_meaning.clear();
        open.glanced.clear();
        open.kept.begin_view();
    }

    /// Asks what views before this one have read, where that may be done and can be.
    fn kept<T>(
        &self,
        connection: &Connection,
        ask: impl FnOnce(&mut Kept) -> T,
    ) -> Result<Option<T>> {
        if !self.keeps {
            return Ok(None);
        }
        let kept = &mut self.lock().kept;
        Ok(kept.is_good(connection)?.then(|| ask(kept)))
    }

    /// What this view has read with this filter; to be given back by [`Lookup::keep_glanced`].
    fn glanced(&self, filter: &Filter) -> Glanced {
        let mut open = self.lock();
        let known = open.glanced.iter().position(|(other, _)| other == filter);
        known.map(|place| open.glanced.swap_remove(place).1).unwrap_or_default()
    }

    fn keep_glanced(&self, filter: Filter, glanced: Glanced) {
        if self.keeps {
            self.lock().glanced.push((filter, glanced));
        }
    }

    /// The kinds that occur in any of these segments, as bits.
    fn kinds(&self, segments: &[Arc<WordsSegment>]) -> u32 {
        let mut open = self.lock();
        let of = |segment: &WordsSegment| {
            let slots = 0..segment.documents();
            slots.fold(0, |mask, slot| mask | 1 << Facets(segment.facets(slot)).kind())
        };
        segments.iter().fold(0, |mask, segment| {
            let address = Arc::as_ptr(segment) as usize;
            mask | *open.kinds.entry(address).or_insert_with(|| of(segment))
        })
    }

    fn words(&self, connection: &Connection) -> Result<Vec<Arc<WordsSegment>>> {
        let mut open = self.lock();
        if let Some(viewed) = open.viewed_words.as_ref().filter(|_| self.keeps) {
            return Ok(viewed.clone());
        }
        let files = open.files(&self.shelf, WORDS_FAMILY);
        let Open { words, words_tail, .. } = &mut *open;
        let Cover { mut segments, upto } = cover(connection, words, files);
        let tail = WordsTail::brought_up(words_tail.take(), connection, upto)?;
        segments.extend(tail.segments());
        *words_tail = Some(tail);
        // An address may be given to another segment once nobody holds this one.
        let held: Vec<usize> = segments.iter().map(|one| Arc::as_ptr(one) as usize).collect();
        open.kinds.retain(|address, _| held.contains(address));
        open.viewed_words = Some(segments.clone());
        Ok(segments)
    }

    fn meaning(&self, connection: &Connection, model: i64) -> Result<Vec<Arc<MeaningSegment>>> {
        let mut open = self.lock();
        if let Some(viewed) = open.viewed_meaning.get(&model).filter(|_| self.keeps) {
            return Ok(viewed.clone());
        }
        let files = open.files(&self.shelf, &meaning_family(model));
        let Open { meaning, meaning_tails, .. } = &mut *open;
        let Cover { mut segments, upto } = cover(connection, meaning, files);
        let tail = MeaningTail::brought_up(meaning_tails.remove(&model), connection, model, upto)?;
        segments.extend(tail.segments());
        meaning_tails.insert(model, tail);
        open.viewed_meaning.insert(model, segments.clone());
        Ok(segments)
    }

    /// The last row that segments covered when they were last looked at.
    fn words_covered(&self) -> Option<u64> {
        self.lock().words_tail.as_ref().map(WordsTail::after)
    }

    fn meaning_covered(&self, model: i64) -> Option<u64> {
        self.lock().meaning_tails.get(&model).map(MeaningTail::after)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// What is on the shelf. The folder is read only when it has changed.
    fn files(&mut self, shelf: &Shelf, family: &str) -> Vec<SegmentFile> {
        let changed_at = shelf.changed_at();
        if let Some((at, files)) = self.listed.get(family)
            && Some(*at) == changed_at
        {
            return files.clone();
        }
        let files = shelf.list(family);
        if let Some(at) = changed_at.filter(|at| is_settled(*at)) {
            self.listed.insert(family.to_owned(), (at, files.clone()));
        }
        files
    }
}

/// Whether what changes from now on will have another time: clocks of files are coarse, some by
/// milliseconds, and some by seconds.
fn is_settled(at: SystemTime) -> bool {
    let is_fine = at.duration_since(UNIX_EPOCH).is_ok_and(|since| since.subsec_nanos() != 0);
    let tick = Duration::from_millis(if is_fine { 50 } else { 3_000 });
    at.elapsed().is_ok_and(|passed| passed > tick)
}

/// Lets all versions wait for their vectors, inside the caller's transaction.
pub(super) fn await_vectors(connection: &Connection) -> Result<()> {
    vector::start_over(connection)
}

/// Fills the empty table of turns from rows, inside the caller's transaction.
pub(super) fn note_turns(connection: &Connection) -> Result<()> {
    thread::fill(connection)
}

/// Brings vectors over that were coded before they were rotated, inside the caller's transaction.
pub(super) fn rotate_vectors(connection: &Connection) -> Result<()> {
    vector::rotate_all(connection)?;
    match connection.path() {
        Some(path) => Shelf::at(&files::sibling(Path::new(path), "-index")).clear().map_err(broken),
        None => Ok(()),
    }
}

/// Makes what is derived inside the file anew; vectors whose seal holds are kept.
pub(super) fn start_over(connection: &Connection) -> Result<()> {
    in_transaction(connection, |connection| {
        thread::fill(connection)?;
        vector::start_over(connection)?;
        remake_touched(connection)
    })
}

fn meaning_family(model: i64) -> String {
    format!("vectors-{model}")
}

/// Opens what is new, forgets what is gone. A segment that cannot be opened, or that speaks of
/// other rows than the store's, ends the cover: its rows are read as tail until it is built again.
fn cover<S: Segment>(
    connection: &Connection,
    kept: &mut HashMap<PathBuf, Arc<S>>,
    files: Vec<SegmentFile>,
) -> Cover<S> {
    let mut still = HashMap::new();
    let mut cover = Cover { segments: Vec::new(), upto: 0 };
    for file in files {
        if file.first > cover.upto + 1 {
            break;
        }
        let known = kept.remove(&file.path);
        let opened = || S::open_file(&file.path).filter(|s| speaks_of_ours(connection, s));
        let Some(segment) = known.or_else(|| opened().map(Arc::new)) else { break };
        cover.segments.push(segment.clone());
        cover.upto = file.last;
        still.insert(file.path, segment);
    }
    *kept = still;
    cover
}

/// Whether the last version that a segment knows is still the one with that key: another copy of
/// the store may have been put in this one's place, and its keys mean other rows.
fn speaks_of_ours(connection: &Connection, segment: &impl Segment) -> bool {
    let Some((row, facets)) = segment.witness() else { return true };
    let print = connection
        .prepare_cached("SELECT fingerprint FROM version WHERE seq = ?1")
        .and_then(|mut found| found.query_row([row as i64], |row| row.get::<_, Vec<u8>>(0)));
    print.is_ok_and(|print| facets.has_print(&print))
}

fn broken(cause: mnemic_index::Error) -> crate::Error {
    crate::Error::Disk(cause.to_string())
}
