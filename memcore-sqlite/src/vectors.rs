//! Rows of the table `vectors`: the truth about vectors, side by side per user.

use memcore_core::{Fingerprint, MemoryId, Scope, TextEmbedding};
use rusqlite::{Connection, params};

use crate::{
    codec::{limit, uuid, vector_bytes},
    error::Result,
    identities, names,
};

/// Puts vectors in the place of those that a record had of this model, and notes them on the record.
pub(crate) fn set(
    connection: &Connection,
    record: i64,
    fingerprint: &Fingerprint,
    embedding: &TextEmbedding,
) -> Result<()> {
    let chunks = embedding.chunks();
    let dimensions = chunks.first().map_or(0, |chunk| chunk.dimensions());
    let identity = identities::with_dimensions(connection, fingerprint, dimensions)?;
    connection
        .prepare_cached("DELETE FROM vectors WHERE record = ? AND identity = ?")?
        .execute(params![record, identity])?;
    let first = names::next_number(connection, "vectors", record >> names::NUMBER_BITS)?;
    let mut insert = connection
        .prepare_cached("INSERT INTO vectors (number, record, identity, chunk, vector) VALUES (?, ?, ?, ?, ?)")?;
    for (place, chunk) in (0_i64..).zip(chunks) {
        insert.execute(params![first + place, record, identity, place, vector_bytes(chunk)])?;
    }
    mark(connection, record, identity, limit(chunks.len()))
}

/// Notes that a record's vectors of this model are in another store.
pub(crate) fn mark_elsewhere(connection: &Connection, record: i64, fingerprint: &Fingerprint) -> Result<()> {
    let identity = identities::find_or_new(connection, fingerprint)?;
    mark(connection, record, identity.number, 0)
}

fn mark(connection: &Connection, record: i64, identity: i64, chunks: i64) -> Result<()> {
    let mut statement = connection.prepare_cached("UPDATE records SET embedding = ?, chunks = ? WHERE number = ?")?;
    statement.execute(params![identity, chunks, record])?;
    Ok(())
}

/// Removes all vectors of a record, of every model; it waits for new ones. Answers how many there were.
pub(crate) fn remove(connection: &Connection, record: i64) -> Result<usize> {
    let removed = connection.prepare_cached("DELETE FROM vectors WHERE record = ?")?.execute([record])?;
    connection.prepare_cached("UPDATE records SET embedding = NULL, chunks = 0 WHERE number = ?")?.execute([record])?;
    Ok(removed)
}

/// The records that have vectors of a model, in id order.
pub(crate) fn ids(
    connection: &Connection,
    fingerprint: &Fingerprint,
    after: Option<MemoryId>,
    count: usize,
) -> Result<Vec<MemoryId>> {
    let Some(identity) = identities::find(connection, fingerprint)? else { return Ok(Vec::new()) };
    let mut statement = connection.prepare_cached(
        "SELECT r.id FROM records AS r WHERE r.id > ? \
         AND EXISTS (SELECT 1 FROM vectors AS v WHERE v.record = r.number AND v.identity = ?) ORDER BY r.id LIMIT ?",
    )?;
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    let mut rows = statement.query(params![after, identity.number, limit(count)])?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(MemoryId::from_uuid(uuid(row, "id")?));
    }
    Ok(ids)
}

/// Records without vectors of a model, oldest first.
pub(crate) fn pending(
    connection: &Connection,
    fingerprint: &Fingerprint,
    count: usize,
) -> Result<Vec<(Scope, MemoryId)>> {
    let identity = identities::find(connection, fingerprint)?.map_or(0, |identity| identity.number);
    // Three ranges of one index, so that the records that are done are not looked at. A record that went over to
    // another model and has vectors of both does not wait for either.
    let mut statement = connection.prepare_cached(
        "SELECT r.id AS id, u.name AS user_name, p.name AS project_name, s.name AS session_name FROM records AS r \
         JOIN users AS u ON u.number = r.user LEFT JOIN projects AS p ON p.number = r.project \
         LEFT JOIN sessions AS s ON s.number = r.session \
         WHERE (r.embedding IS NULL OR r.embedding < ?1 OR r.embedding > ?1) \
         AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.record = r.number AND v.identity = ?1) \
         ORDER BY r.id LIMIT ?2",
    )?;
    let mut rows = statement.query(params![identity, limit(count)])?;
    let mut pending = Vec::new();
    while let Some(row) = rows.next()? {
        let scope = names::scope(row.get("user_name")?, row.get("project_name")?, row.get("session_name")?)?;
        pending.push((scope, MemoryId::from_uuid(uuid(row, "id")?)));
    }
    Ok(pending)
}
