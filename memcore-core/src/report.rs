//! Figures and findings about a whole store; no memory's content is in them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{EmbeddingIdentity, MemoryId};

/// Figures of a store, or of one user.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoreStats {
    /// Records of every status.
    pub total: u64,
    /// Active records.
    pub active: u64,
    /// Archived records.
    pub archived: u64,
    /// Superseded records.
    pub superseded: u64,
    /// Merged records.
    pub merged: u64,
    /// Quarantined records.
    pub quarantined: u64,
    /// Active records by kind.
    pub by_kind: BTreeMap<String, u64>,
    /// Users with at least one record or message.
    pub users: u64,
    /// Sessions.
    pub sessions: u64,
    /// Messages in the transcript.
    pub messages: u64,
    /// Records with vectors of the current model.
    pub vectors: u64,
    /// Records that wait for vectors.
    pub pending_vectors: u64,
    /// Jobs that wait.
    pub pending_jobs: u64,
    /// Jobs that were given up.
    pub dead_letters: u64,
    /// Kept rejections.
    pub rejected: u64,
    /// Erasures whose bytes are not gone yet.
    pub pending_purges: u64,
    /// Mean importance of active records, 1 to 10; 0 without any.
    pub avg_importance: f64,
    /// Mean number of accesses of active records.
    pub avg_access: f64,
    /// Bytes of the store's files; 0 where there are none.
    pub db_bytes: u64,
    /// Version of the schema; 0 where there is none.
    pub schema: u32,
    /// The model whose vectors are searched.
    pub embedder: Option<EmbeddingIdentity>,
}

/// A contradiction in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// A record's bytes do not match its hash.
    HashMismatch {
        /// The record.
        id: MemoryId,
    },
    /// A record lacks its index terms.
    MissingTerms {
        /// The record.
        id: MemoryId,
    },
    /// A record says that it has vectors, and has none.
    MissingVectors {
        /// The record.
        id: MemoryId,
    },
    /// Vectors or terms without a record.
    Orphan {
        /// What it is.
        what: String,
    },
    /// The engine's own check complains.
    Engine {
        /// What it says.
        message: String,
    },
}

/// The outcome of a check of a whole store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VerifyReport {
    /// Records that were read.
    pub records: u64,
    /// What is wrong; empty means sound.
    pub faults: Vec<Fault>,
}

impl VerifyReport {
    /// A report.
    #[must_use]
    pub fn new(records: u64, faults: Vec<Fault>) -> Self {
        Self { records, faults }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}
