//! A record store that fails where a test wants it to.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use memcore_core::{
    Batch, BatchId, BatchReceipt, EmbeddingIdentity, Error, ErrorKind, Fingerprint, Forget, ForgetReceipt, Job,
    LeaseRequest, ListRequest, MemoryId, MemoryRecord, MemoryStore, MessageQuery, Neighbours, Page, QueueState,
    RecordFilter, RejectedEntry, Result, Scope, SessionInfo, StoreCapabilities, StoreStats, StoredMessage, TextMatches,
    TextQuery, Timestamp, UsageEntry, UserId, VectorStore, VerifyReport, Version,
};

/// A call to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named after its method")]
pub enum Call {
    Commit,
    Generation,
    Get,
    List,
    SearchText,
    Neighbours,
    History,
    VersionsOf,
    LastBatch,
    Messages,
    Sessions,
    Rejected,
    LeaseJobs,
    Jobs,
    Queue,
    Usage,
    Forget,
    PendingVectors,
    EmbeddingIdentity,
    SetEmbeddingIdentity,
    Users,
    Stats,
    Verify,
}

/// When a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Nothing has happened yet.
    Before,
    /// All has been done, and the answer is lost on its way.
    After,
}

/// Which calls fail, and how.
#[derive(Debug, Clone, Copy)]
pub struct Failure {
    kind: ErrorKind,
    call: Option<Call>,
    countdown: Option<u64>,
    moment: Moment,
}

impl Failure {
    /// Every call of any sort fails before anything happens.
    #[must_use]
    pub fn new(kind: ErrorKind) -> Self {
        Self { kind, call: None, countdown: None, moment: Moment::Before }
    }

    /// Only calls of this sort.
    #[must_use]
    pub fn of(mut self, call: Call) -> Self {
        self.call = Some(call);
        self
    }

    /// Only the n-th of these calls from now on: 1 is the next one.
    #[must_use]
    pub fn nth(mut self, n: u64) -> Self {
        self.countdown = Some(n);
        self
    }

    /// The call is carried out, and fails then.
    #[must_use]
    pub fn after(mut self) -> Self {
        self.moment = Moment::After;
        self
    }

    /// Whether this call fails; counts it.
    fn strikes(&mut self, call: Call) -> bool {
        if self.call.is_some_and(|only| only != call) {
            return false;
        }
        match &mut self.countdown {
            None => true,
            Some(left) => {
                let is_now = *left == 1;
                *left = left.saturating_sub(1);
                is_now
            }
        }
    }
}

/// Wraps a record store. Its vector search, where it has one, does not fail.
#[derive(Debug)]
pub struct FaultyStore {
    inner: Arc<dyn MemoryStore>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: Vec<Failure>,
    calls: Vec<Call>,
}

impl FaultyStore {
    /// Wraps a store; nothing fails yet.
    #[must_use]
    pub fn new(inner: Arc<dyn MemoryStore>) -> Self {
        Self { inner, state: Mutex::default() }
    }

    /// From now on, these calls fail as well.
    pub fn inject(&self, failure: Failure) {
        self.with(|state| state.failures.push(failure));
    }

    /// From now on, nothing fails.
    pub fn heal(&self) {
        self.with(|state| state.failures.clear());
    }

    /// All calls so far, failed ones included: their number is what a test needs to fail each one in turn.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.with(|state| state.calls.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn call<T>(&self, call: Call, inner: impl Future<Output = Result<T>>) -> Result<T> {
        let failure = self.with(|state| {
            state.calls.push(call);
            // Every failure counts the call, also where another one strikes first.
            let struck: Vec<_> = state.failures.iter_mut().filter_map(|f| f.strikes(call).then_some(*f)).collect();
            struck.first().copied()
        });
        let Some(failure) = failure else { return inner.await };
        if failure.moment == Moment::After {
            inner.await?;
        }
        Err(Error::new(failure.kind, "the call fails, as the test wants it"))
    }
}

