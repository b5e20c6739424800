//! Batches: the changes of one, applied in order to a copy of the user's memory.

use std::sync::Arc;

use chrono::SubsecRound;

use super::{
    jobs::QueuedJob,
    state::State,
    text_search::count_terms,
    user_memory::{Entry, MAX_REJECTIONS, SessionLog, UserMemory},
};
use crate::{
    Batch, BatchId, BatchReceipt, Change, ChangeReason, Error, ErrorKind, Job, JobId, JobState, MemoryId, MemoryRecord,
    MessageId, RejectedEntry, Result, Scope, SessionAmendment, SessionId, SessionInfo, StoredMessage, Timestamp,
    UserId, Version,
};

/// A batch under way.
pub(super) struct Transaction<'a> {
    state: &'a State,
    memory: UserMemory,
    user: UserId,
    batch: BatchId,
    at: Timestamp,
    changes_records: bool,
    appended: Vec<MessageId>,
}

impl<'a> Transaction<'a> {
    pub(super) fn begin(state: &'a State, batch: &Batch) -> Result<Self> {
        let memory = state.user(&batch.user).cloned().unwrap_or_else(|| state.unknown_user());
        if batch.expected_generation.is_some_and(|expected| expected != memory.generation) {
            return Err(Error::new(ErrorKind::Conflict, "the user's memories have changed since they were read"));
        }
        Ok(Self {
            state,
            memory,
            user: batch.user.clone(),
            batch: batch.id,
            at: to_microseconds(batch.at),
            changes_records: false,
            appended: Vec::new(),
        })
    }

    pub(super) fn apply(mut self, changes: Vec<Change>) -> Result<(UserMemory, BatchReceipt)> {
        for change in changes {
            match change {
                // Vectors live in another store: they are ignored, and the record waits for them.
                Change::Insert { record, reason, .. } => self.insert(*record, reason)?,
                Change::Update { record, reason, .. } => self.update(*record, reason)?,
                Change::SetVectors { embedding: Some(_), .. } => {}
                Change::SetVectors { id, identity, embedding: None } => {
                    self.with_record(id, |record| record.embedding = Some(identity));
                }
                Change::Touch { ids, at } => {
                    for id in ids {
                        self.with_record(id, |record| {
                            record.last_accessed_at = Some(to_microseconds(at));
                            record.access_count += 1;
                        });
                    }
                }
                Change::AppendMessages(messages) => {
                    for message in messages {
                        self.append(message)?;
                    }
                }
                Change::UpdateSession(info) => self.update_session(info)?,
                Change::AmendSession(amendment) => self.amend_session(amendment)?,
                Change::Enqueue(job) => self.enqueue(job)?,
                Change::CompleteJob(id) => {
                    self.memory.jobs.remove(&id).ok_or_else(job_is_gone)?;
                }
                Change::FailJob { id, error, raw_reply, retry_at } => {
                    self.fail_job(id, error, retry_at)?.raw_reply = raw_reply;
                }
                Change::PostponeJob { id, reason, until } => {
                    let queued = self.memory.jobs.get_mut(&id).ok_or_else(job_is_gone)?;
                    queued.leased_until = None;
                    queued.job.last_error = Some(reason);
                    queued.job.due_at = to_microseconds(until);
                }
                Change::HoldJob { id, until } => {
                    let held = self.memory.jobs.get_mut(&id).filter(|queued| queued.leased_until.is_some());
                    held.ok_or_else(job_is_gone)?.leased_until = Some(to_microseconds(until));
                }
                Change::ContinueJob { id, kind } => {
                    let queued = self.memory.jobs.get_mut(&id).ok_or_else(job_is_gone)?;
                    queued.leased_until = None;
                    queued.job.kind = kind;
                    queued.job.attempts = 0;
                    (queued.job.last_error, queued.job.raw_reply) = (None, None);
                }
                Change::HastenJobs { session, at } => self.hasten_jobs(&session, at),
                Change::ReviveJob { id, at } => {
                    let job = self.memory.jobs.get_mut(&id).map(|queued| &mut queued.job);
                    let job = job.filter(|job| job.state == JobState::Dead).ok_or_else(job_is_gone)?;
                    (job.state, job.attempts, job.due_at) = (JobState::Pending, 0, to_microseconds(at));
                }
                Change::RecordUsage(entry) => self.memory.record_usage(&entry),
                Change::Reject { entry } => self.reject(entry),
            }
        }
        if self.changes_records {
            self.memory.generation += 1;
        }
        let receipt = BatchReceipt { appended: self.appended, generation: self.memory.generation };
        Ok((self.memory, receipt))
    }

    fn insert(&mut self, mut record: MemoryRecord, reason: ChangeReason) -> Result<()> {
        self.check_owner(&record.scope)?;
        if self.memory.entries.contains_key(&record.id) || self.state.has_record(record.id) {
            return Err(Error::new(ErrorKind::Conflict, "a memory with this id exists"));
        }
        record.embedding = None;
        self.put(record, reason, 1, Vec::new());
        Ok(())
    }

    fn update(&mut self, mut record: MemoryRecord, reason: ChangeReason) -> Result<()> {
        self.check_owner(&record.scope)?;
        let Some(old) = self.memory.entries.get(&record.id).map(|entry| Entry::clone(entry)) else {
            return Err(Error::new(ErrorKind::NotFound, "no memory has this id"));
        };
        let former = &old.current.record;
        record.last_accessed_at = former.last_accessed_at;
        record.access_count = former.access_count;
        record.embedding = former.embedding.clone().filter(|_| former.content == record.content);
        let number = old.current.number + 1;
        let mut past = old.past;
        past.push((old.sequence, old.current));
        self.put(record, reason, number, past);
        Ok(())
    }

