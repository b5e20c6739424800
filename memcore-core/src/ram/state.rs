//! All that the store holds: one [`UserMemory`] per user, so that no read of one user can meet another's data.

use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Unbounded},
};

use super::{transaction::Transaction, user_memory::UserMemory};
use crate::{
    Batch, BatchReceipt, EmbeddingIdentity, Fault, Fingerprint, Forget, ForgetReceipt, JobId, JobState, MemoryId,
    ModelUsage, Result, Scope, Status, StoreStats, Timestamp, UsageEntry, UserId, VerifyReport, day_of,
};

/// The content of a store.
#[derive(Default)]
pub(super) struct State {
    pub(super) identity: Option<EmbeddingIdentity>,
    pub(super) users: BTreeMap<UserId, UserMemory>,
    /// The highest generation of those who were erased entirely: all that stays of them.
    first_generation: u64,
}

impl State {
    pub(super) fn user(&self, user: &UserId) -> Option<&UserMemory> {
        self.users.get(user)
    }

    /// Applies a batch to a copy of the user's memory, and puts the copy in place when all of it went well.
    pub(super) fn commit(&mut self, batch: Batch) -> Result<BatchReceipt> {
        let user = batch.user.clone();
        let (memory, receipt) = Transaction::begin(self, &batch)?.apply(batch.changes)?;
        // Of whom nothing is kept, nobody becomes known.
        if self.users.contains_key(&user) || !memory.is_empty() {
            self.users.insert(user, memory);
        }
        Ok(receipt)
    }

    pub(super) fn forget(&mut self, scope: &Scope, request: &Forget) -> ForgetReceipt {
        let Some(memory) = self.users.get_mut(scope.user_id()) else { return ForgetReceipt::nothing() };
        let receipt = memory.forget(scope, request);
        if request.everything {
            self.first_generation = self.first_generation.max(memory.generation);
            self.users.remove(scope.user_id());
        }
        receipt
    }

    /// What a user begins with of whom nothing is known: an erased user's next generation is a new one.
    pub(super) fn unknown_user(&self) -> UserMemory {
        let mut memory = UserMemory::default();
        memory.generation = self.first_generation;
        memory
    }

    pub(super) fn usage(&self, user: Option<&UserId>, since: Timestamp) -> Vec<UsageEntry> {
        let mut summed: BTreeMap<&(Timestamp, String, String), ModelUsage> = BTreeMap::new();
        let asked = self.users.iter().filter(|(id, _)| user.is_none_or(|only| only == *id));
        for (key, usage) in asked.flat_map(|(_, memory)| &memory.usage).filter(|(key, _)| key.0 >= day_of(since)) {
            summed.entry(key).or_default().absorb(*usage);
        }
        summed.into_iter().map(|((day, purpose, model), usage)| UsageEntry::new(*day, purpose, model, usage)).collect()
    }

    /// Ids are unique in the whole store, as its primary keys would be.
    pub(super) fn has_record(&self, id: MemoryId) -> bool {
        self.users.values().any(|memory| memory.entries.contains_key(&id))
    }

    pub(super) fn has_job(&self, id: JobId) -> bool {
        self.users.values().any(|memory| memory.jobs.contains_key(&id))
    }

    pub(super) fn pending_vectors(&self, identity: &Fingerprint, limit: usize) -> Vec<(Scope, MemoryId)> {
        let mut pending: Vec<_> = self
            .users
            .values()
            .flat_map(|memory| memory.records())
            .filter(|record| record.embedding.as_ref() != Some(identity))
            .map(|record| (record.scope.clone(), record.id))
            .collect();
        pending.sort_by_key(|(_, id)| *id);
        pending.truncate(limit);
        pending
    }

    pub(super) fn users(&self, after: Option<&UserId>, limit: usize) -> Vec<UserId> {
        let from = after.map_or(Unbounded, Excluded);
        self.users
            .range::<UserId, _>((from, Unbounded))
            .filter(|(_, memory)| !memory.is_empty())
            .map(|(user, _)| user.clone())
            .take(limit)
            .collect()
    }

    pub(super) fn stats(&self, user: Option<&UserId>) -> StoreStats {
        let current = self.identity.as_ref().map(EmbeddingIdentity::fingerprint);
        let mut stats = StoreStats { embedder: self.identity.clone(), ..StoreStats::default() };
        let (mut importance, mut accesses) = (0_u64, 0_u64);
        for (_, memory) in self.users.iter().filter(|(id, _)| user.is_none_or(|user| user == *id)) {
            for record in memory.records() {
                stats.total += 1;
                match record.status {
                    Status::Active => {
                        stats.active += 1;
                        importance += u64::from(record.importance.value());
                        accesses += record.access_count;
                        *stats.by_kind.entry(record.kind.to_string()).or_default() += 1;
                    }
                    Status::Archived => stats.archived += 1,
                    Status::Superseded => stats.superseded += 1,
                    Status::Merged => stats.merged += 1,
                    Status::Quarantined => stats.quarantined += 1,
                }
                if record.embedding.is_some() && (current.is_none() || record.embedding == current) {
                    stats.vectors += 1;
                } else {
                    stats.pending_vectors += 1;
                }
            }
            let messages: usize = memory.sessions.values().map(|session| session.messages.len()).sum();
            stats.users += u64::from(!memory.entries.is_empty() || messages > 0);
            stats.sessions += memory.sessions.len() as u64;
            stats.messages += messages as u64;
            stats.rejected += memory.rejections.len() as u64;
            for queued in memory.jobs.values() {
                match queued.job.state {
                    JobState::Pending => stats.pending_jobs += 1,
                    JobState::Dead => stats.dead_letters += 1,
                }
            }
        }
        if stats.active > 0 {
            stats.avg_importance = importance as f64 / stats.active as f64;
            stats.avg_access = accesses as f64 / stats.active as f64;
        }
        stats
    }

    pub(super) fn verify(&self) -> VerifyReport {
        let mut report = VerifyReport::default();
        for entry in self.users.values().flat_map(|memory| memory.entries.values()) {
            let record = &entry.current.record;
            report.records += 1;
            if record.content_hash() != entry.hash {
                report.faults.push(Fault::HashMismatch { id: record.id });
            }
            if super::text_search::count_terms(&record.content) != entry.terms {
                report.faults.push(Fault::MissingTerms { id: record.id });
            }
        }
        report
    }
}
