//! Versions: what a record was before, which batch made it so, and what a batch made.

use memcore_core::{BatchId, MemoryId, Scope, UserId, Version};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    codec::{from_json, micros, timestamp, to_json, uuid, variant, variant_name},
    error::{Failure, Result},
    names,
    records::{self, StoredRecord},
};

/// Keeps the version that is about to be replaced.
pub(crate) fn keep(connection: &Connection, old: &StoredRecord) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO versions (record, version, reason, batch, change, changed_at, hash, body) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    statement.execute(params![
        old.number,
        old.version,
        variant_name(&old.reason)?,
        old.batch_number,
        old.change,
        micros(old.changed_at),
        old.hash,
        to_json(&old.record)?,
    ])?;
    Ok(())
}

/// All versions of a record that the scope sees, oldest first.
pub(crate) fn history(connection: &Connection, scope: &Scope, id: MemoryId) -> Result<Vec<Version>> {
    let place = names::place(connection, scope)?.ok_or_else(not_here)?;
    let current = records::find(connection, place.user, id)?
        .filter(|stored| scope.sees(&stored.record.scope))
        .ok_or_else(not_here)?;
    let mut statement =
        connection.prepare_cached(&format!("{SELECT_VERSION} WHERE v.record = ? ORDER BY v.version"))?;
    let mut rows = statement.query([current.number])?;
    let mut versions = Vec::new();
    while let Some(row) = rows.next()? {
        versions.push(version(row)?);
    }
    versions.push(current_version(current));
    Ok(versions)
}

/// The versions that a batch made, in the order of its changes.
pub(crate) fn versions_of(connection: &Connection, user: &UserId, batch: BatchId) -> Result<Vec<Version>> {
    let Some(number) = batch_number(connection, user, batch)? else { return Ok(Vec::new()) };
    let mut made: Vec<(i64, Version)> = Vec::new();
    let mut statement = connection.prepare_cached(&format!("{SELECT_VERSION} WHERE v.batch = ?"))?;
    let mut rows = statement.query([number])?;
    while let Some(row) = rows.next()? {
        made.push((row.get("change")?, version(row)?));
    }
    let mut statement = connection.prepare_cached(&format!("{} WHERE r.batch = ?", records::SELECT_RECORD))?;
    let mut rows = statement.query([number])?;
    while let Some(row) = rows.next()? {
        let stored = records::stored_record(row)?;
        made.push((stored.change, current_version(stored)));
    }
    made.sort_by_key(|(change, _)| *change);
    Ok(made.into_iter().map(|(_, version)| version).collect())
}

/// The newest batch that made versions which still exist, other than by undoing.
pub(crate) fn last_batch(connection: &Connection, user: &UserId) -> Result<Option<BatchId>> {
    let Some(user) = names::user(connection, user)? else { return Ok(None) };
    let mut statement = connection.prepare_cached(
        "SELECT b.id AS id FROM batches AS b WHERE b.user = ? \
         AND (EXISTS (SELECT 1 FROM records AS r WHERE r.batch = b.number AND r.reason <> 'undone') \
              OR EXISTS (SELECT 1 FROM versions AS v WHERE v.batch = b.number AND v.reason <> 'undone')) \
         ORDER BY b.generation DESC LIMIT 1",
    )?;
    let mut rows = statement.query([user])?;
    rows.next()?.map(|row| Ok(BatchId::from_uuid(uuid(row, "id")?))).transpose()
}

/// The number of a batch, which made versions up to this generation.
pub(crate) fn batch_or_new(connection: &Connection, user: i64, batch: BatchId, generation: i64) -> Result<i64> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO batches (user, id, generation) VALUES (?, ?, ?) \
         ON CONFLICT (user, id) DO UPDATE SET generation = excluded.generation RETURNING number",
    )?;
    Ok(statement.query_row(params![user, batch.as_uuid().as_bytes(), generation], |row| row.get(0))?)
}

/// The place of a batch's next change, above those that the same batch has made in an earlier commit.
pub(crate) fn next_change(connection: &Connection, batch: i64) -> Result<i64> {
    let mut statement = connection.prepare_cached(
        "SELECT max(coalesce((SELECT max(change) FROM records WHERE batch = ?1), -1), \
                    coalesce((SELECT max(change) FROM versions WHERE batch = ?1), -1)) + 1",
    )?;
    Ok(statement.query_row([batch], |row| row.get(0))?)
}

fn batch_number(connection: &Connection, user: &UserId, batch: BatchId) -> Result<Option<i64>> {
    let Some(user) = names::user(connection, user)? else { return Ok(None) };
    let mut statement = connection.prepare_cached("SELECT number FROM batches WHERE user = ? AND id = ?")?;
    Ok(statement.query_row(params![user, batch.as_uuid().as_bytes()], |row| row.get(0)).optional()?)
}

const SELECT_VERSION: &str = "SELECT v.version, v.reason, v.change, v.changed_at, v.body, b.id AS batch_id \
    FROM versions AS v JOIN batches AS b ON b.number = v.batch";

fn version(row: &Row<'_>) -> Result<Version> {
    Ok(Version {
        number: row.get("version")?,
        record: from_json(&row.get::<_, String>("body")?)?,
        reason: variant(row.get("reason")?)?,
        batch: BatchId::from_uuid(uuid(row, "batch_id")?),
        at: timestamp(row.get("changed_at")?)?,
    })
}

fn current_version(stored: StoredRecord) -> Version {
    Version {
        number: stored.version,
        record: stored.record,
        reason: stored.reason,
        batch: stored.batch,
        at: stored.changed_at,
    }
}

fn not_here() -> Failure {
    Failure::not_found("no memory has this id here")
}
