//! Vector search: exact, over the vectors of one user that the filter admits.

use std::{cmp::Reverse, collections::BinaryHeap};

use memcore_core::{MemoryId, VectorHit, VectorQuery};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::{
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
    let mut nearest = Nearest::new(query.k);
    let mut record: Option<Found> = None;
    while let Some(row) = rows.next()? {
        let id = MemoryId::from_uuid(uuid(row, "id")?);
        let similarity = (1.0 - row.get::<_, f64>(1)?).clamp(-1.0, 1.0) as f32;
        match &mut record {
            Some(found) if found.id == id => found.similarity = found.similarity.max(similarity),
            _ => {
                if let Some(found) = record.replace(Found { id, similarity }) {
                    nearest.offer(found);
                }
            }
        }
    }
    if let Some(found) = record {
        nearest.offer(found);
    }
    Ok(nearest.into_hits())
}

/// A record with its best similarity. Greater is better: more similar, or as similar with a smaller id.
#[derive(Debug, Clone, Copy)]
struct Found {
    id: MemoryId,
    similarity: f32,
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.similarity.total_cmp(&other.similarity).then_with(|| other.id.cmp(&self.id))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Found {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Found {}

/// The best `k` of all that are offered.
struct Nearest {
    k: usize,
    best: BinaryHeap<Reverse<Found>>,
}

impl Nearest {
    fn new(k: usize) -> Self {
        Self { k, best: BinaryHeap::new() }
    }

    fn offer(&mut self, found: Found) {
        if self.best.len() < self.k {
            self.best.push(Reverse(found));
        } else if let Some(mut worst) = self.best.peek_mut()
            && worst.0 < found
        {
            *worst = Reverse(found);
        }
    }

    fn into_hits(self) -> Vec<VectorHit> {
        // Ascending by `Reverse` is descending by quality.
        let best = self.best.into_sorted_vec();
        best.into_iter().map(|Reverse(found)| VectorHit { id: found.id, similarity: found.similarity }).collect()
    }
}
