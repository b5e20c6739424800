//! The record store in RAM: the trait, answered from a [`State`] behind a lock.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use super::{page, state::State};
use crate::{
    Batch, BatchId, BatchReceipt, EmbeddingIdentity, Error, ErrorKind, Fingerprint, Forget, ForgetReceipt, Job,
    LeaseRequest, ListRequest, MemoryId, MemoryRecord, MemoryStore, MessageQuery, Neighbours, Page, QueueState,
    RecordFilter, RejectedEntry, Result, Scope, SessionInfo, StoreCapabilities, StoreStats, StoredMessage, TextMatches,
    TextQuery, Timestamp, UsageEntry, UserId, VectorStore, VerifyReport, Version,
};

/// The reference record store: everything in RAM, gone with the process. Vectors live elsewhere, as in
/// [`RamVectors`](crate::RamVectors).
///
/// ```
/// use memcore_core::{MemoryStore, RamStore};
///
/// let store = RamStore::new();
/// assert!(!store.capabilities().is_durable);
/// ```
#[derive(Default)]
pub struct RamStore(Mutex<State>);

impl RamStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Never held across an await. A poisoned lock is taken over: a batch works on a copy, so a panic leaves the
    /// state as it was before.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Figures only: contents never reach a log.
impl fmt::Debug for RamStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.state().stats(None);
        f.debug_struct("RamStore")
            .field("users", &stats.users)
            .field("records", &stats.total)
            .field("messages", &stats.messages)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl MemoryStore for RamStore {
    fn capabilities(&self) -> StoreCapabilities {
        StoreCapabilities::new(false, false)
    }

    fn vectors(self: Arc<Self>) -> Option<Arc<dyn VectorStore>> {
        None
    }

    async fn commit(&self, batch: Batch) -> Result<BatchReceipt> {
        self.state().commit(batch)
    }

    async fn generation(&self, user: &UserId) -> Result<u64> {
        let state = self.state();
        Ok(state.user(user).map_or_else(|| state.unknown_user().generation, |memory| memory.generation))
    }

    async fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
        let state = self.state();
        let Some(memory) = state.user(scope.user_id()) else { return Ok(Vec::new()) };
        Ok(ids.iter().filter_map(|id| memory.seen(scope, *id)).map(|entry| entry.current.record.clone()).collect())
    }

    async fn list(&self, request: &ListRequest) -> Result<Page> {
        let state = self.state();
        let records = state.user(request.filter.scope.user_id()).into_iter().flat_map(|memory| memory.records());
        page::cut(request, records)
    }

    async fn search_text(&self, query: &TextQuery) -> Result<TextMatches> {
        let state = self.state();
        Ok(match state.user(query.filter.scope.user_id()) {
            Some(memory) => memory.search_text(query),
            None => TextMatches { frequencies: vec![0; query.terms.len()], ..TextMatches::default() },
        })
    }

    async fn neighbours(&self, of: &[MemoryId], filter: &RecordFilter, reach: usize) -> Result<Vec<Neighbours>> {
        let state = self.state();
        let Some(memory) = state.user(filter.scope.user_id()) else { return Ok(Vec::new()) };
        Ok(of.iter().filter_map(|id| memory.neighbours(*id, filter, reach)).collect())
    }

    async fn history(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Version>> {
        let state = self.state();
        let entry = state.user(scope.user_id()).and_then(|memory| memory.seen(scope, id));
        let entry = entry.ok_or_else(|| Error::new(ErrorKind::NotFound, "no memory has this id here"))?;
        Ok(entry.versions().map(|(_, version)| version.clone()).collect())
    }

    async fn versions_of(&self, user: &UserId, batch: BatchId) -> Result<Vec<Version>> {
        Ok(self.state().user(user).map(|memory| memory.versions_of(batch)).unwrap_or_default())
    }

    async fn last_batch(&self, user: &UserId) -> Result<Option<BatchId>> {
        Ok(self.state().user(user).and_then(|memory| memory.last_batch()))
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<StoredMessage>> {
        Ok(self.state().user(query.scope.user_id()).map(|memory| memory.messages(query)).unwrap_or_default())
    }

    async fn sessions(&self, scope: &Scope) -> Result<Vec<SessionInfo>> {
        Ok(self.state().user(scope.user_id()).map(|memory| memory.sessions(scope)).unwrap_or_default())
    }

    async fn rejected(&self, scope: &Scope, limit: usize) -> Result<Vec<RejectedEntry>> {
        Ok(self.state().user(scope.user_id()).map(|memory| memory.rejected(scope, limit)).unwrap_or_default())
    }

    async fn lease_jobs(&self, request: &LeaseRequest) -> Result<Vec<Job>> {
        Ok(self.state().lease_jobs(request))
    }

    async fn jobs(&self, scope: Option<&Scope>) -> Result<Vec<Job>> {
        Ok(self.state().jobs(scope))
    }

    async fn queue(&self, scope: Option<&Scope>) -> Result<QueueState> {
        Ok(self.state().queue(scope))
    }

    async fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>> {
        Ok(self.state().usage(user, since))
    }

    async fn forget(&self, scope: &Scope, request: &Forget) -> Result<ForgetReceipt> {
        Ok(self.state().forget(scope, request))
    }

    async fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Result<Vec<(Scope, MemoryId)>> {
        Ok(self.state().pending_vectors(identity, limit))
    }

    async fn embedding_identity(&self) -> Result<Option<EmbeddingIdentity>> {
        Ok(self.state().identity.clone())
    }

    async fn set_embedding_identity(&self, identity: &EmbeddingIdentity) -> Result<()> {
        self.state().identity = Some(identity.clone());
        Ok(())
    }

    async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>> {
        Ok(self.state().users(after, limit))
    }

    async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats> {
        Ok(self.state().stats(user))
    }

    async fn verify(&self) -> Result<VerifyReport> {
        Ok(self.state().verify())
    }
}
