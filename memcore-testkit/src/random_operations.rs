//! Long random runs on a record store, compared with the RAM reference.

use std::{collections::BTreeSet, sync::Arc};

use memcore_core::{
    Batch, Change, ChangeReason, Forget, Job, JobKind, LeaseRequest, ListRequest, MemoryRecord, MemoryStore,
    MessageQuery, ModelUsage, RamStore, RecordFilter, Scope, SessionAmendment, SortOrder, StoreStats, TextQuery,
    UsageEntry, UserId, Version, text::query_terms,
};

use crate::{
    Generator, Writer,
    sample::{
        at, fingerprint, job, job_id, memory_id, message_id, project_scope, rejection, session_scope, user_scope,
    },
    writer::{insertion, update},
};

/// How many steps lie between two comparisons of everything.
const STEPS_BETWEEN_COMPARISONS: u64 = 50;

/// Does the same random things to an empty store and to the RAM reference, and compares every answer; every 50 steps
/// and at the end, also all that both hold. Equal seeds do the same.
///
/// # Panics
/// Where the store differs from the reference, or finds itself unsound.
pub async fn random_operations(store: Arc<dyn MemoryStore>, seed: u64, steps: u64) {
    let reference = RamStore::new();
    let mut plan = Plan::new(seed);
    for step in 1..=steps {
        let operation = plan.next(step);
        let given = apply(&*store, &operation).await;
        let expected = apply(&reference, &operation).await;
        assert_eq!(given, expected, "seed {seed}, step {step}: {operation:#?}");
        if step % STEPS_BETWEEN_COMPARISONS == 0 || step == steps {
            assert_same(&*store, &reference).await;
        }
    }
}

/// Asserts that two record stores hold the same, as far as the contract tells; and that the first is sound.
///
/// # Panics
/// Where they differ.
pub async fn assert_same(store: &dyn MemoryStore, reference: &dyn MemoryStore) {
    let users = reference.users(None, usize::MAX).await.unwrap();
    assert_eq!(store.users(None, usize::MAX).await.unwrap(), users);
    // No record has vectors of a model that does not exist: this lists all of them.
    let nobody = fingerprint("a model that does not exist");
    let everything = reference.pending_vectors(&nobody, usize::MAX).await.unwrap();
    assert_eq!(store.pending_vectors(&nobody, usize::MAX).await.unwrap(), everything);
    for (scope, id) in &everything {
        let given = store.history(scope, *id).await.unwrap();
        let expected = reference.history(scope, *id).await.unwrap();
        assert_eq!(without_access(given), without_access(expected));
        assert_eq!(store.get(scope, &[*id]).await.unwrap(), reference.get(scope, &[*id]).await.unwrap());
    }
    for scope in everything.iter().map(|(scope, _)| scope).collect::<BTreeSet<_>>() {
        assert_same_reads(store, reference, scope).await;
    }
    for user in &users {
        assert_same_user(store, reference, user).await;
    }
    assert_eq!(store.jobs(None).await.unwrap(), reference.jobs(None).await.unwrap());
    assert_eq!(store.queue(None).await.unwrap(), reference.queue(None).await.unwrap());
    assert_eq!(store.usage(None, at(0)).await.unwrap(), reference.usage(None, at(0)).await.unwrap());
    assert_eq!(comparable(store.stats(None).await.unwrap()), comparable(reference.stats(None).await.unwrap()));
    let report = store.verify().await.unwrap();
    assert_eq!((report.records, report.faults), (everything.len() as u64, vec![]));
}

async fn assert_same_reads(store: &dyn MemoryStore, reference: &dyn MemoryStore, scope: &Scope) {
    let all = RecordFilter::new(scope.clone()).with_all_statuses();
    let current = RecordFilter::new(scope.clone()).with_valid_at(at(1_000));
    for filter in [all, current] {
        for sort in [SortOrder::Newest, SortOrder::Oldest, SortOrder::Importance] {
            let request = ListRequest::new(filter.clone()).with_sort(sort).with_limit(1_000_000);
            assert_eq!(store.list(&request).await.unwrap(), reference.list(&request).await.unwrap());
        }
        for text in ["old radios", "老收音机", "KX-7741 fog", "v4.1.9 大雾", "Professor 教练 1977"] {
            let query = TextQuery::new(query_terms(text), filter.clone(), usize::MAX);
            let given = store.search_text(&query).await.unwrap();
            let expected = reference.search_text(&query).await.unwrap();
            let ids = |hits: &[memcore_core::TextHit]| hits.iter().map(|hit| hit.id).collect::<BTreeSet<_>>();
            assert_eq!(ids(&given.hits), ids(&expected.hits), "{text}");
            assert_eq!((given.frequencies, given.documents), (expected.frequencies, expected.documents), "{text}");
        }
    }
}

