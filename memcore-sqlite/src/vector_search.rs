//! Vector search: exact, over the vectors of one user that the filter admits.

use memcore_core::{MemoryId, VectorHit, VectorQuery};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::{
    best::Best,
    codec::{uuid, vector_bytes},
    error::Result,
    filter, identities, names,
};

/// Finds the nearest records.
pub(crate) fn search(connection: &Connection, query: &VectorQuery) -> Result<Vec<VectorHit>> {
    let Some(identity) = identities::find(connection, &query.identity)? else { return Ok(Vec::new()) };
    identities::check_dimensions(identity, query.embedding.dimensions())?;
    let Some(place) = names::place(connection, &query.filter.scope)? else { return Ok(Vec::new()) };
    let Some(condition) = filter::condition(&query.filter, place)? else { return Ok(Vec::new()) };
    let range = names::range_of(place.user);
    // Without ids, the user's vectors are read from front to back and each asks its record; with ids, the records are
    // looked up first. The chunks of a record lie side by side in both.
    let from = if query.filter.ids.is_some() {
        "records AS r CROSS JOIN vectors AS v INDEXED BY vectors_by_record ON v.record = r.number"
    } else {
        "vectors AS v CROSS JOIN records AS r ON r.number = v.record"
    };
    let sql = format!(
        "SELECT r.id, vec_distance_cosine(v.vector, ?) FROM {from} \
         WHERE v.number BETWEEN ? AND ? AND v.identity = ? AND {}",
        condition.sql
    );
    let mut values: Vec<Value> =
        vec![vector_bytes(&query.embedding).into(), range.first.into(), range.last.into(), identity.number.into()];
    values.extend(condition.values);

    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut best = Best::new(query.k);
    let mut current: Option<(MemoryId, f32)> = None;
    while let Some(row) = rows.next()? {
        let id = MemoryId::from_uuid(uuid(row, "id")?);
        let similarity = (1.0 - row.get::<_, f64>(1)?).clamp(-1.0, 1.0) as f32;
        match &mut current {
            Some((record, nearest)) if *record == id => *nearest = nearest.max(similarity),
            _ => {
                if let Some((record, nearest)) = current.replace((id, similarity)) {
                    best.offer(record, nearest);
                }
            }
        }
    }
    if let Some((record, nearest)) = current {
        best.offer(record, nearest);
    }
    Ok(best.into_sorted().into_iter().map(|(id, similarity)| VectorHit { id, similarity }).collect())
}