    fn put(&mut self, mut record: MemoryRecord, reason: ChangeReason, number: u32, past: Vec<(u64, Version)>) {
        record.created_at = to_microseconds(record.created_at);
        record.updated_at = to_microseconds(record.updated_at);
        record.valid_from = to_microseconds(record.valid_from);
        record.valid_until = record.valid_until.map(to_microseconds);
        record.last_accessed_at = record.last_accessed_at.map(to_microseconds);
        record.provenance.at = to_microseconds(record.provenance.at);
        let entry = Entry {
            hash: record.content_hash(),
            terms: count_terms(&record.content),
            sequence: self.memory.next_sequence(),
            past,
            current: Version { number, record, reason, batch: self.batch, at: self.at },
        };
        self.memory.entries.insert(entry.current.record.id, Arc::new(entry));
        self.changes_records = true;
    }

    /// Changes what is no part of a version; an absent id is skipped.
    fn with_record(&mut self, id: MemoryId, change: impl FnOnce(&mut MemoryRecord)) {
        if let Some(entry) = self.memory.entries.get_mut(&id) {
            change(&mut Arc::make_mut(entry).current.record);
        }
    }

    fn append(&mut self, mut message: StoredMessage) -> Result<()> {
        let session = self.session_of(&message.scope)?;
        message.at = to_microseconds(message.at);
        let sequence = self.memory.next_sequence();
        let log = self.memory.sessions.entry(session).or_insert_with(|| {
            let info = SessionInfo::new(message.scope.clone(), message.at);
            Arc::new(SessionLog { info, messages: Vec::new() })
        });
        if log.messages.iter().any(|(_, known)| known.id == message.id) {
            return Ok(());
        }
        let log = Arc::make_mut(log);
        if log.messages.is_empty() {
            log.info.started_at = message.at;
        }
        self.appended.push(message.id.clone());
        log.messages.push((sequence, Arc::new(message)));
        log.info.messages = log.messages.len() as u64;
        Ok(())
    }

    fn update_session(&mut self, info: SessionInfo) -> Result<()> {
        let session = self.session_of(&info.scope)?;
        let started_at = to_microseconds(info.started_at);
        let log = self.memory.sessions.entry(session).or_insert_with(|| {
            let info = SessionInfo { messages: 0, started_at, ..info.clone() };
            Arc::new(SessionLog { info, messages: Vec::new() })
        });
        let log = Arc::make_mut(log);
        log.info.ended_at = info.ended_at.map(to_microseconds);
        log.info.summary = info.summary;
        log.info.summarized_until = info.summarized_until;
        log.info.echoes = info.echoes;
        Ok(())
    }

    fn amend_session(&mut self, amendment: SessionAmendment) -> Result<()> {
        let session = self.session_of(&amendment.scope)?;
        let Some(log) = self.memory.sessions.get_mut(&session) else { return Ok(()) };
        let info = &mut Arc::make_mut(log).info;
        info.ended_at = amendment.ended_at.map(to_microseconds).or(info.ended_at);
        info.echoes += amendment.echoes;
        if let Some((summary, until)) = amendment.summary {
            (info.summary, info.summarized_until) = (Some(summary), Some(until));
        }
        Ok(())
    }

    fn enqueue(&mut self, mut job: Job) -> Result<()> {
        self.check_owner(&job.scope)?;
        if self.memory.jobs.contains_key(&job.id) || self.state.has_job(job.id) {
            return Err(Error::new(ErrorKind::Conflict, "a job with this id exists"));
        }
        job.due_at = to_microseconds(job.due_at);
        self.memory.jobs.insert(job.id, QueuedJob { job, leased_until: None });
        Ok(())
    }

    fn fail_job(&mut self, id: JobId, error: String, retry_at: Option<Timestamp>) -> Result<&mut Job> {
        let queued = self.memory.jobs.get_mut(&id).ok_or_else(job_is_gone)?;
        queued.leased_until = None;
        queued.job.attempts += 1;
        queued.job.last_error = Some(error);
        match retry_at {
            Some(at) => queued.job.due_at = to_microseconds(at),
            None => queued.job.state = JobState::Dead,
        }
        Ok(&mut queued.job)
    }

    fn hasten_jobs(&mut self, session: &SessionId, at: Timestamp) {
        let at = to_microseconds(at);
        for queued in self.memory.jobs.values_mut().map(|queued| &mut queued.job) {
            let waits_for_more =
                queued.state == JobState::Pending && queued.attempts == 0 && queued.last_error.is_none();
            if waits_for_more && queued.scope.session_id() == Some(session) {
                queued.due_at = queued.due_at.min(at);
            }
        }
    }

    fn reject(&mut self, mut entry: RejectedEntry) {
        entry.at = to_microseconds(entry.at);
        self.memory.rejections.push_back(Arc::new(entry));
        while self.memory.rejections.len() > MAX_REJECTIONS {
            self.memory.rejections.pop_front();
        }
    }

    fn check_owner(&self, scope: &Scope) -> Result<()> {
        if *scope.user_id() != self.user {
            return Err(Error::invalid("a batch changes what belongs to its own user only"));
        }
        Ok(())
    }

    fn session_of(&self, scope: &Scope) -> Result<SessionId> {
        self.check_owner(scope)?;
        scope.session_id().cloned().ok_or_else(|| Error::invalid("a message belongs to a session"))
    }
}

fn job_is_gone() -> Error {
    Error::new(ErrorKind::Conflict, "the job is not there: another worker has finished it")
}

/// Stores keep times to the microsecond; what is read back must equal what is compared and hashed.
fn to_microseconds(at: Timestamp) -> Timestamp {
    at.trunc_subsecs(6)
}
