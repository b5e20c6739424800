//! The worker: takes jobs from the queue, reads their messages, writes what is worth keeping.

use memcore_core::{
    Batch, Change, Error, ErrorKind, ExtractionRequest, Job, JobKind, LeaseRequest, MessageId, MessageQuery, Result,
    Scope, StoredMessage,
};

use super::write::{Origin, write};
use crate::{engine::Engine, outcome::CaptureReport};

/// Does every job that is due, of a scope or of all; answers what came of them and how many still wait.
pub(crate) async fn run_due(engine: &Engine, scope: Option<&Scope>) -> Result<CaptureReport> {
    let _one_at_a_time = engine.capturing.lock().await;
    let mut report = CaptureReport::default();
    loop {
        let mut request = LeaseRequest::new(engine.now());
        request.scope = scope.cloned();
        let Some(job) = engine.store.lease_job(&request).await? else {
            break;
        };
        report.absorb(run(engine, &job).await?);
    }
    report.pending = engine.store.jobs(scope).await?.len() as u64;
    Ok(report)
}

/// Does one job. A job that fails goes back into the queue and is counted; only a store that fails is an error.
async fn run(engine: &Engine, job: &Job) -> Result<CaptureReport> {
    let outcome = match &job.kind {
        JobKind::Extract { messages } => extract(engine, job, messages).await,
        _ => Err(Error::new(ErrorKind::Unsupported, "a job of a newer version").with_hint("upgrade memcore")),
    };
    match outcome {
        Ok(report) => Ok(report),
        // Somebody else finished it while our lease was over.
        Err(error) if error.kind() == ErrorKind::Conflict => Ok(CaptureReport::default()),
        Err(error) => give_back(engine, job, &error).await,
    }
}

async fn extract(engine: &Engine, job: &Job, ids: &[MessageId]) -> Result<CaptureReport> {
    let session = MessageQuery::new(job.scope.clone());
    let messages = engine.store.messages(&session.clone().with_ids(ids.to_vec())).await?;
    let done = Change::CompleteJob(job.id);
    let Some(first) = messages.first() else {
        // Their session was erased meanwhile.
        let batch = Batch::new(engine.batch_id(), job.scope.user_id().clone(), engine.now()).with(done);
        engine.store.commit(batch).await?;
        return Ok(CaptureReport::default());
    };
    let before = session.with_before(first.id.clone()).with_last(engine.settings.capture.context_messages);
    let context = engine.store.messages(&before).await?;
    let request =
        ExtractionRequest::new(job.scope.clone(), messages.clone(), engine.now()).with_context(context.clone());
    let extraction = engine.extractor.extract(&request).await?;

    // Corrections may quote what was said just before.
    let readable: Vec<StoredMessage> = context.into_iter().chain(messages).collect();
    let origin = Origin {
        extractor: engine.extractor.name(),
        model: engine.extractor.model(),
        messages: &readable,
        is_direct: false,
    };
    let now = engine.now();
    let session = job.scope.session_id();
    let mut closing: Vec<Change> =
        extraction.rejected.iter().map(|of| Change::reject(of.clone(), session.cloned(), now)).collect();
    closing.push(done);
    let (_, mut report) = write(engine, &job.scope, extraction.candidates, origin, closing).await?;
    report.rejected.extend(extraction.rejected);
    Ok(report)
}

async fn give_back(engine: &Engine, job: &Job, error: &Error) -> Result<CaptureReport> {
    let settings = &engine.settings.capture;
    let attempts = job.attempts + 1;
    let now = engine.now();
    let retry_at = (attempts < settings.max_attempts).then(|| now + settings.backoff(attempts));
    let failed = Change::FailJob { id: job.id, error: error.to_string(), retry_at };
    let batch = Batch::new(engine.batch_id(), job.scope.user_id().clone(), now).with(failed);
    engine.store.commit(batch).await?;
    Ok(CaptureReport { failed: 1, errors: vec![error.to_string()], ..CaptureReport::default() })
}
