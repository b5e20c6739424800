//! Long random runs on a vector store, compared with the RAM reference.

use std::collections::BTreeSet;

use memcore_core::{
    Kind, MemoryId, MemoryRecord, RamVectors, RecordFilter, Scope, Status, TextEmbedding, VectorEntry, VectorHit,
    VectorQuery, VectorStore,
};

use crate::{
    Lcg, VectorFixture,
    sample::{embedding, fingerprint, project_scope, record, user_scope},
};

/// Length of the vectors: short, so that similarities differ clearly.
const DIMENSIONS: usize = 6;

/// Does the same random things to an empty vector store and to the RAM reference, and compares every search. Equal
/// seeds do the same.
///
/// # Panics
/// Where the store differs from the reference.
pub async fn random_vector_operations(fixture: &dyn VectorFixture, seed: u64, steps: u64) {
    let (vectors, reference) = (fixture.vectors(), RamVectors::new());
    let mut lcg = Lcg::new(seed);
    let places =
        [user_scope("ada"), project_scope("ada", "billing"), project_scope("ada", "garden"), user_scope("bob")];
    let mut records: Vec<MemoryRecord> = (1..=40).map(|n| record(n, &lcg.pick(&places), "something")).collect();
    records.sort_by(|a, b| a.scope.user_id().cmp(b.scope.user_id()));
    fixture.prepare(&records).await;
    for step in 1..=steps {
        let at = usize::try_from(lcg.below(records.len() as u64)).unwrap();
        match lcg.below(8) {
            0 => {
                let change = &mut records[at];
                change.status = lcg.pick(&Status::ALL);
                change.kind = lcg.pick(&[Kind::Fact, Kind::Todo]);
                fixture.change(change).await;
                reference.update_meta(change.id, (&*change).into()).await.unwrap();
            }
            1 => {
                let ids = [records[at].id];
                assert_eq!(vectors.delete(&ids).await.unwrap(), reference.delete(&ids).await.unwrap(), "step {step}");
            }
            2..=4 => {
                let identity = fingerprint(lcg.pick(&["m1", "m2"]));
                let chunks = (0..=lcg.below(3)).map(|_| embedding(&values(&mut lcg))).collect();
                let entry = VectorEntry::new(&records[at], identity, TextEmbedding::chunked(chunks).unwrap());
                vectors.upsert(vec![entry.clone()]).await.unwrap();
                reference.upsert(vec![entry]).await.unwrap();
            }
            _ => {
                let query = query(&mut lcg, &places[usize::try_from(step).unwrap() % places.len()]);
                let given = vectors.search(&query).await.unwrap();
                let expected = reference.search(&query).await.unwrap();
                assert_same_hits(&given, &expected, query.k, step);
            }
        }
        for model in ["m1", "m2", "m3"] {
            let listed = vectors.ids(&fingerprint(model), None, usize::MAX).await.unwrap();
            assert_eq!(listed, reference.ids(&fingerprint(model), None, usize::MAX).await.unwrap(), "step {step}");
        }
    }
}

fn values(lcg: &mut Lcg) -> Vec<f32> {
    let mut values: Vec<f32> = (0..DIMENSIONS).map(|_| lcg.unit()).collect();
    values[0] += 1.5; // never the zero vector
    values
}

fn query(lcg: &mut Lcg, scope: &Scope) -> VectorQuery {
    let mut filter = RecordFilter::new(scope.clone());
    if lcg.below(2) == 0 {
        filter = filter.with_all_statuses();
    }
    if lcg.below(3) == 0 {
        filter = filter.with_kinds([Kind::Todo]);
    }
    let k = lcg.pick(&[1, 3, 10, usize::MAX]);
    VectorQuery::new(embedding(&values(lcg)), fingerprint(lcg.pick(&["m1", "m2"])), filter, k)
}

/// Sums of floats in another order differ in their last bits, and may swap neighbours: so similarities are compared
/// place by place, and ids as a set where nothing was cut off.
fn assert_same_hits(given: &[VectorHit], expected: &[VectorHit], k: usize, step: u64) {
    assert_eq!(given.len(), expected.len(), "step {step}");
    for (given, expected) in given.iter().zip(expected) {
        assert!((given.similarity - expected.similarity).abs() < 1e-5, "step {step}: {given:?}, not {expected:?}");
    }
    if k == usize::MAX {
        let ids = |hits: &[VectorHit]| hits.iter().map(|hit| hit.id).collect::<BTreeSet<MemoryId>>();
        assert_eq!(ids(given), ids(expected), "step {step}");
    }
}
