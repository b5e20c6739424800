//! Commits small batches, one after the other, so that cases need not number them.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use memcore_core::{
    Batch, BatchId, BatchReceipt, Change, ChangeReason, MemoryRecord, MemoryStore, MessageId, Result, StoredMessage,
};

use crate::sample;

/// A hand that writes into a store: each batch has the next id and the next minute.
#[derive(Debug)]
pub struct Writer {
    store: Arc<dyn MemoryStore>,
    batches: AtomicU64,
}

impl Writer {
    /// Writes into this store.
    #[must_use]
    pub fn new(store: Arc<dyn MemoryStore>) -> Self {
        Self { store, batches: AtomicU64::new(1) }
    }

    /// The next batch of a user, still empty.
    #[must_use]
    pub fn batch(&self, user: &str) -> Batch {
        let n = self.batches.fetch_add(1, Ordering::Relaxed);
        Batch::new(sample::batch_id(n), sample::user_id(user), sample::at(i64::try_from(n).unwrap()))
    }

    /// Commits one change in a batch of its own.
    ///
    /// # Errors
    /// As [`MemoryStore::commit`].
    pub async fn change(&self, user: &str, change: Change) -> Result<BatchReceipt> {
        self.store.commit(self.batch(user).with(change)).await
    }

    /// Stores a new record of its scope's user; answers with the batch.
    pub async fn insert(&self, record: &MemoryRecord) -> BatchId {
        self.insert_all(std::slice::from_ref(record)).await
    }

    /// Stores new records of one user in one batch.
    pub async fn insert_all(&self, records: &[MemoryRecord]) -> BatchId {
        let user = records.first().expect("at least one record").scope.user_id().as_str();
        let batch = records.iter().fold(self.batch(user), |batch, record| batch.with(insertion(record)));
        let id = batch.id;
        self.store.commit(batch).await.expect("a new record can be stored");
        id
    }

    /// Puts a new version in a record's place; answers with the batch.
    pub async fn update(&self, record: &MemoryRecord, reason: ChangeReason) -> BatchId {
        let batch = self.batch(record.scope.user_id().as_str()).with(update(record, reason));
        let id = batch.id;
        self.store.commit(batch).await.expect("a stored record can be changed");
        id
    }

    /// Appends messages of one user; answers with those that were new.
    pub async fn append(&self, messages: Vec<StoredMessage>) -> Vec<MessageId> {
        let user = messages.first().expect("at least one message").scope.user_id().clone();
        let receipt = self.change(user.as_str(), Change::AppendMessages(messages)).await;
        receipt.expect("messages can be appended").appended
    }
}

/// The change that stores a new record, without vectors.
pub(crate) fn insertion(record: &MemoryRecord) -> Change {
    Change::Insert { record: Box::new(record.clone()), vectors: None, reason: ChangeReason::Added }
}

/// The change that puts a new version in a record's place, without vectors.
pub(crate) fn update(record: &MemoryRecord, reason: ChangeReason) -> Change {
    Change::Update { record: Box::new(record.clone()), vectors: None, reason }
}
