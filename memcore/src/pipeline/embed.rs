//! Texts to vectors, and vectors that were late into their store.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use memcore_core::{
    Batch, Change, EmbedRole, ErrorKind, Fingerprint, MemoryId, MemoryRecord, Result, TextEmbedding, UserId,
    VectorEntry,
};

use crate::engine::{Engine, VectorArm};

/// Records that get their vectors in one step.
const PENDING_BATCH: usize = 64;

/// The vectors of texts to be stored: one entry per text, none where there is no vector (yet).
///
/// An embedder that does not answer costs nobody a memory: the text waits for its vector, and text search finds it.
pub(crate) async fn passages(engine: &Engine, texts: &[String]) -> Vec<Option<TextEmbedding>> {
    match &engine.vectors {
        Some(arm) if engine.degraded.is_none() && !texts.is_empty() => {
            let results = arm.embedder.embed(texts, EmbedRole::Passage).await;
            let mut embedded: Vec<Option<TextEmbedding>> = results.into_iter().map(Result::ok).collect();
            embedded.resize(texts.len(), None);
            if embedded.iter().any(Option::is_none) {
                engine.vectors_wait.store(true, Ordering::Relaxed);
            }
            embedded
        }
        _ => vec![None; texts.len()],
    }
}

/// Vectors in the form in which a batch takes them: only where they live in the record store.
pub(crate) fn for_batch(engine: &Engine, embedding: Option<&TextEmbedding>) -> Option<(Fingerprint, TextEmbedding)> {
    let arm = engine.vectors.as_ref().filter(|arm| arm.shares_record_store)?;
    Some((arm.identity.clone(), embedding?.clone()))
}

/// Brings a separate vector store up to date after a commit of `records`: new vectors, changed filters.
///
/// A failure is no loss: the records are marked as waiting, and [`drain_pending`] brings them in later.
pub(crate) async fn follow_up(
    engine: &Engine,
    user: &UserId,
    changed: &[(MemoryRecord, Option<TextEmbedding>)],
) -> Result<()> {
    let Some(arm) = engine.vectors.as_ref().filter(|arm| !arm.shares_record_store) else {
        return Ok(());
    };
    let mut entries = Vec::new();
    for (record, embedding) in changed {
        match embedding {
            Some(embedding) => entries.push(VectorEntry::new(record, arm.identity.clone(), embedding.clone())),
            None => arm.store.update_meta(record.id, record.into()).await?,
        }
    }
    upsert(engine, arm, user, entries).await
}

/// Embeds records that wait for vectors, at most `limit`; answers how many got them. A text that cannot be embedded is
/// left waiting and skipped.
pub(crate) async fn drain_pending(engine: &Engine, limit: usize) -> Result<u64> {
    match engine.vectors.as_ref().filter(|_| engine.degraded.is_none()) {
        Some(arm) => embed_waiting(engine, arm, limit).await,
        None => Ok(0),
    }
}

/// Embeds what waits for vectors, where anything may; answers whether nothing does any more. What cannot be embedded at
/// all is no reason to wait.
pub(crate) async fn catch_up(engine: &Engine) -> Result<bool> {
    let Some(arm) = engine.vectors.as_ref().filter(|_| engine.degraded.is_none()) else { return Ok(true) };
    if !engine.vectors_wait.swap(false, Ordering::Relaxed) {
        return Ok(true);
    }
    let caught_up = async {
        reindex(engine, arm).await?;
        Ok(engine.store.pending_vectors(&arm.identity, 1).await?.is_empty())
    };
    let caught_up = caught_up.await;
    if !matches!(caught_up, Ok(true)) {
        engine.vectors_wait.store(true, Ordering::Relaxed);
    }
    caught_up
}

/// Gives every record vectors of the arm's model.
pub(crate) async fn reindex(engine: &Engine, arm: &VectorArm) -> Result<u64> {
    let mut total = 0;
    loop {
        let done = embed_waiting(engine, arm, PENDING_BATCH).await?;
        total += done;
        if done == 0 {
            // What still waits cannot be embedded, or nothing waits.
            return Ok(total);
        }
    }
}

async fn embed_waiting(engine: &Engine, arm: &VectorArm, limit: usize) -> Result<u64> {
    let mut by_user: BTreeMap<UserId, Vec<MemoryRecord>> = BTreeMap::new();
    for (scope, id) in engine.store.pending_vectors(&arm.identity, limit).await? {
        let records = engine.store.get(&scope, &[id]).await?;
        by_user.entry(scope.user_id().clone()).or_default().extend(records);
    }
    let mut done = 0;
    for (user, records) in by_user {
        let texts: Vec<String> = records.iter().map(|record| record.content.clone()).collect();
        let embedded = arm.embedder.embed(&texts, EmbedRole::Passage).await;
        let entries: Vec<VectorEntry> = records
            .iter()
            .zip(embedded)
            .filter_map(|(record, embedding)| Some(VectorEntry::new(record, arm.identity.clone(), embedding.ok()?)))
            .collect();
        done += entries.len() as u64;
        upsert(engine, arm, &user, entries).await?;
    }
    Ok(done)
}

async fn upsert(engine: &Engine, arm: &VectorArm, user: &UserId, entries: Vec<VectorEntry>) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut batch = Batch::new(engine.batch_id(), user.clone(), engine.now());
    for entry in &entries {
        let embedding = arm.shares_record_store.then(|| entry.embedding.clone());
        batch = batch.with(Change::SetVectors { id: entry.id, identity: entry.identity.clone(), embedding });
    }
    let ids: Vec<MemoryId> = entries.iter().map(|entry| entry.id).collect();
    if !arm.shares_record_store {
        arm.store.upsert(entries).await?;
    }
    match engine.store.commit(batch).await {
        // A record was erased meanwhile: its vectors must not outlive it. The others still wait for theirs.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if arm.shares_record_store {
                Ok(())
            } else {
                arm.store.delete(&ids).await.map(|_| ())
            }
        }
        other => other.map(|_| ()),
    }
}
