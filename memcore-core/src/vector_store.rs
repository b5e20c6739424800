//! The trait of vector indexes.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    Embedding, Fingerprint, Kind, MemoryId, MemoryRecord, RecordFilter, Result, Scope, Status, TextEmbedding, Timestamp,
};

/// What a vector store knows of a record, so that it can filter inside the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VectorMeta {
    /// Where the record lives.
    pub scope: Scope,
    /// Its status.
    pub status: Status,
    /// Its kind.
    pub kind: Kind,
    /// Since when it is true.
    pub valid_from: Timestamp,
    /// Until when it is true.
    pub valid_until: Option<Timestamp>,
}

impl From<&MemoryRecord> for VectorMeta {
    fn from(record: &MemoryRecord) -> Self {
        Self {
            scope: record.scope.clone(),
            status: record.status,
            kind: record.kind.clone(),
            valid_from: record.valid_from,
            valid_until: record.valid_until,
        }
    }
}

/// The vectors of one record under one embedding identity.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VectorEntry {
    /// The record.
    pub id: MemoryId,
    /// Which model made them.
    pub identity: Fingerprint,
    /// One vector, or several for a long text.
    pub embedding: TextEmbedding,
    /// What the filter needs.
    pub meta: VectorMeta,
}

impl VectorEntry {
    /// An entry for a record.
    #[must_use]
    pub fn new(record: &MemoryRecord, identity: Fingerprint, embedding: TextEmbedding) -> Self {
        Self { id: record.id, identity, embedding, meta: record.into() }
    }
}

/// A nearest-neighbour query.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VectorQuery {
    /// What to look for.
    pub embedding: Embedding,
    /// Which model made it: only vectors of the same one are compared.
    pub identity: Fingerprint,
    /// Which records may be found.
    pub filter: RecordFilter,
    /// How many records at the most; any number, 0 included.
    pub k: usize,
}

impl VectorQuery {
    /// A query.
    #[must_use]
    pub fn new(embedding: Embedding, identity: Fingerprint, filter: RecordFilter, k: usize) -> Self {
        Self { embedding, identity, filter, k }
    }
}

/// A record that a vector search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// The record.
    pub id: MemoryId,
    /// The cosine of its nearest vector to the query, -1 to 1.
    pub similarity: f32,
}

/// What a vector store can and cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct VectorCapabilities {
    /// Whether it lives in the same transaction as the records: entries need a record, and the filter reads the
    /// record itself instead of [`VectorMeta`].
    pub shares_record_store: bool,
    /// Whether what was acknowledged survives the process.
    pub is_durable: bool,
}

impl VectorCapabilities {
    /// A store of its own, beside the records.
    #[must_use]
    pub fn standalone(is_durable: bool) -> Self {
        Self { shares_record_store: false, is_durable }
    }

    /// A store within the record store's transactions.
    #[must_use]
    pub fn within_record_store() -> Self {
        Self { shares_record_store: true, is_durable: true }
    }
}

/// Finds the nearest vectors. Vectors are derived data: the record store is the truth.
///
/// Contract:
/// - `upsert` replaces all vectors of each record under that identity, and leaves those of other identities alone. All
///   entries or none are taken. All entries of one identity have the same dimensions: another length is `InvalidInput`.
///   A store that shares the record store refuses an id without record with `NotFound`.
/// - `search` answers the true top `k` among what the filter admits, nearest first, each record once with its nearest
///   vector; equal similarities are ordered by id. Filters work inside the search: any number of nearer vectors of
///   others never shortens the result. `k` may be 0 or larger than the store. Another identity's vectors are never
///   compared: an unknown identity finds nothing. A query of other dimensions than the identity's is `InvalidInput`.
/// - `update_meta` changes what the filter sees, for every identity; an id without vectors is no error.
/// - `delete` removes every vector of the ids, of every identity, and answers how many records had any; absent ids
///   succeed.
/// - `ids` pages through the records that have vectors of an identity, in id order, after `after`.
#[async_trait]
pub trait VectorStore: Send + Sync + Debug + 'static {
    /// What it can do.
    fn capabilities(&self) -> VectorCapabilities;

    /// Adds or replaces the vectors of records.
    async fn upsert(&self, entries: Vec<VectorEntry>) -> Result<()>;

    /// Takes over a record's changed status, kind, scope or times.
    async fn update_meta(&self, id: MemoryId, meta: VectorMeta) -> Result<()>;

    /// Removes records' vectors.
    async fn delete(&self, ids: &[MemoryId]) -> Result<usize>;

    /// Finds the nearest records.
    async fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>>;

    /// Lists the records that have vectors, for reconciliation.
    async fn ids(&self, identity: &Fingerprint, after: Option<MemoryId>, limit: usize) -> Result<Vec<MemoryId>>;
}
