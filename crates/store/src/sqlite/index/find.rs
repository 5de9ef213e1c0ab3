//! Asking the indexes. What they propose is checked against the rows: only a row says what is
//! believed, valid, in scope and trusted.

use super::facets::{Facets, Sieve};
use super::glance::passing;
use super::{Lookup, thread, vector};
use crate::find::{Beginning, Key, MeaningHit, Span, VectorModel, WordHit, WordStatistics};
use crate::sqlite::list::{self, Seen};
use crate::sqlite::query::rows;
use crate::sqlite::row::{self, COLUMNS, TABLES};
use crate::{Error, Result};
use foldhash::{HashMap, HashMapExt, HashSet};
use mnemic_index::meaning::MeaningSearch;
use mnemic_index::words::{Bm25, WordsSearch, WordsSegment};
use mnemic_model::{Filter, RecordId, Timestamp, Version};
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Chosen on half of the questions of `docs/benchmarks.md` and checked on the other half.
const BM25: Bm25 = Bm25 { k1: 0.9, b: 0.5 };

/// Rows read at once at least, where most do not pass.
const AT_LEAST: usize = 16;

fn search(segments: &[Arc<WordsSegment>]) -> WordsSearch<'_> {
    WordsSearch::new(segments.iter().map(Arc::as_ref).collect(), BM25)
}

/// The best `want` by words among the versions that pass the filter.
pub(in crate::sqlite) fn by_words(
    connection: &Connection,
    lookup: &Lookup,
    terms: &[(String, f32)],
    filter: &Filter,
    at: Seen,
    want: usize,
) -> Result<Vec<WordHit>> {
    let segments = lookup.words(connection)?;
    let (search, sieve) = (search(&segments), Sieve::of(filter));
    // Looking for a kind that is not there at all would pass over every match.
    if !sieve.has_any(lookup.kinds(&segments)) {
        return Ok(Vec::new());
    }
    let accept = |facets: u64, _row: u64| sieve.lets_pass(Facets(facets));
    ask_until_enough(want, want + want / 2 + 8, &mut |ask| {
        let hits = search.best(terms, ask, &accept);
        let is_all = hits.len() < ask;
        let hits = hits.iter().map(|hit| WordHit { key: Key(hit.row as i64), score: hit.score });
        let pass = |keys: &[Key]| passing(connection, lookup, keys, filter, at);
        Ok((first_passing(hits.collect(), |hit| hit.key, want, pass)?, is_all))
    })
}

/// The best `want` by meaning among the versions that pass the filter, each by its nearest part.
pub(in crate::sqlite) fn by_meaning(
    connection: &Connection,
    lookup: &Lookup,
    model: &VectorModel,
    query: &[f32],
    filter: &Filter,
    at: Seen,
    want: usize,
) -> Result<Vec<MeaningHit>> {
    let Some(model) = vector::model_key(connection, model)? else { return Ok(Vec::new()) };
    let segments = lookup.meaning(connection, model)?;
    let search = MeaningSearch::new(segments.iter().map(Arc::as_ref).collect());
    let sieve = Sieve::of(filter);
    let accept = |facets: u64| sieve.lets_pass(Facets(facets));
    ask_until_enough(want, want + want / 4 + 8, &mut |ask| {
        let (hits, is_all) = search.best_owners(query, ask, &accept);
        let hits =
            hits.iter().map(|hit| MeaningHit { key: Key(hit.owner as i64), score: hit.score });
        let pass = |keys: &[Key]| passing(connection, lookup, keys, filter, at);
        Ok((first_passing(hits.collect(), |hit| hit.key, want, pass)?, is_all))
    })
}

