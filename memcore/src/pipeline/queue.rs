//! The durable queue: takes jobs that are due, does them, and decides what becomes of those that fail.
//!
//! Jobs of one session are done in order, several of them in one reading; sessions are done side by side. What could
//! not begin through no fault of its own (an endpoint out of reach, a budget used up) waits without blame; what was
//! done and failed is tried again alone, and given up after some attempts. Nothing is ever dropped.

use std::{collections::BTreeSet, convert::Infallible, sync::Arc};

use memcore_core::{
    Batch, Change, Error, ErrorKind, Job, JobKind, JobState, LeaseRequest, Result, Scope, SessionId, Timestamp, UserId,
    chrono::Duration,
};
use tokio::task::JoinSet;

use super::{capture, embed, observe, review, summarize};
use crate::{
    engine::Engine,
    outcome::CaptureReport,
    policy::breaker::{exponential, jittered},
};

/// The longest raw reply that a job keeps, in bytes.
const MAX_RAW_REPLY: usize = 64 * 1024;
/// How long a job of a newer version, or one that met a locked store, is left to others.
const FOR_OTHERS: Duration = Duration::minutes(5);
/// How often a lease is renewed while it lasts.
const RENEWALS_PER_LEASE: u32 = 3;

/// Does everything now that waits in a scope, or of all users: readings, and vectors that an embedder still owes.
pub(crate) async fn flush(engine: &Arc<Engine>, scope: Option<&Scope>) -> Result<CaptureReport> {
    hasten(engine, scope).await?;
    let mut report = run_due(engine, scope).await?;
    if let Err(error) = embed::catch_up(engine).await {
        report.errors.push(error.to_string());
    }
    Ok(report)
}

/// Makes due what waits for more turns, of a session or of everybody.
pub(crate) async fn hasten(engine: &Engine, scope: Option<&Scope>) -> Result<()> {
    let now = engine.now();
    let mut waiting: BTreeSet<(UserId, SessionId)> = BTreeSet::new();
    for job in engine.store.jobs(scope).await? {
        let waits_for_more = job.state == JobState::Pending && job.last_error.is_none() && job.due_at > now;
        if waits_for_more && let Some(session) = job.scope.session_id() {
            waiting.insert((job.scope.user_id().clone(), session.clone()));
        }
    }
    for (user, session) in waiting {
        let batch = Batch::new(engine.batch_id(), user, now);
        engine.store.commit(batch.with(Change::HastenJobs { session, at: now })).await?;
    }
    Ok(())
}

/// Gives the dead jobs of a scope, or of everybody, another chance; answers how many.
pub(crate) async fn revive(engine: &Engine, scope: Option<&Scope>) -> Result<u64> {
    let now = engine.now();
    let mut revived = 0;
    for job in engine.store.jobs(scope).await?.into_iter().filter(|job| job.state == JobState::Dead) {
        let batch = Batch::new(engine.batch_id(), job.scope.user_id().clone(), now);
        match engine.store.commit(batch.with(Change::ReviveJob { id: job.id, at: now })).await {
            Ok(_) => revived += 1,
            // Somebody else was faster.
            Err(error) if error.kind() == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
        }
    }
    Ok(revived)
}

/// Does every job that is due, of a scope or of all, and waits for those that this process is doing already; answers
/// what came of them and how many still wait.
pub(crate) async fn run_due(engine: &Arc<Engine>, scope: Option<&Scope>) -> Result<CaptureReport> {
    run_while(engine, scope, &|| true).await
}

/// As [`run_due`], but begins nothing new once `may_begin` says no.
pub(crate) async fn run_while(
    engine: &Arc<Engine>,
    scope: Option<&Scope>,
    may_begin: &(dyn Fn() -> bool + Sync),
) -> Result<CaptureReport> {
    let mut report = CaptureReport::default();
    let mut under_way: JoinSet<Result<CaptureReport>> = JoinSet::new();
    loop {
        while may_begin() && under_way.len() < engine.sessions_at_once() {
            let Some((jobs, ticket)) = take(engine, scope).await? else { break };
            let engine = engine.clone();
            under_way.spawn(async move {
                let _ticket = ticket;
                run(&engine, &jobs).await
            });
        }
        match under_way.join_next().await {
            Some(Ok(done)) => report.absorb(done?),
            Some(Err(error)) => {
                return Err(Error::new(ErrorKind::Internal, "a reading ended early").with_source(error));
            }
            None if may_begin() && engine.in_flight.wait(scope).await => {}
            None => break,
        }
    }
    report.pending = engine.store.queue(scope).await?.pending;
    if report.pending > 0
        && report.errors.is_empty()
        && let Some((until, reason)) = engine.breaker().open_at(engine.now())
    {
        report.errors.push(format!("{reason}; asked again at {}", until.format("%H:%M:%S")));
    }
    Ok(report)
}

