//! The turns around an episode.

use memcore_core::{MemoryId, Neighbours, RecordFilter};
use rusqlite::{Connection, OptionalExtension, Statement, params_from_iter, types::Value};

use crate::{
    codec,
    error::Result,
    filter::{self, Condition},
    names,
};

/// The condition of the index `episodes_by_session`, and the session in its words.
const IS_EPISODE: &str = "r.kind = 'episode'";
const SESSION: &str = "json_extract(r.provenance, '$.session')";

/// The episodes around each of these, in its session, as far as the filter admits them.
pub(crate) fn neighbours(
    connection: &Connection,
    of: &[MemoryId],
    filter: &RecordFilter,
    reach: usize,
) -> Result<Vec<Neighbours>> {
    let Some(place) = names::place(connection, &filter.scope)? else { return Ok(Vec::new()) };
    let Some(condition) = filter::condition(filter, place)? else { return Ok(Vec::new()) };
    let limit = i64::try_from(reach).unwrap_or(i64::MAX);
    let admitted = &condition.sql;
    let session_of = format!("SELECT {SESSION} FROM records AS r WHERE {admitted} AND {IS_EPISODE} AND r.id = ?");
    let nearest = |is: &str, order: &str| {
        format!(
            "SELECT r.id FROM records AS r WHERE {admitted} AND {IS_EPISODE} AND {SESSION} = ? AND r.id {is} ? \
             ORDER BY r.id {order} LIMIT ?"
        )
    };
    let mut session_of = connection.prepare_cached(&session_of)?;
    let mut before = connection.prepare_cached(&nearest("<", "DESC"))?;
    let mut after = connection.prepare_cached(&nearest(">", "ASC"))?;
    let mut found = Vec::with_capacity(of.len());
    for id in of {
        let key = Value::from(id.as_uuid().as_bytes().to_vec());
        let values = params_from_iter(with(&condition, [key.clone()]));
        let session: Option<Option<String>> = session_of.query_row(values, |row| row.get(0)).optional()?;
        let Some(session) = session.flatten().map(Value::from) else { continue };
        let values = || with(&condition, [session.clone(), key.clone(), limit.into()]);
        found.push(Neighbours { of: *id, before: ids(&mut before, values())?, after: ids(&mut after, values())? });
    }
    Ok(found)
}

fn with<const N: usize>(condition: &Condition, more: [Value; N]) -> Vec<Value> {
    condition.values.iter().cloned().chain(more).collect()
}

fn ids(statement: &mut Statement<'_>, values: Vec<Value>) -> Result<Vec<MemoryId>> {
    let mut rows = statement.query(params_from_iter(values))?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(MemoryId::from_uuid(codec::uuid(row, "id")?));
    }
    Ok(ids)
}
