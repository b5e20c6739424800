//! Text search: Okapi BM25 over one user's records, on the posting lists of the FTS5 index.
//!
//! FTS5's own `bm25()` reckons with the records of all users, so other people's memories would change the order of
//! one's own. Here every figure is the user's.

use memcore_core::{MemoryId, TextHit, TextMatches, TextQuery};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::{
    best::Best,
    codec::{unsigned, uuid},
    error::Result,
    filter, names,
};

/// How fast further occurrences of a term stop to count; the usual value of Okapi BM25.
const SATURATION: f64 = 1.2;
/// How much a long text is held against it; the usual value of Okapi BM25.
const LENGTH_PENALTY: f64 = 0.75;

/// Finds records by their words.
pub(crate) fn search(connection: &Connection, query: &TextQuery) -> Result<TextMatches> {
    let nothing = TextMatches { frequencies: vec![0; query.terms.len()], ..TextMatches::default() };
    let Some(place) = names::place(connection, &query.filter.scope)? else { return Ok(nothing) };
    let mut statement = connection
        .prepare_cached("SELECT count(*), sum(terms) FROM records AS r INDEXED BY records_by_terms WHERE user = ?")?;
    let (documents, terms): (i64, Option<i64>) =
        statement.query_row([place.user], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let documents = unsigned(documents)?;
    let mean_length = (terms.unwrap_or(0) as f64 / documents.max(1) as f64).max(1.0);

    let mut postings = Vec::new();
    let mut frequencies = Vec::with_capacity(query.terms.len());
    for term in &query.terms {
        let first = postings.len();
        frequencies.push(read_postings(connection, place.user, &term.text, frequencies.len(), &mut postings)?);
        if term.weight <= 0.0 {
            postings.truncate(first);
        }
    }
    let weights: Vec<f64> = std::iter::zip(&query.terms, &frequencies)
        .map(|(term, frequency)| f64::from(term.weight) * rarity(documents, *frequency))
        .collect();
    let score = |matched: &[Posting], length: f64| -> f32 {
        let norm = 1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length / mean_length;
        let parts = matched.iter().map(|posting| {
            let count = f64::from(posting.count);
            weights.get(posting.term).copied().unwrap_or_default() * count * (SATURATION + 1.0)
                / (count + SATURATION * norm)
        });
        parts.sum::<f64>() as f32
    };

    // Best case first: a record is at its best if it is short. Once `k` hits are better than the next best case, no
    // further record needs to be read.
    postings.sort_unstable_by_key(|posting| (posting.record, posting.term));
    let mut candidates: Vec<(f32, &[Posting])> =
        postings.chunk_by(|a, b| a.record == b.record).map(|matched| (score(matched, 0.0), matched)).collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best = Best::new(query.k);
    if let Some(condition) = filter::condition(&query.filter, place)? {
        let sql = format!("SELECT r.id, r.terms FROM records AS r WHERE r.number = ? AND {}", condition.sql);
        let mut statement = connection.prepare_cached(&sql)?;
        for (best_case, matched) in candidates {
            if best.is_beyond(best_case) {
                break;
            }
            let Some(record) = matched.first().map(|posting| posting.record) else { continue };
            let values = std::iter::once(Value::from(record)).chain(condition.values.iter().cloned());
            let mut rows = statement.query(params_from_iter(values))?;
            let Some(row) = rows.next()? else { continue };
            let length: i64 = row.get(1)?;
            best.offer(MemoryId::from_uuid(uuid(row, "id")?), score(matched, length as f64));
        }
    }
    let hits = best.into_sorted().into_iter().map(|(id, score)| TextHit { id, score }).collect();
    Ok(TextMatches { hits, frequencies, documents })
}

/// How often a record has a term of the query, given by its place.
#[derive(Debug, Clone, Copy)]
struct Posting {
    record: i64,
    term: usize,
    count: u32,
}

/// Adds the records of a user that have a term; answers how many. The term is looked up as it is: no query syntax is
/// involved.
fn read_postings(
    connection: &Connection,
    user: i64,
    text: &str,
    term: usize,
    postings: &mut Vec<Posting>,
) -> Result<u64> {
    let first = postings.len();
    let mut statement = connection.prepare_cached("SELECT doc FROM word_places WHERE term = ?")?;
    let mut rows = statement.query([format!("{user}:{text}")])?;
    // A record's places follow each other.
    let mut last = None;
    while let Some(row) = rows.next()? {
        let record: i64 = row.get(0)?;
        match postings.last_mut() {
            Some(posting) if last == Some(record) => posting.count += 1,
            _ => postings.push(Posting { record, term, count: 1 }),
        }
        last = Some(record);
    }
    Ok((postings.len() - first) as u64)
}

/// How much a term says, by how few of the records have it; always above zero, so that every match counts.
fn rarity(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (documents as f64, frequency as f64);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}
