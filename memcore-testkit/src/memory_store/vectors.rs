//! Vectors of records, from the record store's side: who waits for them, and what a commit does with them.

use std::sync::Arc;

use memcore_core::{
    Change, ChangeReason, EmbeddingIdentity, ErrorKind, Fingerprint, Forget, MemoryRecord, MemoryStore, RecordFilter,
    TextEmbedding, VectorQuery,
};

use super::{Fixture, assert_refused};
use crate::{
    Writer,
    sample::{embedding, fingerprint, memory_id, project_scope, record, user_scope, vector},
    writer::{insertion, update},
};

fn with_vectors(record: &MemoryRecord, identity: &Fingerprint, embedding: TextEmbedding) -> Change {
    Change::Insert {
        record: Box::new(record.clone()),
        vectors: Some((identity.clone(), embedding)),
        reason: ChangeReason::Added,
    }
}

/// Gives a record its vectors, or says that it has them where they live in another store.
fn set_vectors(store: &dyn MemoryStore, n: u64, identity: &Fingerprint) -> Change {
    let embedding = store.capabilities().holds_vectors.then(|| vector(&[1.0, 0.0]));
    Change::SetVectors { id: memory_id(n), identity: identity.clone(), embedding }
}

async fn waiting(store: &dyn MemoryStore, identity: &Fingerprint) -> Vec<memcore_core::MemoryId> {
    store.pending_vectors(identity, usize::MAX).await.unwrap().into_iter().map(|(_, id)| id).collect()
}

pub(super) async fn vectors_are_there_exactly_where_the_capabilities_say_so(fixture: Fixture) {
    let store = fixture.store();
    let declared = store.capabilities().holds_vectors;
    assert_eq!(Arc::clone(&store).vectors().is_some(), declared);
    if let Some(vectors) = store.vectors() {
        assert!(vectors.capabilities().shares_record_store);
    }
}

pub(super) async fn records_without_vectors_wait_oldest_first(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let places = [user_scope("bob"), project_scope("ada", "billing"), user_scope("ada")];
    for (n, scope) in [(2, &places[0]), (3, &places[1]), (1, &places[2])] {
        writer.insert(&record(n, scope, "something")).await;
    }
    let expected: Vec<_> = [(2, 1), (0, 2), (1, 3)].map(|(at, n)| (places[at].clone(), memory_id(n))).into();
    let identity = fingerprint("a model");
    assert_eq!(store.pending_vectors(&identity, usize::MAX).await.unwrap(), expected);
    assert_eq!(store.pending_vectors(&identity, 2).await.unwrap(), expected[..2]);
    assert_eq!(store.pending_vectors(&identity, 0).await.unwrap(), []);
}

