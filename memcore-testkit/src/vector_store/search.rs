//! Search: the true nearest among what the filter admits.

use memcore_core::{ErrorKind, Kind, MemoryRecord, RecordFilter, Status, TextEmbedding, VectorEntry, VectorQuery};

use super::{Fixture, assert_refused, entry, ids, model, query, store_all};
use crate::{
    Lcg,
    sample::{at, embedding, fingerprint, memory_id, project_scope, record, user_scope, vector},
};

fn random_values(lcg: &mut Lcg, dimensions: usize) -> Vec<f32> {
    let mut values: Vec<f32> = (0..dimensions).map(|_| lcg.unit()).collect();
    values[0] += 0.001; // never the zero vector
    values
}

pub(super) async fn hits_are_the_true_nearest_first(fixture: Fixture) {
    let ada = user_scope("ada");
    let mut lcg = Lcg::new(11);
    let entries: Vec<_> = (1..=300).map(|n| (record(n, &ada, "something"), random_values(&mut lcg, 8))).collect();
    store_all(&fixture, &entries).await;
    for k in [1, 10, 299, 300, 301] {
        let values = random_values(&mut lcg, 8);
        let wanted = embedding(&values);
        let mut expected: Vec<f32> =
            entries.iter().map(|(_, values)| embedding(values).cosine(&wanted).unwrap()).collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        expected.truncate(k);
        let hits = fixture.vectors().search(&query(&ada, &values, k)).await.unwrap();
        assert_eq!(hits.len(), expected.len());
        for (hit, expected) in hits.iter().zip(&expected) {
            assert!((hit.similarity - expected).abs() < 1e-5, "k {k}: {hit:?}, not {expected}");
        }
        assert!(hits.is_sorted_by(|a, b| a.similarity >= b.similarity));
    }
}

pub(super) async fn similarity_is_the_cosine(fixture: Fixture) {
    let ada = user_scope("ada");
    let values = [vec![3.0, 4.0], vec![-3.0, -4.0], vec![4.0, -3.0], vec![100.0, 0.0]];
    let entries: Vec<_> = (1..).zip(values).map(|(n, values)| (record(n, &ada, "something"), values)).collect();
    store_all(&fixture, &entries).await;
    let hits = fixture.vectors().search(&query(&ada, &[0.3, 0.4], 10)).await.unwrap();
    assert_eq!(ids(&hits), [1, 4, 3, 2].map(memory_id));
    for (hit, expected) in hits.iter().zip([1.0, 0.6, 0.0, -1.0]) {
        assert!((hit.similarity - expected).abs() < 1e-5, "{hit:?}, not {expected}");
        assert!((-1.0..=1.0).contains(&hit.similarity));
    }
}

pub(super) async fn a_record_is_found_once_with_its_nearest_vector(fixture: Fixture) {
    let ada = user_scope("ada");
    let (long, short) = (record(1, &ada, "a long text"), record(2, &ada, "a short one"));
    fixture.prepare(&[long.clone(), short.clone()]).await;
    let chunks = (0..20).map(|n| embedding(&[1.0, n as f32 / 10.0])).collect();
    let entries =
        vec![VectorEntry::new(&long, model(), TextEmbedding::chunked(chunks).unwrap()), entry(&short, &[-1.0, 0.0])];
    fixture.vectors().upsert(entries).await.unwrap();
    // The long text has more near vectors than two: the short one is found all the same.
    let hits = fixture.vectors().search(&query(&ada, &[1.0, 0.5], 2)).await.unwrap();
    assert_eq!(ids(&hits), [long.id, short.id]);
    assert!(hits[0].similarity > 0.999_99, "{hits:?}");
}

pub(super) async fn equal_similarities_are_ordered_by_id(fixture: Fixture) {
    let ada = user_scope("ada");
    let order = [5, 2, 9, 1, 7, 3];
    let entries: Vec<_> = order.map(|n| (record(n, &ada, "the same"), vec![1.0, 1.0, 0.0])).into();
    store_all(&fixture, &entries).await;
    let hits = fixture.vectors().search(&query(&ada, &[1.0, 0.0, 0.0], 4)).await.unwrap();
    assert_eq!(ids(&hits), [1, 2, 3, 5].map(memory_id));
}

pub(super) async fn k_may_be_any_number(fixture: Fixture) {
    let ada = user_scope("ada");
    let entries: Vec<_> = (1..=5).map(|n| (record(n, &ada, "something"), vec![1.0, n as f32])).collect();
    store_all(&fixture, &entries).await;
    for (k, expected) in [(0, 0), (1, 1), (5, 5), (6, 5), (4_096, 5), (4_097, 5), (usize::MAX, 5)] {
        let hits = fixture.vectors().search(&query(&ada, &[1.0, 0.0], k)).await.unwrap();
        assert_eq!(hits.len(), expected, "k {k}");
    }
}

pub(super) async fn a_search_sees_what_the_scope_sees(fixture: Fixture) {
    let places = [
        user_scope("ada"),
        project_scope("ada", "billing"),
        project_scope("ada", "billing").session("s1").unwrap(),
        project_scope("ada", "billing").session("s2").unwrap(),
        project_scope("ada", "garden"),
        user_scope("Ada"),
        project_scope("bob", "billing").session("s1").unwrap(),
    ];
    let entries: Vec<_> =
        (1..).zip(&places).map(|(n, scope)| (record(n, scope, "something"), vec![1.0, 0.0])).collect();
    store_all(&fixture, &entries).await;
    for from in &places {
        let expected: Vec<_> =
            entries.iter().filter(|(record, _)| from.sees(&record.scope)).map(|(record, _)| record.id).collect();
        let hits = fixture.vectors().search(&query(from, &[1.0, 0.0], 100)).await.unwrap();
        assert_eq!(ids(&hits), expected, "{from:?}");
    }
    assert_eq!(fixture.vectors().search(&query(&user_scope("eve"), &[1.0, 0.0], 100)).await.unwrap(), []);
}

