//! Text search: Okapi BM25 over one user's records, on the posting lists of the FTS5 index.
//!
//! FTS5's own `bm25()` reckons with the records of all users, so other people's memories would change the order of
//! one's own. Here every figure is the user's.

use std::{cmp::Ordering, collections::BTreeMap};

use memcore_core::{MemoryId, TextHit, TextMatches, TextQuery};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::{
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

    // How often each record has each term of the query. Records are in the order of their numbers, so that the file
    // is read from front to back.
    let mut counts: BTreeMap<i64, Vec<(usize, u32)>> = BTreeMap::new();
    let mut frequencies = Vec::with_capacity(query.terms.len());
    for (index, term) in query.terms.iter().enumerate() {
        let postings = postings(connection, place.user, &term.text)?;
        frequencies.push(postings.len() as u64);
        if term.weight > 0.0 {
            for (record, count) in postings {
                counts.entry(record).or_default().push((index, count));
            }
        }
    }
    let weights: Vec<f64> = std::iter::zip(&query.terms, &frequencies)
        .map(|(term, frequency)| f64::from(term.weight) * rarity(documents, *frequency))
        .collect();

    let mut hits = Vec::new();
    if let Some(condition) = filter::condition(&query.filter, place)? {
        let sql = format!("SELECT r.id, r.terms FROM records AS r WHERE r.number = ? AND {}", condition.sql);
        let mut statement = connection.prepare_cached(&sql)?;
        for (record, counts) in counts {
            let values = std::iter::once(Value::from(record)).chain(condition.values.iter().cloned());
            let mut rows = statement.query(params_from_iter(values))?;
            let Some(row) = rows.next()? else { continue };
            let length: i64 = row.get(1)?;
            let norm = 1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length as f64 / mean_length;
            let score: f64 = counts
                .iter()
                .map(|(index, count)| {
                    let count = f64::from(*count);
                    let weight = weights.get(*index).copied().unwrap_or_default();
                    weight * count * (SATURATION + 1.0) / (count + SATURATION * norm)
                })
                .sum();
            hits.push(TextHit { id: MemoryId::from_uuid(uuid(row, "id")?), score: score as f32 });
        }
    }
    hits.sort_by(best_first);
    hits.truncate(query.k);
    Ok(TextMatches { hits, frequencies, documents })
}

/// The records of a user that have a term, and how often. The term is looked up as it is: no query syntax is involved.
fn postings(connection: &Connection, user: i64, term: &str) -> Result<Vec<(i64, u32)>> {
    let mut statement = connection.prepare_cached("SELECT doc FROM word_places WHERE term = ?")?;
    let mut rows = statement.query([format!("{user}:{term}")])?;
    let mut postings: Vec<(i64, u32)> = Vec::new();
    while let Some(row) = rows.next()? {
        let record: i64 = row.get(0)?;
        match postings.last_mut() {
            Some((last, count)) if *last == record => *count += 1,
            _ => postings.push((record, 1)),
        }
    }
    Ok(postings)
}

/// How much a term says, by how few of the records have it; always above zero, so that every match counts.
fn rarity(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (documents as f64, frequency as f64);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

fn best_first(a: &TextHit, b: &TextHit) -> Ordering {
    b.score.total_cmp(&a.score).then(a.id.cmp(&b.id))
}
