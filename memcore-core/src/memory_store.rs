//! The trait of record stores: the truth about memories, transcripts and queued work.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    Batch, BatchId, BatchReceipt, EmbeddingIdentity, Fingerprint, Forget, ForgetReceipt, Job, LeaseRequest, MemoryId,
    MemoryRecord, MessageId, QueueState, RecordFilter, Rejection, Result, Scope, SessionId, SessionInfo, Slot,
    StoreStats, StoredMessage, Timestamp, UsageEntry, UserId, VectorStore, VerifyReport, Version, text::QueryTerm,
};

/// What a record store can and cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreCapabilities {
    /// Whether vectors live in the same transactions; then [`MemoryStore::vectors`] answers them.
    pub holds_vectors: bool,
    /// Whether what was acknowledged survives the process.
    pub is_durable: bool,
}

impl StoreCapabilities {
    /// States what a store can do.
    #[must_use]
    pub fn new(holds_vectors: bool, is_durable: bool) -> Self {
        Self { holds_vectors, is_durable }
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SortOrder {
    /// Newest id first.
    #[default]
    Newest,
    /// Oldest id first.
    Oldest,
    /// Most important first, then newest.
    Importance,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ListRequest {
    /// Which records.
    pub filter: RecordFilter,
    /// Only records of exactly this slot.
    pub slot: Option<Slot>,
    /// In which order.
    pub sort: SortOrder,
    /// How many at the most.
    pub limit: usize,
    /// Where the last page ended; as the last page gave it.
    pub cursor: Option<String>,
}

impl ListRequest {
    /// The newest 50.
    #[must_use]
    pub fn new(filter: RecordFilter) -> Self {
        Self { filter, slot: None, sort: SortOrder::Newest, limit: 50, cursor: None }
    }

    /// Sets the number.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the order.
    #[must_use]
    pub fn with_sort(mut self, sort: SortOrder) -> Self {
        self.sort = sort;
        self
    }

    /// Only records of a slot.
    #[must_use]
    pub fn with_slot(mut self, slot: Slot) -> Self {
        self.slot = Some(slot);
        self
    }

    /// Goes on where a page ended.
    #[must_use]
    pub fn with_cursor(mut self, cursor: Option<String>) -> Self {
        self.cursor = cursor;
        self
    }
}

/// A page of records.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// The records, in the order that was asked for.
    pub records: Vec<MemoryRecord>,
    /// Where the next page begins; none at the end.
    pub next: Option<String>,
}

/// A full-text query. Its terms are data, never syntax.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TextQuery {
    /// What to look for, from [`text::query_terms`](crate::text::query_terms).
    pub terms: Vec<QueryTerm>,
    /// Which records may be found.
    pub filter: RecordFilter,
    /// How many at the most; any number, 0 included.
    pub k: usize,
}

impl TextQuery {
    /// A query.
    #[must_use]
    pub fn new(terms: Vec<QueryTerm>, filter: RecordFilter, k: usize) -> Self {
        Self { terms, filter, k }
    }
}

/// A record that a text search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextHit {
    /// The record.
    pub id: MemoryId,
    /// Higher is better; comparable only within one answer.
    pub score: f32,
}

/// What a text search answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextMatches {
    /// The records that have at least one term, best first.
    pub hits: Vec<TextHit>,
    /// For each term of the query, in its order: how many of the user's records have it (any status and project).
    pub frequencies: Vec<u64>,
    /// How many records the user has (any status and project).
    pub documents: u64,
}

/// The turns around an episode, in the session in which it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// The episode.
    pub of: MemoryId,
    /// Episodes before it, the nearest first.
    pub before: Vec<MemoryId>,
    /// Episodes after it, the nearest first.
    pub after: Vec<MemoryId>,
}

/// Which messages of a user's transcript.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MessageQuery {
    /// The user, and the session where one is named. (The project is not compared.)
    pub scope: Scope,
    /// Only these messages of the session.
    pub ids: Option<Vec<MessageId>>,
    /// Only messages appended before this one, of the same session.
    pub before: Option<MessageId>,
    /// The newest so many, still in the order in which they were appended.
    pub last: Option<usize>,
}

impl MessageQuery {
    /// All messages of a scope.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        Self { scope, ids: None, before: None, last: None }
    }

    /// Only these messages.
    #[must_use]
    pub fn with_ids(mut self, ids: Vec<MessageId>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// Only what was appended before a message.
    #[must_use]
    pub fn with_before(mut self, before: MessageId) -> Self {
        self.before = Some(before);
        self
    }

    /// Only the newest so many.
    #[must_use]
    pub fn with_last(mut self, last: usize) -> Self {
        self.last = Some(last);
        self
    }
}

/// Something that was not captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedEntry {
    /// The words, and why.
    #[serde(flatten)]
    pub rejection: Rejection,
    /// In which session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// When.
    pub at: Timestamp,
}

