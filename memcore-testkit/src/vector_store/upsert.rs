//! Upsert: what it replaces, what it leaves alone, and what it refuses.

use memcore_core::{ErrorKind, Status, TextEmbedding, VectorEntry};

use super::{Fixture, assert_refused, entry, ids, model, query, store_all};
use crate::sample::{embedding, fingerprint, memory_id, record, user_scope, vector};

pub(super) async fn upserted_vectors_are_found(fixture: Fixture) {
    let ada = user_scope("ada");
    let entries = [(record(1, &ada, "east"), vec![1.0, 0.0]), (record(2, &ada, "north"), vec![0.0, 1.0])];
    store_all(&fixture, &entries).await;
    let hits = fixture.vectors().search(&query(&ada, &[0.1, 1.0], 10)).await.unwrap();
    assert_eq!(ids(&hits), [memory_id(2), memory_id(1)]);
}

pub(super) async fn upsert_replaces_all_vectors_of_a_record_under_an_identity(fixture: Fixture) {
    let ada = user_scope("ada");
    let long = record(1, &ada, "a long text");
    fixture.prepare(std::slice::from_ref(&long)).await;
    let vectors = fixture.vectors();
    let chunks = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|values| embedding(&values));
    let chunked = TextEmbedding::chunked(chunks.into()).unwrap();
    vectors.upsert(vec![VectorEntry::new(&long, model(), chunked)]).await.unwrap();
    vectors.upsert(vec![entry(&long, &[0.0, 1.0, 0.0])]).await.unwrap();
    for (values, expected) in [([1.0, 0.0, 0.0], 0.0), ([0.0, 1.0, 0.0], 1.0), ([0.0, 0.0, 1.0], 0.0)] {
        let hits = vectors.search(&query(&ada, &values, 10)).await.unwrap();
        assert_eq!(ids(&hits), [long.id]);
        assert!((hits[0].similarity - expected).abs() < 1e-5, "{values:?}: {hits:?}");
    }
}

pub(super) async fn vectors_of_other_identities_are_left_alone(fixture: Fixture) {
    let ada = user_scope("ada");
    let known = record(1, &ada, "known to two models");
    store_all(&fixture, &[(known.clone(), vec![1.0, 0.0])]).await;
    let vectors = fixture.vectors();
    let other = fingerprint("another model");
    vectors.upsert(vec![VectorEntry::new(&known, other.clone(), vector(&[0.0, 1.0, 0.0]))]).await.unwrap();
    vectors.upsert(vec![VectorEntry::new(&known, other.clone(), vector(&[0.0, 0.0, 1.0]))]).await.unwrap();
    let hits = vectors.search(&query(&ada, &[1.0, 0.0], 10)).await.unwrap();
    assert!(hits[0].similarity > 0.999);
    let mut elsewhere = query(&ada, &[0.0, 0.0, 1.0], 10);
    elsewhere.identity = other;
    assert!(vectors.search(&elsewhere).await.unwrap()[0].similarity > 0.999);
}

pub(super) async fn upsert_takes_over_what_the_filter_sees(fixture: Fixture) {
    let ada = user_scope("ada");
    let mut known = record(1, &ada, "known");
    store_all(&fixture, &[(known.clone(), vec![1.0, 0.0])]).await;
    known.status = Status::Archived;
    fixture.change(&known).await;
    fixture.vectors().upsert(vec![entry(&known, &[1.0, 0.0])]).await.unwrap();
    assert_eq!(fixture.vectors().search(&query(&ada, &[1.0, 0.0], 10)).await.unwrap(), []);
}

pub(super) async fn other_dimensions_are_invalid(fixture: Fixture) {
    let ada = user_scope("ada");
    store_all(&fixture, &[(record(1, &ada, "one"), vec![1.0, 0.0])]).await;
    let other = record(2, &ada, "two");
    fixture.prepare(std::slice::from_ref(&other)).await;
    for values in [&[1.0][..], &[1.0, 0.0, 0.0]] {
        assert_refused(fixture.vectors().upsert(vec![entry(&other, values)]).await, ErrorKind::InvalidInput);
    }
    assert_eq!(fixture.vectors().ids(&model(), None, 10).await.unwrap(), [memory_id(1)]);
}

pub(super) async fn two_lengths_in_one_call_are_invalid(fixture: Fixture) {
    let ada = user_scope("ada");
    let records = [record(1, &ada, "one"), record(2, &ada, "two")];
    fixture.prepare(&records).await;
    let entries = vec![entry(&records[0], &[1.0, 0.0]), entry(&records[1], &[1.0, 0.0, 0.0])];
    assert_refused(fixture.vectors().upsert(entries).await, ErrorKind::InvalidInput);
    assert_eq!(fixture.vectors().ids(&model(), None, 10).await.unwrap(), []);
}

pub(super) async fn all_entries_are_taken_or_none(fixture: Fixture) {
    let ada = user_scope("ada");
    store_all(&fixture, &[(record(1, &ada, "one"), vec![1.0, 0.0])]).await;
    let others = [record(2, &ada, "two"), record(3, &ada, "three")];
    fixture.prepare(&others).await;
    let entries = vec![
        entry(&record(1, &ada, "one"), &[0.0, 1.0]),
        entry(&others[0], &[1.0, 0.0]),
        entry(&others[1], &[1.0, 0.0, 0.0]),
    ];
    assert_refused(fixture.vectors().upsert(entries).await, ErrorKind::InvalidInput);
    let hits = fixture.vectors().search(&query(&ada, &[1.0, 0.0], 10)).await.unwrap();
    assert_eq!(ids(&hits), [memory_id(1)]);
    assert!(hits[0].similarity > 0.999, "the first entry was not taken either");
}

pub(super) async fn an_id_without_record_is_refused_exactly_where_declared(fixture: Fixture) {
    let ada = user_scope("ada");
    let (known, absent) = (record(1, &ada, "known"), record(2, &ada, "never stored"));
    fixture.prepare(std::slice::from_ref(&known)).await;
    let upserted = fixture.vectors().upsert(vec![entry(&known, &[1.0, 0.0]), entry(&absent, &[0.0, 1.0])]).await;
    let listed = fixture.vectors().ids(&model(), None, 10).await.unwrap();
    if fixture.vectors().capabilities().shares_record_store {
        assert_refused(upserted, ErrorKind::NotFound);
        assert_eq!(listed, []);
    } else {
        upserted.unwrap();
        assert_eq!(listed, [known.id, absent.id]);
    }
}

pub(super) async fn upserting_nothing_succeeds(fixture: Fixture) {
    fixture.vectors().upsert(vec![]).await.unwrap();
}