#[async_trait]
impl MemoryStore for FaultyStore {
    fn capabilities(&self) -> StoreCapabilities {
        self.inner.capabilities()
    }

    fn vectors(self: Arc<Self>) -> Option<Arc<dyn VectorStore>> {
        Arc::clone(&self.inner).vectors()
    }

    async fn commit(&self, batch: Batch) -> Result<BatchReceipt> {
        self.call(Call::Commit, self.inner.commit(batch)).await
    }

    async fn generation(&self, user: &UserId) -> Result<u64> {
        self.call(Call::Generation, self.inner.generation(user)).await
    }

    async fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
        self.call(Call::Get, self.inner.get(scope, ids)).await
    }

    async fn list(&self, request: &ListRequest) -> Result<Page> {
        self.call(Call::List, self.inner.list(request)).await
    }

    async fn search_text(&self, query: &TextQuery) -> Result<TextMatches> {
        self.call(Call::SearchText, self.inner.search_text(query)).await
    }

    async fn neighbours(&self, of: &[MemoryId], filter: &RecordFilter, reach: usize) -> Result<Vec<Neighbours>> {
        self.call(Call::Neighbours, self.inner.neighbours(of, filter, reach)).await
    }

    async fn history(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Version>> {
        self.call(Call::History, self.inner.history(scope, id)).await
    }

    async fn versions_of(&self, user: &UserId, batch: BatchId) -> Result<Vec<Version>> {
        self.call(Call::VersionsOf, self.inner.versions_of(user, batch)).await
    }

    async fn last_batch(&self, user: &UserId) -> Result<Option<BatchId>> {
        self.call(Call::LastBatch, self.inner.last_batch(user)).await
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<StoredMessage>> {
        self.call(Call::Messages, self.inner.messages(query)).await
    }

    async fn sessions(&self, scope: &Scope) -> Result<Vec<SessionInfo>> {
        self.call(Call::Sessions, self.inner.sessions(scope)).await
    }

    async fn rejected(&self, scope: &Scope, limit: usize) -> Result<Vec<RejectedEntry>> {
        self.call(Call::Rejected, self.inner.rejected(scope, limit)).await
    }

    async fn lease_jobs(&self, request: &LeaseRequest) -> Result<Vec<Job>> {
        self.call(Call::LeaseJobs, self.inner.lease_jobs(request)).await
    }

    async fn jobs(&self, scope: Option<&Scope>) -> Result<Vec<Job>> {
        self.call(Call::Jobs, self.inner.jobs(scope)).await
    }

    async fn queue(&self, scope: Option<&Scope>) -> Result<QueueState> {
        self.call(Call::Queue, self.inner.queue(scope)).await
    }

    async fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>> {
        self.call(Call::Usage, self.inner.usage(user, since)).await
    }

    async fn forget(&self, scope: &Scope, request: &Forget) -> Result<ForgetReceipt> {
        self.call(Call::Forget, self.inner.forget(scope, request)).await
    }

    async fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Result<Vec<(Scope, MemoryId)>> {
        self.call(Call::PendingVectors, self.inner.pending_vectors(identity, limit)).await
    }

    async fn embedding_identity(&self) -> Result<Option<EmbeddingIdentity>> {
        self.call(Call::EmbeddingIdentity, self.inner.embedding_identity()).await
    }

    async fn set_embedding_identity(&self, identity: &EmbeddingIdentity) -> Result<()> {
        self.call(Call::SetEmbeddingIdentity, self.inner.set_embedding_identity(identity)).await
    }

    async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>> {
        self.call(Call::Users, self.inner.users(after, limit)).await
    }

    async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats> {
        self.call(Call::Stats, self.inner.stats(user)).await
    }

    async fn verify(&self) -> Result<VerifyReport> {
        self.call(Call::Verify, self.inner.verify()).await
    }
}
