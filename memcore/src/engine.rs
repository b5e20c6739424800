//! What all handles share: the parts that were plugged in, and the state of the vectors.

use std::sync::Arc;

use memcore_core::{
    BatchId, Clock, Embedder, Extractor, Fingerprint, IdGenerator, Injector, JobId, MemoryId, MemoryStore, Redactor,
    Timestamp, TokenCounter, VectorStore,
};

use crate::{policy::calibration::Calibration, settings::Settings};

/// The parts of a memory, ready for use.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn MemoryStore>,
    pub(crate) vectors: Option<VectorArm>,
    /// Why vector search does not answer, where it should.
    pub(crate) degraded: Option<String>,
    pub(crate) extractor: Arc<dyn Extractor>,
    pub(crate) injector: Arc<dyn Injector>,
    pub(crate) redactor: Arc<dyn Redactor>,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdGenerator>,
    pub(crate) settings: Settings,
    /// One capture at a time in this process; other processes are kept apart by leases.
    pub(crate) capturing: tokio::sync::Mutex<()>,
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

    pub(crate) fn job_id(&self) -> JobId {
        JobId::from_uuid(self.ids.next_id())
    }
}
