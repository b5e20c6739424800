//! Reads messages of one session for what is worth keeping, and writes it.

use memcore_core::{
    Batch, Change, Error, ErrorKind, Extraction, ExtractionRequest, Job, JobKind, MemoryRecord, MessageId,
    MessageQuery, ModelUsage, ReadingPosition, Result, Role, Scope, StoredMessage, Timestamp, UsageEntry,
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
    let done = jobs.iter().map(|job| Change::CompleteJob(job.id));
    let messages = messages_of(engine, jobs).await?;
    if messages.is_empty() {
        // Their session was erased meanwhile.
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        engine.store.commit(done.fold(batch, Batch::with)).await?;
        return Ok(CaptureReport::default());
    }
    check_budget(engine, scope, engine.extractor.model()).await?;
    let context = context_of(engine, scope, &messages).await?;
    let offset = offset_in(first, &messages);
    let request = ExtractionRequest::new(scope.clone(), messages.clone(), engine.now())
        .with_offset(offset)
        .with_context(context.clone())
        .with_known(related(engine, scope, &messages, offset).await?);
    let extraction = engine.extractor.extract(&request).await?;
    let found_nothing = extraction.candidates.is_empty() && extraction.rejected.is_empty();
    let is_read = extraction.failures.is_empty() || !found_nothing;
    if engine.extractor.model().is_some() && is_read {
        engine.breaker().succeed();
    }

    let mut report = CaptureReport::default();
    let mut closing = rejections(engine, scope, &extraction);
    closing.extend(account(engine, EXTRACT, engine.extractor.model(), extraction.usage));
    let left = extraction.unread_from.as_ref().map(|place| left_over(jobs, place, engine.now())).transpose();
    match (extraction.failures.first(), left) {
        // What was found is kept; the messages are read again.
        (Some(failure), left) => {
            let given_back = queue::given_back(engine, jobs, failure, &mut report);
            let is_given_up = given_back.iter().any(|change| matches!(change, Change::FailJob { retry_at: None, .. }));
            closing.extend(given_back);
            if is_given_up && let Ok(Some(left)) = left {
                // What could not be read takes nothing along.
                closing.push(Change::Enqueue(Job::new(engine.job_id(), scope.clone(), left.kind, engine.now())));
            }
        }
        (None, Err(astray)) => closing.extend(queue::given_back(engine, jobs, &astray, &mut report)),
        (None, Ok(Some(left))) => closing.extend(left.changes),
        (None, Ok(None)) => {
            closing.extend(done);
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
        if let JobKind::Extract { messages, .. } = &job.kind {
            ids.extend(messages.iter().cloned());
        }
    }
    engine.store.messages(&MessageQuery::new(first.scope.clone()).with_ids(ids)).await
}

/// How much of the first message was read before, in bytes.
fn offset_in(job: &Job, messages: &[StoredMessage]) -> usize {
    match &job.kind {
        // Where the message was erased, another one comes first.
        JobKind::Extract { messages: ids, offset } if ids.first() == messages.first().map(|first| &first.id) => *offset,
        _ => 0,
    }
}

/// What is left of jobs that were not read to their end.
struct LeftOver {
    /// The jobs before are done; that one goes on; those behind wait for it.
    changes: Vec<Change>,
    /// What is left of the job in which the reading stopped.
    kind: JobKind,
}

/// What is left of jobs that were read up to a place; an error where the place is not in them, or where they began.
fn left_over(jobs: &[Job], place: &ReadingPosition, now: Timestamp) -> Result<LeftOver> {
    let mut changes = Vec::new();
    let mut is_begun = false;
    for (n, job) in jobs.iter().enumerate() {
        let JobKind::Extract { messages, offset } = &job.kind else { continue };
        let Some(at) = messages.iter().position(|message| *message == place.message) else {
            changes.push(Change::CompleteJob(job.id));
            is_begun = true;
            continue;
        };
        if !is_begun && at == 0 && place.offset <= *offset {
            break;
        }
        let kind = JobKind::Extract { messages: messages.get(at..).unwrap_or_default().to_vec(), offset: place.offset };
        changes.push(Change::ContinueJob { id: job.id, kind: kind.clone() });
        changes.extend(jobs.iter().skip(n + 1).map(|later| Change::HoldJob { id: later.id, until: now }));
        return Ok(LeftOver { changes, kind });
    }
    let hint = "an extractor that leaves something unread says from where on, and reads something each time";
    Err(Error::new(ErrorKind::ExtractFailed, "the extractor read nothing of what it was given").with_hint(hint))
}

async fn context_of(engine: &Engine, scope: &Scope, messages: &[StoredMessage]) -> Result<Vec<StoredMessage>> {
    let Some(first) = messages.first() else { return Ok(Vec::new()) };
    let before = MessageQuery::new(scope.clone()).with_before(first.id.clone());
    engine.store.messages(&before.with_last(engine.settings.capture.context_messages)).await
}

/// What is known of the matter, for a model that can confirm or overturn it. Rules need no such help.
async fn related(
    engine: &Engine,
    scope: &Scope,
    messages: &[StoredMessage],
    offset: usize,
) -> Result<Vec<MemoryRecord>> {
    let limit = engine.settings.capture.related_memories;
    if engine.extractor.model().is_none() || limit == 0 {
        return Ok(Vec::new());
    }
    let texts = messages.iter().enumerate().filter(|(_, message)| message.role == Role::User).map(|(n, message)| {
        let text = message.text();
        let unread = if n == 0 { text.ceil_char_boundary(offset) } else { 0 };
        text.get(unread..).unwrap_or_default().to_owned()
    });
    let said = texts.collect::<Vec<String>>().join("\n");
    let request = RecallRequest::new(&said[..said.floor_char_boundary(QUERY_BYTES)])
        .for_reader()
        .with_limit(limit)
        .without_touch();
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

/// Books what calls used; none where there were none.
pub(crate) fn account(engine: &Engine, purpose: &str, model: Option<&str>, usage: ModelUsage) -> Option<Change> {
    let model = model.unwrap_or("unknown");
    (usage.calls > 0).then(|| Change::RecordUsage(UsageEntry::new(engine.now(), purpose, model, usage)))
}

fn rejections(engine: &Engine, scope: &Scope, extraction: &Extraction) -> Vec<Change> {
    let (session, now) = (scope.session_id(), engine.now());
    extraction.rejected.iter().map(|of| Change::reject(of.clone(), session.cloned(), now)).collect()
}
