//! Import of `memcore-export/1`: ids, times, provenance and history as they were.

use std::collections::{HashMap, HashSet};

use memcore_core::{
    Batch, BatchId, Change, ChangeReason, ContentBlock, MemoryId, MemoryRecord, Result, Scope, SessionInfo, Slot,
    Status, StoredMessage, TextEmbedding,
};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncSeek, AsyncSeekExt};

use super::{
    check::{LineReader, Read, cannot_read, check},
    lines::{Line, PastVersion},
    reconcile::{known_statements, settle_slot},
    rehome::Rehome,
};
use crate::{
    engine::Engine,
    outcome::Observation,
    pipeline::{embed, observe},
    scoped::ScopedMemory,
};

/// Memories, or messages, that are committed together.
const CHUNK: usize = 200;

/// What to do with memories that the store has under the same id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ImportMode {
    /// The one that was changed last wins.
    #[default]
    Merge,
    /// The store's stays.
    Skip,
    /// The file's wins.
    Replace,
}

/// How to import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportRequest {
    /// What to do with memories that are here already.
    pub mode: ImportMode,
    /// Only says what would be done.
    pub dry_run: bool,
}

impl ImportRequest {
    /// An import that changes the store.
    #[must_use]
    pub fn new(mode: ImportMode) -> Self {
        Self { mode, dry_run: false }
    }

    /// Only says what would be done.
    #[must_use]
    pub fn dry_run(mut self) -> Self {
        self.dry_run = true;
        self
    }
}

/// What was imported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ImportReport {
    /// Memories in the file.
    pub memories: u64,
    /// New ones.
    pub added: u64,
    /// Ones that took the file's form.
    pub updated: u64,
    /// Ones that are here as they are in the file.
    pub unchanged: u64,
    /// Ones that differ from the file and stayed as they are here.
    pub skipped: u64,
    /// Statements that are here under another id.
    pub duplicates: u64,
    /// Memories of the store whose place a newer one of the file took.
    pub superseded: u64,
    /// Earlier versions brought in with new memories.
    pub versions: u64,
    /// Sessions in the file.
    pub sessions: u64,
    /// Messages in the file; those that are here already are not stored again.
    pub messages: u64,
    /// Lines of unknown types, and versions without their memory.
    pub ignored: u64,
    /// What `undo` takes back; none where no memory changed.
    pub batch: Option<BatchId>,
}

/// Brings an export in, for the handle's user. Another user's export becomes this user's, under ids of its own.
///
/// The file is read twice: nothing is imported from a file that is cut off, damaged or edited. Then it is committed in
/// pieces of one batch id, so that one `undo` takes back its memories (not the sessions); an import that was broken off
/// is finished by importing again. Memories that are here under the same id are settled by the mode; a statement that
/// is here in the same words is not stored twice; of two answers in one slot the newer one becomes the current one.
///
/// # Errors
/// `InvalidInput` for a file that is no sound export; `SchemaTooNew` for a newer format; `Io` where reading fails; what
/// the store answers.
pub async fn import<R>(memory: &ScopedMemory, request: &ImportRequest, input: &mut R) -> Result<ImportReport>
where
    R: AsyncBufRead + AsyncSeek + Unpin + Send,
{
    let engine = memory.engine();
    let start = input.stream_position().await.map_err(cannot_read)?;
    let checked = check(input, memory.scope().user_id()).await?;
    input.seek(std::io::SeekFrom::Start(start)).await.map_err(cannot_read)?;
    let mut importer = Importer {
        engine,
        user: Scope::of_user(memory.scope().user_id().clone()),
        request: *request,
        rehome: checked.rehome,
        known: known_statements(engine, checked.stated).await?,
        arriving: Vec::new(),
        slots: HashSet::new(),
        messages: Vec::new(),
        report: ImportReport::default(),
    };
    let mut lines = LineReader::new(input);
    while let Some(line) = lines.next().await? {
        match line {
            Read::Known(line) => importer.take(line).await?,
            Read::Unknown => importer.report.ignored += 1,
        }
    }
    importer.store_messages().await?;
    importer.store_memories().await?;
    Ok(importer.report)
}

