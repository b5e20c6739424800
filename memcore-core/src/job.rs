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
    },
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
}

impl Job {
    /// A new job, due at once.
    #[must_use]
    pub fn new(id: JobId, scope: Scope, kind: JobKind, now: Timestamp) -> Self {
        Self { id, scope, kind, attempts: 0, due_at: now, state: JobState::Pending, last_error: None }
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
}

impl LeaseRequest {
    /// Any job, for five minutes.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { now, lease_for: Duration::minutes(5), scope: None }
    }

    /// Only jobs of a scope.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }
}
