//! The suite of vector stores can fail: each broken store here is caught by the case of the clause that it breaks.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use memcore_core::{
    Error, Fingerprint, MemoryId, RamVectors, RecordFilter, Result, VectorCapabilities, VectorEntry, VectorHit,
    VectorMeta, VectorQuery, VectorStore,
};
use memcore_testkit::{StandaloneVectors, vector_store};

/// What is wrong with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    FiltersBehindTheSearch,
    AnswersEverybody,
    IgnoresStatuses,
    RefusesLargeK,
    IgnoresK,
    OrdersTiesBackwards,
    AnswersFarthestFirst,
    AnswersHalfTheCosine,
    ComparesOnlyTheFirstVector,
    TakesWhatFitsOfACall,
    TakesAnyDimensions,
    SearchesWithAnyDimensions,
    KeepsReplacedVectors,
    MixesIdentities,
    IgnoresChanges,
    KeepsDeletedVectors,
    CountsAbsentIds,
    ListsIdsBackwards,
    ClaimsToShareTheRecordStore,
}

/// Which case catches which defect.
const CAUGHT_BY: [(Defect, &str); 19] = [
    (Defect::FiltersBehindTheSearch, "nearer_vectors_of_others_never_shorten_the_result"),
    (Defect::AnswersEverybody, "a_search_sees_what_the_scope_sees"),
    (Defect::IgnoresStatuses, "the_filter_works_inside_the_search"),
    (Defect::RefusesLargeK, "k_may_be_any_number"),
    (Defect::IgnoresK, "k_may_be_any_number"),
    (Defect::OrdersTiesBackwards, "equal_similarities_are_ordered_by_id"),
    (Defect::AnswersFarthestFirst, "hits_are_the_true_nearest_first"),
    (Defect::AnswersHalfTheCosine, "similarity_is_the_cosine"),
    (Defect::ComparesOnlyTheFirstVector, "a_record_is_found_once_with_its_nearest_vector"),
    (Defect::TakesWhatFitsOfACall, "all_entries_are_taken_or_none"),
    (Defect::TakesAnyDimensions, "other_dimensions_are_invalid"),
    (Defect::SearchesWithAnyDimensions, "a_query_of_other_dimensions_is_invalid"),
    (Defect::KeepsReplacedVectors, "upsert_replaces_all_vectors_of_a_record_under_an_identity"),
    (Defect::MixesIdentities, "vectors_of_another_identity_are_never_compared"),
    (Defect::IgnoresChanges, "a_change_of_the_record_changes_what_the_filter_sees"),
    (Defect::KeepsDeletedVectors, "delete_removes_the_vectors_of_every_identity"),
    (Defect::CountsAbsentIds, "deleting_absent_ids_succeeds"),
    (Defect::ListsIdsBackwards, "ids_page_in_order"),
    (Defect::ClaimsToShareTheRecordStore, "an_id_without_record_is_refused_exactly_where_declared"),
];

/// Whether a case fails on a store.
fn fails(case: &str, defect: Option<Defect>) -> bool {
    let run = || vector_store::run_case(case, || async { StandaloneVectors::new(Arc::new(Broken::new(defect))) });
    catch_unwind(AssertUnwindSafe(run)).is_err()
}

