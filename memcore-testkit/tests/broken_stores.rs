//! The suite of record stores can fail: each broken store here is caught by the case of the clause that it breaks.

#![allow(clippy::unwrap_used, reason = "everything here runs in tests")]

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use memcore_core::{
    Batch, BatchId, BatchReceipt, Change, ChangeReason, EmbeddingIdentity, Error, ErrorKind, Fingerprint, Forget,
    ForgetReceipt, Job, LeaseRequest, ListRequest, MemoryId, MemoryRecord, MemoryStore, MessageQuery, Neighbours, Page,
    QueueState, RamStore, RecordFilter, RejectedEntry, Result, Scope, SessionInfo, StoreCapabilities, StoreStats,
    StoredMessage, TextMatches, TextQuery, Timestamp, UsageEntry, UserId, VectorStore, VerifyReport, Version,
    chrono::{Duration, SubsecRound},
};
use memcore_testkit::{Standalone, memory_store};

/// What is wrong with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    AnswersGetToEverybody,
    AppliesHalfABatch,
    AppliesChangesBackwards,
    OverwritesOnInsert,
    InsertsOnUpdate,
    WritesForAnotherUser,
    IgnoresTheExpectedGeneration,
    CountsEveryBatch,
    KeepsMilliseconds,
    TakesTheAccessFiguresOfAnUpdate,
    PagesByOffset,
    EndsWithAnEmptyPage,
    IgnoresTheSlot,
    ListsEveryStatus,
    TakesAnyCursor,
    FiltersBehindTheSearch,
    FindsOnlyAscii,
    NeedsEveryTerm,
    CountsOnlyWhatTheFilterAdmits,
    IgnoresK,
    IgnoresWeights,
    ShowsNeighboursThatAreNotAdmitted,
    NamesNeighboursFromAfar,
    LosesHistory,
    MakesVersionsOfAccesses,
    ShowsForeignHistory,
    TakesAnyBatchForTheLast,
    SortsMessagesByTime,
    IgnoresBefore,
    ListsRejectionsOldestFirst,
    KeepsEveryRejection,
    LeasesWithoutHolding,
    LeasesForEver,
    CompletesTwice,
    LeasesAnyOfASessionTogether,
    CountsPostponedAttempts,
    LetsGoOfWhatIsHeld,
    QueuesTheRestBehind,
    SumsUsageOfAllUsers,
    OnlyPretendsToForget,
    ForgetsForAnybody,
    KeepsPhrases,
    KeepsSessions,
    ForgetsEverythingOnNoRequest,
    KeepsReferences,
    ListsPendingNewestFirst,
    ForgetsTheIdentity,
    ListsUsersBackwards,
    CountsNothing,
    ShowsContentInDebug,
    ClaimsToBeDurable,
    ClaimsToHoldVectors,
}

