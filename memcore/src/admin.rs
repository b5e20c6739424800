//! What concerns a store as a whole.

use std::sync::Arc;

use memcore_core::{
    EmbeddingIdentity, Error, ErrorKind, Job, QueueState, Result, StoreStats, Timestamp, UsageEntry, UserId,
    VerifyReport,
};

use crate::{
    engine::Engine,
    pipeline::{embed, queue},
};

/// Records that get their vectors in one call of [`Admin::embed_pending`].
const EMBED_BATCH: usize = 256;

/// A handle that a host hands out on purpose. It answers figures and ids, no memory's content.
#[derive(Debug, Clone)]
pub struct Admin {
    engine: Arc<Engine>,
}

impl Admin {
    pub(crate) fn new(engine: Arc<Engine>) -> Self {
        Self { engine }
    }

    /// Figures of the store, or of one user.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats> {
        self.engine.store.stats(user).await
    }

    /// Checks that records, hashes, vectors and index terms agree.
    ///
    /// # Errors
    /// What the store answers; contradictions are no error but part of the report.
    pub async fn verify(&self) -> Result<VerifyReport> {
        self.engine.store.verify().await
    }

    /// Users that have anything here, in byte order, after `after`.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>> {
        self.engine.store.users(after, limit).await
    }

    /// Work that waits or was given up.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn jobs(&self) -> Result<Vec<Job>> {
        self.engine.store.jobs(None).await
    }

    /// How full the queue is.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn queue(&self) -> Result<QueueState> {
        self.engine.store.queue(None).await
    }

    /// Gives all work that was given up another chance; answers how many jobs.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn replay(&self) -> Result<u64> {
        queue::revive(&self.engine, None).await
    }

    /// What language models were used for since the day of a moment, over all users, by day, purpose and model.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn usage(&self, since: Timestamp) -> Result<Vec<UsageEntry>> {
        self.engine.store.usage(None, since).await
    }

    /// The embedder's model; none without an embedder.
    #[must_use]
    pub fn embedder(&self) -> Option<&EmbeddingIdentity> {
        self.engine.vectors.as_ref().map(|arm| arm.embedder.identity())
    }

    /// Why vector search does not answer, where it should.
    #[must_use]
    pub fn degraded(&self) -> Option<&str> {
        self.engine.degraded.as_deref()
    }

    /// Gives vectors to records that wait for them (the embedder was out of reach); answers how many got one.
    ///
    /// # Errors
    /// What the stores answer. A text that no vector can be made of is left waiting.
    pub async fn embed_pending(&self) -> Result<u64> {
        embed::drain_pending(&self.engine, EMBED_BATCH).await
    }

    /// Makes vectors of the present embedder for every record, and lets them be searched. Vector search answers from the
    /// next opening on; until then text search does.
    ///
    /// Can be broken off and called again: what is done stays done.
    ///
    /// # Errors
    /// `Unsupported` without an embedder; `Unavailable` where the embedder makes no progress; what the stores answer.
    pub async fn reindex(&self) -> Result<u64> {
        let arm = self.engine.vectors.as_ref().ok_or_else(|| {
            Error::new(ErrorKind::Unsupported, "there is no embedder to make vectors with")
                .with_hint("choose one, as in --embedder builtin")
        })?;
        let done = embed::reindex(&self.engine, arm).await?;
        self.engine.store.set_embedding_identity(arm.embedder.identity()).await?;
        Ok(done)
    }
}