#[test]
fn every_broken_store_is_caught_by_the_case_of_its_clause() {
    let missed: Vec<_> = CAUGHT_BY.into_iter().filter(|(defect, case)| !fails(case, Some(*defect))).collect();
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn the_same_cases_pass_on_the_same_store_without_a_defect() {
    let failed: Vec<_> = CAUGHT_BY.into_iter().filter(|(_, case)| fails(case, None)).collect();
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[test]
fn random_operations_notice_defects() {
    for defect in [Defect::IgnoresChanges, Defect::ComparesOnlyTheFirstVector, Defect::KeepsReplacedVectors] {
        assert!(fails("random_operations_agree_with_the_reference", Some(defect)), "{defect:?}");
    }
}

/// The RAM store, with a defect in front of it.
#[derive(Debug)]
struct Broken {
    inner: RamVectors,
    defect: Option<Defect>,
    given: Mutex<Vec<VectorEntry>>,
}

impl Broken {
    fn new(defect: Option<Defect>) -> Self {
        Self { inner: RamVectors::new(), defect, given: Mutex::default() }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn given(&self) -> Vec<VectorEntry> {
        self.given.lock().unwrap().clone()
    }

    /// The hits that a filter behind the search leaves of the nearest of all users.
    async fn search_then_filter(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let mut hits = self.search_everybody(query).await?;
        let metas = self.given();
        hits.retain(|hit| {
            metas.iter().any(|entry| entry.id == hit.id && query.filter.admits_meta(hit.id, &entry.meta))
        });
        Ok(hits)
    }

    async fn search_everybody(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let mut hits = Vec::new();
        for place in
            self.given().iter().map(|entry| entry.meta.scope.clone()).collect::<std::collections::BTreeSet<_>>()
        {
            let filter = RecordFilter::new(place).with_all_statuses();
            let query = VectorQuery::new(query.embedding.clone(), query.identity.clone(), filter, usize::MAX);
            hits.extend(self.inner.search(&query).await?);
        }
        hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.id.cmp(&b.id)));
        hits.dedup_by_key(|hit| hit.id);
        hits.truncate(query.k);
        Ok(hits)
    }
}

#[async_trait]
impl VectorStore for Broken {
    fn capabilities(&self) -> VectorCapabilities {
        match self.has(Defect::ClaimsToShareTheRecordStore) {
            true => VectorCapabilities::within_record_store(),
            false => self.inner.capabilities(),
        }
    }

    async fn upsert(&self, mut entries: Vec<VectorEntry>) -> Result<()> {
        self.given.lock().unwrap().extend(entries.clone());
        match self.defect {
            Some(Defect::ComparesOnlyTheFirstVector) => {
                for entry in &mut entries {
                    let first = entry.embedding.chunks()[0].clone();
                    entry.embedding = memcore_core::TextEmbedding::single(first);
                }
            }
            Some(Defect::KeepsReplacedVectors) => {
                for entry in &mut entries {
                    let earlier =
                        self.given().into_iter().filter(|old| old.id == entry.id && old.identity == entry.identity);
                    let chunks = earlier.flat_map(|old| old.embedding.into_chunks()).collect();
                    entry.embedding = memcore_core::TextEmbedding::chunked(chunks)?;
                }
            }
            Some(Defect::MixesIdentities) => {
                entries.iter_mut().for_each(|entry| entry.identity = Fingerprint::from_stored("the only one"));
            }
            Some(Defect::TakesWhatFitsOfACall) => {
                for entry in entries {
                    self.inner.upsert(vec![entry]).await?;
                }
                return Ok(());
            }
            Some(Defect::TakesAnyDimensions) => {
                drop(self.inner.upsert(entries).await);
                return Ok(());
            }
            _ => {}
        }
        self.inner.upsert(entries).await
    }

    async fn update_meta(&self, id: MemoryId, meta: VectorMeta) -> Result<()> {
        if self.has(Defect::IgnoresChanges) {
            return Ok(());
        }
        self.inner.update_meta(id, meta).await
    }

    async fn delete(&self, ids: &[MemoryId]) -> Result<usize> {
        match self.defect {
            Some(Defect::KeepsDeletedVectors) => Ok(1),
            Some(Defect::CountsAbsentIds) => self.inner.delete(ids).await.map(|_| ids.len()),
            _ => self.inner.delete(ids).await,
        }
    }

    async fn search(&self, query: &VectorQuery) -> Result<Vec<VectorHit>> {
        let mut query = query.clone();
        match self.defect {
            Some(Defect::FiltersBehindTheSearch) => return self.search_then_filter(&query).await,
            Some(Defect::AnswersEverybody) => return self.search_everybody(&query).await,
            Some(Defect::IgnoresStatuses) => query.filter = query.filter.with_all_statuses(),
            Some(Defect::RefusesLargeK) if query.k > 4_096 => return Err(Error::invalid("k is at most 4096")),
            Some(Defect::IgnoresK) => query.k = usize::MAX,
            Some(Defect::MixesIdentities) => query.identity = Fingerprint::from_stored("the only one"),
            Some(Defect::SearchesWithAnyDimensions) => return Ok(self.inner.search(&query).await.unwrap_or_default()),
            _ => {}
        }
        let mut hits = self.inner.search(&query).await?;
        match self.defect {
            Some(Defect::OrdersTiesBackwards) => {
                hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(b.id.cmp(&a.id)));
            }
            Some(Defect::AnswersFarthestFirst) => hits.reverse(),
            Some(Defect::AnswersHalfTheCosine) => hits.iter_mut().for_each(|hit| hit.similarity /= 2.0),
            _ => {}
        }
        Ok(hits)
    }

    async fn ids(&self, identity: &Fingerprint, after: Option<MemoryId>, limit: usize) -> Result<Vec<MemoryId>> {
        let mut ids = self.inner.ids(identity, after, limit).await?;
        if self.has(Defect::ListsIdsBackwards) {
            ids.reverse();
        }
        Ok(ids)
    }
}
