//! Batches: all that changes in a store changes in one of these, whole or not at all.

use serde::{Deserialize, Serialize};

use crate::{
    BatchId, Fingerprint, Job, JobId, JobKind, MemoryId, MemoryRecord, MessageId, RejectedEntry, Rejection,
    SessionAmendment, SessionId, SessionInfo, StoredMessage, TextEmbedding, Timestamp, UsageEntry, UserId,
};

/// Why a record changed; its history shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ChangeReason {
    /// It is new.
    Added,
    /// It was stated again.
    Confirmed,
    /// A newer statement took its place.
    Superseded,
    /// It was found to contradict another one, perhaps.
    Conflict,
    /// The user took it back.
    Retracted,
    /// A person changed it.
    Edited,
    /// It went out of use.
    Archived,
    /// It came back.
    Restored,
    /// It became part of another one.
    Merged,
    /// It was pinned or unpinned.
    Pinned,
    /// A batch was taken back.
    Undone,
    /// It was brought in from an export.
    Imported,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Stores a new record. Without vectors it waits for them.
    Insert {
        /// The record; its `embedding` is set by the store.
        record: Box<MemoryRecord>,
        /// Its vectors, and the model that made them.
        vectors: Option<(Fingerprint, TextEmbedding)>,
        /// Why.
        reason: ChangeReason,
    },
    /// Puts a new version in a record's place; the old one goes to its history. The access figures and the vectors
    /// stay, unless the content changes: then the vectors given here, or none, take their place.
    Update {
        /// The new version; same id and user as the old one.
        record: Box<MemoryRecord>,
        /// Vectors of changed content.
        vectors: Option<(Fingerprint, TextEmbedding)>,
        /// Why.
        reason: ChangeReason,
    },
    /// Gives waiting records their vectors. No new version. Absent ids are skipped.
    SetVectors {
        /// The record.
        id: MemoryId,
        /// The model.
        identity: Fingerprint,
        /// The vectors; none only marks the record as embedded, where the vectors live in another store.
        embedding: Option<TextEmbedding>,
    },
    /// Counts an access of records. No new version. Absent ids are skipped.
    Touch {
        /// The records.
        ids: Vec<MemoryId>,
        /// When.
        at: Timestamp,
    },
    /// Appends messages to the transcript. A message whose id the session has already is skipped.
    AppendMessages(Vec<StoredMessage>),
    /// Sets a session's end, summary and echoes; its start and number of messages follow from its messages.
    UpdateSession(SessionInfo),
    /// Adds to what is known of a session. Skipped where the session has no messages.
    AmendSession(SessionAmendment),
    /// Queues work.
    Enqueue(Job),
    /// Work is done: the job goes. `Conflict` where it is not there (another worker finished it).
    CompleteJob(JobId),
    /// Work failed: waits until `retry_at`, or is dead without one. `Conflict` where the job is not there.
    FailJob {
        /// The job.
        id: JobId,
        /// Why, without any memory's content.
        error: String,
        /// What a model answered, word for word, where its answer is what failed. Redacted.
        raw_reply: Option<String>,
        /// The next attempt.
        retry_at: Option<Timestamp>,
    },
    /// Work could not begin, through no fault of its own: waits until `until`, its attempts uncounted. `Conflict` where
    /// the job is not there.
    PostponeJob {
        /// The job.
        id: JobId,
        /// Why, without any memory's content.
        reason: String,
        /// The next attempt.
        until: Timestamp,
    },
    /// A worker is still busy with a job: it is held until `until`. `Conflict` where the job is not there, or is given back
    /// already.
    HoldJob {
        /// The job.
        id: JobId,
        /// The end of the lease.
        until: Timestamp,
    },
    /// A part of the work is done: the job keeps its place with what is left of it, free for any worker, its attempts
    /// and its last error forgotten. `Conflict` where the job is not there.
    ContinueJob {
        /// The job.
        id: JobId,
        /// What is left to do.
        kind: JobKind,
    },
    /// Makes waiting jobs of a session due now that were to wait for more; those that failed or
    /// were postponed before keep their time.
    HastenJobs {
        /// The session.
        session: SessionId,
        /// Now.
        at: Timestamp,
    },
    /// Gives a dead job another chance, its attempts forgotten. `Conflict` where it is not there, or not dead.
    ReviveJob {
        /// The job.
        id: JobId,
        /// When it is due.
        at: Timestamp,
    },
    /// Adds language-model calls to the user's account.
    RecordUsage(UsageEntry),
    /// Keeps what was not captured, and why: the newest 1,000 of a user.
    Reject {
        /// In which session (the scope's session, where it has one), and when.
        entry: RejectedEntry,
    },
}

impl Change {
    /// Keeps a rejection.
    #[must_use]
    pub fn reject(rejection: Rejection, session: Option<SessionId>, at: Timestamp) -> Self {
        Self::Reject { entry: RejectedEntry { rejection, session, at } }
    }
}

/// Changes that belong together, of one user.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// What `undo` takes back.
    pub id: BatchId,
    /// Whose: every record, message and job of the batch is this user's.
    pub user: UserId,
    /// When.
    pub at: Timestamp,
    /// The user's generation that the changes were planned on: another one is a `Conflict`.
    pub expected_generation: Option<u64>,
    /// The changes, applied in order.
    pub changes: Vec<Change>,
}

impl Batch {
    /// An empty batch.
    #[must_use]
    pub fn new(id: BatchId, user: UserId, at: Timestamp) -> Self {
        Self { id, user, at, expected_generation: None, changes: Vec::new() }
    }

    /// Makes the batch fail with `Conflict` where somebody else committed records of this user meanwhile.
    #[must_use]
    pub fn with_expected_generation(mut self, generation: u64) -> Self {
        self.expected_generation = Some(generation);
        self
    }

    /// Adds a change.
    #[must_use]
    pub fn with(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }
}

/// What a commit did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchReceipt {
    /// The messages that were new.
    pub appended: Vec<MessageId>,
    /// The user's generation after the batch: grows by one with every batch that inserts or updates records.
    pub generation: u64,
}

/// A version of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Number of the version, from 1.
    pub number: u32,
    /// The record as it was then.
    pub record: MemoryRecord,
    /// Why it came to be.
    pub reason: ChangeReason,
    /// The batch that made it.
    pub batch: BatchId,
    /// When.
    pub at: Timestamp,
}
