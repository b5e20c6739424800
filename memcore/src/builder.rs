//! Puts a memory together from its parts.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64},
};

use memcore_core::{
    Clock, Embedder, ErrorKind, EstimatedTokens, Extractor, IdGenerator, Injector, MemoryStore, Redactor, Result,
    Reviewer, Summarizer, SystemClock, TimeOrderedIds, TokenCounter, VectorStore,
};

use crate::{
    engine::{Engine, VectorArm},
    extract::RuleExtractor,
    inject::FencedInjector,
    memory::Memory,
    pipeline::queue::InFlight,
    policy::calibration::Calibration,
    redact::PatternRedactor,
    settings::Settings,
    summarize::ExtractiveSummarizer,
};

/// Everything that a [`Memory`] is made of; only the store is required.
#[derive(Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct MemoryBuilder {
    store: Arc<dyn MemoryStore>,
    embedder: Option<Arc<dyn Embedder>>,
    vectors: Option<Arc<dyn VectorStore>>,
    extractor: Arc<dyn Extractor>,
    summarizer: Arc<dyn Summarizer>,
    reviewer: Option<Arc<dyn Reviewer>>,
    injector: Arc<dyn Injector>,
    redactor: Arc<dyn Redactor>,
    counter: Arc<dyn TokenCounter>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdGenerator>,
    calibration: Option<Calibration>,
    settings: Settings,
}

impl MemoryBuilder {
    /// A memory on a store, without vectors, with the rule extractor, the extractive summarizer, the fenced injector, the
    /// pattern redactor and the system's clock.
    pub fn new(store: Arc<dyn MemoryStore>) -> Self {
        Self {
            store,
            embedder: None,
            vectors: None,
            extractor: Arc::new(RuleExtractor::new()),
            summarizer: Arc::new(ExtractiveSummarizer::new()),
            reviewer: None,
            injector: Arc::new(FencedInjector),
            redactor: Arc::new(PatternRedactor::new()),
            counter: Arc::new(EstimatedTokens),
            clock: Arc::new(SystemClock),
            ids: Arc::new(TimeOrderedIds),
            calibration: None,
            settings: Settings::default(),
        }
    }

    /// Searches by meaning with this model.
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// Keeps vectors in a store of their own instead of the record store's.
    pub fn vectors(mut self, vectors: impl VectorStore) -> Self {
        self.vectors = Some(Arc::new(vectors));
        self
    }

    /// Finds memories with this extractor.
    pub fn extractor(mut self, extractor: impl Extractor) -> Self {
        self.extractor = Arc::new(extractor);
        self
    }

    /// Summarises what leaves the short-term window with this summarizer.
    pub fn summarizer(mut self, summarizer: impl Summarizer) -> Self {
        self.summarizer = Arc::new(summarizer);
        self
    }

    /// Checks memories against recent conversations with this reviewer; see
    /// [`ScopedMemory::review`](crate::ScopedMemory::review).
    pub fn reviewer(mut self, reviewer: impl Reviewer) -> Self {
        self.reviewer = Some(Arc::new(reviewer));
        self
    }

    /// Renders memories with this injector.
    pub fn injector(mut self, injector: impl Injector) -> Self {
        self.injector = Arc::new(injector);
        self
    }

    /// Takes secrets out with this redactor.
    pub fn redactor(mut self, redactor: impl Redactor) -> Self {
        self.redactor = Arc::new(redactor);
        self
    }

    /// Counts tokens with this counter.
    pub fn token_counter(mut self, counter: impl TokenCounter) -> Self {
        self.counter = Arc::new(counter);
        self
    }

    /// Tells the time by this clock.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Makes ids with this generator.
    pub fn id_generator(mut self, ids: impl IdGenerator) -> Self {
        self.ids = Arc::new(ids);
        self
    }

    /// What the embedder's cosines mean, for a model that is not in the built-in table.
    pub fn calibration(mut self, calibration: Calibration) -> Self {
        self.calibration = Some(calibration);
        self
    }

    /// Sets all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Compares the embedder with the store's vectors and opens the memory.
    ///
    /// A store whose vectors are another model's opens all the same: text search answers, every answer says
    /// `degraded`, and [`Admin::reindex`](crate::Admin::reindex) makes new vectors.
    ///
    /// # Errors
    /// What the store answers when it is asked for its model; `InvalidInput` for settings out of range.
    pub async fn build(self) -> Result<Memory> {
        let recall = &self.settings.recall;
        for floor in [recall.search_floor, recall.injection_floor] {
            if !(0.0..=1.0).contains(&floor) {
                return Err(memcore_core::Error::invalid(format!("a relevance floor is 0 to 1, not {floor}")));
            }
        }
        let (vectors, degraded) = match self.embedder {
            None => (None, None),
            Some(embedder) => {
                let own = self.vectors.or_else(|| self.store.clone().vectors());
                let store = own.unwrap_or_else(|| Arc::new(memcore_core::RamVectors::new()));
                let degraded = adopt_identity(&*self.store, &*embedder).await?;
                let identity = embedder.identity();
                let arm = VectorArm {
                    identity: identity.fingerprint(),
                    calibration: self.calibration.unwrap_or_else(|| Calibration::of(identity)),
                    shares_record_store: store.capabilities().shares_record_store,
                    embedder,
                    store,
                };
                (Some(arm), degraded)
            }
        };
        let engine = Engine {
            store: self.store,
            vectors,
            degraded,
            extractor: self.extractor,
            summarizer: self.summarizer,
            reviewer: self.reviewer,
            injector: self.injector,
            redactor: self.redactor,
            counter: self.counter,
            clock: self.clock,
            ids: self.ids,
            settings: self.settings,
            in_flight: InFlight::default(),
            writing: tokio::sync::Mutex::new(()),
            breaker: std::sync::Mutex::default(),
            folding: std::sync::Mutex::default(),
            observed: AtomicU64::new(0),
            is_full: AtomicBool::new(false),
            vectors_wait: AtomicBool::new(true),
        };
        Ok(Memory::of(Arc::new(engine)))
    }
}

/// Makes the embedder's model that of a store without one; answers why vector search is off where they differ.
async fn adopt_identity(store: &dyn MemoryStore, embedder: &dyn Embedder) -> Result<Option<String>> {
    let ours = embedder.identity();
    match store.embedding_identity().await? {
        Some(theirs) if theirs.fingerprint() == ours.fingerprint() => Ok(None),
        Some(theirs) => Ok(Some(format!(
            "the vectors here are of {} ({} dimensions), the embedder is {} ({}): words alone are searched; `reindex` makes new vectors",
            theirs.model, theirs.dimensions, ours.model, ours.dimensions
        ))),
        None => match store.set_embedding_identity(ours).await {
            Ok(()) => Ok(None),
            // Nothing has been embedded yet, and nothing will be.
            Err(error) if error.kind() == ErrorKind::ReadOnly => Ok(None),
            Err(error) => Err(error),
        },
    }
}
