//! The vector store in RAM: exact search, one dense matrix per record.

use std::{
    collections::BTreeMap,
    fmt,
    ops::Bound::{Excluded, Unbounded},
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use async_trait::async_trait;
use ndarray::{Array2, ArrayView1};

use crate::{
    Error, Fingerprint, MemoryId, Result, TextEmbedding, VectorCapabilities, VectorEntry, VectorHit, VectorMeta,
    VectorQuery, VectorStore,
};

/// The reference vector store: everything in RAM, every search compares with every vector that the filter admits.
#[derive(Default)]
pub struct RamVectors(RwLock<Vectors>);

impl RamVectors {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    // Never held across an await. A poisoned lock is taken over: nothing changes before all checks are done.
    fn read(&self) -> RwLockReadGuard<'_, Vectors> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vectors> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Figures only: a vector tells what its text was about.
impl fmt::Debug for RamVectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vectors = self.read();
        f.debug_struct("RamVectors")
            .field("identities", &vectors.spaces.len())
            .field("records", &vectors.metas.len())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl VectorStore for RamVectors {
    fn capabilities(&self) -> VectorCapabilities {
        VectorCapabilities::standalone(false)
    }

    async fn upsert(&self, entries: Vec<VectorEntry>) -> Result<()> {
        self.write().upsert(entries)
    }

    async fn update_meta(&self, id: MemoryId, meta: VectorMeta) -> Result<()> {
        if let Some(known) = self.write().metas.get_mut(&id) {
            *known = meta;
        }
        Ok(())
    }

    async fn delete(&self, ids: &[MemoryId]) -> Result<usize> {
        let mut vectors = self.write();
        let mut deleted = 0;
        for id in ids {
            for space in vectors.spaces.values_mut() {
                space.rows.remove(id);
            }
            deleted += usize::from(vectors.metas.remove(id).is_some());
        }
        Ok(deleted)
    }

    async fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        self.read().search(query)
    }

    async fn ids(&self, identity: &Fingerprint, after: Option<MemoryId>, limit: usize) -> Result<Vec<MemoryId>> {
        let vectors = self.read();
        let Some(space) = vectors.spaces.get(identity) else { return Ok(Vec::new()) };
        let from = after.map_or(Unbounded, Excluded);
        Ok(space.rows.range((from, Unbounded)).map(|(id, _)| *id).take(limit).collect())
    }
}

/// The vectors of each identity, and what the filter knows of each record that has any.
#[derive(Default)]
struct Vectors {
    spaces: BTreeMap<Fingerprint, Space>,
    metas: BTreeMap<MemoryId, VectorMeta>,
}

/// The vectors of one identity: per record a matrix, one row per vector. The dimensions stay when the last one goes.
struct Space {
    dimensions: usize,
    rows: BTreeMap<MemoryId, Array2<f32>>,
}

impl Vectors {
    fn upsert(&mut self, entries: Vec<VectorEntry>) -> Result<()> {
        let mut expected: BTreeMap<&Fingerprint, usize> = BTreeMap::new();
        let mut matrices = Vec::with_capacity(entries.len());
        for entry in &entries {
            let matrix = to_matrix(&entry.embedding)?;
            let known = self.spaces.get(&entry.identity).map(|space| space.dimensions);
            let dimensions = *expected.entry(&entry.identity).or_insert_with(|| known.unwrap_or(matrix.ncols()));
            check_dimensions(matrix.ncols(), dimensions)?;
            matrices.push(matrix);
        }
        for (entry, matrix) in std::iter::zip(entries, matrices) {
            let dimensions = matrix.ncols();
            let space =
                self.spaces.entry(entry.identity).or_insert_with(|| Space { dimensions, rows: BTreeMap::new() });
            space.rows.insert(entry.id, matrix);
            self.metas.insert(entry.id, entry.meta);
        }
        Ok(())
    }

    fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let Some(space) = self.spaces.get(&query.identity) else { return Ok(Vec::new()) };
        check_dimensions(query.embedding.dimensions(), space.dimensions)?;
        let wanted = ArrayView1::from(query.embedding.as_slice());
        let admitted = space
            .rows
            .iter()
            .filter(|(id, _)| self.metas.get(id).is_some_and(|meta| query.filter.admits_meta(**id, meta)));
        let mut hits: Vec<VectorHit> = admitted
            .map(|(id, matrix)| {
                let nearest = matrix.rows().into_iter().map(|row| row.dot(&wanted)).fold(-1.0, f32::max);
                VectorHit { id: *id, similarity: nearest.min(1.0) }
            })
            .collect();
        hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.id.cmp(&b.id)));
        hits.truncate(query.k);
        Ok(hits)
    }
}

fn to_matrix(embedding: &TextEmbedding) -> Result<Array2<f32>> {
    let chunks = embedding.chunks();
    let dimensions = chunks.first().map_or(0, |chunk| chunk.dimensions());
    let values = chunks.iter().flat_map(|chunk| chunk.as_slice().iter().copied()).collect();
    Array2::from_shape_vec((chunks.len(), dimensions), values)
        .map_err(|error| Error::invalid("the vectors of one text have the same dimensions").with_source(error))
}

fn check_dimensions(given: usize, expected: usize) -> Result<()> {
    if given != expected {
        return Err(Error::invalid(format!("vectors of this model have {expected} dimensions, not {given}")));
    }
    Ok(())
}