/// The first `want` of these that pass. Nearly all do, so the rows of the others are read only as
/// far as some did not.
fn first_passing<H>(
    hits: Vec<H>,
    key: impl Fn(&H) -> Key,
    want: usize,
    pass: impl Fn(&[Key]) -> Result<HashSet<Key>>,
) -> Result<Vec<H>> {
    let mut passed = Vec::with_capacity(want.min(hits.len()));
    let mut left = hits.into_iter();
    while passed.len() < want && left.len() > 0 {
        let missing = want - passed.len();
        let next: Vec<H> = left.by_ref().take(missing.max(AT_LEAST)).collect();
        let keys: Vec<Key> = next.iter().map(&key).collect();
        let those = pass(&keys)?;
        passed.extend(next.into_iter().filter(|hit| those.contains(&key(hit))));
    }
    passed.truncate(want);
    Ok(passed)
}

/// Asks for more than is wanted, because some will not pass, and for much more when too few did,
/// until there is no more.
fn ask_until_enough<H>(
    want: usize,
    first: usize,
    ask: &mut dyn FnMut(usize) -> Result<(Vec<H>, bool)>,
) -> Result<Vec<H>> {
    let mut number = first;
    loop {
        let (mut passed, is_all) = ask(number)?;
        if passed.len() >= want || is_all {
            passed.truncate(want);
            return Ok(passed);
        }
        number *= 4;
    }
}

