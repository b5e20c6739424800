//! One user's records with their history, transcript, queue and rejections, and how they are read.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Bound::{Excluded, Unbounded},
    sync::Arc,
};

use super::{jobs::QueuedJob, text_search::TermCounts};
use crate::{
    BatchId, ChangeReason, JobId, Kind, MemoryId, MemoryRecord, MessageQuery, ModelUsage, Neighbours, RecordFilter,
    RejectedEntry, Scope, SessionId, SessionInfo, StoredMessage, Timestamp, UsageEntry, Version, day_of,
};

/// How many rejections of a user are kept.
pub(super) const MAX_REJECTIONS: usize = 1_000;

/// All that belongs to one user. A clone is cheap: it shares what does not change.
#[derive(Clone, Default)]
pub(super) struct UserMemory {
    pub(super) generation: u64,
    pub(super) entries: BTreeMap<MemoryId, Arc<Entry>>,
    pub(super) sessions: BTreeMap<SessionId, Arc<SessionLog>>,
    pub(super) jobs: BTreeMap<JobId, QueuedJob>,
    /// Oldest first.
    pub(super) rejections: VecDeque<Arc<RejectedEntry>>,
    /// By day, purpose and model.
    pub(super) usage: BTreeMap<(Timestamp, String, String), ModelUsage>,
    sequence: u64,
}

/// A record with its history and index terms.
#[derive(Clone)]
pub(super) struct Entry {
    pub(super) current: Version,
    /// Where the current version stands in the order of all that the user's batches did.
    pub(super) sequence: u64,
    /// Earlier versions, oldest first.
    pub(super) past: Vec<(u64, Version)>,
    pub(super) hash: [u8; 32],
    pub(super) terms: TermCounts,
}

impl Entry {
    /// All versions with their sequence numbers, oldest first.
    pub(super) fn versions(&self) -> impl Iterator<Item = (u64, &Version)> {
        let past = self.past.iter().map(|(sequence, version)| (*sequence, version));
        past.chain(std::iter::once((self.sequence, &self.current)))
    }
}

/// A session and its messages in the order in which they were appended, each with its sequence number.
#[derive(Clone)]
pub(super) struct SessionLog {
    pub(super) info: SessionInfo,
    pub(super) messages: Vec<(u64, Arc<StoredMessage>)>,
}

impl UserMemory {
    /// A number above all that were given before.
    pub(super) fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// Whether nothing is kept of this user. (A generation alone is nothing.)
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.sessions.is_empty()
            && self.jobs.is_empty()
            && self.rejections.is_empty()
            && self.usage.is_empty()
    }

    pub(super) fn record_usage(&mut self, entry: &UsageEntry) {
        let key = (day_of(entry.day), entry.purpose.clone(), entry.model.clone());
        self.usage.entry(key).or_default().absorb(entry.usage);
    }

    /// The current version of every record, in id order.
    pub(super) fn records(&self) -> impl Iterator<Item = &MemoryRecord> {
        self.entries.values().map(|entry| &entry.current.record)
    }

    /// A record, where the scope sees it.
    pub(super) fn seen(&self, scope: &Scope, id: MemoryId) -> Option<&Arc<Entry>> {
        self.entries.get(&id).filter(|entry| scope.sees(&entry.current.record.scope))
    }

    /// The episodes around one, in its session, as far as the filter admits them.
    pub(super) fn neighbours(&self, of: MemoryId, filter: &RecordFilter, reach: usize) -> Option<Neighbours> {
        let record = &self.entries.get(&of).filter(|entry| filter.admits(&entry.current.record))?.current.record;
        let session = record.provenance.session.as_ref().filter(|_| record.kind == Kind::Episode)?;
        let is_near = |(_, entry): &(&MemoryId, &Arc<Entry>)| {
            let record = &entry.current.record;
            record.kind == Kind::Episode && record.provenance.session.as_ref() == Some(session) && filter.admits(record)
        };
        let ids = |entries: &mut dyn Iterator<Item = (&MemoryId, &Arc<Entry>)>| entries.map(|(id, _)| *id).collect();
        let before = ids(&mut self.entries.range(..of).rev().filter(is_near).take(reach));
        let after = ids(&mut self.entries.range((Excluded(of), Unbounded)).filter(is_near).take(reach));
        Some(Neighbours { of, before, after })
    }

    pub(super) fn versions_of(&self, batch: BatchId) -> Vec<Version> {
        let all = self.entries.values().flat_map(|entry| entry.versions());
        let mut made: Vec<_> = all.filter(|(_, version)| version.batch == batch).collect();
        made.sort_by_key(|(sequence, _)| *sequence);
        made.into_iter().map(|(_, version)| version.clone()).collect()
    }

    pub(super) fn last_batch(&self) -> Option<BatchId> {
        let all = self.entries.values().flat_map(|entry| entry.versions());
        let forward = all.filter(|(_, version)| version.reason != ChangeReason::Undone);
        forward.max_by_key(|(sequence, _)| *sequence).map(|(_, version)| version.batch)
    }

    pub(super) fn messages(&self, query: &MessageQuery) -> Vec<StoredMessage> {
        let sessions = self.sessions.iter().filter(|(id, _)| query.scope.session_id().is_none_or(|only| only == *id));
        let mut found: Vec<_> = sessions
            .flat_map(|(_, session)| match &query.before {
                None => session.messages.as_slice(),
                // A session without that message has nothing before it.
                Some(before) => {
                    let place = session.messages.iter().position(|(_, message)| message.id == *before);
                    session.messages.get(..place.unwrap_or(0)).unwrap_or_default()
                }
            })
            .filter(|(_, message)| query.ids.as_ref().is_none_or(|ids| ids.contains(&message.id)))
            .collect();
        found.sort_by_key(|(sequence, _)| *sequence);
        let skipped = query.last.map_or(0, |last| found.len().saturating_sub(last));
        found.into_iter().skip(skipped).map(|(_, message)| StoredMessage::clone(message)).collect()
    }

    pub(super) fn sessions(&self, scope: &Scope) -> Vec<SessionInfo> {
        let seen = self.sessions.iter().filter(|(id, _)| scope.session_id().is_none_or(|only| only == *id));
        let mut sessions: Vec<_> = seen.map(|(_, session)| session.info.clone()).collect();
        sessions.sort_by_key(|session| session.started_at);
        sessions
    }

    pub(super) fn rejected(&self, scope: &Scope, limit: usize) -> Vec<RejectedEntry> {
        let newest = self.rejections.iter().rev();
        newest
            .filter(|entry| scope.session_id().is_none_or(|only| entry.session.as_ref() == Some(only)))
            .take(limit)
            .map(|entry| RejectedEntry::clone(entry))
            .collect()
    }
}
