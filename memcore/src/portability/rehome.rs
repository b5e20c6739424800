//! A file's ids and scopes, made those of the user who imports it.

use memcore_core::{MemoryId, MemoryRecord, Scope, UserId};
use sha2::{Digest, Sha256};
use uuid::Builder;

/// Keeps a user's own ids. Another user's memories get ids of their own, since the originals may live in the same store
/// and stay with their user; the same file always gives the same ids, so that importing it twice adds nothing.
#[derive(Debug)]
pub(super) struct Rehome {
    user: UserId,
    is_foreign: bool,
}

impl Rehome {
    pub(super) fn new(user: UserId, exported_by: &str) -> Self {
        let is_foreign = user.as_str() != exported_by;
        Self { user, is_foreign }
    }

    pub(super) fn scope(&self, scope: &Scope) -> Scope {
        Scope::of_user(self.user.clone())
            .with_project(scope.project_id().cloned())
            .with_session(scope.session_id().cloned())
    }

    pub(super) fn record(&self, record: &mut MemoryRecord) {
        record.scope = self.scope(&record.scope);
        record.embedding = None;
        if self.is_foreign {
            record.id = self.id(record.id);
            record.superseded_by = record.superseded_by.map(|id| self.id(id));
            for id in &mut record.conflicts_with {
                *id = self.id(*id);
            }
        }
    }

    /// An id with the time of the old one, and the rest drawn from the old id and the new user.
    fn id(&self, id: MemoryId) -> MemoryId {
        let mut hash = Sha256::new();
        hash.update(self.user.as_str().as_bytes());
        hash.update(id.as_uuid().as_bytes());
        let mut bytes = *id.as_uuid().as_bytes();
        bytes[6..].copy_from_slice(&hash.finalize()[..10]);
        MemoryId::from_uuid(Builder::from_custom_bytes(bytes).into_uuid())
    }
}