/// Which case catches which defect.
const CAUGHT_BY: [(Defect, &str); 52] = [
    (Defect::AnswersGetToEverybody, "a_scope_sees_its_own_levels_and_nothing_else"),
    (Defect::AppliesHalfABatch, "a_batch_that_fails_at_its_end_applies_nothing"),
    (Defect::AppliesChangesBackwards, "later_changes_of_a_batch_see_earlier_ones"),
    (Defect::OverwritesOnInsert, "inserting_an_id_that_exists_is_a_conflict"),
    (Defect::InsertsOnUpdate, "updating_an_absent_record_is_not_found"),
    (Defect::WritesForAnotherUser, "what_belongs_to_another_user_than_the_batch_is_invalid"),
    (Defect::IgnoresTheExpectedGeneration, "a_batch_planned_on_another_generation_is_a_conflict"),
    (Defect::CountsEveryBatch, "the_generation_counts_batches_that_change_records"),
    (Defect::KeepsMilliseconds, "times_are_kept_to_the_microsecond"),
    (Defect::TakesTheAccessFiguresOfAnUpdate, "an_update_keeps_the_access_figures"),
    (Defect::PagesByOffset, "pages_are_stable_while_records_come_and_go"),
    (Defect::EndsWithAnEmptyPage, "pages_together_are_the_list"),
    (Defect::IgnoresTheSlot, "a_list_can_be_limited_to_a_slot"),
    (Defect::ListsEveryStatus, "a_list_can_be_limited_to_statuses"),
    (Defect::TakesAnyCursor, "a_broken_cursor_is_invalid"),
    (Defect::FiltersBehindTheSearch, "the_filter_works_inside_the_search"),
    (Defect::FindsOnlyAscii, "words_are_found_in_english_and_chinese"),
    (Defect::NeedsEveryTerm, "any_term_suffices"),
    (Defect::CountsOnlyWhatTheFilterAdmits, "frequencies_count_all_of_the_users_records"),
    (Defect::IgnoresK, "k_limits_the_hits"),
    (Defect::IgnoresWeights, "terms_of_weight_zero_find_nothing"),
    (Defect::ShowsNeighboursThatAreNotAdmitted, "neighbours_are_those_that_the_filter_admits"),
    (Defect::NamesNeighboursFromAfar, "neighbours_of_an_episode_are_the_turns_around_it_in_its_session"),
    (Defect::LosesHistory, "history_lists_every_version_oldest_first"),
    (Defect::MakesVersionsOfAccesses, "an_access_makes_no_version"),
    (Defect::ShowsForeignHistory, "the_history_of_what_the_scope_does_not_see_is_not_found"),
    (Defect::TakesAnyBatchForTheLast, "the_last_batch_is_the_newest_that_made_versions"),
    (Defect::SortsMessagesByTime, "messages_come_in_the_order_in_which_they_were_appended"),
    (Defect::IgnoresBefore, "messages_before_another_are_those_appended_earlier"),
    (Defect::ListsRejectionsOldestFirst, "rejections_are_listed_newest_first"),
    (Defect::KeepsEveryRejection, "the_newest_thousand_rejections_of_a_user_are_kept"),
    (Defect::LeasesWithoutHolding, "jobs_of_a_session_are_done_in_their_order"),
    (Defect::LeasesForEver, "a_leased_job_is_free_again_when_its_lease_ends"),
    (Defect::CompletesTwice, "a_completed_job_is_gone_and_completing_it_again_is_a_conflict"),
    (Defect::LeasesAnyOfASessionTogether, "a_job_that_failed_and_one_of_another_kind_come_alone"),
    (Defect::CountsPostponedAttempts, "a_postponed_job_keeps_its_attempts"),
    (Defect::LetsGoOfWhatIsHeld, "a_worker_that_is_still_busy_holds_its_job"),
    (Defect::QueuesTheRestBehind, "what_is_left_of_a_job_keeps_its_place"),
    (Defect::SumsUsageOfAllUsers, "model_usage_is_asked_for_by_user_and_goes_with_the_user"),
    (Defect::OnlyPretendsToForget, "a_forgotten_record_is_nowhere"),
    (Defect::ForgetsForAnybody, "what_the_scope_does_not_see_is_not_forgotten"),
    (Defect::KeepsPhrases, "phrases_are_erased_from_the_transcript"),
    (Defect::KeepsSessions, "forgotten_sessions_take_their_messages_and_jobs_along"),
    (Defect::ForgetsEverythingOnNoRequest, "an_empty_request_erases_nothing"),
    (Defect::KeepsReferences, "references_to_a_forgotten_record_are_dropped"),
    (Defect::ListsPendingNewestFirst, "records_without_vectors_wait_oldest_first"),
    (Defect::ForgetsTheIdentity, "the_embedding_identity_is_the_one_that_was_set"),
    (Defect::ListsUsersBackwards, "users_are_paged_in_byte_order"),
    (Defect::CountsNothing, "stats_count_what_is_there"),
    (Defect::ShowsContentInDebug, "debug_output_holds_no_content"),
    (Defect::ClaimsToBeDurable, "what_was_acknowledged_survives_reopening_exactly_where_declared"),
    (Defect::ClaimsToHoldVectors, "vectors_are_there_exactly_where_the_capabilities_say_so"),
];

