//! The check of a whole store: the engine's own, and that records, hashes, vectors and terms agree.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use memcore_core::{Fault, MemoryId, MemoryRecord, VerifyReport, text};
use rusqlite::Connection;

use crate::{
    codec::{from_json, unsigned, uuid},
    error::Result,
    names, records,
};

/// Checks everything. Damage is in the report; an error means that the check itself could not be made.
pub(crate) fn verify(connection: &Connection) -> Result<VerifyReport> {
    let mut report = VerifyReport::default();
    let mut indexed = indexed_terms(connection)?;
    check_engine(connection, &mut report)?;
    check_records(connection, &mut indexed, &mut report)?;
    check_versions(connection, &mut report)?;
    check_orphans(connection, &indexed, &mut report)?;
    Ok(report)
}

fn check_engine(connection: &Connection, report: &mut VerifyReport) -> Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let message: String = row.get(0)?;
        if message != "ok" {
            report.faults.push(Fault::Engine { message });
        }
    }
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        report.faults.push(Fault::Orphan { what: format!("a row of {table} without its row in {parent}") });
    }
    Ok(())
}

/// The terms of a record in short: how many, and a sum that does not depend on their order.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct TermSum {
    terms: u64,
    sum: u64,
}

impl TermSum {
    fn add(&mut self, term: &str) {
        let mut hasher = DefaultHasher::new();
        term.hash(&mut hasher);
        self.terms += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

/// What the text index has of each record number.
fn indexed_terms(connection: &Connection) -> Result<HashMap<i64, TermSum>> {
    let mut indexed: HashMap<i64, TermSum> = HashMap::new();
    let mut statement = connection.prepare("SELECT doc, term FROM word_places")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        // A damaged term is no text any more, and so equals none.
        let term = row.get_ref(1)?.as_str().unwrap_or_default();
        indexed.entry(row.get(0)?).or_default().add(term);
    }
    Ok(indexed)
}

fn check_records(
    connection: &Connection,
    indexed: &mut HashMap<i64, TermSum>,
    report: &mut VerifyReport,
) -> Result<()> {
    let mut statement = connection.prepare(&format!("{} ORDER BY r.number", records::SELECT_RECORD))?;
    let mut words = connection.prepare("SELECT words FROM word_lists WHERE number = ?")?;
    let mut chunks = connection.prepare("SELECT count(*) FROM vectors WHERE record = ? AND identity = ?")?;
    let mut dimensions = connection.prepare(
        "SELECT count(*) FROM vectors AS v JOIN identities AS i ON i.number = v.identity \
         WHERE v.record = ? AND length(v.vector) <> 4 * i.dimensions",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.records += 1;
        let id = MemoryId::from_uuid(uuid(row, "id")?);
        let Ok(stored) = records::stored_record(row) else {
            report.faults.push(Fault::HashMismatch { id });
            continue;
        };
        if stored.hash != stored.record.content_hash() {
            report.faults.push(Fault::HashMismatch { id });
        }
        let listed: Option<String> = words.query([stored.number])?.next()?.map(|row| row.get(0)).transpose()?;
        if listed.as_deref() != Some(&text::joined_index_text(&stored.record.content)) {
            report.faults.push(Fault::MissingTerms { id });
        } else {
            let user = stored.number >> names::NUMBER_BITS;
            let mut expected = TermSum::default();
            for term in listed.iter().flat_map(|words| words.split_ascii_whitespace()) {
                expected.add(&format!("{user}:{term}"));
            }
            if indexed.remove(&stored.number).unwrap_or_default() != expected {
                report.faults.push(Fault::MissingTerms { id });
            }
        }
        let embedding: Option<i64> = row.get("embedding")?;
        if let Some(embedding) = embedding {
            let found: i64 = chunks.query_row([stored.number, embedding], |row| row.get(0))?;
            let misshapen: i64 = dimensions.query_row([stored.number], |row| row.get(0))?;
            if found != stored.chunks || misshapen > 0 {
                report.faults.push(Fault::MissingVectors { id });
            }
        }
    }
    Ok(())
}

fn check_versions(connection: &Connection, report: &mut VerifyReport) -> Result<()> {
    let mut statement = connection
        .prepare("SELECT r.id AS id, v.hash, v.body FROM versions AS v JOIN records AS r ON r.number = v.record")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let hash: Vec<u8> = row.get("hash")?;
        let record = row.get::<_, String>("body").ok().and_then(|body| from_json::<MemoryRecord>(&body).ok());
        if record.is_none_or(|record| record.content_hash().as_slice() != hash) {
            report.faults.push(Fault::HashMismatch { id: MemoryId::from_uuid(uuid(row, "id")?) });
        }
    }
    Ok(())
}

/// What is left of `indexed` belongs to no record.
fn check_orphans(connection: &Connection, indexed: &HashMap<i64, TermSum>, report: &mut VerifyReport) -> Result<()> {
    let mut orphans = vec![("records in the text index only", indexed.len() as u64)];
    for (what, table, column) in [
        ("term lists without their record", "word_lists", "number"),
        ("vectors without their record", "vectors", "record"),
    ] {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT number FROM records)");
        orphans.push((what, unsigned(connection.query_row(&sql, [], |row| row.get(0))?)?));
    }
    let found = orphans.into_iter().filter(|(_, count)| *count > 0);
    report.faults.extend(found.map(|(what, count)| Fault::Orphan { what: format!("{count} {what}") }));
    Ok(())
}