pub(super) async fn setting_vectors_ends_the_waiting_and_makes_no_version(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    writer.insert_all(&[record(1, &ada, "one"), record(2, &ada, "two")]).await;
    let identity = fingerprint("a model");
    let receipt = writer.change("ada", set_vectors(&*store, 1, &identity)).await.unwrap();
    assert_eq!(receipt.generation, 1);
    assert_eq!(waiting(&*store, &identity).await, [memory_id(2)]);
    assert_eq!(waiting(&*store, &fingerprint("another model")).await, [memory_id(1), memory_id(2)]);
    let kept = &store.get(&ada, &[memory_id(1)]).await.unwrap()[0];
    assert_eq!((kept.embedding.as_ref(), kept.updated_at), (Some(&identity), record(1, &ada, "one").updated_at));
    assert_eq!(store.history(&ada, memory_id(1)).await.unwrap().len(), 1);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn vectors_stay_until_the_content_changes(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let identity = fingerprint("a model");
    writer.insert(&record(1, &ada, "Ada drinks tea")).await;
    writer.change("ada", set_vectors(&*store, 1, &identity)).await.unwrap();
    // Planned before the vectors came: the new version says that there are none.
    writer.change("ada", update(&record(1, &ada, "Ada drinks tea"), ChangeReason::Confirmed)).await.unwrap();
    assert_eq!(waiting(&*store, &identity).await, []);
    writer.update(&record(1, &ada, "Ada drinks coffee"), ChangeReason::Edited).await;
    assert_eq!(waiting(&*store, &identity).await, [memory_id(1)]);
    assert_eq!(store.get(&ada, &[memory_id(1)]).await.unwrap()[0].embedding, None);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn vectors_of_a_batch_are_searched_or_ignored_as_declared(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let identity = fingerprint("a model");
    writer.change("ada", with_vectors(&record(1, &ada, "east"), &identity, vector(&[1.0, 0.0]))).await.unwrap();
    writer.change("ada", with_vectors(&record(2, &ada, "north"), &identity, vector(&[0.0, 1.0]))).await.unwrap();
    let moved = Change::Update {
        record: Box::new(record(2, &ada, "west")),
        vectors: Some((identity.clone(), vector(&[-1.0, 0.0]))),
        reason: ChangeReason::Edited,
    };
    writer.change("ada", moved).await.unwrap();
    let Some(vectors) = Arc::clone(&store).vectors() else {
        assert_eq!(waiting(&*store, &identity).await, [memory_id(1), memory_id(2)], "they are left waiting");
        return;
    };
    assert_eq!(waiting(&*store, &identity).await, []);
    let query = VectorQuery::new(embedding(&[-1.0, 0.0]), identity.clone(), RecordFilter::new(ada.clone()), 10);
    let hits = vectors.search(&query).await.unwrap();
    assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [memory_id(2), memory_id(1)]);
    assert!(hits[0].similarity > 0.999 && hits[1].similarity < -0.999);
    assert_eq!(store.get(&ada, &[memory_id(2)]).await.unwrap()[0].embedding, Some(identity));
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn vectors_of_other_dimensions_apply_nothing_or_are_ignored_as_declared(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let identity = fingerprint("a model");
    writer.change("ada", with_vectors(&record(1, &ada, "one"), &identity, vector(&[1.0, 0.0]))).await.unwrap();
    let batch = writer.batch("ada").with(insertion(&record(2, &ada, "two"))).with(with_vectors(
        &record(3, &ada, "three"),
        &identity,
        vector(&[1.0, 0.0, 0.0]),
    ));
    let committed = store.commit(batch).await;
    let left = store.get(&ada, &[memory_id(2), memory_id(3)]).await.unwrap().len();
    if store.capabilities().holds_vectors {
        assert_refused(committed, ErrorKind::InvalidInput);
        assert_eq!(left, 0);
    } else {
        committed.unwrap();
        assert_eq!(left, 2);
    }
}

pub(super) async fn forgotten_records_leave_no_vectors(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let ada = user_scope("ada");
    let identity = fingerprint("a model");
    for n in 1..=2 {
        writer.change("ada", with_vectors(&record(n, &ada, "one"), &identity, vector(&[1.0, 0.0]))).await.unwrap();
    }
    let receipt = store.forget(&ada, &Forget::records(vec![memory_id(1)], vec![])).await.unwrap();
    let Some(vectors) = Arc::clone(&store).vectors() else {
        assert_eq!(receipt.vectors, 0);
        return;
    };
    assert_eq!(receipt.vectors, 1);
    assert_eq!(vectors.ids(&identity, None, 10).await.unwrap(), [memory_id(2)]);
    let query = VectorQuery::new(embedding(&[1.0, 0.0]), identity, RecordFilter::new(ada.clone()), 10);
    assert_eq!(vectors.search(&query).await.unwrap().len(), 1);
    store.forget(&ada, &Forget::everything()).await.unwrap();
    assert_eq!(vectors.search(&query).await.unwrap(), []);
    assert!(store.verify().await.unwrap().is_sound());
}

pub(super) async fn the_embedding_identity_is_the_one_that_was_set(fixture: Fixture) {
    let store = fixture.store();
    assert_eq!(store.embedding_identity().await.unwrap(), None);
    let mut first = EmbeddingIdentity::new("a-model", "r1", 2);
    first.query_prefix = "query: ".into();
    let second = EmbeddingIdentity::new("b-model", "r2", 3);
    for identity in [&first, &second, &first] {
        store.set_embedding_identity(identity).await.unwrap();
        assert_eq!(store.embedding_identity().await.unwrap().as_ref(), Some(identity));
        assert_eq!(store.stats(None).await.unwrap().embedder.as_ref(), Some(identity));
    }
    let writer = Writer::new(store.clone());
    writer.insert(&record(1, &user_scope("ada"), "one")).await;
    writer.change("ada", set_vectors(&*store, 1, &first.fingerprint())).await.unwrap();
    store.set_embedding_identity(&second).await.unwrap();
    assert_eq!(waiting(&*store, &second.fingerprint()).await, [memory_id(1)], "the new model's vectors are missing");
    assert_eq!(waiting(&*store, &first.fingerprint()).await, [], "those of the former model stay");
}