/// Whether a case fails on a store.
fn fails(case: &str, defect: Option<Defect>) -> bool {
    let run = || memory_store::run_case(case, || async { Standalone::new(Arc::new(Broken::new(defect))) });
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
fn random_operations_notice_defects_that_no_single_answer_shows() {
    for defect in [Defect::KeepsReferences, Defect::KeepsPhrases, Defect::LosesHistory, Defect::CountsNothing] {
        assert!(fails("random_operations_agree_with_the_reference", Some(defect)), "{defect:?}");
    }
}

/// The RAM store, with a defect in front of it.
struct Broken {
    inner: RamStore,
    defect: Option<Defect>,
    /// Every record that was ever given, and every rejection: what a store must not answer with.
    given: Mutex<Given>,
}

#[derive(Debug, Default, Clone)]
struct Given {
    records: Vec<MemoryRecord>,
    rejections: Vec<RejectedEntry>,
    last_batch: Option<BatchId>,
    batches: u64,
}

impl Broken {
    fn new(defect: Option<Defect>) -> Self {
        Self { inner: RamStore::new(), defect, given: Mutex::default() }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    fn given(&self) -> Given {
        self.given.lock().unwrap().clone()
    }

    fn owner_of(&self, id: MemoryId) -> Option<Scope> {
        self.given().records.into_iter().find(|record| record.id == id).map(|record| record.scope)
    }

    fn note(&self, batch: &Batch) {
        let mut given = self.given.lock().unwrap();
        given.last_batch = Some(batch.id);
        given.batches += 1;
        for change in &batch.changes {
            match change {
                Change::Insert { record, .. } => given.records.push((**record).clone()),
                Change::Reject { entry } => given.rejections.insert(0, entry.clone()),
                _ => {}
            }
        }
    }

    /// The batch as the defect makes it.
    async fn distorted(&self, mut batch: Batch) -> Batch {
        match self.defect {
            Some(Defect::AppliesChangesBackwards) => batch.changes.reverse(),
            Some(Defect::IgnoresTheExpectedGeneration) => batch.expected_generation = None,
            _ => {}
        }
        let mut changes = Vec::new();
        for change in std::mem::take(&mut batch.changes) {
            changes.extend(self.distorted_change(change).await);
        }
        batch.changes = changes;
        batch
    }

    async fn distorted_change(&self, change: Change) -> Vec<Change> {
        match change {
            Change::Insert { mut record, vectors, reason } => {
                let exists = !self.inner.get(&record.scope, &[record.id]).await.unwrap().is_empty();
                if self.has(Defect::KeepsMilliseconds) {
                    record.valid_from = record.valid_from.trunc_subsecs(3);
                }
                if exists && self.has(Defect::OverwritesOnInsert) {
                    return vec![Change::Update { record, vectors, reason }];
                }
                vec![Change::Insert { record, vectors, reason }]
            }
            Change::Update { record, vectors, reason } => {
                let exists = !self.inner.get(&record.scope, &[record.id]).await.unwrap().is_empty();
                if !exists && self.has(Defect::InsertsOnUpdate) {
                    return vec![Change::Insert { record, vectors, reason }];
                }
                vec![Change::Update { record, vectors, reason }]
            }
            Change::Touch { ids, at } if self.has(Defect::MakesVersionsOfAccesses) => {
                let mut changes = Vec::new();
                for id in &ids {
                    let Some(scope) = self.owner_of(*id) else { continue };
                    for record in self.inner.get(&scope, &[*id]).await.unwrap() {
                        let reason = ChangeReason::Confirmed;
                        changes.push(Change::Update { record: Box::new(record), vectors: None, reason });
                    }
                }
                changes.push(Change::Touch { ids, at });
                changes
            }
            Change::CompleteJob(id) if self.has(Defect::CompletesTwice) => {
                let is_there = self.inner.jobs(None).await.unwrap().iter().any(|job| job.id == id);
                if is_there { vec![Change::CompleteJob(id)] } else { vec![] }
            }
            Change::HoldJob { id, until } if self.has(Defect::LetsGoOfWhatIsHeld) => {
                vec![Change::HoldJob { id, until: until - Duration::minutes(15) }]
            }
            Change::ContinueJob { id, kind } if self.has(Defect::QueuesTheRestBehind) => {
                let jobs = self.inner.jobs(None).await.unwrap();
                let rest =
                    jobs.into_iter().find(|job| job.id == id).map(|job| Job::new(id, job.scope, kind, job.due_at));
                rest.into_iter().flat_map(|rest| [Change::CompleteJob(id), Change::Enqueue(rest)]).collect()
            }
            Change::PostponeJob { id, reason, until } if self.has(Defect::CountsPostponedAttempts) => {
                vec![Change::FailJob { id, error: reason, raw_reply: None, retry_at: Some(until) }]
            }
            change => vec![change],
        }
    }

    /// Applies changes one by one, each in a batch of its own.
    async fn commit_each(&self, batch: Batch) -> Result<BatchReceipt> {
        let mut receipt = BatchReceipt::default();
        for change in batch.changes {
            receipt = self.inner.commit(Batch::new(batch.id, batch.user.clone(), batch.at).with(change)).await?;
        }
        Ok(receipt)
    }

    /// A page whose cursor is the number of records before it.
    async fn page_by_offset(&self, request: &ListRequest) -> Result<Page> {
        let whole = request.clone().with_cursor(None).with_limit(usize::MAX);
        let records = self.inner.list(&whole).await?.records;
        let start: usize = request.cursor.as_deref().map_or(0, |cursor| cursor.parse().unwrap_or(0));
        let end = records.len().min(start.saturating_add(request.limit));
        let next = (end < records.len()).then(|| end.to_string());
        Ok(Page { records: records.into_iter().take(end).skip(start).collect(), next })
    }

    async fn search_then_filter(&self, query: &TextQuery) -> Result<TextMatches> {
        let everything = RecordFilter::new(query.filter.scope.clone()).with_all_statuses();
        let mut matches = self.inner.search_text(&TextQuery::new(query.terms.clone(), everything, query.k)).await?;
        let ids: Vec<_> = matches.hits.iter().map(|hit| hit.id).collect();
        let admitted = self.inner.get(&query.filter.scope, &ids).await?;
        let admitted: Vec<_> = admitted.iter().filter(|record| query.filter.admits(record)).map(|r| r.id).collect();
        matches.hits.retain(|hit| admitted.contains(&hit.id));
        Ok(matches)
    }
}

impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.has(Defect::ShowsContentInDebug) {
            true => write!(f, "{:?}", self.given()),
            false => f.write_str("Broken"),
        }
    }
}

