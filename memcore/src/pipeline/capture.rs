//! Reads messages of one session for what is worth keeping, and writes it.

use memcore_core::{
    Batch, Change, Error, ErrorKind, Extraction, ExtractionRequest, Job, JobKind, MemoryRecord, MessageId,
    MessageQuery, ModelUsage, Result, Role, Scope, StoredMessage, UsageEntry,
};

use super::{
    queue, recall, summarize,
    write::{Origin, write},
};
use crate::{engine::Engine, outcome::CaptureReport, pipeline::recall::RecallRequest, policy::spend};

/// How much of the new messages is used to look for related memories, in bytes: a model reads the rest all the same.
const QUERY_BYTES: usize = 2_000;

/// What the calls of an extractor are booked under.
const EXTRACT: &str = "extract";

/// Reads the messages of jobs that follow each other in a session, all at once, and finishes the jobs with what was
/// found in one transaction.
pub(crate) async fn read(engine: &Engine, jobs: &[Job]) -> Result<CaptureReport> {
    let Some(first) = jobs.first() else { return Ok(CaptureReport::default()) };
    let scope = &first.scope;
    let done = || jobs.iter().map(|job| Change::CompleteJob(job.id));
    let messages = messages_of(engine, jobs).await?;
    if messages.is_empty() {
        // Their session was erased meanwhile.
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        engine.store.commit(done().fold(batch, Batch::with)).await?;
        return Ok(CaptureReport::default());
    }
    check_budget(engine, scope, engine.extractor.model()).await?;
    let context = context_of(engine, scope, &messages).await?;
    let request = ExtractionRequest::new(scope.clone(), messages.clone(), engine.now())
        .with_context(context.clone())
        .with_known(related(engine, scope, &messages).await?);
    let extraction = whole_or_failed(engine, scope, engine.extractor.extract(&request).await?).await?;
    if engine.extractor.model().is_some() {
        engine.breaker().succeed();
    }

    let mut report = CaptureReport::default();
    let mut closing = rejections(engine, scope, &extraction);
    closing.extend(account(engine, EXTRACT, engine.extractor.model(), extraction.usage));
    match extraction.failures.first() {
        // What was found is kept; the messages are read again.
        Some(failure) => closing.extend(queue::given_back(engine, jobs, failure, &mut report)),
        None => {
            closing.extend(done());
            closing.extend(summarize::due(engine, scope).await?);
        }
    }
    // Corrections may quote what was said just before.
    let readable: Vec<StoredMessage> = context.into_iter().chain(messages).collect();
    let origin = Origin {
        extractor: engine.extractor.name(),
        model: engine.extractor.model(),
        messages: &readable,
        is_direct: false,
    };
    let _writing = engine.writing.lock().await;
    let (_, written) = write(engine, scope, extraction.candidates, origin, closing).await?;
    report.absorb(written);
    report.rejected.extend(extraction.rejected);
    Ok(report)
}

async fn messages_of(engine: &Engine, jobs: &[Job]) -> Result<Vec<StoredMessage>> {
    let Some(first) = jobs.first() else { return Ok(Vec::new()) };
    let mut ids: Vec<MessageId> = Vec::new();
    for job in jobs {
        if let JobKind::Extract { messages } = &job.kind {
            ids.extend(messages.iter().cloned());
        }
    }
    engine.store.messages(&MessageQuery::new(first.scope.clone()).with_ids(ids)).await
}

async fn context_of(engine: &Engine, scope: &Scope, messages: &[StoredMessage]) -> Result<Vec<StoredMessage>> {
    let Some(first) = messages.first() else { return Ok(Vec::new()) };
    let before = MessageQuery::new(scope.clone()).with_before(first.id.clone());
    engine.store.messages(&before.with_last(engine.settings.capture.context_messages)).await
}

/// What is known of the matter, for a model that can confirm or overturn it. Rules need no such help.
async fn related(engine: &Engine, scope: &Scope, messages: &[StoredMessage]) -> Result<Vec<MemoryRecord>> {
    let limit = engine.settings.capture.related_memories;
    if engine.extractor.model().is_none() || limit == 0 {
        return Ok(Vec::new());
    }
    let said: Vec<String> =
        messages.iter().filter(|message| message.role == Role::User).map(StoredMessage::text).collect();
    let said = said.join("\n");
    let end = (0..=said.len().min(QUERY_BYTES)).rev().find(|end| said.is_char_boundary(*end)).unwrap_or(0);
    let request = RecallRequest::new(&said[..end]).for_reader().with_limit(limit).without_touch();
    Ok(recall::recall(engine, scope, &request).await?.hits.into_iter().map(|hit| hit.record).collect())
}

/// Refuses a call that today's budget does not cover.
pub(crate) async fn check_budget(engine: &Engine, scope: &Scope, model: Option<&str>) -> Result<()> {
    let limits = &engine.settings.capture.daily;
    if model.is_none() || limits.are_off() {
        return Ok(());
    }
    let now = engine.now();
    let of_user = spend::total(&engine.store.usage(Some(scope.user_id()), now).await?);
    let of_all = spend::total(&engine.store.usage(None, now).await?);
    match limits.reached(of_user, of_all) {
        None => Ok(()),
        Some(reason) => Err(Error::new(ErrorKind::OverBudget, reason)
            .with_hint("its messages are read tomorrow, or as soon as the limit is raised")),
    }
}

/// The extraction, or its error where nothing of the messages could be read. What it cost is booked either way.
async fn whole_or_failed(engine: &Engine, scope: &Scope, mut extraction: Extraction) -> Result<Extraction> {
    let found_nothing = extraction.candidates.is_empty() && extraction.rejected.is_empty();
    if extraction.failures.is_empty() || !found_nothing {
        return Ok(extraction);
    }
    if let Some(entry) = account(engine, EXTRACT, engine.extractor.model(), extraction.usage) {
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        engine.store.commit(batch.with(entry)).await?;
    }
    Err(extraction.failures.swap_remove(0))
}

/// Books what calls used; none where there were none.
pub(crate) fn account(engine: &Engine, purpose: &str, model: Option<&str>, usage: ModelUsage) -> Option<Change> {
    let model = model.unwrap_or("unknown");
    (usage.calls > 0).then(|| Change::RecordUsage(UsageEntry::new(engine.now(), purpose, model, usage)))
}

fn rejections(engine: &Engine, scope: &Scope, extraction: &Extraction) -> Vec<Change> {
    let (session, now) = (scope.session_id(), engine.now());
    extraction.rejected.iter().map(|of| Change::reject(of.clone(), session.cloned(), now)).collect()
}