pub(super) fn key_list(keys: &[Key]) -> String {
    let numbers: Vec<String> = keys.iter().map(|key| key.0.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

pub(super) const AMONG: &str = "version.seq IN (SELECT value FROM json_each(?))";

/// What each term adds to the score of each of these, found by whatever means.
pub(in crate::sqlite) fn word_parts(
    connection: &Connection,
    lookup: &Lookup,
    terms: &[(String, f32)],
    keys: &[Key],
) -> Result<Vec<Vec<f32>>> {
    let segments = lookup.words(connection)?;
    let search = search(&segments);
    let rows: Vec<u64> = keys.iter().map(|key| key.0 as u64).collect();
    Ok(search.parts_of_each(terms, &rows))
}

pub(in crate::sqlite) fn word_statistics(
    connection: &Connection,
    lookup: &Lookup,
    terms: &[String],
) -> Result<WordStatistics> {
    let segments = lookup.words(connection)?;
    let search = search(&segments);
    // A record is one text however many versions it has: putting it away must not make the store
    // look larger.
    let mut records = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM record")?;
    let records: i64 = records.query_row([], |row| row.get(0))?;
    let documents = search.documents().min(records.unsigned_abs());
    let frequency = |term: &String| search.document_frequency(term).min(documents);
    Ok(WordStatistics {
        documents,
        average_length: search.average_length(),
        frequencies: terms.iter().map(frequency).collect(),
    })
}

/// Every term that begins so, segment by segment.
pub(in crate::sqlite) fn each_term(
    connection: &Connection,
    lookup: &Lookup,
    beginning: &str,
    see: &mut dyn FnMut(&str, u64),
) -> Result<()> {
    for segment in lookup.words(connection)? {
        segment.each_beginning(beginning, &mut |term, count| see(term, u64::from(count)));
    }
    Ok(())
}

/// For each query, its cosine to each of these, where they have a vector.
pub(in crate::sqlite) fn meaning_scores(
    connection: &Connection,
    lookup: &Lookup,
    model: &VectorModel,
    queries: &[&[f32]],
    keys: &[Key],
) -> Result<Vec<Vec<Option<f32>>>> {
    let Some(model) = vector::model_key(connection, model)? else {
        return Ok(vec![vec![None; keys.len()]; queries.len()]);
    };
    let segments = lookup.meaning(connection, model)?;
    let search = MeaningSearch::new(segments.iter().map(Arc::as_ref).collect());
    let owners: Vec<u64> = keys.iter().map(|key| key.0 as u64).collect();
    let scores = search.scores_of_owners(queries, &owners);
    let cosines =
        |of_query: &Vec<_>| of_query.iter().map(|scores: &Vec<_>| cosine(scores)).collect();
    Ok(scores.iter().map(cosines).collect())
}

/// The mean of the nearest coarse and the nearest fine part: the one knows what a text is about, the
/// other what it says.
fn cosine(scores: &[(u64, f32)]) -> Option<f32> {
    let nearest = |fine: bool| {
        let of_grain = scores.iter().filter(|(facets, _)| Facets(*facets).is_fine() == fine);
        of_grain.map(|(_, score)| *score).max_by(f32::total_cmp)
    };
    match (nearest(false), nearest(true)) {
        (Some(coarse), Some(fine)) => Some((coarse + fine) / 2.0),
        (coarse, fine) => coarse.or(fine),
    }
}

/// Cosines of vectors picked evenly over all segments.
pub(in crate::sqlite) fn usual_cosines(
    connection: &Connection,
    lookup: &Lookup,
    model: &VectorModel,
    query: &[f32],
    sample: usize,
) -> Result<Vec<f32>> {
    let Some(model) = vector::model_key(connection, model)? else { return Ok(Vec::new()) };
    let segments = lookup.meaning(connection, model)?;
    let search = MeaningSearch::new(segments.iter().map(Arc::as_ref).collect());
    let scores = search.scores_of_sample(query, sample);
    Ok(scores.iter().filter_map(|scores| cosine(scores)).collect())
}

/// So many vectors that the filter lets pass, picked evenly over all segments.
pub(in crate::sqlite) fn background(
    connection: &Connection,
    lookup: &Lookup,
    model: &VectorModel,
    filter: &Filter,
    count: usize,
) -> Result<Vec<Vec<f32>>> {
    let Some(model) = vector::model_key(connection, model)? else { return Ok(Vec::new()) };
    let segments = lookup.meaning(connection, model)?;
    let search = MeaningSearch::new(segments.iter().map(Arc::as_ref).collect());
    let sieve = Sieve::of(filter);
    Ok(search.vectors_of_sample(count, &|facets| sieve.lets_pass(Facets(facets))))
}

/// Bytes of a beginning: enough to tell what a text is about.
const BEGINNING: usize = 6_000;

/// What versions say first that have a vector of this model, picked evenly.
pub(in crate::sqlite) fn sample(
    connection: &Connection,
    lookup: &Lookup,
    model: &VectorModel,
    count: usize,
) -> Result<Vec<(Key, Arc<Beginning>)>> {
    let Some(model) = vector::model_key(connection, model)? else { return Ok(Vec::new()) };
    let segments = lookup.meaning(connection, model)?;
    let search = MeaningSearch::new(segments.iter().map(Arc::as_ref).collect());
    let owners: BTreeSet<u64> = search.owners_of_sample(count).into_iter().collect();
    let keys: Vec<Key> = owners.into_iter().map(|owner| Key(owner as i64)).collect();
    let mut found = Vec::with_capacity(keys.len());
    let mut missing = Vec::new();
    lookup.kept(connection, |kept| {
        for key in &keys {
            match kept.beginning(*key) {
                Some(beginning) => found.push((*key, beginning)),
                None => missing.push(*key),
            }
        }
    })?;
    // Without what is kept nobody has looked.
    if found.is_empty() {
        missing = keys;
    }
    if !missing.is_empty() {
        let read = beginnings(connection, &missing)?;
        lookup.kept(connection, |kept| {
            read.iter().for_each(|(key, beginning)| kept.keep_beginning(*key, beginning));
        })?;
        found.extend(read);
    }
    found.sort_by_key(|(key, _)| *key);
    Ok(found)
}

/// Those that can be read: nobody asked for these, so nobody is told of damage here.
fn beginnings(connection: &Connection, keys: &[Key]) -> Result<Vec<(Key, Arc<Beginning>)>> {
    let read = match read_versions(connection, keys) {
        Err(Error::Damaged(_)) => {
            let alone = keys.iter().map(|key| read_versions(connection, &[*key]));
            let sound = alone.filter(|read| !matches!(read, Err(Error::Damaged(_))));
            sound.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
        }
        read => read?,
    };
    let beginning = |(key, version, _): (Key, Arc<Version>, usize)| {
        let content = &version.content;
        let mut text = content.body.substance();
        text.truncate(text.floor_char_boundary(BEGINNING));
        let beginning = Beginning {
            text,
            namespace: content.scope.namespace.clone(),
            trust: content.trust(),
            is_current: version.is_current(),
        };
        (key, Arc::new(beginning))
    };
    Ok(read.into_iter().map(beginning).collect())
}

/// The versions themselves, in the order asked for.
pub(in crate::sqlite) fn versions_of(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
) -> Result<Vec<(Key, Arc<Version>)>> {
    let mut found: HashMap<Key, Arc<Version>> = HashMap::with_capacity(keys.len());
    lookup.kept(connection, |kept| {
        found.extend(keys.iter().filter_map(|key| Some((*key, kept.version(*key)?))));
    })?;
    let missing: Vec<Key> = keys.iter().filter(|key| !found.contains_key(key)).copied().collect();
    if !missing.is_empty() {
        let read = read_versions(connection, &missing)?;
        lookup.kept(connection, |kept| {
            let each = read.iter();
            each.for_each(|(key, version, bytes)| kept.keep_version(*key, version, *bytes));
        })?;
        found.extend(read.into_iter().map(|(key, version, _)| (key, version)));
    }
    Ok(keys.iter().filter_map(|key| Some((*key, found.remove(key)?))).collect())
}

/// Each with the bytes of its JSON.
fn read_versions(connection: &Connection, keys: &[Key]) -> Result<Vec<(Key, Arc<Version>, usize)>> {
    let sql = format!("SELECT {COLUMNS}, version.seq FROM {TABLES} WHERE {AMONG}");
    rows(connection, &sql, [key_list(keys)], |found| {
        let bytes = found.get_ref(2)?.as_str().map_or(0, str::len);
        Ok((Key(found.get(15)?), Arc::new(row::stored(found)?.version), bytes))
    })
}

/// Versions that began to be true in this time and pass the filter.
pub(in crate::sqlite) fn happened(
    connection: &Connection,
    span: Span,
    filter: &Filter,
    at: Seen,
    want: usize,
) -> Result<Vec<Key>> {
    let Some((condition, mut params)) = list::conditions_sql(filter, at) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT version.seq FROM version JOIN record ON record.seq = version.record \
         WHERE {condition} AND version.valid_at >= ? AND version.valid_at < ? \
         ORDER BY version.valid_at {order}, version.seq {order} LIMIT ?",
        order = if span.latest_first { "DESC" } else { "ASC" }
    );
    params.extend([span.from.micros(), span.to.micros(), want as i64].map(Value::Integer));
    rows(connection, &sql, params_from_iter(params), |row| Ok(Key(row.get(0)?)))
}

/// The row of a record as the store believed it at `known` (now if `None`).
pub(in crate::sqlite) fn key_of(
    connection: &Connection,
    id: &RecordId,
    known: Option<Timestamp>,
) -> Result<Option<Key>> {
    let sql = "SELECT version.seq FROM version JOIN record ON record.seq = version.record \
               WHERE record.id = ?1 AND CASE WHEN ?2 IS NULL THEN version.expired_at IS NULL \
                 ELSE version.recorded_at <= ?2 \
                   AND (version.expired_at IS NULL OR version.expired_at > ?2) END";
    let known = known.map(Timestamp::micros);
    Ok(rows(connection, sql, params![id.as_str(), known], |row| Ok(Key(row.get(0)?)))?.pop())
}

/// The turns before and after each of these, in one go.
pub(in crate::sqlite) fn neighbours(
    connection: &Connection,
    lookup: &Lookup,
    keys: &[Key],
) -> Result<Vec<Key>> {
    let mut near = Vec::new();
    let mut unknown = keys.to_vec();
    lookup.kept(connection, |kept| {
        unknown.retain(|key| match kept.beside(*key) {
            Some(beside) => {
                near.extend(beside);
                false
            }
            None => true,
        });
    })?;
    if !unknown.is_empty() {
        near.extend(thread::beside(connection, &key_list(&unknown))?);
    }
    Ok(near)
}