/// Keeps records, their text index, their history, transcripts and queued work.
///
/// Contract, for every method: nothing of another user is ever read or written; what a scope does not see is, for the
/// caller, not there; times are kept to the microsecond. Dropping a future never leaves half a change behind.
#[async_trait]
pub trait MemoryStore: Send + Sync + Debug + 'static {
    /// What it can do.
    fn capabilities(&self) -> StoreCapabilities;

    /// Its vector search, where records and vectors share their transactions.
    fn vectors(self: Arc<Self>) -> Option<Arc<dyn VectorStore>>;

    /// Applies a batch, whole or not at all.
    ///
    /// - When it returns `Ok`, a durable store has it on disk, findable by id, list, text and (where given) vector.
    /// - Changes apply in order; later ones see earlier ones.
    /// - `Insert` of an id that exists (anybody's: ids are unique in the store) is a `Conflict`; `Update` of one that does
    ///   not is `NotFound`.
    /// - A record, message or job of another user than the batch's is `InvalidInput`.
    /// - Another generation than `expected_generation` is a `Conflict`, and nothing is applied.
    /// - Vectors of other dimensions than their identity's earlier ones are `InvalidInput`. A store without vectors
    ///   ignores them, and leaves the record waiting.
    async fn commit(&self, batch: Batch) -> Result<BatchReceipt>;

    /// The user's generation: one more after each batch that inserts, updates or forgets records. It begins with 0, or
    /// where users have been erased entirely with the highest generation of those: so an erased user's generations do
    /// not come again, and yet nothing is kept of the user.
    async fn generation(&self, user: &UserId) -> Result<u64>;

    /// The records with these ids that the scope sees, of any status, in the order asked for; others are left out.
    async fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>>;

    /// A page of the records that the filter admits. Pages are stable: a record that exists throughout is listed once.
    /// A cursor that no page gave is `InvalidInput`.
    async fn list(&self, request: &ListRequest) -> Result<Page>;

    /// Finds records by their words: segmented by [`text::index_terms`](crate::text::index_terms), any term suffices,
    /// the filter works inside the search, terms of weight 0 find nothing.
    async fn search_text(&self, query: &TextQuery) -> Result<TextMatches>;

    /// The episodes around each of these episodes, up to `reach` on either side: those of the same provenance session
    /// that the filter admits, in the order of their ids. In the order asked for; what the filter does not admit, is no
    /// [`Kind::Episode`](crate::Kind::Episode) or comes from no session is left out.
    async fn neighbours(&self, of: &[MemoryId], filter: &RecordFilter, reach: usize) -> Result<Vec<Neighbours>>;

    /// All versions of a record, oldest first, the current one last. `NotFound` where the scope does not see it.
    async fn history(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Version>>;

    /// The versions that a batch made, in the order of its changes, of records that still exist.
    async fn versions_of(&self, user: &UserId, batch: BatchId) -> Result<Vec<Version>>;

    /// The newest batch that made versions of records that still exist, other than by undoing.
    async fn last_batch(&self, user: &UserId) -> Result<Option<BatchId>>;

    /// Messages of the transcript, in the order in which they were appended.
    async fn messages(&self, query: &MessageQuery) -> Result<Vec<StoredMessage>>;

    /// The user's sessions, oldest first; only the one that the scope names, where it names one.
    async fn sessions(&self, scope: &Scope) -> Result<Vec<SessionInfo>>;

    /// What was not captured, newest first; only of the scope's session, where it names one.
    async fn rejected(&self, scope: &Scope, limit: usize) -> Result<Vec<RejectedEntry>>;

    /// Takes the oldest due job that nobody holds and whose session has no older job waiting (dead ones do not count);
    /// it is free again when the lease ends.
    ///
    /// Up to `max_jobs`, the jobs to extract that follow it in its session come along, as long as they are due; a job
    /// that failed before comes alone. None where no job can be done now.
    async fn lease_jobs(&self, request: &LeaseRequest) -> Result<Vec<Job>>;

    /// Jobs that wait, or are dead, oldest first; only of a user, and of a session, where a scope is given.
    async fn jobs(&self, scope: Option<&Scope>) -> Result<Vec<Job>>;

    /// How full the queue is; only of a user, and of a session, where a scope is given.
    async fn queue(&self, scope: Option<&Scope>) -> Result<QueueState>;

    /// Language-model calls since the day of a moment, of a user or of all (then summed over users): by day, purpose
    /// and model, in that order.
    async fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>>;

    /// Erases for good.
    ///
    /// - Ids that the scope does not see are skipped; so they are in no receipt.
    /// - No row, version, vector, index term or queue entry of an erased record remains, and no occurrence of a phrase
    ///   in the user's transcript, queue or rejections.
    /// - No version of another record names an erased one, as its successor or as a conflict. That is no change of
    ///   the record: it makes no version.
    /// - A session goes with its messages, jobs and rejections.
    /// - `Purged` is said only where a scan of the store's files found no erased byte.
    /// - A kill in the middle is finished at the next open.
    /// - An empty request erases nothing.
    async fn forget(&self, scope: &Scope, request: &Forget) -> Result<ForgetReceipt>;

    /// Records of any user that have no vectors of `identity`, oldest first: whose they are, and their ids.
    async fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Result<Vec<(Scope, MemoryId)>>;

    /// The model whose vectors this store holds; none before the first.
    async fn embedding_identity(&self) -> Result<Option<EmbeddingIdentity>>;

    /// Names the model whose vectors are searched from now on. Vectors of the former one stay until they are replaced.
    async fn set_embedding_identity(&self, identity: &EmbeddingIdentity) -> Result<()>;

    /// Users that have anything here, in byte order, after `after`.
    async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>>;

    /// Figures of the store, or of one user.
    async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats>;

    /// Checks that records, hashes, vectors and terms agree.
    async fn verify(&self) -> Result<VerifyReport>;
}
