//! Memories in the form of mem0's `get_all`.

use memcore_core::MemoryRecord;
use serde_json::{Value, json};

/// One entry of the array.
pub(super) fn entry(record: &MemoryRecord) -> Value {
    json!({
        "id": record.id,
        "memory": record.content,
        "user_id": record.scope.user_id(),
        "metadata": {
            "kind": record.kind,
            "importance": record.importance,
            "project": record.scope.project_id(),
            "session": record.provenance.session,
            "slot": record.slot,
            "tags": record.tags,
            "valid_from": record.valid_from,
            "valid_until": record.valid_until,
        },
        "created_at": record.created_at,
        "updated_at": record.updated_at,
    })
}
