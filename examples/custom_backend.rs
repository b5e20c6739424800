//! A vector store of one's own: what to write, how to plug it in, and how to prove that it keeps the contract.
//!
//! `cargo run --example custom_backend` uses it; `cargo test --example custom_backend` runs the conformance suite.
#![cfg_attr(not(test), expect(clippy::print_stdout, reason = "examples talk to people"))]

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};

use async_trait::async_trait;
use memcore::core::{
    Error, Fingerprint, MemoryId, Result, VectorCapabilities, VectorEntry, VectorHit, VectorMeta, VectorQuery,
    VectorStore,
};

/// Vectors in a sorted map: each search reads them all.
#[derive(Debug, Default)]
struct MapVectors(RwLock<BTreeMap<(Fingerprint, MemoryId), VectorEntry>>);

#[async_trait]
impl VectorStore for MapVectors {
    fn capabilities(&self) -> VectorCapabilities {
        VectorCapabilities::standalone(false)
    }

    async fn upsert(&self, entries: Vec<VectorEntry>) -> Result<()> {
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for entry in &entries {
            let same = |other: &&VectorEntry| other.identity == entry.identity;
            check(entry.embedding.chunks()[0].dimensions(), map.values().find(same).or(entries.iter().find(same)))?;
        }
        map.extend(entries.into_iter().map(|entry| ((entry.identity.clone(), entry.id), entry)));
        Ok(())
    }

    async fn update_meta(&self, id: MemoryId, meta: VectorMeta) -> Result<()> {
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        map.values_mut().filter(|entry| entry.id == id).for_each(|entry| entry.meta = meta.clone());
        Ok(())
    }

    async fn delete(&self, ids: &[MemoryId]) -> Result<usize> {
        let mut map = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let had = ids.iter().collect::<std::collections::BTreeSet<_>>();
        let had = had.iter().filter(|id| map.keys().any(|(_, other)| other == **id)).count();
        map.retain(|(_, id), _| !ids.contains(id));
        Ok(had)
    }

    async fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let map = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut hits = Vec::new();
        for entry in map.values().filter(|entry| entry.identity == query.identity) {
            check(query.embedding.dimensions(), Some(entry))?;
            if query.filter.admits_meta(entry.id, &entry.meta) {
                let chunks = entry.embedding.chunks().iter();
                let cosines: Result<Vec<f32>> = chunks.map(|chunk| chunk.cosine(&query.embedding)).collect();
                hits.push(VectorHit { id: entry.id, similarity: cosines?.into_iter().fold(-1.0, f32::max) });
            }
        }
        hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.id.cmp(&b.id)));
        hits.truncate(query.k);
        Ok(hits)
    }

    async fn ids(&self, identity: &Fingerprint, after: Option<MemoryId>, limit: usize) -> Result<Vec<MemoryId>> {
        let map = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let ids = map.keys().filter(|(of, id)| of == identity && after.is_none_or(|after| *id > after));
        Ok(ids.map(|(_, id)| *id).take(limit).collect())
    }
}

fn check(dimensions: usize, entry: Option<&VectorEntry>) -> Result<()> {
    match entry.map(|entry| entry.embedding.chunks()[0].dimensions()) {
        Some(own) if own != dimensions => Err(Error::invalid(format!("{dimensions} dimensions instead of {own}"))),
        _ => Ok(()),
    }
}

#[cfg(not(test))]
#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    use memcore::{MemoryBuilder, RamStore, RecallRequest, RememberRequest, Scope, builtin::StaticEmbedder};
    use std::sync::Arc;

    let memory = MemoryBuilder::new(Arc::new(RamStore::new()))
        .embedder(Arc::new(StaticEmbedder::load()?))
        .vectors(MapVectors::default())
        .build()
        .await?;
    let kai = memory.scope(Scope::user("kai")?);
    for fact in ["The spare key hangs behind the blue door", "我把备用钥匙交给了邻居保管"] {
        kai.remember(RememberRequest::new(fact)).await?;
    }
    for question in ["where is the spare key?", "备用钥匙在谁那里？"] {
        let answer = kai.recall(&RecallRequest::new(question)).await?;
        println!("{question}\n    {}", answer.hits.first().map_or("nothing", |hit| &hit.record.content));
    }
    Ok(())
}

/// The proof: one case per clause of the contract.
#[cfg(test)]
mod conformance {
    use std::sync::Arc;

    memcore_testkit::vector_store_suite!(|| async {
        memcore_testkit::StandaloneVectors::new(Arc::new(super::MapVectors::default()))
    });
}
