//! Queued work: what was acknowledged and is still to be done.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use crate::{JobId, MessageId, Scope, Timestamp};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum JobKind {
    /// Read these messages of the job's session for memories.
    Extract {
        /// The messages, in order.
        messages: Vec<MessageId>,
        /// Bytes at the beginning of the first message's text that were read before.
        #[serde(default, skip_serializing_if = "is_zero")]
        offset: usize,
    },
    /// Merge the turns that leave the short-term window into the session's running summary.
    Summarize,
    /// Check the memories of the job's scope against what its session said.
    Review,
}

impl JobKind {
    /// Reads messages, from their beginning.
    #[must_use]
    pub fn extract(messages: Vec<MessageId>) -> Self {
        Self::Extract { messages, offset: 0 }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands on a reference")]
fn is_zero(offset: &usize) -> bool {
    *offset == 0
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Waits to be done, or for its next attempt.
    Pending,
    /// Given up after too many attempts; kept for a person to see.
    Dead,
}

/// How full the queue is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct QueueState {
    /// Jobs that wait.
    pub pending: u64,
    /// Jobs that were given up.
    pub dead: u64,
    /// When the first of those that wait is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_due: Option<Timestamp>,
}

impl QueueState {
    /// States how full it is.
    #[must_use]
    pub fn new(pending: u64, dead: u64, next_due: Option<Timestamp>) -> Self {
        Self { pending, dead, next_due }
    }
}

/// A unit of work. Jobs of one session are done in the order in which they were queued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Job {
    /// Its id; later jobs have later ids.
    pub id: JobId,
    /// User, project and session.
    pub scope: Scope,
    /// What is to be done.
    pub kind: JobKind,
    /// How many attempts have failed.
    pub attempts: u32,
    /// Not before this moment.
    pub due_at: Timestamp,
    /// Where it stands.
    pub state: JobState,
    /// Why the last attempt failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// What a model answered in the last attempt, word for word, where its answer is what failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_reply: Option<String>,
}

impl Job {
    /// A new job, due at once.
    #[must_use]
    pub fn new(id: JobId, scope: Scope, kind: JobKind, now: Timestamp) -> Self {
        Self { id, scope, kind, attempts: 0, due_at: now, state: JobState::Pending, last_error: None, raw_reply: None }
    }
}

/// Which job a worker wants, and for how long.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LeaseRequest {
    /// The present moment.
    pub now: Timestamp,
    /// How long the worker may take; then the job is free again.
    pub lease_for: Duration,
    /// Only jobs of this user, and of this session where the scope names one.
    pub scope: Option<Scope>,
    /// How many jobs of one session are taken together, 1 or more.
    pub max_jobs: usize,
}

impl LeaseRequest {
    /// Any single job, for five minutes.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { now, lease_for: Duration::minutes(5), scope: None, max_jobs: 1 }
    }

    /// Up to so many jobs of one session together.
    #[must_use]
    pub fn with_max_jobs(mut self, max_jobs: usize) -> Self {
        self.max_jobs = max_jobs;
        self
    }

    /// Only jobs of a scope.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }
}