/// A memory of the file with its former versions.
struct Arrival {
    record: MemoryRecord,
    past: Vec<PastVersion>,
}

/// What an arrival becomes.
enum Fate {
    Insert,
    Update,
    Stay,
}

struct Importer<'a> {
    engine: &'a Engine,
    user: Scope,
    request: ImportRequest,
    rehome: Rehome,
    /// Statements of the file that are here under another id.
    known: HashMap<MemoryId, MemoryId>,
    arriving: Vec<Arrival>,
    /// Slots that the arriving memories answer.
    slots: HashSet<(Scope, Slot)>,
    messages: Vec<StoredMessage>,
    report: ImportReport,
}

impl Importer<'_> {
    async fn take(&mut self, line: Line) -> Result<()> {
        match line {
            Line::Header(_) | Line::Footer(_) => {}
            Line::Session(info) => {
                self.store_messages().await?;
                self.store_session(info).await?;
            }
            Line::Message(message) => {
                self.report.messages += 1;
                self.messages.push(self.own_message(message));
                if self.messages.len() >= CHUNK {
                    self.store_messages().await?;
                }
            }
            Line::Memory(mut record) => {
                self.report.memories += 1;
                self.own(&mut record);
                let slot = record.slot.clone().filter(|_| record.status == Status::Active);
                let slot = slot.map(|slot| (record.scope.clone(), slot));
                // Two answers in one slot are settled one after the other.
                let is_taken = slot.as_ref().is_some_and(|slot| self.slots.contains(slot));
                if self.arriving.len() >= CHUNK || is_taken {
                    self.store_memories().await?;
                }
                self.slots.extend(slot);
                self.arriving.push(Arrival { record: *record, past: Vec::new() });
            }
            Line::Version(mut version) => {
                self.own(&mut version.record);
                match self.arriving.last_mut().filter(|arrival| arrival.record.id == version.record.id) {
                    Some(arrival) => arrival.past.push(*version),
                    None => self.report.ignored += 1,
                }
            }
        }
        Ok(())
    }

    /// Makes a record this user's, without secrets and with references to what is here.
    fn own(&self, record: &mut MemoryRecord) {
        self.rehome.record(record);
        let redact = |text: &str| observe::redact_text(&*self.engine.redactor, text).0;
        record.content = redact(&record.content);
        for quote in &mut record.provenance.quotes {
            quote.text = redact(&quote.text);
        }
        let here = |id: MemoryId| self.known.get(&id).copied().unwrap_or(id);
        record.superseded_by = record.superseded_by.map(here);
        for id in &mut record.conflicts_with {
            *id = here(*id);
        }
    }

    fn own_message(&self, mut message: StoredMessage) -> StoredMessage {
        message.scope = self.rehome.scope(&message.scope);
        let mut redactions = Observation::default();
        for block in &mut message.content {
            match block {
                ContentBlock::Text(block) => {
                    block.text = observe::redact_text(&*self.engine.redactor, &block.text).0;
                }
                ContentBlock::Other(value) => observe::redact_json(self.engine, value, &mut redactions),
            }
        }
        message
    }

    async fn store_session(&mut self, mut info: SessionInfo) -> Result<()> {
        self.report.sessions += 1;
        info.scope = self.rehome.scope(&info.scope);
        let is_here = !self.engine.store.sessions(&info.scope).await?.is_empty();
        if is_here && self.request.mode != ImportMode::Replace {
            return Ok(());
        }
        self.commit(vec![Change::UpdateSession(info)]).await
    }

    async fn store_messages(&mut self) -> Result<()> {
        match std::mem::take(&mut self.messages) {
            messages if messages.is_empty() => Ok(()),
            messages => self.commit(vec![Change::AppendMessages(messages)]).await,
        }
    }

    async fn store_memories(&mut self) -> Result<()> {
        self.slots.clear();
        let mut arrivals = Vec::new();
        for arrival in std::mem::take(&mut self.arriving) {
            match self.fate(&arrival.record).await? {
                Fate::Stay => {}
                fate => arrivals.push((arrival, fate)),
            }
        }
        if arrivals.is_empty() {
            return Ok(());
        }
        let texts: Vec<String> = arrivals.iter().map(|(arrival, _)| arrival.record.content.clone()).collect();
        let embeddings =
            if self.request.dry_run { vec![None; texts.len()] } else { embed::passages(self.engine, &texts).await };
        let ids: Vec<MemoryId> = arrivals.iter().map(|(arrival, _)| arrival.record.id).collect();
        let (mut changes, mut changed) = (Vec::new(), Vec::new());
        for ((mut arrival, fate), embedding) in arrivals.into_iter().zip(embeddings) {
            let rivals = settle_slot(self.engine, &mut arrival.record, &ids).await?;
            self.report.superseded += rivals.len() as u64;
            changed.push((arrival.record.clone(), embedding.clone()));
            for rival in &rivals {
                if let Change::Update { record, .. } = rival {
                    changed.push((MemoryRecord::clone(record), None));
                }
            }
            match fate {
                Fate::Insert => {
                    self.report.added += 1;
                    self.report.versions += arrival.past.len() as u64;
                    changes.extend(self.with_history(arrival, embedding));
                }
                Fate::Update => {
                    self.report.updated += 1;
                    changes.push(Change::Update {
                        record: Box::new(arrival.record),
                        vectors: embed::for_batch(self.engine, embedding.as_ref()),
                        reason: ChangeReason::Imported,
                    });
                }
                Fate::Stay => {}
            }
            changes.extend(rivals);
        }
        if self.request.dry_run {
            return Ok(());
        }
        self.report.batch.get_or_insert_with(|| self.engine.batch_id());
        self.commit(changes).await?;
        embed::follow_up(self.engine, self.user.user_id(), &changed).await
    }

    async fn fate(&mut self, record: &MemoryRecord) -> Result<Fate> {
        let here = self.engine.store.get(&record.scope, &[record.id]).await?.pop();
        let Some(here) = here else {
            if self.known.contains_key(&record.id) {
                self.report.duplicates += 1;
                return Ok(Fate::Stay);
            }
            return Ok(Fate::Insert);
        };
        if here.content_hash() == record.content_hash() {
            self.report.unchanged += 1;
            return Ok(Fate::Stay);
        }
        let wins = match self.request.mode {
            ImportMode::Merge => record.updated_at > here.updated_at,
            ImportMode::Skip => false,
            ImportMode::Replace => true,
        };
        if wins {
            return Ok(Fate::Update);
        }
        self.report.skipped += 1;
        Ok(Fate::Stay)
    }

    /// The changes that lead to a record through its former versions.
    fn with_history(&self, arrival: Arrival, embedding: Option<TextEmbedding>) -> Vec<Change> {
        let Arrival { record, past } = arrival;
        let vectors = |of: &MemoryRecord| {
            let embedding = embedding.as_ref().filter(|_| of.content == record.content);
            embed::for_batch(self.engine, embedding)
        };
        let mut steps: Vec<(MemoryRecord, ChangeReason)> =
            past.into_iter().map(|version| (version.record, version.reason)).collect();
        steps.push((record.clone(), ChangeReason::Imported));
        let mut changes = Vec::with_capacity(steps.len());
        for (mut step, reason) in steps {
            let vectors = vectors(&step);
            if changes.is_empty() {
                // The access figures count for the record as a whole, and updates leave them alone.
                step.access_count = record.access_count;
                step.last_accessed_at = record.last_accessed_at;
                changes.push(Change::Insert { record: Box::new(step), vectors, reason });
            } else {
                changes.push(Change::Update { record: Box::new(step), vectors, reason });
            }
        }
        changes
    }

    async fn commit(&self, changes: Vec<Change>) -> Result<()> {
        if self.request.dry_run {
            return Ok(());
        }
        let id = self.report.batch.unwrap_or_else(|| self.engine.batch_id());
        let mut batch = Batch::new(id, self.user.user_id().clone(), self.engine.now());
        batch.changes = changes;
        self.engine.store.commit(batch).await.map(|_| ())
    }
}