#[async_trait]
impl MemoryStore for Broken {
    fn capabilities(&self) -> StoreCapabilities {
        StoreCapabilities::new(self.has(Defect::ClaimsToHoldVectors), self.has(Defect::ClaimsToBeDurable))
    }

    fn vectors(self: Arc<Self>) -> Option<Arc<dyn VectorStore>> {
        None
    }

    async fn commit(&self, batch: Batch) -> Result<BatchReceipt> {
        self.note(&batch);
        let user = batch.user.clone();
        let batch = self.distorted(batch).await;
        if self.has(Defect::AppliesHalfABatch) {
            return self.commit_each(batch).await;
        }
        if self.has(Defect::TakesTheAccessFiguresOfAnUpdate) {
            // The accesses are lost, as if the figures of the new version had been taken.
            let changes = batch.changes.into_iter().filter(|change| !matches!(change, Change::Touch { .. }));
            let kept = Batch::new(batch.id, batch.user.clone(), batch.at);
            return self.inner.commit(changes.fold(kept, Batch::with)).await;
        }
        let refused_kind = ErrorKind::InvalidInput;
        match self.inner.commit(batch).await {
            Err(error) if error.kind() == refused_kind && self.has(Defect::WritesForAnotherUser) => {
                Ok(BatchReceipt::default())
            }
            Ok(mut receipt) if self.has(Defect::CountsEveryBatch) => {
                receipt.generation = self.generation(&user).await?;
                Ok(receipt)
            }
            answer => answer,
        }
    }

    async fn generation(&self, user: &UserId) -> Result<u64> {
        if self.has(Defect::CountsEveryBatch) {
            return Ok(self.given().batches);
        }
        self.inner.generation(user).await
    }

    async fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<MemoryRecord>> {
        if self.has(Defect::AnswersGetToEverybody) {
            let given = self.given().records;
            return Ok(ids.iter().filter_map(|id| given.iter().find(|record| record.id == *id)).cloned().collect());
        }
        self.inner.get(scope, ids).await
    }

