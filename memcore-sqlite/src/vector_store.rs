//! The trait of vector indexes, on the same file.

use async_trait::async_trait;
use memcore_core::{
    Fingerprint, MemoryId, Result, VectorCapabilities, VectorEntry, VectorHit, VectorMeta, VectorQuery, VectorStore,
};

use crate::{error::Failure, records, store::SqliteStore, vector_search, vectors};

#[async_trait]
impl VectorStore for SqliteStore {
    fn capabilities(&self) -> VectorCapabilities {
        VectorCapabilities::within_record_store()
    }

    async fn upsert(&self, entries: Vec<VectorEntry>) -> Result<()> {
        self.write(move |transaction| {
            for entry in entries {
                let record = records::number(transaction, entry.id)?
                    .ok_or_else(|| Failure::not_found("no memory has this id, so it can have no vectors"))?;
                vectors::set(transaction, record, &entry.identity, &entry.embedding)?;
            }
            Ok(())
        })
        .await
    }

    /// The filter reads the record itself, so there is nothing to take over.
    async fn update_meta(&self, _id: MemoryId, _meta: VectorMeta) -> Result<()> {
        Ok(())
    }

    async fn delete(&self, ids: &[MemoryId]) -> Result<usize> {
        let ids = ids.to_vec();
        self.write(move |transaction| {
            let mut deleted = 0;
            for id in ids {
                let Some(record) = records::number(transaction, id)? else { continue };
                deleted += usize::from(vectors::remove(transaction, record)? > 0);
            }
            Ok(deleted)
        })
        .await
    }

    async fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let query = query.clone();
        self.read(move |transaction| vector_search::search(transaction, &query)).await
    }

    async fn ids(&self, identity: &Fingerprint, after: Option<MemoryId>, limit: usize) -> Result<Vec<MemoryId>> {
        let identity = identity.clone();
        self.read(move |transaction| vectors::ids(transaction, &identity, after, limit)).await
    }
}