/// The next jobs of one session; none while an endpoint is left alone.
async fn take(engine: &Arc<Engine>, scope: Option<&Scope>) -> Result<Option<(Vec<Job>, Ticket)>> {
    if engine.breaker().open_at(engine.now()).is_some() {
        return Ok(None);
    }
    let settings = &engine.settings.capture;
    let mut request = LeaseRequest::new(engine.now()).with_max_jobs(settings.turns_per_call.max(1));
    request.lease_for = Duration::seconds(settings.lease_seconds.into());
    request.scope = scope.cloned();
    // Whoever waits for a session sees its job either free or under way, never between.
    let _leasing = engine.in_flight.leasing.lock().await;
    let jobs = engine.store.lease_jobs(&request).await?;
    let ticket = jobs.first().map(|first| Ticket::new(engine.clone(), first.scope.clone()));
    Ok(ticket.map(|ticket| (jobs, ticket)))
}

/// Does the jobs of one session. One that fails goes back into the queue and is counted; only a store that fails is an
/// error.
async fn run(engine: &Engine, jobs: &[Job]) -> Result<CaptureReport> {
    let Some(first) = jobs.first() else { return Ok(CaptureReport::default()) };
    let work = async {
        match &first.kind {
            JobKind::Extract { .. } => capture::read(engine, jobs).await,
            JobKind::Summarize => summarize::fold(engine, first).await,
            JobKind::Review => review::check(engine, first).await,
            _ => Err(Error::new(ErrorKind::Unsupported, "a job of a newer version").with_hint("upgrade memcore")),
        }
    };
    let outcome = tokio::select! {
        outcome = work => outcome,
        never = keep_holding(engine, jobs) => match never {},
    };
    match outcome {
        // Somebody else finished it while our lease was over.
        Err(error) if error.kind() == ErrorKind::Conflict => Ok(CaptureReport::default()),
        Err(error) => {
            let mut report = CaptureReport::default();
            let given_back = given_back(engine, jobs, &error, &mut report);
            let batch = Batch::new(engine.batch_id(), first.scope.user_id().clone(), engine.now());
            match engine.store.commit(given_back.into_iter().fold(batch, Batch::with)).await {
                Err(gone) if gone.kind() == ErrorKind::Conflict => Ok(CaptureReport::default()),
                committed => committed.map(|_| report),
            }
        }
        done => done,
    }
}

/// Holds jobs for as long as it is polled: a model may take longer for a reading than a lease lasts.
async fn keep_holding(engine: &Engine, jobs: &[Job]) -> Infallible {
    let lease = engine.settings.capture.lease_seconds.max(1);
    let Some(first) = jobs.first().filter(|job| asks_a_model(engine, job)) else {
        return std::future::pending().await;
    };
    loop {
        tokio::time::sleep(std::time::Duration::from_secs(lease.into()) / RENEWALS_PER_LEASE).await;
        let now = engine.now();
        let until = now + Duration::seconds(lease.into());
        let batch = Batch::new(engine.batch_id(), first.scope.user_id().clone(), now);
        let held = jobs.iter().map(|job| Change::HoldJob { id: job.id, until }).fold(batch, Batch::with);
        // Where it fails, the next one may succeed; at worst another worker begins, and the faster one's result counts.
        let _ = engine.store.commit(held).await;
    }
}

/// Whether a job is done by a model; rules are done long before their lease ends.
fn asks_a_model(engine: &Engine, job: &Job) -> bool {
    let model = match &job.kind {
        JobKind::Extract { .. } => engine.extractor.model(),
        JobKind::Summarize => engine.summarizer.model(),
        JobKind::Review => engine.reviewer.as_ref().and_then(|reviewer| reviewer.model()),
        _ => None,
    };
    model.is_some()
}

/// What becomes of jobs that ended with an error, and a word of it in the report.
pub(crate) fn given_back(engine: &Engine, jobs: &[Job], error: &Error, report: &mut CaptureReport) -> Vec<Change> {
    report.errors.push(described(error));
    let Some(first) = jobs.first() else { return Vec::new() };
    if let Some(until) = wait_without_blame(engine, first, error) {
        report.postponed += jobs.len() as u64;
        let postponed = |job: &Job| Change::PostponeJob { id: job.id, reason: described(error), until };
        return jobs.iter().map(postponed).collect();
    }
    report.failed += jobs.len() as u64;
    let mut raw_reply = error.raw_reply().map(|reply| kept_reply(engine, reply));
    let failed = |job: &Job| Change::FailJob {
        id: job.id,
        error: described(error),
        raw_reply: raw_reply.take(),
        retry_at: next_attempt(engine, job, error),
    };
    jobs.iter().map(failed).collect()
}