    async fn list(&self, request: &ListRequest) -> Result<Page> {
        let mut request = request.clone();
        match self.defect {
            Some(Defect::PagesByOffset) => return self.page_by_offset(&request).await,
            Some(Defect::IgnoresTheSlot) => request.slot = None,
            Some(Defect::ListsEveryStatus) => request.filter = request.filter.with_all_statuses(),
            Some(Defect::TakesAnyCursor) => {
                request.cursor = request.cursor.filter(|cursor| cursor.split('.').count() == 2);
            }
            Some(Defect::EndsWithAnEmptyPage) if request.limit < 1_000 => {
                let mut page = self.inner.list(&request).await?;
                if page.records.len() == request.limit && page.next.is_none() {
                    let last = page.records.last().unwrap();
                    page.next = Some(format!("{}.{}", last.importance.value(), last.id));
                }
                return Ok(page);
            }
            _ => {}
        }
        self.inner.list(&request).await
    }

    async fn search_text(&self, query: &TextQuery) -> Result<TextMatches> {
        let mut query = query.clone();
        match self.defect {
            Some(Defect::FiltersBehindTheSearch) => return self.search_then_filter(&query).await,
            Some(Defect::FindsOnlyAscii) => query.terms.retain(|term| term.text.is_ascii()),
            Some(Defect::IgnoresK) => query.k = usize::MAX,
            Some(Defect::IgnoresWeights) => query.terms.iter_mut().for_each(|term| term.weight = 1.0),
            _ => {}
        }
        let mut matches = self.inner.search_text(&query).await?;
        if self.has(Defect::NeedsEveryTerm) && query.terms.len() > 1 {
            for term in &query.terms {
                let one = TextQuery::new(vec![term.clone()], query.filter.clone(), usize::MAX);
                let found = self.inner.search_text(&one).await?.hits;
                matches.hits.retain(|hit| found.iter().any(|other| other.id == hit.id));
            }
        }
        if self.has(Defect::CountsOnlyWhatTheFilterAdmits) {
            matches.documents = matches.hits.len() as u64;
        }
        Ok(matches)
    }

    async fn neighbours(&self, of: &[MemoryId], filter: &RecordFilter, reach: usize) -> Result<Vec<Neighbours>> {
        let mut filter = filter.clone();
        if self.has(Defect::ShowsNeighboursThatAreNotAdmitted) {
            filter = filter.with_all_statuses();
        }
        let mut found = self.inner.neighbours(of, &filter, reach).await?;
        if self.has(Defect::NamesNeighboursFromAfar) {
            found.iter_mut().for_each(|near| near.before.reverse());
        }
        Ok(found)
    }

