//! One conversation: context before the model is called, observe after it has answered, finish at the end.

use std::sync::Arc;

use memcore_core::{
    Batch, Change, Language, MemoryId, MemoryRecord, MessageQuery, Result, Role, Scope, SessionInfo, StoredMessage,
    Turn,
};

use crate::{
    context::{Context, ContextRequest},
    engine::Engine,
    outcome::{CaptureReport, Observation},
    pipeline::{capture, inject, observe, revise},
    scoped::{context_of, note_cut},
};

/// Whole turns that stand in the window beside the memories.
const WINDOW_TURNS: usize = 5;
/// Messages read to find them: a turn may hold many tool results.
const WINDOW_MESSAGES: usize = 100;

/// A conversation with memory.
///
/// The core block is chosen at the first `context` and stays the same to the end, so that the prompt cache holds; a
/// recalled memory is injected once. A session is cheap to make, and to make again: what it needs is in the store.
#[derive(Debug)]
pub struct Session {
    engine: Arc<Engine>,
    scope: Scope,
    core: Option<SessionCore>,
    injected: Vec<MemoryId>,
    background: Vec<tokio::task::JoinHandle<Result<CaptureReport>>>,
}

/// The standing memories as the first message of a session found them.
#[derive(Debug)]
struct SessionCore {
    records: Vec<MemoryRecord>,
    /// Those beyond the block's count.
    cut: Vec<MemoryRecord>,
    language: Language,
}

impl Session {
    pub(crate) fn new(engine: Arc<Engine>, scope: Scope) -> Self {
        Self { engine, scope, core: None, injected: Vec::new(), background: Vec::new() }
    }

    /// User, project and session.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Memories for the user's next message: retrieve and inject.
    ///
    /// # Errors
    /// What the stores answer.
    pub async fn context(&mut self, message: &str) -> Result<Context> {
        self.context_with(&ContextRequest::new(message)).await
    }

    /// As [`Session::context`], with limits and placement.
    ///
    /// # Errors
    /// What the stores answer.
    pub async fn context_with(&mut self, request: &ContextRequest) -> Result<Context> {
        let core = match self.core.take() {
            Some(core) => core,
            None => {
                let (records, cut) = inject::core_records(&self.engine, &self.scope).await?;
                let language = revise::frame_language(&request.query, &records);
                SessionCore { records, cut, language }
            }
        };
        let core = self.core.insert(core);
        let recent = recent_turns(&self.engine, &self.scope).await?;
        let recent_text: Vec<String> = recent.iter().map(StoredMessage::text).collect();
        let recent_text = recent_text.join("\n");
        let options = inject::InjectOptions {
            budget: request.budget,
            window: request.window,
            seen: &self.injected,
            recent: &recent_text,
            forbid_echo: false,
            core_language: Some(core.language),
        };
        let mut context = context_of(&self.engine, &self.scope, request, &core.records, &options).await?;
        note_cut(&mut context, &core.cut);
        let of_recall = context.recall.hits.iter().map(|hit| hit.record.id);
        self.injected.extend(of_recall.filter(|id| context.injection.injected.contains(id)));
        context.recent = recent;
        Ok(context)
    }

    /// Takes a finished turn. Durable when it returns; it is read for memories behind the reply.
    ///
    /// # Errors
    /// `InvalidInput` for a message that is too long; what the store answers. Failures of the reading behind it show in
    /// [`Session::finish`], in `stats` and in the queue.
    pub async fn observe(&mut self, turn: Turn) -> Result<Observation> {
        let observation = observe::observe(&self.engine, &self.scope, turn.messages).await?;
        if self.engine.settings.capture.in_background && observation.appended > 0 {
            let (engine, scope) = (self.engine.clone(), self.scope.clone());
            self.background.push(tokio::spawn(async move { capture::run_due(&engine, Some(&scope)).await }));
        }
        Ok(observation)
    }

    /// Waits until everything observed so far is read; answers what became of it since the last call.
    ///
    /// # Errors
    /// What the store answers. A failing extractor is counted in the report, and its job waits.
    pub async fn settle(&mut self) -> Result<CaptureReport> {
        let mut report = CaptureReport::default();
        for task in self.background.drain(..) {
            match task.await {
                Ok(done) => report.absorb(done?),
                Err(error) => report.errors.push(format!("the background task ended early: {error}")),
            }
        }
        report.absorb(capture::run_due(&self.engine, Some(&self.scope)).await?);
        Ok(report)
    }

    /// Ends the conversation: everything is read, and the session is marked as ended.
    ///
    /// # Errors
    /// As [`Session::settle`].
    pub async fn finish(mut self) -> Result<CaptureReport> {
        let report = self.settle().await?;
        let now = self.engine.now();
        if let Some(mut info) = self.engine.store.sessions(&self.scope).await?.pop() {
            info.ended_at = Some(now);
            let batch = Batch::new(self.engine.batch_id(), self.scope.user_id().clone(), now);
            self.engine.store.commit(batch.with(Change::UpdateSession(info))).await?;
        }
        Ok(report)
    }

    /// What is known of this session; none before its first message.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn info(&self) -> Result<Option<SessionInfo>> {
        Ok(self.engine.store.sessions(&self.scope).await?.pop())
    }
}

/// The last whole turns: from a user message on, never half a turn.
async fn recent_turns(engine: &Engine, scope: &Scope) -> Result<Vec<StoredMessage>> {
    let query = MessageQuery::new(scope.clone()).with_last(WINDOW_MESSAGES);
    let messages = engine.store.messages(&query).await?;
    let starts: Vec<usize> =
        messages.iter().enumerate().filter(|(_, message)| message.role == Role::User).map(|(at, _)| at).collect();
    let first = starts.len().saturating_sub(WINDOW_TURNS);
    Ok(starts.get(first).map_or_else(Vec::new, |start| messages[*start..].to_vec()))
}