/// Until when a job waits that could not begin; none where the attempt counts.
fn wait_without_blame(engine: &Engine, job: &Job, error: &Error) -> Option<Timestamp> {
    let now = engine.now();
    match error.kind() {
        ErrorKind::Unavailable | ErrorKind::Unauthorized => {
            let asked = error.retry_after().and_then(|wait| Duration::from_std(wait).ok());
            Some(engine.breaker().fail(now, &described(error), asked, jitter(job)))
        }
        ErrorKind::OverBudget => Some(crate::policy::spend::next_day(now)),
        ErrorKind::Unsupported | ErrorKind::Busy => Some(now + jittered(FOR_OTHERS, jitter(job))),
        _ => None,
    }
}

/// When a job that failed is tried again; never where its attempts are used up, or the same call cannot succeed.
fn next_attempt(engine: &Engine, job: &Job, error: &Error) -> Option<Timestamp> {
    let settings = &engine.settings.capture;
    let attempts = job.attempts + 1;
    let is_given_up = attempts >= settings.max_attempts || error.kind() == ErrorKind::InvalidInput;
    let first = Duration::seconds(settings.retry_after_seconds.into());
    (!is_given_up).then(|| engine.now() + jittered(exponential(first, attempts), jitter(job)))
}

/// What went wrong and what to do about it, in one line.
fn described(error: &Error) -> String {
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}; {hint}"))
}

/// A raw reply as it may be stored: redacted, and of bounded length.
fn kept_reply(engine: &Engine, reply: &str) -> String {
    let end = (0..=reply.len().min(MAX_RAW_REPLY)).rev().find(|end| reply.is_char_boundary(*end)).unwrap_or(0);
    observe::redact_text(&*engine.redactor, &reply[..end]).0
}

/// 0 to 1, the same for the same job at the same attempt.
fn jitter(job: &Job) -> f64 {
    let seed = job.id.as_uuid().as_u128() ^ (u128::from(job.attempts) << 64);
    let mixed = (seed as u64 ^ (seed >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    f64::from((mixed >> 32) as u32) / f64::from(u32::MAX)
}

/// The sessions whose jobs this process is doing.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    sessions: std::sync::Mutex<Vec<Scope>>,
    finished: tokio::sync::Notify,
    leasing: tokio::sync::Mutex<()>,
}

impl InFlight {
    fn sessions(&self) -> std::sync::MutexGuard<'_, Vec<Scope>> {
        self.sessions.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits until something within a scope is finished that was under way; answers whether anything was.
    async fn wait(&self, scope: Option<&Scope>) -> bool {
        let finished = self.finished.notified();
        tokio::pin!(finished);
        finished.as_mut().enable();
        let is_within = |session: &Scope| {
            scope.is_none_or(|scope| {
                scope.user_id() == session.user_id()
                    && scope.session_id().is_none_or(|asked| session.session_id() == Some(asked))
            })
        };
        let is_busy = {
            let _leasing = self.leasing.lock().await;
            self.sessions().iter().any(is_within)
        };
        if is_busy {
            finished.await;
        }
        is_busy
    }
}

/// Says that a session's job is under way, until it is dropped.
#[derive(Debug)]
struct Ticket {
    engine: Arc<Engine>,
    session: Scope,
}

impl Ticket {
    fn new(engine: Arc<Engine>, session: Scope) -> Self {
        engine.in_flight.sessions().push(session.clone());
        Self { engine, session }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut sessions = self.engine.in_flight.sessions();
        if let Some(at) = sessions.iter().position(|session| *session == self.session) {
            sessions.swap_remove(at);
        }
        drop(sessions);
        self.engine.in_flight.finished.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::JobId;

    #[test]
    fn jitter_is_spread_over_jobs_and_attempts() {
        let ids = memcore_core::SequentialIds::default();
        let job = || {
            let id = JobId::from_uuid(memcore_core::IdGenerator::next_id(&ids));
            Job::new(id, Scope::user("u").unwrap(), JobKind::Summarize, Timestamp::UNIX_EPOCH)
        };
        let drawn: Vec<f64> = (0..200).map(|_| jitter(&job())).collect();
        assert!(drawn.iter().all(|drawn| (0.0..=1.0).contains(drawn)));
        let low = drawn.iter().filter(|drawn| **drawn < 0.5).count();
        assert!((50..150).contains(&low), "{low} of 200 are in the lower half");
        let mut again = job();
        let first = jitter(&again);
        again.attempts = 1;
        assert_ne!(jitter(&again), first);
    }
}
