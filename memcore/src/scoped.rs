//! The handle of one user's memories: write, index, retrieve, inject, and the owner's rights.

use std::sync::Arc;

use memcore_core::{
    BatchId, Candidate, Error, ExtractionRequest, ForgetReceipt, Importance, Job, Kind, ListRequest, MemoryId,
    MemoryRecord, Message, Page, QueueState, RecordFilter, RejectedEntry, Result, Role, Scope, SessionId, SessionInfo,
    Slot, SourceKind, StoredMessage, Timestamp, UsageEntry, Version,
};

use crate::{
    context::{Context, ContextRequest},
    engine::Engine,
    outcome::{CaptureReport, Observation, Outcome, WriteOutcome},
    pipeline::{
        forget, inject, observe, queue,
        recall::{self, Recall, RecallRequest},
        review,
        revise::{self, Edit},
        write::{Origin, write},
    },
    session::Session,
};

/// A statement to keep as it is.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RememberRequest {
    /// The statement.
    pub content: String,
    /// Its kind; none lets the rules decide, `fact` where they cannot.
    pub kind: Option<Kind>,
    /// Its weight; none lets the rules decide.
    pub importance: Option<Importance>,
    /// The question that it answers; none lets the rules decide.
    pub slot: Option<Slot>,
    /// Free labels.
    pub tags: Vec<String>,
}

impl RememberRequest {
    /// A statement.
    pub fn new(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    /// Sets the kind.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the weight.
    #[must_use]
    pub fn with_importance(mut self, importance: Importance) -> Self {
        self.importance = Some(importance);
        self
    }

    /// Sets the slot.
    #[must_use]
    pub fn with_slot(mut self, slot: Slot) -> Self {
        self.slot = Some(slot);
        self
    }

    /// Adds a label.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }
}

/// The memories of one user, seen from one scope.
#[derive(Debug, Clone)]
pub struct ScopedMemory {
    engine: Arc<Engine>,
    scope: Scope,
}

impl ScopedMemory {
    pub(crate) fn new(engine: Arc<Engine>, scope: Scope) -> Self {
        Self { engine, scope }
    }

    /// The parts behind this handle.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whose memories, and from where.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// A conversation, new or continued.
    ///
    /// # Errors
    /// `InvalidInput` for an id that is empty, too long, or holds control characters.
    pub fn session(&self, id: impl Into<String>) -> Result<Session> {
        let scope = self.scope.clone().session(id)?;
        Ok(Session::new(self.engine.clone(), scope))
    }

    /// Stores one statement, reconciled with what is known.
    ///
    /// # Errors
    /// `InvalidInput` for an empty or too long statement; what the store answers. A statement that the redaction policy
    /// blocks is no error: its outcome is `Rejected`, with the reason.
    pub async fn remember(&self, request: RememberRequest) -> Result<WriteOutcome> {
        let candidate = self.direct_candidate(request).await?;
        let origin = Origin { extractor: "api", model: None, messages: &[], is_direct: true };
        let (_, report) = write(&self.engine, &self.scope, vec![candidate], origin, Vec::new()).await?;
        let rejected = report.rejected.into_iter().next();
        Ok(match report.outcomes.into_iter().next() {
            Some(outcome) => outcome,
            None => {
                let rejection = rejected
                    .ok_or_else(|| Error::new(memcore_core::ErrorKind::Internal, "a statement had no outcome"))?;
                WriteOutcome::rejected(&rejection.text, rejection.reason)
            }
        })
    }

    /// Takes messages of a session into the transcript and queues them to be read. Durable when it returns.
    ///
    /// # Errors
    /// `InvalidInput` where this handle has no session, or for a message that is too long; `Busy` where too much waits to
    /// be read; what the store answers.
    pub async fn observe(&self, messages: Vec<Message>) -> Result<Observation> {
        observe::observe(&self.engine, &self.scope, messages, None).await
    }

    /// Reads what was observed in this scope (its session, or all of the user's) and is still queued, and gives texts
    /// their vectors that wait for them.
    ///
    /// # Errors
    /// What the store answers. A failing extractor is no error: it is counted in the report, and its job waits.
    pub async fn flush(&self) -> Result<CaptureReport> {
        queue::flush(&self.engine, Some(&self.scope)).await
    }

    /// Answers a question.
    ///
    /// # Errors
    /// What the stores answer. Finding nothing is an answer: `abstained`.
    pub async fn recall(&self, request: &RecallRequest) -> Result<Recall> {
        recall::recall(&self.engine, &self.scope, request).await
    }