    async fn history(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Version>> {
        let scope = match self.has(Defect::ShowsForeignHistory) {
            true => self.owner_of(id).unwrap_or_else(|| scope.clone()),
            false => scope.clone(),
        };
        let mut history = self.inner.history(&scope, id).await?;
        if self.has(Defect::LosesHistory) {
            history.drain(..history.len() - 1);
        }
        Ok(history)
    }

    async fn versions_of(&self, user: &UserId, batch: BatchId) -> Result<Vec<Version>> {
        self.inner.versions_of(user, batch).await
    }

    async fn last_batch(&self, user: &UserId) -> Result<Option<BatchId>> {
        if self.has(Defect::TakesAnyBatchForTheLast) {
            return Ok(self.given().last_batch);
        }
        self.inner.last_batch(user).await
    }

    async fn messages(&self, query: &MessageQuery) -> Result<Vec<StoredMessage>> {
        let mut query = query.clone();
        if self.has(Defect::IgnoresBefore) {
            query.before = None;
        }
        let mut messages = self.inner.messages(&query).await?;
        if self.has(Defect::SortsMessagesByTime) {
            messages.sort_by_key(|message| message.at);
        }
        Ok(messages)
    }

    async fn sessions(&self, scope: &Scope) -> Result<Vec<SessionInfo>> {
        self.inner.sessions(scope).await
    }

    async fn rejected(&self, scope: &Scope, limit: usize) -> Result<Vec<RejectedEntry>> {
        if self.has(Defect::KeepsEveryRejection) {
            return Ok(self.given().rejections);
        }
        let mut rejected = self.inner.rejected(scope, limit).await?;
        if self.has(Defect::ListsRejectionsOldestFirst) {
            rejected.reverse();
        }
        Ok(rejected)
    }

    async fn lease_jobs(&self, request: &LeaseRequest) -> Result<Vec<Job>> {
        let mut request = request.clone();
        match self.defect {
            Some(Defect::LeasesWithoutHolding) => {
                let jobs = self.inner.jobs(request.scope.as_ref()).await?;
                return Ok(jobs.into_iter().find(|job| job.due_at <= request.now).into_iter().collect());
            }
            Some(Defect::LeasesAnyOfASessionTogether) => {
                let leased = self.inner.lease_jobs(&request).await?;
                let Some(first) = leased.first() else { return Ok(leased) };
                let session = self.inner.jobs(Some(&first.scope)).await?;
                return Ok(session.into_iter().take(request.max_jobs.max(1)).collect());
            }
            Some(Defect::LeasesForEver) => request.lease_for = request.lease_for * 1_000,
            _ => {}
        }
        self.inner.lease_jobs(&request).await
    }

    async fn jobs(&self, scope: Option<&Scope>) -> Result<Vec<Job>> {
        self.inner.jobs(scope).await
    }

    async fn queue(&self, scope: Option<&Scope>) -> Result<QueueState> {
        self.inner.queue(scope).await
    }

    async fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Result<Vec<UsageEntry>> {
        let user = user.filter(|_| !self.has(Defect::SumsUsageOfAllUsers));
        self.inner.usage(user, since).await
    }

    async fn forget(&self, scope: &Scope, request: &Forget) -> Result<ForgetReceipt> {
        let (mut scope, mut request) = (scope.clone(), request.clone());
        match self.defect {
            Some(Defect::OnlyPretendsToForget) => return Ok(ForgetReceipt::nothing()),
            Some(Defect::ForgetsForAnybody) => {
                let owner = request.ids.first().and_then(|id| self.owner_of(*id));
                scope = owner.unwrap_or(scope);
            }
            Some(Defect::KeepsPhrases) => request.phrases.clear(),
            Some(Defect::KeepsSessions) => request.sessions.clear(),
            Some(Defect::ForgetsEverythingOnNoRequest) if request == Forget::default() => {
                request = Forget::everything();
            }
            _ => {}
        }
        let receipt = self.inner.forget(&scope, &request).await;
        if self.has(Defect::KeepsReferences) {
            self.restore_references().await?;
        }
        receipt
    }

    async fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Result<Vec<(Scope, MemoryId)>> {
        let mut pending = self.inner.pending_vectors(identity, limit).await?;
        if self.has(Defect::ListsPendingNewestFirst) {
            pending.reverse();
        }
        Ok(pending)
    }

    async fn embedding_identity(&self) -> Result<Option<EmbeddingIdentity>> {
        self.inner.embedding_identity().await
    }

    async fn set_embedding_identity(&self, identity: &EmbeddingIdentity) -> Result<()> {
        if self.has(Defect::ForgetsTheIdentity) {
            return Ok(());
        }
        self.inner.set_embedding_identity(identity).await
    }

    async fn users(&self, after: Option<&UserId>, limit: usize) -> Result<Vec<UserId>> {
        let mut users = self.inner.users(after, limit).await?;
        if self.has(Defect::ListsUsersBackwards) {
            users.reverse();
        }
        Ok(users)
    }

    async fn stats(&self, user: Option<&UserId>) -> Result<StoreStats> {
        if self.has(Defect::CountsNothing) {
            return Ok(StoreStats::default());
        }
        self.inner.stats(user).await
    }

    async fn verify(&self) -> Result<VerifyReport> {
        self.inner.verify().await
    }
}

impl Broken {
    /// Puts the references of records that are still there back to what they were when the records came.
    async fn restore_references(&self) -> Result<()> {
        for given in self.given().records {
            let current = self.inner.get(&given.scope, &[given.id]).await?;
            let Some(mut record) = current.into_iter().next() else { continue };
            record.superseded_by = given.superseded_by;
            record.conflicts_with.clone_from(&given.conflicts_with);
            let id = self.given().last_batch.ok_or_else(|| Error::invalid("there was a batch"))?;
            let change = Change::Update { record: Box::new(record), vectors: None, reason: ChangeReason::Edited };
            self.inner.commit(Batch::new(id, given.scope.user_id().clone(), given.created_at).with(change)).await?;
        }
        Ok(())
    }
}
