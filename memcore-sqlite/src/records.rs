//! Rows of the table `records`: the current version of each memory, and its way in and out.

use memcore_core::{
    BatchId, ChangeReason, Confidence, Fingerprint, Importance, Kind, MemoryId, MemoryRecord, Provenance, Timestamp,
    text,
};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use crate::{
    codec::{
        from_json, micros, optional_timestamp, status, status_code, timestamp, to_json, to_stored_precision, unsigned,
        uuid, variant, variant_name,
    },
    error::{Failure, Result},
    names::{self, Place},
};

/// Everything that [`record`] reads, from `records AS r`.
pub(crate) const SELECT_RECORD: &str = "SELECT r.*, u.name AS user_name, p.name AS project_name, \
    s.name AS session_name, i.fingerprint AS fingerprint, b.id AS batch_id \
    FROM records AS r JOIN users AS u ON u.number = r.user JOIN batches AS b ON b.number = r.batch \
    LEFT JOIN projects AS p ON p.number = r.project LEFT JOIN sessions AS s ON s.number = r.session \
    LEFT JOIN identities AS i ON i.number = r.embedding";

/// A record beside what only its row knows.
#[derive(Debug)]
pub(crate) struct StoredRecord {
    pub(crate) number: i64,
    pub(crate) record: MemoryRecord,
    pub(crate) version: u32,
    pub(crate) reason: ChangeReason,
    pub(crate) batch: BatchId,
    pub(crate) batch_number: i64,
    pub(crate) change: i64,
    pub(crate) changed_at: Timestamp,
    pub(crate) hash: Vec<u8>,
    pub(crate) chunks: i64,
}

/// What makes a version: the batch, the change's place in it, and why.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stamp {
    pub(crate) batch: i64,
    pub(crate) change: i64,
    pub(crate) reason: ChangeReason,
    pub(crate) at: Timestamp,
}

/// Cuts a record's times to what is kept.
pub(crate) fn to_stored_form(record: &mut MemoryRecord) {
    for at in [&mut record.created_at, &mut record.updated_at, &mut record.valid_from, &mut record.provenance.at] {
        *at = to_stored_precision(*at);
    }
    record.valid_until = record.valid_until.map(to_stored_precision);
    record.last_accessed_at = record.last_accessed_at.map(to_stored_precision);
}

/// The row number of a record, whosever it is.
pub(crate) fn number(connection: &Connection, id: MemoryId) -> Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT number FROM records WHERE id = ?")?;
    Ok(statement.query_row([id.as_uuid().as_bytes()], |row| row.get(0)).optional()?)
}

/// A record of this user.
pub(crate) fn find(connection: &Connection, user: i64, id: MemoryId) -> Result<Option<StoredRecord>> {
    let mut statement = connection.prepare_cached(&format!("{SELECT_RECORD} WHERE r.id = ? AND r.user = ?"))?;
    let mut rows = statement.query(params![id.as_uuid().as_bytes(), user])?;
    rows.next()?.map(stored_record).transpose()
}

/// Stores a new row; its vectors and index terms follow.
pub(crate) fn insert(connection: &Connection, place: Place, record: &MemoryRecord, stamp: Stamp) -> Result<i64> {
    let number = names::next_number(connection, "records", place.user)?;
    write(connection, number, place, record, 1, stamp, INSERT)?;
    Ok(number)
}

/// Puts a new version into a row. Access figures and embedding stay.
pub(crate) fn replace(
    connection: &Connection,
    old: &StoredRecord,
    place: Place,
    record: &MemoryRecord,
    stamp: Stamp,
) -> Result<()> {
    let version = old.version.checked_add(1).ok_or_else(|| Failure::invalid("a memory has too many versions"))?;
    write(connection, old.number, place, record, version, stamp, UPDATE)
}

const INSERT: &str = "INSERT INTO records (number, id, user, project, session, status, kind, valid_from, valid_until, \
    terms, embedding, chunks, importance, confidence, trust, language, pinned, created_at, updated_at, \
    last_accessed_at, access_count, evidence_count, superseded_by, version, reason, batch, change, changed_at, hash, \
    slot, tags, conflicts_with, provenance, content) \
    VALUES (:number, :id, :user, :project, :session, :status, :kind, :valid_from, :valid_until, \
    :terms, NULL, 0, :importance, :confidence, :trust, :language, :pinned, :created_at, :updated_at, \
    :last_accessed_at, :access_count, :evidence_count, :superseded_by, :version, :reason, :batch, :change, \
    :changed_at, :hash, :slot, :tags, :conflicts_with, :provenance, :content)";

const UPDATE: &str = "UPDATE records SET project = :project, session = :session, status = :status, kind = :kind, \
    valid_from = :valid_from, valid_until = :valid_until, terms = :terms, importance = :importance, \
    confidence = :confidence, trust = :trust, language = :language, pinned = :pinned, created_at = :created_at, \
    updated_at = :updated_at, last_accessed_at = :last_accessed_at, access_count = :access_count, \
    evidence_count = :evidence_count, superseded_by = :superseded_by, \
    version = :version, reason = :reason, batch = :batch, change = :change, changed_at = :changed_at, hash = :hash, \
    slot = :slot, tags = :tags, conflicts_with = :conflicts_with, provenance = :provenance, content = :content \
    WHERE number = :number AND id = :id AND user = :user";