    /// Memories for a message, outside of any session.
    ///
    /// # Errors
    /// What the stores answer.
    pub async fn context(&self, request: &ContextRequest) -> Result<Context> {
        let (core, cut) = inject::core_records(&self.engine, &self.scope).await?;
        let options = inject::InjectOptions { budget: request.budget, window: request.window, ..Default::default() };
        let mut context = context_of(&self.engine, &self.scope, request, &core, &options).await?;
        note_cut(&mut context, &cut);
        Ok(context)
    }

    /// A page of this scope's memories.
    ///
    /// # Errors
    /// `InvalidInput` for a cursor that no page gave; what the store answers.
    pub async fn list(&self, request: &ListRequest) -> Result<Page> {
        // Whatever the request says, this handle sees its own scope.
        let mut own = request.clone();
        own.filter.scope = self.scope.clone();
        self.engine.store.list(&own).await
    }

    /// The filter of everything in force in this scope, to be narrowed and listed.
    #[must_use]
    pub fn filter(&self) -> RecordFilter {
        RecordFilter::new(self.scope.clone())
    }

    /// One memory.
    ///
    /// # Errors
    /// `NotFound` where this scope does not see it.
    pub async fn show(&self, id: MemoryId) -> Result<MemoryRecord> {
        revise::existing(&self.engine, &self.scope, id).await
    }

    /// All versions of a memory, oldest first.
    ///
    /// # Errors
    /// `NotFound` where this scope does not see it.
    pub async fn history(&self, id: MemoryId) -> Result<Vec<Version>> {
        self.engine.store.history(&self.scope, id).await
    }

    /// Changes a memory; the old version stays in its history.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for content that may not be stored.
    pub async fn edit(&self, id: MemoryId, edit: Edit) -> Result<MemoryRecord> {
        revise::edit(&self.engine, &self.scope, id, edit).await
    }

    /// Takes a memory out of use: only explicit search finds it.
    ///
    /// # Errors
    /// `NotFound` where this scope does not see it.
    pub async fn archive(&self, id: MemoryId) -> Result<MemoryRecord> {
        revise::archive(&self.engine, &self.scope, id).await
    }

    /// Brings a memory back into use; the one that took its place in its slot steps back.
    ///
    /// # Errors
    /// `NotFound` where this scope does not see it.
    pub async fn restore(&self, id: MemoryId) -> Result<MemoryRecord> {
        revise::restore(&self.engine, &self.scope, id).await
    }

    /// Pins a memory to the core block, or takes the pin away.
    ///
    /// # Errors
    /// `NotFound` where this scope does not see it.
    pub async fn pin(&self, id: MemoryId, pinned: bool) -> Result<MemoryRecord> {
        revise::pin(&self.engine, &self.scope, id, pinned).await
    }

    /// Takes back a batch of changes, the last one where none is named; answers which, and the memories it touched.
    ///
    /// # Errors
    /// `NotFound` where there is nothing to undo.
    pub async fn undo(&self, batch: Option<BatchId>) -> Result<(BatchId, Vec<MemoryId>)> {
        revise::undo(&self.engine, &self.scope, batch).await
    }

    /// Erases memories, with the older ones that they replaced and every trace of their words in the transcript.
    ///
    /// # Errors
    /// What the store answers. Unknown ids are no error: they are not in the receipt.
    pub async fn forget(&self, ids: &[MemoryId]) -> Result<ForgetReceipt> {
        forget::records(&self.engine, &self.scope, ids).await
    }

    /// What `forget --query` would mean: the memories that match, for a preview.
    ///
    /// # Errors
    /// What the stores answer.
    pub async fn matching(&self, query: &str) -> Result<Vec<MemoryRecord>> {
        let request = RecallRequest::new(query).without_touch();
        Ok(self.recall(&request).await?.hits.into_iter().map(|hit| hit.record).collect())
    }

    /// The memories of a source: an extractor's name, or a source kind such as `user` or `tool`.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn of_source(&self, source: &str) -> Result<Vec<MemoryRecord>> {
        forget::of_source(&self.engine, &self.scope, source).await
    }

