//! What a backend hands to a suite: itself, and what a case must be able to do around it.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
use memcore_core::{Batch, Change, ChangeReason, Injector, MemoryRecord, MemoryStore, VectorStore};

use crate::sample;

/// A record store under test.
#[async_trait]
pub trait StoreFixture: Send + Sync + 'static {
    /// The store; empty when the fixture is fresh.
    fn store(&self) -> Arc<dyn MemoryStore>;

    /// Closes the store and opens what it has kept. None where nothing is kept: exactly the stores whose capabilities
    /// say that they are not durable.
    async fn reopen(self: Box<Self>) -> Option<Box<dyn StoreFixture>> {
        None
    }
}

/// A vector store under test.
#[async_trait]
pub trait VectorFixture: Send + Sync + 'static {
    /// The store; empty when the fixture is fresh.
    fn vectors(&self) -> Arc<dyn VectorStore>;

    /// Stores the records to which vectors are to be given, where the store wants to have them first.
    async fn prepare(&self, records: &[MemoryRecord]) {
        let _ = records;
    }

    /// Makes the filter see a record as it is now.
    async fn change(&self, record: &MemoryRecord) {
        self.vectors().update_meta(record.id, record.into()).await.expect("what the filter sees can be changed");
    }
}

/// A record store that is gone with the process.
#[derive(Debug)]
pub struct Standalone(Arc<dyn MemoryStore>);

impl Standalone {
    /// Wraps an empty store.
    #[must_use]
    pub fn new(store: Arc<dyn MemoryStore>) -> Self {
        Self(store)
    }
}

impl StoreFixture for Standalone {
    fn store(&self) -> Arc<dyn MemoryStore> {
        Arc::clone(&self.0)
    }
}

/// A vector store that knows no records.
#[derive(Debug)]
pub struct StandaloneVectors(Arc<dyn VectorStore>);

impl StandaloneVectors {
    /// Wraps an empty store.
    #[must_use]
    pub fn new(vectors: Arc<dyn VectorStore>) -> Self {
        Self(vectors)
    }
}

impl VectorFixture for StandaloneVectors {
    fn vectors(&self) -> Arc<dyn VectorStore> {
        Arc::clone(&self.0)
    }
}

/// The vectors of a store that keeps records and vectors in the same transactions. `keep` lives as long as the fixture
/// does: a temporary folder, for example.
#[derive(Debug)]
pub struct Shared<K = ()> {
    store: Arc<dyn MemoryStore>,
    batches: AtomicU64,
    _keep: K,
}

impl<K> Shared<K> {
    /// Wraps an empty store.
    #[must_use]
    pub fn new(store: Arc<dyn MemoryStore>, keep: K) -> Self {
        Self { store, batches: AtomicU64::new(1_000_000), _keep: keep }
    }

    async fn commit(&self, record: &MemoryRecord, change: Change) {
        let id = sample::batch_id(self.batches.fetch_add(1, Ordering::Relaxed));
        let batch = Batch::new(id, record.scope.user_id().clone(), sample::at(0)).with(change);
        self.store.commit(batch).await.expect("a record can be stored");
    }
}

#[async_trait]
impl<K: Debug + Send + Sync + 'static> VectorFixture for Shared<K> {
    fn vectors(&self) -> Arc<dyn VectorStore> {
        Arc::clone(&self.store).vectors().expect("a store that shares its transactions has vectors")
    }

    async fn prepare(&self, records: &[MemoryRecord]) {
        for records in records.chunk_by(|a, b| a.scope.user_id() == b.scope.user_id()) {
            let Some(first) = records.first() else { continue };
            let id = sample::batch_id(self.batches.fetch_add(1, Ordering::Relaxed));
            let batch = Batch::new(id, first.scope.user_id().clone(), sample::at(0));
            let batch = records.iter().fold(batch, |batch, record| {
                let record = Box::new(record.clone());
                batch.with(Change::Insert { record, vectors: None, reason: ChangeReason::Added })
            });
            self.store.commit(batch).await.expect("records can be stored");
        }
    }

    async fn change(&self, record: &MemoryRecord) {
        let change = Change::Update { record: Box::new(record.clone()), vectors: None, reason: ChangeReason::Edited };
        self.commit(record, change).await;
        self.vectors().update_meta(record.id, record.into()).await.expect("what the filter sees can be changed");
    }
}

impl<K: Debug + Send + Sync + 'static> StoreFixture for Shared<K> {
    fn store(&self) -> Arc<dyn MemoryStore> {
        Arc::clone(&self.store)
    }
}

/// An injector under test, and how its blocks begin and end.
#[derive(Debug)]
pub struct InjectorFixture {
    pub(crate) injector: Arc<dyn Injector>,
    pub(crate) fences: Vec<(String, String)>,
}

impl InjectorFixture {
    /// States the fences: for each sort of block how its opening fence begins (`<memory`) and its closing fence
    /// (`</memory>`).
    #[must_use]
    pub fn new(injector: impl Injector, fences: &[(&str, &str)]) -> Self {
        let fences = fences.iter().map(|(opening, closing)| ((*opening).to_owned(), (*closing).to_owned()));
        Self { injector: Arc::new(injector), fences: fences.collect() }
    }
}
