//! Changes by a person: edit, archive, restore, pin, undo. Each keeps history.

use std::collections::BTreeMap;

use memcore_core::{
    Batch, BatchId, Change, ChangeReason, Error, ErrorKind, Importance, Kind, Language, MemoryId, MemoryRecord, Result,
    Scope, Status, TextEmbedding, Version, text,
};

use super::{embed, observe::redact_text, plan};
use crate::engine::Engine;

/// What to change about a record; what is none stays.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Edit {
    /// New words.
    pub content: Option<String>,
    /// New weight.
    pub importance: Option<Importance>,
    /// New kind.
    pub kind: Option<Kind>,
    /// New labels.
    pub tags: Option<Vec<String>>,
}

impl Edit {
    /// Changes the words.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// Changes the weight.
    #[must_use]
    pub fn with_importance(mut self, importance: Importance) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Changes the kind.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }
}

/// The record with this id, or `NotFound`.
pub(crate) async fn existing(engine: &Engine, scope: &Scope, id: MemoryId) -> Result<MemoryRecord> {
    engine.store.get(scope, &[id]).await?.pop().ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("there is no memory {id} in this scope"))
            .with_hint("`list --all` shows the ids of a scope; check user and project")
    })
}

pub(crate) async fn edit(engine: &Engine, scope: &Scope, id: MemoryId, edit: Edit) -> Result<MemoryRecord> {
    let mut record = existing(engine, scope, id).await?;
    let mut embedding = None;
    if let Some(content) = edit.content {
        let (content, is_blocked) = redact_text(&*engine.redactor, &content);
        if is_blocked {
            return Err(Error::invalid("the new content holds what the redaction policy blocks"));
        }
        // The rules for content are those of a new record.
        let checked = MemoryRecord::new(
            id,
            record.scope.clone(),
            record.kind.clone(),
            content,
            record.provenance.clone(),
            engine.now(),
        )?;
        record.content = checked.content;
        record.language = text::language(&record.content);
        record.embedding = None;
        embedding = embed::passages(engine, std::slice::from_ref(&record.content)).await.pop().flatten();
    }
    record.importance = edit.importance.unwrap_or(record.importance);
    record.kind = edit.kind.unwrap_or(record.kind);
    record.tags = edit.tags.unwrap_or(record.tags);
    commit(engine, scope, vec![(record.clone(), embedding)], ChangeReason::Edited).await?;
    Ok(record)
}

pub(crate) async fn archive(engine: &Engine, scope: &Scope, id: MemoryId) -> Result<MemoryRecord> {
    let mut record = existing(engine, scope, id).await?;
    if record.status == Status::Archived {
        return Ok(record);
    }
    record.status = Status::Archived;
    commit(engine, scope, vec![(record.clone(), None)], ChangeReason::Archived).await?;
    Ok(record)
}

/// Brings a record back into use. Where it has a slot, it takes the place of the one that is current there.
pub(crate) async fn restore(engine: &Engine, scope: &Scope, id: MemoryId) -> Result<MemoryRecord> {
    let mut record = existing(engine, scope, id).await?;
    if record.status == Status::Active {
        return Ok(record);
    }
    let now = engine.now();
    let mut changed = Vec::new();
    for mut rival in plan::current_of_slot(engine, &record).await? {
        rival.status = Status::Superseded;
        rival.superseded_by = Some(id);
        rival.valid_until = Some(now.max(rival.valid_from));
        changed.push((rival, None));
    }
    record.status = Status::Active;
    record.superseded_by = None;
    record.valid_until = None;
    changed.insert(0, (record.clone(), None));
    commit(engine, scope, changed, ChangeReason::Restored).await?;
    Ok(record)
}

pub(crate) async fn pin(engine: &Engine, scope: &Scope, id: MemoryId, pinned: bool) -> Result<MemoryRecord> {
    let mut record = existing(engine, scope, id).await?;
    if record.pinned != pinned {
        record.pinned = pinned;
        commit(engine, scope, vec![(record.clone(), None)], ChangeReason::Pinned).await?;
    }
    Ok(record)
}

/// Takes back a batch, the last one where none is named. Records that it made are archived; records that it changed go
/// back to the version before, unless somebody has changed them since.
pub(crate) async fn undo(engine: &Engine, scope: &Scope, batch: Option<BatchId>) -> Result<(BatchId, Vec<MemoryId>)> {
    let user = scope.user_id();
    let nothing = || Error::new(ErrorKind::NotFound, "there is nothing to undo").with_hint("name a batch of this user");
    let batch = match batch {
        Some(batch) => batch,
        None => engine.store.last_batch(user).await?.ok_or_else(nothing)?,
    };
    let versions = engine.store.versions_of(user, batch).await?;
    if versions.is_empty() {
        return Err(nothing());
    }
    // A batch may hold several versions of a record: what counts is the first one.
    let mut first: BTreeMap<MemoryId, Version> = BTreeMap::new();
    for version in versions {
        first.entry(version.record.id).or_insert(version);
    }
    let mut changed = Vec::new();
    for (id, version) in first {
        let place = version.record.scope.clone();
        let history = engine.store.history(&place, id).await?;
        let Some(current) = history.last().filter(|current| current.batch == batch) else {
            continue;
        };
        let before = history.iter().rev().find(|older| older.number < version.number);
        let mut record = before.map_or_else(|| current.record.clone(), |before| before.record.clone());
        if before.is_none() {
            record.status = Status::Archived;
        }
        let content_changed = record.content != current.record.content;
        let embedding = match content_changed {
            true => embed::passages(engine, std::slice::from_ref(&record.content)).await.pop().flatten(),
            false => None,
        };
        changed.push((record, embedding));
    }
    let ids = changed.iter().map(|(record, _)| record.id).collect();
    commit(engine, scope, changed, ChangeReason::Undone).await?;
    Ok((batch, ids))
}

async fn commit(
    engine: &Engine,
    scope: &Scope,
    mut changed: Vec<(MemoryRecord, Option<TextEmbedding>)>,
    reason: ChangeReason,
) -> Result<()> {
    let now = engine.now();
    let mut batch = Batch::new(engine.batch_id(), scope.user_id().clone(), now);
    for (record, embedding) in &mut changed {
        record.updated_at = now;
        let vectors = embed::for_batch(engine, embedding.as_ref());
        batch = batch.with(Change::Update { record: Box::new(record.clone()), vectors, reason });
    }
    engine.store.commit(batch).await?;
    embed::follow_up(engine, scope.user_id(), &changed).await
}

/// The language of a text for a prompt's frame.
pub(crate) fn frame_language(query: &str, core: &[MemoryRecord]) -> Language {
    match text::language(query) {
        Language::Other => core.first().map_or(Language::En, |record| record.language),
        language => language,
    }
}