    /// Erases a session: its messages, and the memories that come from it, in whatever project.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn forget_session(&self, session: &SessionId) -> Result<ForgetReceipt> {
        forget::session(&self.engine, &self.scope, session).await
    }

    /// Erases all that there is of this user, in every project.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn forget_everything(&self) -> Result<ForgetReceipt> {
        forget::everything(&self.engine, &self.scope).await
    }

    /// What was not captured, and why, newest first.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn rejected(&self, limit: usize) -> Result<Vec<RejectedEntry>> {
        self.engine.store.rejected(&self.scope, limit).await
    }

    /// The user's sessions, oldest first.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn sessions(&self) -> Result<Vec<SessionInfo>> {
        self.engine.store.sessions(&self.scope).await
    }

    /// Has the most important memories checked against the newest conversations (or this scope's session): what the
    /// user's words confirm, revise or retire goes through the same checks as any statement, and can be undone.
    ///
    /// # Errors
    /// `Unsupported` without a reviewer; what the store answers. A failing reviewer is counted in the report, and its
    /// jobs wait.
    pub async fn review(&self) -> Result<CaptureReport> {
        review::enqueue(&self.engine, &self.scope).await?;
        queue::run_due(&self.engine, Some(&self.scope)).await
    }

    /// Work of this user's that waits or was given up.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn jobs(&self) -> Result<Vec<Job>> {
        self.engine.store.jobs(Some(&self.scope)).await
    }

    /// How full this user's queue is.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn queue(&self) -> Result<QueueState> {
        self.engine.store.queue(Some(&self.scope)).await
    }

    /// Gives work that was given up another chance; answers how many jobs.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn replay(&self) -> Result<u64> {
        queue::revive(&self.engine, Some(&self.scope)).await
    }

    /// What language models were used for since the day of a moment, by day, purpose and model.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn usage(&self, since: Timestamp) -> Result<Vec<UsageEntry>> {
        self.engine.store.usage(Some(self.scope.user_id()), since).await
    }

    /// A statement as a candidate. What the host left open, the extractor may know: kind, weight and slot of a plain
    /// sentence. The words stay the host's.
    async fn direct_candidate(&self, request: RememberRequest) -> Result<Candidate> {
        let (content, _) = observe::redact_text(&*self.engine.redactor, &request.content);
        let mut candidate = Candidate::new(content.trim(), Kind::Fact);
        candidate.source = SourceKind::Api;
        candidate.explicit = true;
        // The rules for content, before anything is looked up.
        memcore_core::MemoryRecord::new(
            self.engine.memory_id(),
            self.scope.clone(),
            Kind::Fact,
            request.content.clone(),
            memcore_core::Provenance::new(SourceKind::Api, "api", self.engine.now()),
            self.engine.now(),
        )?;
        if request.kind.is_none() || request.slot.is_none() || request.importance.is_none() {
            let message = StoredMessage {
                id: memcore_core::MessageId::new("direct")?,
                scope: self.scope.clone(),
                role: Role::User,
                content: vec![memcore_core::ContentBlock::text(candidate.content.clone())],
                at: self.engine.now(),
            };
            let asked = ExtractionRequest::new(self.scope.clone(), vec![message], self.engine.now());
            let rules = crate::extract::RuleExtractor::new();
            let found = memcore_core::Extractor::extract(&rules, &asked).await?.candidates;
            if let [only] = found.as_slice()
                && only.operation == memcore_core::Operation::Add
            {
                candidate.kind = only.kind.clone();
                candidate.slot.clone_from(&only.slot);
                candidate.importance = only.importance;
                candidate.valid_from = only.valid_from;
                candidate.valid_until = only.valid_until;
            }
        }
        candidate.kind = request.kind.unwrap_or(candidate.kind);
        candidate.slot = request.slot.or(candidate.slot);
        candidate.importance = request.importance.unwrap_or(candidate.importance);
        candidate.tags = request.tags;
        if self.scope.session_id().is_some() {
            // A handle narrowed to a session still remembers for the project or user: the kind decides.
            candidate.level = None;
        }
        Ok(candidate)
    }
}

/// Recall and injection for one message.
pub(crate) async fn context_of(
    engine: &Engine,
    scope: &Scope,
    request: &ContextRequest,
    core: &[MemoryRecord],
    options: &inject::InjectOptions<'_>,
) -> Result<Context> {
    let mut ask = RecallRequest::new(&request.query).for_prompt().without_touch();
    ask.limit = options.results;
    let mut recall = recall::recall(engine, scope, &ask).await?;
    let language = revise::frame_language(&request.query, core);
    let injection = inject::render(engine, core, &recall.hits, language, options);
    if request.touch {
        let used = recall.hits.iter().map(|hit| hit.record.id).filter(|id| injection.injected.contains(id)).collect();
        recall::touch(engine, scope, used, &mut recall.degraded).await?;
    }
    let tokens = injection.tokens;
    Ok(Context { injection, recall, summary: String::new(), recent: Vec::new(), tokens, placement: request.placement })
}

/// Says of the standing memories beyond the core block's count that they were left out, unless they were recalled.
pub(crate) fn note_cut(context: &mut Context, cut: &[MemoryRecord]) {
    let injection = &mut context.injection;
    for record in cut {
        let is_known = injection.injected.contains(&record.id) || injection.omitted.iter().any(|of| of.id == record.id);
        if !is_known {
            let reason = memcore_core::OmissionReason::OverCount;
            injection.omitted.push(memcore_core::Omission { id: record.id, reason });
        }
    }
}

impl WriteOutcome {
    /// Whether the statement is kept, in whatever way.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.outcome != Outcome::Rejected
    }
}
