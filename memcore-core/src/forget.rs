//! Erasure: what to destroy, and the receipt for it.

use serde::{Deserialize, Serialize};

use crate::{MemoryId, SessionId};

/// What to erase within one user's scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forget {
    /// Records, with their versions, vectors and index terms.
    pub ids: Vec<MemoryId>,
    /// Sessions: their messages, jobs and rejections. Records that came from them are given in `ids`.
    pub sessions: Vec<SessionId>,
    /// Words that must not remain in the user's transcript, queue or rejections: each occurrence is replaced by
    /// `[forgotten]`. The caller gives the contents and quotes of the records.
    pub phrases: Vec<String>,
    /// Everything of the user, in every project. The other fields do not matter then.
    pub everything: bool,
}

impl Forget {
    /// Erases records and every occurrence of their words.
    #[must_use]
    pub fn records(ids: Vec<MemoryId>, phrases: Vec<String>) -> Self {
        Self { ids, phrases, ..Self::default() }
    }

    /// Erases all that there is of the user.
    #[must_use]
    pub fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Erases the transcripts of sessions as well.
    #[must_use]
    pub fn with_sessions(mut self, sessions: Vec<SessionId>) -> Self {
        self.sessions = sessions;
        self
    }
}

/// Whether the bytes are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", content = "why", rename_all = "snake_case")]
pub enum PurgeState {
    /// No byte is left in the file or its log.
    Purged,
    /// Rows are gone, bytes may remain until what is said here is over; the store finishes by itself.
    Pending(String),
}

/// What was erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ForgetReceipt {
    /// The records that were there and are gone.
    pub forgotten: Vec<MemoryId>,
    /// Rows removed: records, versions, messages, jobs, rejections.
    pub rows: u64,
    /// Vectors removed.
    pub vectors: u64,
    /// Index entries removed.
    pub terms: u64,
    /// Derived records and transcript lines rewritten or removed.
    pub derived: u64,
    /// Occurrences of the erased words that a scan of the store's files still found.
    pub residual_bytes: u64,
    /// Whether the bytes are gone.
    #[serde(flatten)]
    pub purge: PurgeState,
}

impl ForgetReceipt {
    /// The receipt of a call that found nothing to erase.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            forgotten: Vec::new(),
            rows: 0,
            vectors: 0,
            terms: 0,
            derived: 0,
            residual_bytes: 0,
            purge: PurgeState::Purged,
        }
    }
}
