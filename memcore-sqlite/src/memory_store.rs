//! The trait of record stores.

use std::sync::Arc;

use async_trait::async_trait;
use memcore_core::{
    Batch, BatchId, BatchReceipt, EmbeddingIdentity, Fingerprint, Forget, ForgetReceipt, Job, LeaseRequest,
    ListRequest, MemoryId, MemoryRecord, MemoryStore, MessageQuery, Neighbours, Page, QueueState, RecordFilter,
    RejectedEntry, Result, Scope, SessionInfo, StoreCapabilities, StoreStats, StoredMessage, TextMatches, TextQuery,
    Timestamp, UsageEntry, UserId, VectorStore, VerifyReport, Version,
};

use crate::{
    commit, file, forget, history, identities, jobs, list, neighbours, rejections, stats, store::SqliteStore,
    text_search, transcript, usage, vectors, verify,
};

#[async_trait]
impl MemoryStore for SqliteStore {
    fn capabilities(&self) -> StoreCapabilities {
        StoreCapabilities::new(true, true)
    }

    fn vectors(self: Arc<Self>) -> Option<Arc<dyn VectorStore>> {
        Some(self)
    }

    async fn commit(&self, batch: Batch) -> Result<BatchReceipt> {
        self.with_writer(move |writer| {
            let receipt = writer.transaction(|transaction| commit::apply(transaction, batch))?;
            writer.try_to_finish_purges();
            Ok(receipt)
        })
        .await
    }

    async fn generation(&self, user: &UserId) -> Result<u64> {
        let user = user.clone();
        self.read(move |transaction| commit::generation(transaction, &user)).await
    }

    async fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
        let (scope, ids) = (scope.clone(), ids.to_vec());
        self.read(move |transaction| list::get(transaction, &scope, &ids)).await
    }

    async fn list(&self, request: &ListRequest) -> Result<Page> {
        let request = request.clone();
        self.read(move |transaction| list::list(transaction, &request)).await
    }

    async fn search_text(&self, query: &TextQuery) -> Result<TextMatches> {
        let query = query.clone();
        self.read(move |transaction| text_search::search(transaction, &query)).await
    }

    async fn neighbours(&self, of: &[MemoryId], filter: &RecordFilter, reach: usize) -> Result<Vec<Neighbours>> {
        let (of, filter) = (of.to_vec(), filter.clone());
        self.read(move |transaction| neighbours::neighbours(transaction, &of, &filter, reach)).await
    }

    async fn history(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Version>> {
        let scope = scope.clone();
        self.read(move |transaction| history::history(transaction, &scope, id)).await
    }

    async fn versions_of(&self, user: &UserId, batch: BatchId) -> Result<Vec<Version>> {
        let user = user.clone();
        self.read(move |transaction| history::versions_of(transaction, &user, batch)).await
    }

    async fn last_batch(&self, user: &UserId) -> Result<Option<BatchId>> {
        let user = user.clone();
        self.read(move |transaction| history::last_batch(transaction, &user)).await
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<StoredMessage>> {
        let query = query.clone();
        self.read(move |transaction| transcript::messages(transaction, &query)).await
    }

    async fn sessions(&self, scope: &Scope) -> Result<Vec<SessionInfo>> {
        let scope = scope.clone();
        self.read(move |transaction| transcript::sessions(transaction, &scope)).await
    }

    async fn rejected(&self, scope: &Scope, limit: usize) -> Result<Vec<RejectedEntry>> {
        let scope = scope.clone();
        self.read(move |transaction| rejections::rejected(transaction, &scope, limit)).await
    }

    async fn lease_jobs(&self, request: &LeaseRequest) -> Result<Vec<Job>> {
        let request = request.clone();
        self.write(move |transaction| jobs::lease(transaction, &request)).await
    }

    async fn jobs(&self, scope: Option<&Scope>) -> Result<Vec<Job>> {
        let scope = scope.cloned();
        self.read(move |transaction| jobs::jobs(transaction, scope.as_ref())).await
    }

    async fn queue(&self, scope: Option<&Scope>) -> Result<QueueState> {
        let scope = scope.cloned();
        self.read(move |transaction| jobs::state(transaction, scope.as_ref())).await
    }

    async fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>> {
        let user = user.cloned();
        self.read(move |transaction| usage::usage(transaction, user.as_ref(), since)).await
    }

    async fn forget(&self, scope: &Scope, request: &Forget) -> Result<ForgetReceipt> {
        let (scope, request) = (scope.clone(), request.clone());
        self.with_writer(move |writer| forget::forget(writer, &scope, &request)).await
    }

    async fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Result<Vec<(Scope, MemoryId)>> {
        let identity = identity.clone();
        self.read(move |transaction| vectors::pending(transaction, &identity, limit)).await
    }

    async fn embedding_identity(&self) -> Result<Option<EmbeddingIdentity>> {
        self.read(|transaction| identities::current(transaction)).await
    }

    async fn set_embedding_identity(&self, identity: &EmbeddingIdentity) -> Result<()> {
        let identity = identity.clone();
        self.write(move |transaction| identities::set_current(transaction, &identity)).await
    }

    async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>> {
        let after = after.cloned();
        self.read(move |transaction| stats::users(transaction, after.as_ref(), limit)).await
    }

    async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats> {
        let user = user.cloned();
        let mut stats = self.read(move |transaction| stats::stats(transaction, user.as_ref())).await?;
        stats.db_bytes = file::total_bytes(self.path());
        Ok(stats)
    }

    async fn verify(&self) -> Result<VerifyReport> {
        self.read(|transaction| verify::verify(transaction)).await
    }
}
