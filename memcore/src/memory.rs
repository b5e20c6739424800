//! The memory of an agent: opens a store and hands out handles.

use std::sync::Arc;

use memcore_core::{Embedder, MemoryStore, Result, Scope};

use crate::{
    admin::Admin, builder::MemoryBuilder, engine::Engine, outcome::CaptureReport, pipeline::queue,
    scoped::ScopedMemory, worker::Worker,
};

/// A long-term memory. Clones are handles to the same one.
#[derive(Debug, Clone)]
pub struct Memory {
    engine: Arc<Engine>,
}

impl Memory {
    /// Opens (or makes) a SQLite file with the built-in embeddings and the rule extractor: no network, no key, no
    /// download.
    ///
    /// # Errors
    /// What [`SqliteStore::open`](crate::sqlite::SqliteStore::open) answers: a file that is no database of memcore's, of
    /// a newer version, unreadable, …
    #[cfg(all(feature = "sqlite", feature = "builtin"))]
    pub async fn open(path: impl AsRef<std::path::Path>) -> Result<Self> {
        let store = crate::sqlite::SqliteStore::open(path).await?;
        Self::builder(store, crate::builtin::StaticEmbedder::load()?).build().await
    }

    /// A memory on a store, with an embedder; the other parts can be set before `build`.
    pub fn builder(store: impl MemoryStore, embedder: impl Embedder) -> MemoryBuilder {
        MemoryBuilder::new(Arc::new(store)).embedder(Arc::new(embedder))
    }

    /// A memory that searches by words alone.
    pub fn builder_without_embedder(store: impl MemoryStore) -> MemoryBuilder {
        MemoryBuilder::new(Arc::new(store))
    }

    pub(crate) fn of(engine: Arc<Engine>) -> Self {
        Self { engine }
    }

    /// The memories that one user sees, perhaps from within a project. There is no way to memories but through here.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> ScopedMemory {
        ScopedMemory::new(self.engine.clone(), scope)
    }

    /// What concerns the store as a whole. It answers no memory's content.
    #[must_use]
    pub fn admin(&self) -> Admin {
        Admin::new(self.engine.clone())
    }

    /// Why vector search does not answer, where it should: the store's vectors are another model's.
    #[must_use]
    pub fn degraded(&self) -> Option<&str> {
        self.engine.degraded.as_deref()
    }

    /// Starts a worker that reads what is observed, of every user and by whatever process, as it becomes due: beside the
    /// sessions of this process, which read their own.
    ///
    /// Must be called within a Tokio runtime.
    #[must_use = "a worker ends when it is dropped"]
    pub fn start_worker(&self) -> Worker {
        Worker::start(self.engine.clone(), None)
    }

    /// Reads everything that was observed and is still queued, of every user, and gives texts their vectors that
    /// wait for them.
    ///
    /// # Errors
    /// What the store answers. A failing extractor is no error: it is counted in the report, and its job waits.
    pub async fn flush(&self) -> Result<CaptureReport> {
        queue::flush(&self.engine, None).await
    }
}
