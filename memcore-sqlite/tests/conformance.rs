//! The store keeps every clause of both contracts, and answers as the RAM reference does.
#![allow(clippy::unwrap_used, reason = "a failed expectation of a test is a panic")]

use std::sync::Arc;

use memcore_core::MemoryStore;
use memcore_sqlite::{SqliteStore, Synchronous};
use memcore_testkit::{Shared, StoreFixture};
use tempfile::TempDir;

/// A store in a folder of its own.
struct OnDisk {
    folder: TempDir,
    store: Arc<dyn MemoryStore>,
}

async fn open(folder: &TempDir) -> Arc<SqliteStore> {
    // What these cases check does not depend on flushing each commit to the disk.
    let builder = SqliteStore::builder(folder.path().join("memory.db")).synchronous(Synchronous::Normal);
    Arc::new(builder.build().await.unwrap())
}

impl OnDisk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder).await;
        Self { folder, store }
    }
}

#[async_trait::async_trait]
impl StoreFixture for OnDisk {
    fn store(&self) -> Arc<dyn MemoryStore> {
        Arc::clone(&self.store)
    }

    async fn reopen(self: Box<Self>) -> Option<Box<dyn StoreFixture>> {
        let Self { folder, store } = *self;
        drop(store);
        let store = open(&folder).await;
        Some(Box::new(Self { folder, store }))
    }
}

async fn vectors() -> Shared<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    Shared::new(open(&folder).await, folder)
}

mod records {
    memcore_testkit::memory_store_suite!(super::OnDisk::new);
}

mod vector_index {
    memcore_testkit::vector_store_suite!(super::vectors);
}

#[test]
fn random_operations_leave_what_the_reference_has() {
    memcore_testkit::block_on(async {
        for seed in 1..=3 {
            let fixture = OnDisk::new().await;
            memcore_testkit::random_operations(fixture.store(), seed, 300).await;
        }
    });
}

#[test]
fn random_vector_operations_leave_what_the_reference_has() {
    memcore_testkit::block_on(async {
        for seed in 1..=3 {
            memcore_testkit::random_vector_operations(&vectors().await, seed, 200).await;
        }
    });
}
