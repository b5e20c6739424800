//! One conversation: context before the model is called, observe after it has answered, finish at the end.

use std::sync::Arc;

use memcore_core::{
    Batch, Change, Language, MemoryId, MemoryRecord, Result, Role, Scope, SessionAmendment, SessionInfo, Turn,
};

use crate::{
    context::{Context, ContextRequest},
    engine::Engine,
    outcome::{CaptureReport, Observation},
    pipeline::{
        inject, observe, queue, revise, summarize,
        tiers::{self, Told},
    },
    policy::echo,
    scoped::{context_of, note_cut},
    worker::Worker,
};

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
    /// What the model was last shown, to notice when it only repeats it.
    shown: Vec<String>,
    /// Replies that repeated a memory word for word; none before it was looked up.
    echoes: Option<u64>,
    worker: Option<Worker>,
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
        Self { engine, scope, core: None, injected: Vec::new(), shown: Vec::new(), echoes: None, worker: None }
    }

    /// User, project and session.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The three tiers for the user's next message: memories, the summary of the conversation, its last whole turns.
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
        let engine = self.engine.clone();
        let echoes = match self.echoes {
            Some(echoes) => echoes,
            None => self.info().await?.map_or(0, |info| info.echoes),
        };
        self.echoes = Some(echoes);
        let core = match self.core.take() {
            Some(core) => core,
            None => {
                let (records, cut) = inject::core_records(&engine, &self.scope).await?;
                let language = revise::frame_language(&request.query, &records);
                SessionCore { records, cut, language }
            }
        };
        let core = self.core.insert(core);
        let told = Told::read(&engine, &self.scope).await?;
        let settings = &engine.settings;
        let total = tiers::total_budget(
            settings.conversation.budget,
            request.window.or(settings.injection.window),
            request.total,
        );
        let repeats_memories = settings.injection.echo_guard && echoes > 0;
        let options = inject::InjectOptions {
            budget: Some(request.budget.unwrap_or(total).min(total)),
            window: request.window,
            results: repeats_memories.then_some(settings.injection.echo_results),
            seen: &self.injected,
            recent: &told.text(),
            forbid_echo: repeats_memories,
            core_language: Some(core.language),
        };
        let mut context = context_of(&engine, &self.scope, request, &core.records, &options).await?;
        note_cut(&mut context, &core.cut);
        let of_recall = context.recall.hits.iter().map(|hit| hit.record.id);
        self.injected.extend(of_recall.filter(|id| context.injection.injected.contains(id)));
        self.shown = shown(&context, &core.records);
        let left = total.saturating_sub(context.injection.tokens);
        let conversation = told.fit(&*engine.counter, core.language, settings.conversation.summary_tokens, left);
        context.tokens += conversation.tokens;
        (context.summary, context.recent) = (conversation.summary, conversation.recent);
        Ok(context)
    }

    /// Takes a finished turn. Durable when it returns; it is read for memories behind the reply.
    ///
    /// # Errors
    /// `InvalidInput` for a message that is too long; `Busy` where too much waits to be read; what the store answers.
    /// Failures of the reading behind it show in [`Session::finish`], in `stats` and in the queue.
    pub async fn observe(&mut self, turn: Turn) -> Result<Observation> {
        let echoed = self.echoed(&turn);
        let note =
            (echoed > 0).then(|| Change::AmendSession(SessionAmendment::new(self.scope.clone()).with_echoes(echoed)));
        let observation = observe::observe(&self.engine, &self.scope, turn.messages, note).await?;
        if observation.appended > 0 {
            self.echoes = self.echoes.map(|echoes| echoes + echoed);
            if self.engine.settings.capture.in_background {
                let start = || Worker::start(self.engine.clone(), Some(self.scope.clone()));
                self.worker.get_or_insert_with(start).wake();
            }
        }
        Ok(observation)
    }

    /// Reads everything observed so far, without waiting for more; answers what became of it since the last call.
    ///
    /// # Errors
    /// What the store answers. A failing extractor is counted in the report, and its job waits.
    pub async fn settle(&mut self) -> Result<CaptureReport> {
        queue::hasten(&self.engine, Some(&self.scope)).await?;
        let now = queue::run_due(&self.engine, Some(&self.scope)).await?;
        let mut report = match &self.worker {
            Some(worker) => worker.take_report().await,
            None => CaptureReport::default(),
        };
        report.absorb(now);
        Ok(report)
    }

    /// Ends the conversation: everything is read, and the session is marked as ended.
    ///
    /// # Errors
    /// As [`Session::settle`].
    pub async fn finish(mut self) -> Result<CaptureReport> {
        let report = self.settle().await?;
        let now = self.engine.now();
        let ended = Change::AmendSession(SessionAmendment::new(self.scope.clone()).with_end(now));
        let batch = Batch::new(self.engine.batch_id(), self.scope.user_id().clone(), now);
        self.engine.store.commit(batch.with(ended)).await?;
        Ok(report)
    }

    /// What is known of this session; none before its first message.
    ///
    /// # Errors
    /// What the store answers.
    pub async fn info(&self) -> Result<Option<SessionInfo>> {
        summarize::info(&self.engine, &self.scope).await
    }

    /// How many replies of a turn only repeat what the model was shown.
    fn echoed(&self, turn: &Turn) -> u64 {
        if !self.engine.settings.injection.echo_guard {
            return 0;
        }
        let replies = turn.messages.iter().filter(|message| message.role == Role::Assistant);
        let is_echo = |reply: &str| self.shown.iter().any(|memory| echo::repeats(reply, memory));
        replies.filter(|reply| is_echo(&reply.text())).count() as u64
    }
}

/// What of the memories stands in the prompt.
fn shown(context: &Context, core: &[MemoryRecord]) -> Vec<String> {
    let recalled = context.recall.hits.iter().map(|hit| &hit.record);
    let injected = core.iter().chain(recalled).filter(|record| context.injection.injected.contains(&record.id));
    injected.map(|record| record.content.clone()).collect()
}
