//! Changes of what the filter sees, deletion, and the list for reconciliation.

use memcore_core::{RecordFilter, Status, VectorEntry, VectorQuery};

use super::{Fixture, entry, ids, model, query, store_all};
use crate::{
    random_vector_operations,
    sample::{embedding, fingerprint, memory_id, record, user_scope, vector},
};

pub(super) async fn a_change_of_the_record_changes_what_the_filter_sees(fixture: Fixture) {
    let ada = user_scope("ada");
    let mut known = record(1, &ada, "known to two models");
    store_all(&fixture, &[(known.clone(), vec![1.0, 0.0])]).await;
    let other = fingerprint("another model");
    fixture.vectors().upsert(vec![VectorEntry::new(&known, other.clone(), vector(&[1.0, 0.0]))]).await.unwrap();
    known.status = Status::Archived;
    fixture.change(&known).await;
    for identity in [model(), other] {
        let find = async |status| {
            let filter = RecordFilter::new(ada.clone()).with_statuses([status]);
            let query = VectorQuery::new(embedding(&[1.0, 0.0]), identity.clone(), filter, 10);
            ids(&fixture.vectors().search(&query).await.unwrap())
        };
        assert_eq!(find(Status::Active).await, []);
        assert_eq!(find(Status::Archived).await, [known.id]);
    }
}

pub(super) async fn changing_an_absent_id_succeeds(fixture: Fixture) {
    let absent = record(1, &user_scope("ada"), "never stored");
    fixture.vectors().update_meta(absent.id, (&absent).into()).await.unwrap();
    assert_eq!(fixture.vectors().ids(&model(), None, 10).await.unwrap(), []);
}

pub(super) async fn delete_removes_the_vectors_of_every_identity(fixture: Fixture) {
    let ada = user_scope("ada");
    let (gone, left) = (record(1, &ada, "gone"), record(2, &ada, "left"));
    store_all(&fixture, &[(gone.clone(), vec![1.0, 0.0]), (left.clone(), vec![0.0, 1.0])]).await;
    let other = fingerprint("another model");
    fixture.vectors().upsert(vec![VectorEntry::new(&gone, other.clone(), vector(&[1.0, 0.0]))]).await.unwrap();
    assert_eq!(fixture.vectors().delete(&[gone.id, memory_id(99), gone.id]).await.unwrap(), 1);
    assert_eq!(ids(&fixture.vectors().search(&query(&ada, &[1.0, 0.0], 10)).await.unwrap()), [left.id]);
    assert_eq!(fixture.vectors().ids(&other, None, 10).await.unwrap(), []);
    assert_eq!(fixture.vectors().ids(&model(), None, 10).await.unwrap(), [left.id]);
}

pub(super) async fn deleting_absent_ids_succeeds(fixture: Fixture) {
    assert_eq!(fixture.vectors().delete(&[memory_id(1), memory_id(2)]).await.unwrap(), 0);
    assert_eq!(fixture.vectors().delete(&[]).await.unwrap(), 0);
}

pub(super) async fn deleted_vectors_can_come_back(fixture: Fixture) {
    let ada = user_scope("ada");
    let known = record(1, &ada, "known");
    store_all(&fixture, &[(known.clone(), vec![1.0, 0.0])]).await;
    fixture.vectors().delete(&[known.id]).await.unwrap();
    fixture.vectors().upsert(vec![entry(&known, &[0.0, 1.0])]).await.unwrap();
    let hits = fixture.vectors().search(&query(&ada, &[0.0, 1.0], 10)).await.unwrap();
    assert!(ids(&hits) == [known.id] && hits[0].similarity > 0.999);
}

pub(super) async fn ids_page_in_order(fixture: Fixture) {
    let (ada, bob) = (user_scope("ada"), user_scope("bob"));
    let entries: Vec<_> =
        [5, 2, 9, 1, 7].map(|n| (record(n, if n > 4 { &bob } else { &ada }, "something"), vec![1.0, n as f32])).into();
    store_all(&fixture, &entries).await;
    let expected = [1, 2, 5, 7, 9].map(memory_id);
    for limit in [1, 2, 5, 6, usize::MAX] {
        let mut all = Vec::new();
        loop {
            let page = fixture.vectors().ids(&model(), all.last().copied(), limit).await.unwrap();
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            all.extend(page);
        }
        assert_eq!(all, expected, "by {limit}");
    }
    let after_nobody = fixture.vectors().ids(&model(), Some(memory_id(3)), 2).await.unwrap();
    assert_eq!(after_nobody, [memory_id(5), memory_id(7)]);
    assert_eq!(fixture.vectors().ids(&model(), None, 0).await.unwrap(), []);
    assert_eq!(fixture.vectors().ids(&fingerprint("nobody's"), None, 10).await.unwrap(), []);
}

pub(super) async fn random_operations_agree_with_the_reference(fixture: Fixture) {
    random_vector_operations(&*fixture, 23, 300).await;
}
