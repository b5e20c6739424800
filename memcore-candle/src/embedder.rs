//! The embedder that hosts hold: an identity and the thread that owns the model.

use async_trait::async_trait;
use memcore_core::{EmbedRole, Embedder, EmbeddingIdentity, Result, TextEmbedding};

use crate::engine::Engine;
use crate::error::CandleError;
use crate::worker::Worker;
use crate::{BertBuilder, ModelSource};

/// A sentence model of the BERT family, loaded.
///
/// Requests are computed one after the other on a thread of the embedder's own, each in batches of texts of like
/// length; a request whose future is dropped ends at its next batch. Blank texts answer `NotEmbeddable`. A word that
/// the vocabulary lacks is embedded as the model's unknown token, so an English model can hardly tell one Chinese text
/// from another: take [`E5Small`](crate::E5Small) or [`BgeSmallZh`](crate::BgeSmallZh) there.
#[derive(Debug)]
pub struct BertEmbedder {
    identity: EmbeddingIdentity,
    worker: Worker,
}

impl BertEmbedder {
    /// Starts to describe a model that has no name here; `model` is its name in the identity.
    pub fn builder(model: impl Into<String>, source: ModelSource) -> BertBuilder {
        BertBuilder::new(model, source)
    }

    pub(crate) fn start(identity: EmbeddingIdentity, engine: Engine) -> Result<Self, CandleError> {
        let embed =
            move |texts: &[String], role, is_cancelled: &dyn Fn() -> bool| engine.embed(texts, role, is_cancelled);
        let worker = Worker::spawn(Box::new(embed)).map_err(CandleError::Thread)?;
        Ok(Self { identity, worker })
    }
}

#[async_trait]
impl Embedder for BertEmbedder {
    fn identity(&self) -> &EmbeddingIdentity {
        &self.identity
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        if texts.is_empty() {
            return Vec::new();
        }
        self.worker.embed(texts, role).await
    }
}