pub(super) async fn nearer_vectors_of_others_never_shorten_the_result(fixture: Fixture) {
    let mine = record(1, &project_scope("ada", "billing"), "mine");
    let mut entries = vec![(mine.clone(), vec![-1.0, 0.1])];
    // All of them are nearer to the query than mine.
    let (bob, sibling, own) = (user_scope("bob"), project_scope("ada", "garden"), user_scope("ada"));
    for n in 0..5_000_u16 {
        let values = vec![1.0, f32::from(n) / 5_000.0];
        entries.push((record(10 + u64::from(n), &bob, "Bob's"), values.clone()));
        if n < 1_000 {
            entries.push((record(10_000 + u64::from(n), &sibling, "of a sibling project"), values.clone()));
            let mut archived = record(20_000 + u64::from(n), &own, "archived");
            archived.status = Status::Archived;
            entries.push((archived, values));
        }
    }
    store_all(&fixture, &entries).await;
    for k in [1, 5] {
        let hits = fixture.vectors().search(&query(&mine.scope, &[1.0, 0.0], k)).await.unwrap();
        assert_eq!(ids(&hits), [mine.id], "k {k}");
    }
}

pub(super) async fn the_filter_works_inside_the_search(fixture: Fixture) {
    let ada = user_scope("ada");
    let change = |n: u64, change: fn(&mut MemoryRecord)| {
        let mut record = record(n, &ada, "something");
        change(&mut record);
        (record, vec![1.0, n as f32 / 100.0])
    };
    let entries = [
        change(1, |record| record.status = Status::Superseded),
        change(2, |record| record.kind = Kind::Custom("recipe".into())),
        change(3, |record| record.valid_until = Some(at(50))),
        change(4, |record| record.valid_from = at(60)),
        change(5, |_| {}),
    ];
    store_all(&fixture, &entries).await;
    let filter = RecordFilter::new(ada.clone());
    for (what, filter, expected) in [
        ("active", filter.clone(), vec![2, 3, 4, 5]),
        ("all statuses", filter.clone().with_all_statuses(), vec![1, 2, 3, 4, 5]),
        ("superseded", filter.clone().with_statuses([Status::Superseded]), vec![1]),
        ("no status", filter.clone().with_statuses([]), vec![]),
        ("one kind", filter.clone().with_kinds([Kind::Custom("recipe".into())]), vec![2]),
        ("two kinds", filter.clone().with_kinds([Kind::Custom("recipe".into()), Kind::Fact]), vec![2, 3, 4, 5]),
        ("at minute 49", filter.clone().with_valid_at(at(49)), vec![2, 3, 5]),
        ("at minute 50", filter.clone().with_valid_at(at(50)), vec![2, 5]),
        ("at minute 60", filter.clone().with_valid_at(at(60)), vec![2, 4, 5]),
        ("some ids", filter.clone().with_ids([5, 1, 3, 99].map(memory_id)), vec![3, 5]),
        ("no ids", filter.clone().with_ids([]), vec![]),
        ("many ids", filter.clone().with_ids((3..5_000).map(memory_id).collect::<Vec<_>>()), vec![3, 4, 5]),
    ] {
        for k in [1, 2, 10] {
            let query = VectorQuery::new(embedding(&[1.0, 0.0]), model(), filter.clone(), k);
            let hits = fixture.vectors().search(&query).await.unwrap();
            let expected: Vec<_> = expected.iter().copied().take(k).map(memory_id).collect();
            assert_eq!(ids(&hits), expected, "{what}, k {k}");
        }
    }
}

pub(super) async fn vectors_of_another_identity_are_never_compared(fixture: Fixture) {
    let ada = user_scope("ada");
    let other = record(2, &ada, "another model's");
    store_all(&fixture, &[(record(1, &ada, "one"), vec![0.0, 1.0])]).await;
    fixture.prepare(std::slice::from_ref(&other)).await;
    let twin = VectorEntry::new(&other, fingerprint("another model"), vector(&[1.0, 0.0]));
    fixture.vectors().upsert(vec![twin]).await.unwrap();
    assert_eq!(ids(&fixture.vectors().search(&query(&ada, &[1.0, 0.0], 10)).await.unwrap()), [memory_id(1)]);
    let mut unknown = query(&ada, &[1.0, 0.0], 10);
    unknown.identity = fingerprint("a model that nobody has used");
    assert_eq!(fixture.vectors().search(&unknown).await.unwrap(), []);
}

pub(super) async fn a_query_of_other_dimensions_is_invalid(fixture: Fixture) {
    let ada = user_scope("ada");
    store_all(&fixture, &[(record(1, &ada, "one"), vec![1.0, 0.0])]).await;
    for values in [&[1.0][..], &[1.0, 0.0, 0.0]] {
        assert_refused(fixture.vectors().search(&query(&ada, values, 10)).await, ErrorKind::InvalidInput);
    }
}

pub(super) async fn an_empty_store_finds_nothing(fixture: Fixture) {
    let hits = fixture.vectors().search(&query(&user_scope("ada"), &[1.0, 0.0], 10)).await.unwrap();
    assert_eq!(hits, []);
}
