//! Plans the changes of a batch of statements: each sees what those before it did.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memcore_core::{
    Candidate, Change, ChangeReason, ListRequest, MemoryId, MemoryRecord, Operation, Provenance, RecordFilter,
    RejectionReason, Result, Scope, Status, TextEmbedding, TextQuery, Timestamp, VectorQuery, text,
};

use super::embed;
use crate::{
    engine::Engine,
    outcome::{Outcome, WriteOutcome},
    policy::{
        level::default_level,
        reconcile::{Decision, Known, reconcile},
    },
};

/// Records compared with a new statement, from each arm.
const RELATED: usize = 8;
/// Quotes kept per record. Messages beyond that are still listed, and erased whole when the record is forgotten.
const MAX_QUOTES: usize = 32;
/// Share of words that a record has in common with the statement that a correction or a retraction names.
const NAMES_IT: f32 = 0.5;

/// A candidate that passed all checks, with the time when it was said.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) candidate: Candidate,
    pub(crate) provenance: Provenance,
}

/// The changes of one batch in the making.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    engine: &'a Engine,
    scope: &'a Scope,
    now: Timestamp,
    /// Every record that was read or made, as the changes so far leave it.
    current: BTreeMap<MemoryId, MemoryRecord>,
    /// Those that the plan changes.
    touched: BTreeSet<MemoryId>,
    embeddings: HashMap<MemoryId, TextEmbedding>,
    pub(crate) changes: Vec<Change>,
    pub(crate) outcomes: Vec<WriteOutcome>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(engine: &'a Engine, scope: &'a Scope) -> Self {
        Self {
            engine,
            scope,
            now: engine.now(),
            current: BTreeMap::new(),
            touched: BTreeSet::new(),
            embeddings: HashMap::new(),
            changes: Vec::new(),
            outcomes: Vec::new(),
        }
    }

    /// Plans all statements, in order.
    pub(crate) async fn add_all(&mut self, statements: &[Statement]) -> Result<()> {
        let texts: Vec<String> = statements.iter().map(|statement| statement.candidate.content.clone()).collect();
        let embeddings = embed::passages(self.engine, &texts).await;
        for (statement, embedding) in statements.iter().zip(embeddings) {
            match statement.candidate.operation {
                Operation::Retract => self.retract(statement).await?,
                _ => self.add(statement, embedding).await?,
            }
        }
        Ok(())
    }

    /// The records that the plan touched, with the vectors of those that are new.
    pub(crate) fn changed(&self) -> Vec<(MemoryRecord, Option<TextEmbedding>)> {
        let touched = self.touched.iter().filter_map(|id| self.current.get(id));
        touched.map(|record| (record.clone(), self.embeddings.get(&record.id).cloned())).collect()
    }

    async fn add(&mut self, statement: &Statement, embedding: Option<TextEmbedding>) -> Result<()> {
        let mut record = self.record_of(statement)?;
        let known = self.known(&record, &statement.candidate.operation, embedding.as_ref()).await?;
        match reconcile(&record, &known) {
            Decision::Confirm(id) => self.confirm(id, &record),
            Decision::Add => {
                self.outcomes.push(WriteOutcome::of(record.id, Outcome::Added, &record.content));
                self.insert(record, embedding);
            }
            Decision::Supersede(ids) => {
                let outcome = WriteOutcome::of(record.id, Outcome::Superseded, &record.content);
                self.outcomes.push(WriteOutcome { superseded: ids.clone(), ..outcome });
                let (new, since) = (record.id, record.valid_from);
                self.insert(record, embedding);
                for id in ids {
                    self.update(id, ChangeReason::Superseded, |old| {
                        old.status = Status::Superseded;
                        old.valid_until = Some(since.max(old.valid_from));
                        old.superseded_by = Some(new);
                    });
                }
            }
            Decision::AddClosed(newer) => {
                record.status = Status::Superseded;
                record.superseded_by = Some(newer);
                // It held until the next later statement of the slot, which need not be the newest.
                record.valid_until = known
                    .iter()
                    .filter(|known| known.record.slot == record.slot && known.record.valid_from > record.valid_from)
                    .map(|known| known.record.valid_from)
                    .min();
                self.outcomes.push(WriteOutcome::of(record.id, Outcome::AddedAsHistory, &record.content));
                self.insert(record, embedding);
            }
            Decision::Conflict(ids) => {
                record.conflicts_with.clone_from(&ids);
                let outcome = WriteOutcome::of(record.id, Outcome::PossibleConflict, &record.content);
                self.outcomes.push(WriteOutcome { conflicts: ids.clone(), ..outcome });
                let new = record.id;
                self.insert(record, embedding);
                for id in ids {
                    self.update(id, ChangeReason::Conflict, |old| old.conflicts_with.push(new));
                }
            }
        }
        Ok(())
    }

    /// Closes what the statement takes back: the record of its slot, else the one that it names most clearly.
    async fn retract(&mut self, statement: &Statement) -> Result<()> {
        let record = self.record_of(statement)?;
        let known = self.known(&record, &Operation::Add, None).await?;
        let in_force = known.iter().filter(|known| known.record.status == Status::Active);
        let target = in_force
            .filter_map(|known| {
                let same_slot = record.slot.is_some() && record.slot == known.record.slot;
                let overlap = text::term_overlap(&record.content, &known.record.content);
                (same_slot || overlap >= NAMES_IT).then_some((same_slot, overlap, known.record.id))
            })
            .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let Some((_, _, id)) = target else {
            self.outcomes.push(WriteOutcome::rejected(&record.content, RejectionReason::NotSelfContained));
            return Ok(());
        };
        let at = record.valid_from;
        self.outcomes.push(WriteOutcome::of(id, Outcome::Retracted, &record.content));
        self.update(id, ChangeReason::Retracted, |old| {
            old.status = Status::Superseded;
            old.valid_until = Some(at.max(old.valid_from));
        });
        Ok(())
    }

    fn record_of(&self, statement: &Statement) -> Result<MemoryRecord> {
        let candidate = &statement.candidate;
        let level = candidate.level.unwrap_or_else(|| default_level(&candidate.kind));
        let mut record = MemoryRecord::new(
            self.engine.memory_id(),
            self.scope.at_level(level),
            candidate.kind.clone(),
            candidate.content.clone(),
            statement.provenance.clone(),
            self.now,
        )?;
        record.slot.clone_from(&candidate.slot);
        record.importance = candidate.importance;
        record.confidence = candidate.confidence;
        record.tags.clone_from(&candidate.tags);
        if let Some(from) = candidate.valid_from {
            record.valid_from = from;
        }
        // A due date before the statement itself would make the record invalid at every moment.
        record.valid_until = candidate.valid_until.filter(|until| *until > record.valid_from);
        Ok(record)
    }

    /// Records of the same place that have to do with `new`: of its slot, near it, or sharing words with it.
    async fn known(
        &mut self,
        new: &MemoryRecord,
        operation: &Operation,
        embedding: Option<&TextEmbedding>,
    ) -> Result<Vec<Known>> {
        let engine = self.engine;
        let store = &engine.store;
        let filter = RecordFilter::new(new.scope.clone()).with_statuses([Status::Active, Status::Archived]);
        let mut found: BTreeMap<MemoryId, Known> = BTreeMap::new();

        if let Some(slot) = &new.slot {
            let request = ListRequest::new(filter.clone().with_all_statuses()).with_slot(slot.clone()).with_limit(200);
            self.note(&mut found, store.list(&request).await?.records);
        }
        let mut wordings = vec![new.content.as_str()];
        if let Operation::Correct { replaces } = operation {
            wordings.push(replaces);
        }
        for wording in wordings {
            let query = TextQuery::new(text::query_terms(wording), filter.clone(), RELATED);
            let ids: Vec<MemoryId> = store.search_text(&query).await?.hits.iter().map(|hit| hit.id).collect();
            self.note(&mut found, store.get(&new.scope, &ids).await?);
        }
        if let (Some(arm), Some(embedding)) = (&engine.vectors, embedding) {
            for chunk in embedding.chunks().iter().take(1) {
                let query = VectorQuery::new(chunk.clone(), arm.identity.clone(), filter.clone(), RELATED);
                let hits = arm.store.search(&query).await?;
                let ids: Vec<MemoryId> = hits.iter().map(|hit| hit.id).collect();
                self.note(&mut found, store.get(&new.scope, &ids).await?);
                for hit in hits {
                    if let Some(known) = found.get_mut(&hit.id) {
                        known.cosine_is_duplicate = Some(hit.similarity >= arm.calibration.duplicate);
                    }
                }
            }
        }
        self.note_planned(&mut found, embedding);

        let mut known: Vec<Known> = found.into_values().filter(|known| known.record.scope == new.scope).collect();
        if let Operation::Correct { replaces } = operation {
            mark_corrected(&mut known, replaces);
        }
        Ok(known)
    }

    /// Takes over records as the store has them, or as the plan leaves them.
    fn note(&mut self, found: &mut BTreeMap<MemoryId, Known>, records: Vec<MemoryRecord>) {
        for record in records {
            let record = self.current.entry(record.id).or_insert(record).clone();
            // Without vectors of its own, words alone decide; the vector search corrects this where it found it.
            let cosine_is_duplicate = record.embedding.is_some().then_some(false);
            found.entry(record.id).or_insert(Known { record, cosine_is_duplicate, is_corrected: false });
        }
    }

    fn note_planned(&self, found: &mut BTreeMap<MemoryId, Known>, embedding: Option<&TextEmbedding>) {
        for record in self.touched.iter().filter_map(|id| self.current.get(id)) {
            let cosine = embedding
                .zip(self.embeddings.get(&record.id))
                .and_then(|(new, planned)| new.chunks().first()?.cosine(planned.chunks().first()?).ok());
            let cosine_is_duplicate =
                cosine.zip(self.engine.vectors.as_ref()).map(|(cosine, arm)| cosine >= arm.calibration.duplicate);
            let known = Known { record: record.clone(), cosine_is_duplicate, is_corrected: false };
            found.entry(record.id).or_insert(known);
        }
    }

    fn confirm(&mut self, id: MemoryId, again: &MemoryRecord) {
        let Some(record) = self.current.get(&id).cloned() else {
            return;
        };
        self.outcomes.push(WriteOutcome::of(id, Outcome::Confirmed, &record.content));
        let is_new_evidence = again.provenance.messages.is_empty()
            || again.provenance.messages.iter().any(|message| !record.provenance.messages.contains(message));
        // The same message read twice is no second statement.
        if !is_new_evidence {
            return;
        }
        self.update(id, ChangeReason::Confirmed, |record| {
            record.status = Status::Active;
            record.evidence_count = record.evidence_count.saturating_add(1);
            record.importance = record.importance.max(again.importance);
            record.provenance.messages.extend(again.provenance.messages.iter().cloned());
            let free = MAX_QUOTES.saturating_sub(record.provenance.quotes.len());
            record.provenance.quotes.extend(again.provenance.quotes.iter().take(free).cloned());
        });
    }

    fn insert(&mut self, mut record: MemoryRecord, embedding: Option<TextEmbedding>) {
        let vectors = embed::for_batch(self.engine, embedding.as_ref());
        self.changes.push(Change::Insert { record: Box::new(record.clone()), vectors, reason: ChangeReason::Added });
        record.embedding = embedding.as_ref().and(self.engine.vectors.as_ref()).map(|arm| arm.identity.clone());
        self.embeddings.extend(embedding.map(|embedding| (record.id, embedding)));
        self.touched.insert(record.id);
        self.current.insert(record.id, record);
    }

    fn update(&mut self, id: MemoryId, reason: ChangeReason, change: impl FnOnce(&mut MemoryRecord)) {
        let Some(record) = self.current.get_mut(&id) else {
            return;
        };
        change(record);
        record.updated_at = self.now;
        self.touched.insert(id);
        self.changes.push(Change::Update { record: Box::new(record.clone()), vectors: None, reason });
    }
}

/// Marks the record in force that a correction means: the one with the same words, else the one that shares most.
fn mark_corrected(known: &mut [Known], replaces: &str) {
    let wanted = text::normalize(replaces);
    let meant = known
        .iter_mut()
        .filter(|known| known.record.status == Status::Active)
        .filter_map(|known| {
            let same = text::normalize(&known.record.content) == wanted;
            let overlap = if same { 2.0 } else { text::term_overlap(replaces, &known.record.content) };
            (overlap >= NAMES_IT).then_some((overlap, known))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, known)) = meant {
        known.is_corrected = true;
    }
}

/// The active records of a record's slot beside itself.
pub(crate) async fn current_of_slot(engine: &Engine, record: &MemoryRecord) -> Result<Vec<MemoryRecord>> {
    let Some(slot) = &record.slot else {
        return Ok(Vec::new());
    };
    let request = ListRequest::new(RecordFilter::new(record.scope.clone())).with_slot(slot.clone()).with_limit(200);
    let mut records = engine.store.list(&request).await?.records;
    records.retain(|other| other.id != record.id && other.scope == record.scope);
    Ok(records)
}
