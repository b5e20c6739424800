//! The store's own behaviour, beyond the contracts that the conformance suites check.

use memcore_core::{
    Batch, BatchId, Change, ChangeReason, Embedding, EmbeddingIdentity, Forget, IdGenerator, Kind, ListRequest,
    MemoryId, MemoryRecord, MemoryStore, Provenance, PurgeState, RecordFilter, Scope, SequentialIds, SourceKind,
    TextEmbedding, TextQuery, VectorQuery, VectorStore, chrono::DateTime, text,
};
use memcore_sqlite::SqliteStore;

#[tokio::test]
async fn smoke() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let ids = SequentialIds::default();
    let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    let identity = EmbeddingIdentity::new("m", "1", 3);
    let scope = Scope::user("ada").unwrap();
    let store = SqliteStore::open(&path).await.unwrap();
    store.set_embedding_identity(&identity).await.unwrap();
    let record = MemoryRecord::new(
        MemoryId::from_uuid(ids.next_id()),
        scope.clone(),
        Kind::Fact,
        "Ada drinks oolong tea, 喜欢喝咖啡",
        Provenance::new(SourceKind::User, "t", now),
        now,
    )
    .unwrap();
    let vectors = TextEmbedding::single(Embedding::new(vec![1.0, 2.0, 3.0]).unwrap());
    let batch = Batch::new(BatchId::from_uuid(ids.next_id()), scope.user_id().clone(), now).with(Change::Insert {
        record: Box::new(record.clone()),
        vectors: Some((identity.fingerprint(), vectors.clone())),
        reason: ChangeReason::Added,
    });
    let receipt = store.commit(batch).await.unwrap();
    assert_eq!(receipt.generation, 1);
    let got = store.get(&scope, &[record.id]).await.unwrap();
    assert_eq!(got[0].content, record.content);
    assert_eq!(store.list(&ListRequest::new(RecordFilter::new(scope.clone()))).await.unwrap().records, got);
    let hits = store
        .search_text(&TextQuery::new(text::query_terms("oolong 咖啡"), RecordFilter::new(scope.clone()), 5))
        .await
        .unwrap();
    assert_eq!(hits.hits.len(), 1, "{hits:?}");
    let hits = store
        .search(&VectorQuery::new(
            vectors.chunks()[0].clone(),
            identity.fingerprint(),
            RecordFilter::new(scope.clone()),
            5,
        ))
        .await
        .unwrap();
    assert!((hits[0].similarity - 1.0).abs() < 1e-6);
    assert!(store.verify().await.unwrap().is_sound(), "{:?}", store.verify().await.unwrap());
    let receipt = store.forget(&scope, &Forget::records(vec![record.id], vec![])).await.unwrap();
    assert_eq!(receipt.purge, PurgeState::Purged);
    println!("{receipt:?}");
    println!("{:?}", store.stats(None).await.unwrap());
    assert!(store.verify().await.unwrap().is_sound());
}
