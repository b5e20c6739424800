//! The trait of embedding models.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{Embedding, EmbeddingIdentity, Error, Result};

/// What a text is for: some models put another prefix before each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EmbedRole {
    /// A question that looks for passages.
    Query,
    /// A text that is to be found.
    Passage,
}

/// The vectors of one text: one, or several where the text is longer than the model's limit.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEmbedding(Vec<Embedding>);

impl TextEmbedding {
    /// The usual case: one vector.
    #[must_use]
    pub fn single(embedding: Embedding) -> Self {
        Self(vec![embedding])
    }

    /// The overlapping pieces of a long text, in order.
    ///
    /// # Errors
    /// `InvalidInput` where there is none, or their dimensions differ.
    pub fn chunked(chunks: Vec<Embedding>) -> Result<Self> {
        match chunks.first() {
            None => Err(Error::invalid("a text's embedding has at least one vector")),
            Some(first) if chunks.iter().any(|chunk| chunk.dimensions() != first.dimensions()) => {
                Err(Error::invalid("the vectors of one text have the same dimensions"))
            }
            Some(_) => Ok(Self(chunks)),
        }
    }

    /// The vectors, at least one.
    #[must_use]
    pub fn chunks(&self) -> &[Embedding] {
        &self.0
    }

    /// The vectors, at least one.
    #[must_use]
    pub fn into_chunks(self) -> Vec<Embedding> {
        self.0
    }
}

/// Turns texts into vectors.
///
/// Contract:
/// - `embed` answers with exactly one result per text, in the order of the texts; no texts, no results.
/// - One bad text fails alone. A text that the model cannot represent (blank, or nothing it knows) answers
///   `NotEmbeddable`; a model that does not answer makes every result `Unavailable`.
/// - Every vector has `identity().dimensions` values.
/// - A text's vectors do not depend on the other texts of the batch (cosine at least 0.9999), and the same text gives
///   the same vectors.
/// - A text longer than `identity().max_tokens` gives several vectors that together cover it, never a silent cut.
/// - `identity()` never changes during the embedder's life.
/// - Dropping the future cancels at the next batch boundary at the latest; nothing is kept of the texts.
#[async_trait]
pub trait Embedder: Send + Sync + Debug + 'static {
    /// What makes these vectors comparable to others.
    fn identity(&self) -> &EmbeddingIdentity;

    /// Embeds each text for its role.
    async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>>;
}
