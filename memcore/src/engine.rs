//! What all handles share: the parts that were plugged in, and the state of the vectors.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64},
    },
};

use memcore_core::{
    BatchId, Clock, Embedder, Extractor, Fingerprint, IdGenerator, Injector, JobId, MemoryId, MemoryStore, Redactor,
    Reviewer, Scope, Summarizer, Timestamp, TokenCounter, VectorStore,
};

use crate::{
    pipeline::queue::InFlight,
    policy::{breaker::Breaker, calibration::Calibration},
    settings::Settings,
};

/// The parts of a memory, ready for use.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn MemoryStore>,
    pub(crate) vectors: Option<VectorArm>,
    /// Why vector search does not answer, where it should.
    pub(crate) degraded: Option<String>,
    pub(crate) extractor: Arc<dyn Extractor>,
    pub(crate) summarizer: Arc<dyn Summarizer>,
    pub(crate) reviewer: Option<Arc<dyn Reviewer>>,
    pub(crate) injector: Arc<dyn Injector>,
    pub(crate) redactor: Arc<dyn Redactor>,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) settings: Settings,
    /// What this process is reading; other processes are kept apart by leases.
    pub(crate) in_flight: InFlight,
    /// One plan at a time in this process: two would make each other's stale.
    pub(crate) writing: tokio::sync::Mutex<()>,
    /// Whether the extractor's endpoint is left alone. See [`Engine::breaker`].
    pub(crate) breaker: Mutex<Breaker>,
    /// Sessions whose summary is queued to be renewed.
    pub(crate) folding: Mutex<BTreeSet<Scope>>,
    /// Observations so far: the bound of the queue is looked at every so often.
    pub(crate) observed: AtomicU64,
    /// Whether records may wait for vectors: at the start, and since the embedder last failed.
    pub(crate) vectors_wait: AtomicBool,
    /// Whether too much waited at the last look.
    pub(crate) is_full: AtomicBool,
}

/// An embedder and the store of its vectors.
#[derive(Debug)]
pub(crate) struct VectorArm {
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) store: Arc<dyn VectorStore>,
    pub(crate) identity: Fingerprint,
    pub(crate) calibration: Calibration,
    /// Whether vectors are committed with their records; else they follow in a second step.
    pub(crate) shares_record_store: bool,
}

impl Engine {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn memory_id(&self) -> MemoryId {
        MemoryId::from_uuid(self.ids.next_id())
    }

    pub(crate) fn batch_id(&self) -> BatchId {
        BatchId::from_uuid(self.ids.next_id())
    }

    pub(crate) fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn folding(&self) -> MutexGuard<'_, BTreeSet<Scope>> {
        self.folding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many sessions are read side by side: one while it is doubtful whether the endpoint answers.
    pub(crate) fn sessions_at_once(&self) -> usize {
        if self.breaker().is_doubtful() { 1 } else { self.settings.capture.sessions_at_once.max(1) }
    }

    pub(crate) fn job_id(&self) -> JobId {
        JobId::from_uuid(self.ids.next_id())
    }
}