fn write(
    connection: &Connection,
    number: i64,
    place: Place,
    record: &MemoryRecord,
    version: u32,
    stamp: Stamp,
    sql: &'static str,
) -> Result<()> {
    let json_list = |is_empty: bool, json: Result<String>| if is_empty { Ok(None) } else { json.map(Some) };
    connection.prepare_cached(sql)?.execute(named_params! {
        ":number": number,
        ":id": record.id.as_uuid().as_bytes(),
        ":user": place.user,
        ":project": place.project,
        ":session": place.session,
        ":status": status_code(record.status),
        ":kind": record.kind.as_str(),
        ":valid_from": micros(record.valid_from),
        ":valid_until": record.valid_until.map(micros),
        ":terms": term_count(&record.content),
        ":importance": record.importance.value(),
        ":confidence": f64::from(record.confidence.value()),
        ":trust": variant_name(&record.trust)?,
        ":language": variant_name(&record.language)?,
        ":pinned": record.pinned,
        ":created_at": micros(record.created_at),
        ":updated_at": micros(record.updated_at),
        ":last_accessed_at": record.last_accessed_at.map(micros),
        ":access_count": i64::try_from(record.access_count).unwrap_or(i64::MAX),
        ":evidence_count": record.evidence_count,
        ":superseded_by": record.superseded_by.map(|id| id.as_uuid().into_bytes()),
        ":version": version,
        ":reason": variant_name(&stamp.reason)?,
        ":batch": stamp.batch,
        ":change": stamp.change,
        ":changed_at": micros(stamp.at),
        ":hash": record.content_hash(),
        ":slot": record.slot.as_ref().map(ToString::to_string),
        ":tags": json_list(record.tags.is_empty(), to_json(&record.tags))?,
        ":conflicts_with": json_list(record.conflicts_with.is_empty(), to_json(&record.conflicts_with))?,
        ":provenance": to_json(&record.provenance)?,
        ":content": record.content,
    })?;
    Ok(())
}

/// How many terms a content has, repetitions included: the length that text search reckons with.
fn term_count(content: &str) -> i64 {
    i64::try_from(text::index_terms(content).len()).unwrap_or(i64::MAX)
}

/// Counts an access.
pub(crate) fn touch(connection: &Connection, user: i64, id: MemoryId, at: Timestamp) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "UPDATE records SET last_accessed_at = ?, access_count = access_count + 1 WHERE id = ? AND user = ?",
    )?;
    statement.execute(params![micros(at), id.as_uuid().as_bytes(), user])?;
    Ok(())
}

/// Reads the record of a row of [`SELECT_RECORD`].
pub(crate) fn record(row: &Row<'_>) -> Result<MemoryRecord> {
    let invalid = |_| Failure::corrupt("a stored memory breaks a rule");
    let scope = names::scope(row.get("user_name")?, row.get("project_name")?, row.get("session_name")?)?;
    let provenance: Provenance = from_json(row.get_ref("provenance")?.as_str().map_err(not_text)?)?;
    let kind: Kind = row.get_ref("kind")?.as_str().map_err(not_text)?.parse().map_err(invalid)?;
    let created_at = timestamp(row.get("created_at")?)?;
    let id = MemoryId::from_uuid(uuid(row, "id")?);
    let content: String = row.get("content")?;
    let mut record = MemoryRecord::new(id, scope, kind, content, provenance, created_at).map_err(invalid)?;
    record.status = status(row.get("status")?)?;
    record.valid_from = timestamp(row.get("valid_from")?)?;
    record.valid_until = optional_timestamp(row.get("valid_until")?)?;
    record.importance = Importance::new(row.get("importance")?).map_err(invalid)?;
    record.confidence = Confidence::new(row.get::<_, f64>("confidence")? as f32).map_err(invalid)?;
    record.trust = variant(row.get("trust")?)?;
    record.language = variant(row.get("language")?)?;
    record.pinned = row.get("pinned")?;
    record.updated_at = timestamp(row.get("updated_at")?)?;
    record.last_accessed_at = optional_timestamp(row.get("last_accessed_at")?)?;
    record.access_count = unsigned(row.get("access_count")?)?;
    record.evidence_count = row.get("evidence_count")?;
    record.superseded_by = match row.get_ref("superseded_by")? {
        rusqlite::types::ValueRef::Null => None,
        _ => Some(MemoryId::from_uuid(uuid(row, "superseded_by")?)),
    };
    record.slot = row.get::<_, Option<String>>("slot")?.map(|slot| slot.parse()).transpose().map_err(invalid)?;
    record.tags = json_list(row, "tags")?;
    record.conflicts_with = json_list(row, "conflicts_with")?;
    record.embedding = row.get::<_, Option<String>>("fingerprint")?.map(Fingerprint::from_stored);
    Ok(record)
}

/// Reads all of a row of [`SELECT_RECORD`].
pub(crate) fn stored_record(row: &Row<'_>) -> Result<StoredRecord> {
    Ok(StoredRecord {
        number: row.get("number")?,
        record: record(row)?,
        version: row.get("version")?,
        reason: variant(row.get("reason")?)?,
        batch: BatchId::from_uuid(uuid(row, "batch_id")?),
        batch_number: row.get("batch")?,
        change: row.get("change")?,
        changed_at: timestamp(row.get("changed_at")?)?,
        hash: row.get("hash")?,
        chunks: row.get("chunks")?,
    })
}

fn json_list<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<Vec<T>> {
    row.get::<_, Option<String>>(column)?.map_or(Ok(Vec::new()), |json| from_json(&json))
}

fn not_text(_: rusqlite::types::FromSqlError) -> Failure {
    Failure::corrupt("a stored text is no text")
}
