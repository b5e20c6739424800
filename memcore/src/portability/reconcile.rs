//! Imported memories beside those that the store has: the same statement under another id, another answer in a slot.

use std::collections::{BTreeMap, HashMap};

use memcore_core::{Change, ChangeReason, MemoryId, MemoryRecord, Result, Scope, Status};

use super::check::{Stated, words};
use crate::{
    engine::Engine,
    pipeline::{forget, plan},
};

/// Statements of the file that the store has already, by the file's id: the id that they have here.
pub(super) async fn known_statements(engine: &Engine, stated: Vec<Stated>) -> Result<HashMap<MemoryId, MemoryId>> {
    let mut by_place: BTreeMap<Scope, Vec<Stated>> = BTreeMap::new();
    for statement in stated {
        by_place.entry(statement.scope.clone()).or_default().push(statement);
    }
    let mut known = HashMap::new();
    for (place, statements) in by_place {
        let mut here: HashMap<[u8; 32], MemoryId> = HashMap::new();
        for record in forget::all_of(engine, &place, vec![Status::Active]).await? {
            if record.scope == place {
                here.entry(words(&record.content)).or_insert(record.id);
            }
        }
        for statement in statements {
            let Some(id) = here.get(&statement.words).filter(|id| **id != statement.id) else {
                continue;
            };
            // A record that is here under its own id is reconciled by that id.
            if engine.store.get(&place, &[statement.id]).await?.is_empty() {
                known.insert(statement.id, *id);
            }
        }
    }
    Ok(known)
}

/// Settles which record is current in a slot: the newer one of equal or higher trust. Answers the changes of the
/// others, or changes `record` where it comes second.
pub(super) async fn settle_slot(
    engine: &Engine,
    record: &mut MemoryRecord,
    arriving: &[MemoryId],
) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    if record.status != Status::Active {
        return Ok(changes);
    }
    for mut rival in plan::current_of_slot(engine, record).await? {
        // What arrives with it says itself where it stands.
        if arriving.contains(&rival.id) {
            continue;
        }
        if record.valid_from >= rival.valid_from && record.trust >= rival.trust {
            rival.status = Status::Superseded;
            rival.superseded_by = Some(record.id);
            rival.valid_until = Some(record.valid_from.max(rival.valid_from));
            rival.updated_at = engine.now();
            changes.push(Change::Update { record: Box::new(rival), vectors: None, reason: ChangeReason::Superseded });
        } else {
            record.status = Status::Superseded;
            record.superseded_by = Some(rival.id);
            record.valid_until = Some(rival.valid_from.max(record.valid_from));
            return Ok(Vec::new());
        }
    }
    Ok(changes)
}
