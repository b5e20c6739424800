//! What became of what was said: every write answers with one of these per statement.

use memcore_core::{MemoryId, Rejection, RejectionReason};
use serde::{Deserialize, Serialize};

/// What happened to one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It is new.
    Added,
    /// It was known; its evidence grew.
    Confirmed,
    /// It took the place of older ones.
    Superseded,
    /// It is kept beside a record that it may contradict; both are flagged.
    PossibleConflict,
    /// It is older than what is known: kept as history.
    AddedAsHistory,
    /// The user took a memory back: closed, not erased.
    Retracted,
    /// It was not kept.
    Rejected,
}

/// What happened to one statement, and to what else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WriteOutcome {
    /// The record that now holds it; none where it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<MemoryId>,
    /// What happened.
    pub outcome: Outcome,
    /// The statement as it is stored (redacted).
    pub content: String,
    /// Records whose place it took.
    #[serde(default)]
    pub superseded: Vec<MemoryId>,
    /// Records that it may contradict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MemoryId>,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectionReason>,
}

impl WriteOutcome {
    pub(crate) fn of(id: MemoryId, outcome: Outcome, content: &str) -> Self {
        Self {
            id: Some(id),
            outcome,
            content: content.to_owned(),
            superseded: Vec::new(),
            conflicts: Vec::new(),
            reason: None,
        }
    }

    pub(crate) fn rejected(content: &str, reason: RejectionReason) -> Self {
        Self {
            id: None,
            outcome: Outcome::Rejected,
            content: content.to_owned(),
            superseded: Vec::new(),
            conflicts: Vec::new(),
            reason: Some(reason),
        }
    }
}

/// A request to forget that did not say clearly which memory it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UnclearForget {
    /// What was to be forgotten, in the user's words.
    pub query: String,
    /// The memories that may be meant, most likely first; none where nothing matches.
    pub candidates: Vec<MemoryId>,
}

/// What capture made of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CaptureReport {
    /// What happened to each statement, in the order in which they were said.
    pub outcomes: Vec<WriteOutcome>,
    /// Records that were erased at the user's word.
    pub forgotten: Vec<MemoryId>,
    /// Requests to forget that matched several memories or none: nothing was erased.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unclear: Vec<UnclearForget>,
    /// What looked like a memory and was not kept (redacted).
    pub rejected: Vec<Rejection>,
    /// Jobs that failed: they wait for their next attempt, or were given up.
    pub failed: u64,
    /// Jobs that could not begin, with no attempt counted: the model is out of reach, or its budget used up.
    pub postponed: u64,
    /// Jobs that still wait.
    pub pending: u64,
    /// Why jobs failed or wait, without any memory's content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl CaptureReport {
    /// How many statements had an outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.outcomes.iter().filter(|of| of.outcome == outcome).count() as u64
    }

    /// Adds another report to this one; what waits is not summed but replaced.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.outcomes.extend(other.outcomes);
        self.forgotten.extend(other.forgotten);
        self.unclear.extend(other.unclear);
        self.rejected.extend(other.rejected);
        self.errors.extend(other.errors);
        self.failed += other.failed;
        self.postponed += other.postponed;
        self.pending = other.pending;
    }
}

/// What the transcript took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Observation {
    /// Messages that were new.
    pub appended: u64,
    /// Messages that the session had already.
    pub known: u64,
    /// Secrets and personal numbers that were taken out.
    pub redacted: u64,
}
