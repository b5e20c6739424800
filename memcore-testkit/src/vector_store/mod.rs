//! The suite of vector stores: one case for each clause of [`VectorStore`](memcore_core::VectorStore)'s contract.

mod maintenance;
mod search;
mod upsert;

use std::{fmt::Debug, future::Future};

use memcore_core::{
    ErrorKind, Fingerprint, MemoryId, MemoryRecord, RecordFilter, Result, Scope, VectorEntry, VectorHit, VectorQuery,
};

use crate::{
    VectorFixture,
    sample::{embedding, fingerprint, vector},
    suite,
};

/// What a case gets: a fixture with an empty store.
type Fixture = Box<dyn VectorFixture>;

/// Runs one case of the suite by its name, on a fixture that is made for it.
///
/// # Panics
/// Where the store breaks the clause.
pub fn run_case<F: VectorFixture, M: Future<Output = F>>(name: &str, make: impl FnOnce() -> M) {
    const CASES: &suite::Table<Fixture> = crate::vector_store_cases!(table_of);
    suite::run(CASES, name, async { Box::new(make().await) as Fixture });
}

/// Makes a `#[test]` of every case of the suite of vector stores; see the crate's docs.
#[macro_export]
macro_rules! vector_store_suite {
    ($make:expr) => {
        $crate::vector_store_cases!(tests_of vector_store $make);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! vector_store_cases {
    ($then:ident $($input:tt)*) => {
        $crate::$then! {
            [$($input)*]
            upsert {
                upserted_vectors_are_found,
                upsert_replaces_all_vectors_of_a_record_under_an_identity,
                vectors_of_other_identities_are_left_alone,
                upsert_takes_over_what_the_filter_sees,
                other_dimensions_are_invalid,
                two_lengths_in_one_call_are_invalid,
                all_entries_are_taken_or_none,
                an_id_without_record_is_refused_exactly_where_declared,
                upserting_nothing_succeeds,
            }
            search {
                hits_are_the_true_nearest_first,
                similarity_is_the_cosine,
                a_record_is_found_once_with_its_nearest_vector,
                equal_similarities_are_ordered_by_id,
                k_may_be_any_number,
                a_search_sees_what_the_scope_sees,
                nearer_vectors_of_others_never_shorten_the_result,
                the_filter_works_inside_the_search,
                vectors_of_another_identity_are_never_compared,
                a_query_of_other_dimensions_is_invalid,
                an_empty_store_finds_nothing,
            }
            maintenance {
                a_change_of_the_record_changes_what_the_filter_sees,
                changing_an_absent_id_succeeds,
                delete_removes_the_vectors_of_every_identity,
                deleting_absent_ids_succeeds,
                deleted_vectors_can_come_back,
                ids_page_in_order,
                random_operations_agree_with_the_reference,
            }
        }
    };
}

/// The model of most cases.
fn model() -> Fingerprint {
    fingerprint("a model")
}

/// One vector of [`model`] for a record.
fn entry(record: &MemoryRecord, values: &[f32]) -> VectorEntry {
    VectorEntry::new(record, model(), vector(values))
}

/// Stores records where the store wants that, and gives each a vector.
async fn store_all(fixture: &Fixture, entries: &[(MemoryRecord, Vec<f32>)]) {
    let mut records: Vec<_> = entries.iter().map(|(record, _)| record.clone()).collect();
    records.sort_by(|a, b| a.scope.user_id().cmp(b.scope.user_id()));
    fixture.prepare(&records).await;
    let entries = entries.iter().map(|(record, values)| entry(record, values)).collect();
    fixture.vectors().upsert(entries).await.unwrap();
}

/// A query of [`model`] for what a scope sees.
fn query(scope: &Scope, values: &[f32], k: usize) -> VectorQuery {
    VectorQuery::new(embedding(values), model(), RecordFilter::new(scope.clone()), k)
}

fn ids(hits: &[VectorHit]) -> Vec<MemoryId> {
    hits.iter().map(|hit| hit.id).collect()
}

/// Asserts that a call was refused with this kind of error.
#[track_caller]
fn assert_refused<T: Debug>(result: Result<T>, kind: ErrorKind) {
    assert_eq!(result.map_err(|error| error.kind()).expect_err("the call is refused"), kind);
}
