//! An embedder that fails where a test wants it to.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use async_trait::async_trait;
use memcore_core::{EmbedRole, Embedder, EmbeddingIdentity, Error, ErrorKind, Result, TextEmbedding};

/// Wraps an embedder, and refuses some texts, or all of them while it is down. Clones share their state.
#[derive(Debug, Clone)]
pub struct FaultyEmbedder {
    inner: Arc<dyn Embedder>,
    refused: Vec<(String, ErrorKind)>,
    is_down: Arc<AtomicBool>,
    batches: Arc<AtomicU64>,
    texts: Arc<AtomicU64>,
}

impl FaultyEmbedder {
    /// Wraps an embedder; nothing fails yet.
    #[must_use]
    pub fn new(inner: impl Embedder) -> Self {
        let (is_down, batches, texts) = Default::default();
        Self { inner: Arc::new(inner), refused: Vec::new(), is_down, batches, texts }
    }

    /// Refuses every text that contains `part`: with `NotEmbeddable`, as a model does that would answer NaN, or with
    /// another kind.
    #[must_use]
    pub fn refusing(mut self, part: &str, kind: ErrorKind) -> Self {
        self.refused.push((part.to_owned(), kind));
        self
    }

    /// From now on every result is `Unavailable`.
    pub fn go_down(&self) {
        self.is_down.store(true, Ordering::Relaxed);
    }

    /// Answers again.
    pub fn come_back(&self) {
        self.is_down.store(false, Ordering::Relaxed);
    }

    /// How many batches it was given.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.batches.load(Ordering::Relaxed)
    }

    /// How many texts it was given, in all batches.
    #[must_use]
    pub fn texts(&self) -> u64 {
        self.texts.load(Ordering::Relaxed)
    }

    fn refusal(&self, text: &str) -> Option<Error> {
        if self.is_down.load(Ordering::Relaxed) {
            return Some(Error::new(ErrorKind::Unavailable, "the embedder is down, as the test wants it"));
        }
        let (_, kind) = self.refused.iter().find(|(part, _)| text.contains(part.as_str()))?;
        Some(Error::new(*kind, "the text is refused, as the test wants it"))
    }
}

#[async_trait]
impl Embedder for FaultyEmbedder {
    fn identity(&self) -> &EmbeddingIdentity {
        self.inner.identity()
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.texts.fetch_add(texts.len() as u64, Ordering::Relaxed);
        let results = self.inner.embed(texts, role).await;
        texts.iter().zip(results).map(|(text, result)| self.refusal(text).map_or(result, Err)).collect()
    }
}