async fn assert_same_user(store: &dyn MemoryStore, reference: &dyn MemoryStore, user: &UserId) {
    let scope = Scope::of_user(user.clone());
    assert_eq!(store.generation(user).await.unwrap(), reference.generation(user).await.unwrap(), "{user}");
    let last = reference.last_batch(user).await.unwrap();
    assert_eq!(store.last_batch(user).await.unwrap(), last, "{user}");
    if let Some(batch) = last {
        let given = store.versions_of(user, batch).await.unwrap();
        let expected = reference.versions_of(user, batch).await.unwrap();
        assert_eq!(without_access(given), without_access(expected));
    }
    let query = MessageQuery::new(scope.clone());
    assert_eq!(store.messages(&query).await.unwrap(), reference.messages(&query).await.unwrap());
    assert_eq!(store.sessions(&scope).await.unwrap(), reference.sessions(&scope).await.unwrap());
    let rejected = reference.rejected(&scope, usize::MAX).await.unwrap();
    assert_eq!(store.rejected(&scope, usize::MAX).await.unwrap(), rejected);
    assert_eq!(store.queue(Some(&scope)).await.unwrap(), reference.queue(Some(&scope)).await.unwrap());
    assert_eq!(store.usage(Some(user), at(0)).await.unwrap(), reference.usage(Some(user), at(0)).await.unwrap());
    let stats = comparable(reference.stats(Some(user)).await.unwrap());
    assert_eq!(comparable(store.stats(Some(user)).await.unwrap()), stats, "{user}");
}

/// Access figures and the embedding are no part of a version: stores may keep them with it, or not.
fn without_access(mut versions: Vec<Version>) -> Vec<Version> {
    for version in &mut versions {
        let record = &mut version.record;
        (record.access_count, record.last_accessed_at, record.embedding) = (0, None, None);
    }
    versions
}

/// The figures that two different stores share. Means are compared to the thousandth.
fn comparable(mut stats: StoreStats) -> StoreStats {
    (stats.db_bytes, stats.schema, stats.pending_purges) = (0, 0, 0);
    stats.avg_importance = (stats.avg_importance * 1_000.0).round();
    stats.avg_access = (stats.avg_access * 1_000.0).round();
    stats
}

/// Something to do to a store.
#[derive(Debug)]
enum Operation {
    Commit(Batch),
    Forget(Scope, Forget),
    Lease(LeaseRequest),
}

/// What a store answered, without what may differ between stores.
#[derive(Debug, PartialEq)]
enum Answer {
    Committed(memcore_core::BatchReceipt),
    Forgotten(BTreeSet<memcore_core::MemoryId>),
    Leased(Vec<Job>),
    Refused(memcore_core::ErrorKind),
}

async fn apply(store: &dyn MemoryStore, operation: &Operation) -> Answer {
    let answer = match operation {
        Operation::Commit(batch) => store.commit(batch.clone()).await.map(Answer::Committed),
        Operation::Forget(scope, request) => {
            store.forget(scope, request).await.map(|receipt| Answer::Forgotten(receipt.forgotten.into_iter().collect()))
        }
        Operation::Lease(request) => store.lease_jobs(request).await.map(Answer::Leased),
    };
    answer.unwrap_or_else(|error| Answer::Refused(error.kind()))
}

/// Draws operations. It remembers what it has drawn, not what came of it: some operations aim at what is gone, and must
/// be refused in the same way everywhere.
struct Plan {
    generator: Generator,
    writer: Writer,
    records: Vec<MemoryRecord>,
    jobs: u64,
}

impl Plan {
    fn new(seed: u64) -> Self {
        let writer = Writer::new(Arc::new(RamStore::new()));
        Self { generator: Generator::new(seed), writer, records: Vec::new(), jobs: 0 }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.generator.lcg().below(limit)
    }

    fn next(&mut self, step: u64) -> Operation {
        match self.below(20) {
            0 => self.forget(),
            1 | 2 => {
                let mut request = LeaseRequest::new(at(i64::try_from(step).unwrap()));
                request.scope = (self.below(2) == 0).then(|| self.session());
                request.max_jobs = usize::try_from(self.below(4)).unwrap();
                Operation::Lease(request)
            }
            _ => self.commit(step),
        }
    }

    fn commit(&mut self, step: u64) -> Operation {
        let user = self.user();
        let mut batch = self.writer.batch(user);
        batch.at = at(i64::try_from(step).unwrap());
        if self.below(10) == 0 {
            batch = batch.with_expected_generation(self.below(4));
        }
        for _ in 0..=self.below(3) {
            let change = self.change(user, step);
            batch = batch.with(change);
        }
        Operation::Commit(batch)
    }

