//! Durability: what closing and opening a store leaves, where it claims to leave anything.

use std::sync::Arc;

use memcore_core::{
    Change, ChangeReason, EmbeddingIdentity, Forget, LeaseRequest, ListRequest, MemoryStore, MessageQuery, ModelUsage,
    RecordFilter, TextQuery, UsageEntry, VectorQuery, text::query_terms,
};

use super::Fixture;
use crate::{
    Writer, assert_same,
    sample::{
        at, embedding, fingerprint, job, memory_id, message, project_scope, record, rejection, session_scope, user_id,
        user_scope, vector,
    },
};

/// Writes something of everything.
async fn furnish(store: Arc<dyn MemoryStore>) {
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    writer.insert_all(&[record(1, &user_scope("ada"), "一只风筝"), record(2, &session, "a kite")]).await;
    writer.update(&record(1, &user_scope("ada"), "一条小船"), ChangeReason::Edited).await;
    writer.insert(&record(3, &project_scope("bob", "billing"), "a boat")).await;
    writer.change("ada", Change::Touch { ids: vec![memory_id(2)], at: at(5) }).await.unwrap();
    writer.append(vec![message(&session, "m1", "hello"), message(&session, "m2", "你好")]).await;
    writer.change("ada", Change::Enqueue(job(1, &session))).await.unwrap();
    writer.change("ada", Change::Reject { entry: rejection("hm", 1) }).await.unwrap();
    store.set_embedding_identity(&EmbeddingIdentity::new("a-model", "r1", 2)).await.unwrap();
    let mut entry = UsageEntry::new(at(1), "llm", "small-model", ModelUsage::default());
    entry.usage.calls = 3;
    writer.change("ada", Change::RecordUsage(entry)).await.unwrap();
    assert_eq!(store.lease_jobs(&LeaseRequest::new(at(1))).await.unwrap().len(), 1);
}

pub(super) async fn what_was_acknowledged_survives_reopening_exactly_where_declared(fixture: Fixture) {
    let is_durable = fixture.store().capabilities().is_durable;
    furnish(fixture.store()).await;
    let Some(reopened) = fixture.reopen().await else {
        assert!(!is_durable, "a durable store's fixture can reopen it");
        return;
    };
    assert!(is_durable, "what survives is declared durable");
    let store = reopened.store();
    let same = memcore_core::RamStore::new();
    let same: Arc<dyn MemoryStore> = Arc::new(same);
    furnish(same.clone()).await;
    assert_same(&*store, &*same).await;
    assert_eq!(store.embedding_identity().await.unwrap(), same.embedding_identity().await.unwrap());
    assert_eq!(store.lease_jobs(&LeaseRequest::new(at(2))).await.unwrap(), [], "the lease is still held");
    assert_eq!(store.lease_jobs(&LeaseRequest::new(at(6))).await.unwrap(), [job(1, &session_scope("ada", "s1"))]);
    let found = TextQuery::new(query_terms("小船"), RecordFilter::new(user_scope("ada")), 10);
    assert_eq!(store.search_text(&found).await.unwrap().hits[0].id, memory_id(1));
}

pub(super) async fn what_was_forgotten_stays_forgotten_after_reopening(fixture: Fixture) {
    let store = fixture.store();
    furnish(store.clone()).await;
    let request = Forget::records(vec![memory_id(1)], vec!["hello".into()]);
    store.forget(&user_scope("ada"), &request).await.unwrap();
    let generation = store.generation(&user_id("ada")).await.unwrap();
    drop(store);
    let Some(reopened) = fixture.reopen().await else { return };
    let store = reopened.store();
    let listed = store.list(&ListRequest::new(RecordFilter::new(session_scope("ada", "s1")))).await.unwrap();
    assert_eq!(listed.records.iter().map(|record| record.id).collect::<Vec<_>>(), [memory_id(2)]);
    let messages = store.messages(&MessageQuery::new(session_scope("ada", "s1"))).await.unwrap();
    assert_eq!(messages[0].text(), "[forgotten]");
    assert_eq!(store.generation(&user_id("ada")).await.unwrap(), generation);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn vectors_survive_reopening_where_the_store_holds_them(fixture: Fixture) {
    let store = fixture.store();
    if !store.capabilities().holds_vectors {
        assert!(store.vectors().is_none());
        return;
    }
    let ada = user_scope("ada");
    let identity = fingerprint("a model");
    let change = Change::Insert {
        record: Box::new(record(1, &ada, "east")),
        vectors: Some((identity.clone(), vector(&[3.0, 4.0]))),
        reason: ChangeReason::Added,
    };
    Writer::new(store.clone()).change("ada", change).await.unwrap();
    drop(store);
    let Some(reopened) = fixture.reopen().await else { return };
    let vectors = reopened.store().vectors().expect("it held vectors before");
    let query = VectorQuery::new(embedding(&[3.0, 4.0]), identity.clone(), RecordFilter::new(ada.clone()), 10);
    let hits = vectors.search(&query).await.unwrap();
    assert!(hits.len() == 1 && hits[0].similarity > 0.999, "{hits:?}");
    assert_eq!(reopened.store().pending_vectors(&identity, 10).await.unwrap(), []);
    assert!(reopened.store().verify().await.unwrap().is_sound());
}
