//! Checks what is known against what was said lately; what a reviewer proposes passes the write stage like any statement.

use std::collections::BTreeSet;

use memcore_core::{
    Batch, Candidate, Change, Error, ErrorKind, Job, JobKind, JobState, ListRequest, MemoryRecord, MessageQuery,
    Operation, RecordFilter, Result, ReviewProposal, ReviewRequest, Scope, SortOrder, Verdict,
};

use super::{
    capture, queue,
    write::{Origin, write},
};
use crate::{engine::Engine, outcome::CaptureReport};

/// What the calls of a reviewer are booked under.
const REVIEW: &str = "review";

/// Queues a review of the newest sessions of a scope, or of its own one; answers how many.
pub(crate) async fn enqueue(engine: &Engine, scope: &Scope) -> Result<usize> {
    if engine.reviewer.is_none() {
        return Err(Error::new(ErrorKind::Unsupported, "this memory has no reviewer")
            .with_hint("give the builder one, such as LlmReviewer"));
    }
    let is_queued = |job: &Job| job.kind == JobKind::Review && job.state == JobState::Pending;
    let queued = engine.store.jobs(Some(scope)).await?.into_iter().filter(is_queued).map(|job| job.scope);
    let queued: BTreeSet<Scope> = queued.collect();
    let mut sessions: Vec<Scope> = engine.store.sessions(scope).await?.into_iter().map(|info| info.scope).collect();
    // Another project's words say nothing about this one's memories.
    sessions.retain(|session| session.project_id() == scope.project_id());
    let newest = sessions.split_off(sessions.len().saturating_sub(engine.settings.review.sessions));
    let wanted: Vec<Scope> = newest.into_iter().filter(|session| !queued.contains(session)).collect();
    if !wanted.is_empty() {
        let job = |scope: Scope| Change::Enqueue(Job::new(engine.job_id(), scope, JobKind::Review, engine.now()));
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        engine.store.commit(wanted.iter().cloned().map(job).fold(batch, Batch::with)).await?;
    }
    Ok(wanted.len())
}

/// Shows memories and a session's last messages to the reviewer, and writes what it proposes in one batch.
pub(crate) async fn check(engine: &Engine, job: &Job) -> Result<CaptureReport> {
    let scope = &job.scope;
    let Some(reviewer) = &engine.reviewer else {
        return Err(Error::new(ErrorKind::Unsupported, "this memory has no reviewer"));
    };
    let settings = &engine.settings.review;
    let memories = most_important(engine, scope).await?;
    let evidence = engine.store.messages(&MessageQuery::new(scope.clone()).with_last(settings.messages)).await?;
    if memories.is_empty() || evidence.is_empty() {
        let batch = Batch::new(engine.batch_id(), scope.user_id().clone(), engine.now());
        engine.store.commit(batch.with(Change::CompleteJob(job.id))).await?;
        return Ok(CaptureReport::default());
    }
    capture::check_budget(engine, scope, reviewer.model()).await?;
    let request = ReviewRequest::new(scope.clone(), memories.clone(), evidence.clone(), engine.now());
    let review = reviewer.review(&request).await?;
    if reviewer.model().is_some() {
        engine.breaker().succeed();
    }

    let mut report = CaptureReport::default();
    let (session, now) = (scope.session_id(), engine.now());
    let mut closing: Vec<Change> =
        review.rejected.iter().map(|of| Change::reject(of.clone(), session.cloned(), now)).collect();
    closing.extend(capture::account(engine, REVIEW, reviewer.model(), review.usage));
    match review.failures.first() {
        Some(failure) => closing.extend(queue::given_back(engine, std::slice::from_ref(job), failure, &mut report)),
        None => closing.push(Change::CompleteJob(job.id)),
    }
    let origin = Origin { extractor: reviewer.name(), model: reviewer.model(), messages: &evidence, is_direct: false };
    let _writing = engine.writing.lock().await;
    // What was changed or erased while the reviewer read is not touched.
    let unchanged = unchanged(engine, scope, &memories).await?;
    let candidates = review.proposals.into_iter().filter_map(|proposal| candidate(proposal, &unchanged)).collect();
    let (_, written) = write(engine, scope, candidates, origin, closing).await?;
    report.absorb(written);
    report.rejected.extend(review.rejected);
    Ok(report)
}

/// The active memories that the session sees, most important first; what only concerns this session is its own affair.
async fn most_important(engine: &Engine, scope: &Scope) -> Result<Vec<MemoryRecord>> {
    let outside = Scope::of_user(scope.user_id().clone()).with_project(scope.project_id().cloned());
    let request = ListRequest::new(RecordFilter::new(outside)).with_sort(SortOrder::Importance);
    Ok(engine.store.list(&request.with_limit(engine.settings.review.memories)).await?.records)
}

async fn unchanged(engine: &Engine, scope: &Scope, shown: &[MemoryRecord]) -> Result<Vec<MemoryRecord>> {
    let ids: Vec<_> = shown.iter().map(|record| record.id).collect();
    let mut now = engine.store.get(scope, &ids).await?;
    let is_same = |now: &MemoryRecord, shown: &MemoryRecord| {
        now.id == shown.id && now.status == shown.status && now.content == shown.content
    };
    now.retain(|now| shown.iter().any(|shown| is_same(now, shown)));
    Ok(now)
}

/// A proposal as a statement of the user's, so that it passes grounding and reconciliation; none where its memory is
/// not there (any more).
fn candidate(proposal: ReviewProposal, records: &[MemoryRecord]) -> Option<Candidate> {
    let record = records.iter().find(|record| record.id == proposal.id)?;
    let (content, operation) = match proposal.verdict {
        Verdict::Confirm => (record.content.clone(), Operation::Add),
        Verdict::Revise { content } => (content, Operation::Correct { replaces: record.content.clone() }),
        Verdict::Retire => (record.content.clone(), Operation::Retract),
        _ => return None,
    };
    let mut candidate = Candidate::new(content, record.kind.clone());
    candidate.operation = operation;
    candidate.importance = record.importance;
    candidate.confidence = record.confidence;
    candidate.slot.clone_from(&record.slot);
    candidate.level = Some(record.level());
    candidate.tags.clone_from(&record.tags);
    candidate.quote = Some(proposal.quote);
    Some(candidate)
}