    fn change(&mut self, user: &str, step: u64) -> Change {
        let now = at(i64::try_from(step).unwrap());
        match self.below(13) {
            0..=3 => {
                let scope = self.place(user);
                let record = self.generator.record(&scope);
                self.records.push(record.clone());
                insertion(&record)
            }
            4 | 5 => match self.some_record() {
                Some(old) => {
                    let mut record = self.generator.record(&old.scope);
                    record.id = old.id;
                    (record.conflicts_with, record.superseded_by) = (vec![memory_id(self.below(200))], Some(old.id));
                    if self.below(2) == 0 {
                        record.content.clone_from(&old.content);
                    }
                    let reasons = [ChangeReason::Edited, ChangeReason::Confirmed, ChangeReason::Undone];
                    update(&record, self.generator.lcg().pick(&reasons))
                }
                None => Change::Touch { ids: vec![memory_id(1)], at: now },
            },
            6 => Change::Touch { ids: (0..self.below(4)).map(|_| memory_id(self.below(200))).collect(), at: now },
            7 => {
                let session = session_scope(user, self.generator.lcg().pick(&["s1", "s2"]));
                let mut message = self.generator.message(&session);
                message.at = now;
                Change::AppendMessages(vec![message])
            }
            8 => {
                self.jobs += 1;
                let session = session_scope(user, "s1");
                Change::Enqueue(job(self.jobs, &session))
            }
            9 => Change::CompleteJob(job_id(self.below(self.jobs + 1))),
            10 => self.trouble(step),
            11 => self.account(user, now),
            _ => Change::Reject { entry: rejection(&self.generator.statement(), i64::try_from(step).unwrap()) },
        }
    }

    fn trouble(&mut self, step: u64) -> Change {
        let id = job_id(self.below(self.jobs + 1));
        let later = at(i64::try_from(step + 5).unwrap());
        match self.below(8) {
            0 => Change::FailJob { id, error: "no answer".into(), raw_reply: None, retry_at: None },
            1 => {
                let raw_reply = Some(format!("[{}", self.generator.statement()));
                Change::FailJob { id, error: "no list".into(), raw_reply, retry_at: Some(later) }
            }
            2 => Change::PostponeJob { id, reason: "nobody answers".into(), until: later },
            3 => Change::ReviveJob { id, at: later },
            5 => Change::HoldJob { id, until: later },
            6 => Change::ContinueJob { id, kind: JobKind::Extract { messages: vec![message_id("m2")], offset: 7 } },
            4 => {
                let mut waiting = job(self.jobs + 1, &self.session());
                self.jobs += 1;
                waiting.due_at = at(i64::try_from(step + 50).unwrap());
                Change::Enqueue(waiting)
            }
            _ => Change::HastenJobs { session: memcore_core::SessionId::new("s1").unwrap(), at: later },
        }
    }

    fn account(&mut self, user: &str, now: memcore_core::Timestamp) -> Change {
        if self.below(2) == 0 {
            let amendment = SessionAmendment::new(session_scope(user, "s1")).with_echoes(self.below(2));
            return Change::AmendSession(match self.below(2) {
                0 => amendment.with_summary(self.generator.statement(), memcore_core::MessageId::new("m1").unwrap()),
                _ => amendment.with_end(now),
            });
        }
        let mut usage = ModelUsage::default();
        (usage.calls, usage.input_tokens, usage.output_tokens) = (1, self.below(1_000), self.below(1_000));
        let model = self.generator.lcg().pick(&["small-model", "large-model"]);
        Change::RecordUsage(UsageEntry::new(now, "llm", model, usage))
    }

    fn forget(&mut self) -> Operation {
        let user = self.user();
        let scope = self.place(user);
        let ids = (0..self.below(3)).map(|_| memory_id(self.below(200))).collect();
        let phrases = ["old radios", "帆船", "KX-7741", "", "19"].map(str::to_owned).into_iter();
        let phrases = phrases.filter(|_| self.below(3) == 0).collect();
        let request = match self.below(12) {
            0 => Forget::everything(),
            1 => Forget::default().with_sessions(vec![memcore_core::SessionId::new("s1").unwrap()]),
            _ => Forget::records(ids, phrases),
        };
        Operation::Forget(scope, request)
    }

    fn user(&mut self) -> &'static str {
        self.generator.lcg().pick(&["ada", "bob", "阿达"])
    }

    fn session(&mut self) -> Scope {
        let user = self.user();
        session_scope(user, "s1")
    }

    fn place(&mut self, user: &str) -> Scope {
        match self.below(5) {
            0 => project_scope(user, "billing"),
            1 => project_scope(user, "garden"),
            2 => session_scope(user, "s1"),
            3 => project_scope(user, "billing").session("s1").unwrap(),
            _ => user_scope(user),
        }
    }

    fn some_record(&mut self) -> Option<MemoryRecord> {
        let at = self.below(self.records.len() as u64);
        self.records.get(usize::try_from(at).unwrap()).cloned()
    }
}
