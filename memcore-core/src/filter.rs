//! Which records a read may see: always of one scope.

use crate::{Kind, MemoryId, MemoryRecord, Scope, Status, Timestamp, VectorMeta};

/// What limits a search or a list. It always has a scope: a read without one cannot be written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RecordFilter {
    /// From where one looks; see [`Scope::sees`].
    pub scope: Scope,
    /// Only these statuses. Empty means none, so nothing is found.
    pub statuses: Vec<Status>,
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Only what was true at this moment.
    pub valid_at: Option<Timestamp>,
    /// Only these records (among those that the scope sees); an empty list finds nothing.
    pub ids: Option<Vec<MemoryId>>,
}

impl RecordFilter {
    /// The active records that `scope` sees.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        Self { scope, statuses: vec![Status::Active], kinds: Vec::new(), valid_at: None, ids: None }
    }

    /// Sets the statuses.
    #[must_use]
    pub fn with_statuses(mut self, statuses: impl Into<Vec<Status>>) -> Self {
        self.statuses = statuses.into();
        self
    }

    /// Every status.
    #[must_use]
    pub fn with_all_statuses(self) -> Self {
        self.with_statuses(Status::ALL)
    }

    /// Sets the kinds.
    #[must_use]
    pub fn with_kinds(mut self, kinds: impl Into<Vec<Kind>>) -> Self {
        self.kinds = kinds.into();
        self
    }

    /// Only what was true at `at`.
    #[must_use]
    pub fn with_valid_at(mut self, at: Timestamp) -> Self {
        self.valid_at = Some(at);
        self
    }

    /// Only these records.
    #[must_use]
    pub fn with_ids(mut self, ids: impl Into<Vec<MemoryId>>) -> Self {
        self.ids = Some(ids.into());
        self
    }

    /// Whether a record passes.
    #[must_use]
    pub fn admits(&self, record: &MemoryRecord) -> bool {
        self.admits_id(record.id)
            && self.admits_parts(&record.scope, record.status, &record.kind, record.valid_from, record.valid_until)
    }

    /// Whether a vector's record passes, by what a vector store knows of it.
    #[must_use]
    pub fn admits_meta(&self, id: MemoryId, meta: &VectorMeta) -> bool {
        self.admits_id(id) && self.admits_parts(&meta.scope, meta.status, &meta.kind, meta.valid_from, meta.valid_until)
    }

    fn admits_id(&self, id: MemoryId) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&id))
    }

    fn admits_parts(
        &self,
        owner: &Scope,
        status: Status,
        kind: &Kind,
        valid_from: Timestamp,
        valid_until: Option<Timestamp>,
    ) -> bool {
        self.scope.sees(owner)
            && self.statuses.contains(&status)
            && (self.kinds.is_empty() || self.kinds.contains(kind))
            && self.valid_at.is_none_or(|at| valid_from <= at && valid_until.is_none_or(|until| at < until))
    }
}
