//! The queue: leases, order within a session, failures and dead jobs.

use memcore_core::{
    Change, ErrorKind, Job, JobId, JobKind, JobState, LeaseRequest, MemoryStore, QueueState, Scope, SessionId,
    chrono::Duration,
};

use super::{Fixture, assert_refused};
use crate::{
    Writer,
    sample::{at, job, job_id, message_id, session_scope, user_scope},
};

/// Which job a worker gets that asks at this minute, for any user, for ten minutes.
async fn lease(store: &dyn MemoryStore, minute: i64) -> Option<Job> {
    lease_within(store, minute, None).await
}

async fn lease_within(store: &dyn MemoryStore, minute: i64, scope: Option<Scope>) -> Option<Job> {
    let mut request = LeaseRequest::new(at(minute));
    request.lease_for = Duration::minutes(10);
    request.scope = scope;
    store.lease_jobs(&request).await.unwrap().pop()
}

/// Which jobs a worker gets that takes several of a session together, for ten minutes.
async fn lease_together(store: &dyn MemoryStore, minute: i64, max_jobs: usize) -> Vec<JobId> {
    let mut request = LeaseRequest::new(at(minute)).with_max_jobs(max_jobs);
    request.lease_for = Duration::minutes(10);
    store.lease_jobs(&request).await.unwrap().into_iter().map(|job| job.id).collect()
}

/// Queues one job per session, numbered from 1.
async fn queue(writer: &Writer, sessions: &[&Scope]) {
    for (n, session) in (1..).zip(sessions) {
        enqueue(writer, job(n, session)).await;
    }
}

async fn enqueue(writer: &Writer, job: Job) {
    let user = job.scope.user_id().as_str().to_owned();
    writer.change(&user, Change::Enqueue(job)).await.unwrap();
}

fn due_at(minute: i64, mut job: Job) -> Job {
    job.due_at = at(minute);
    job
}

fn ids(numbers: &[u64]) -> Vec<JobId> {
    numbers.iter().map(|n| job_id(*n)).collect()
}

fn fail(n: u64, retry_at: Option<i64>) -> Change {
    Change::FailJob { id: job_id(n), error: "no answer".into(), raw_reply: None, retry_at: retry_at.map(at) }
}

pub(super) async fn the_oldest_due_job_is_leased(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2, his) = (session_scope("ada", "s1"), session_scope("ada", "s2"), session_scope("bob", "s1"));
    assert_eq!(lease(&*store, 1).await, None);
    queue(&writer, &[&s2, &his, &s1]).await;
    let mut taken = Vec::new();
    while let Some(job) = lease(&*store, 1).await {
        taken.push(job);
    }
    assert_eq!(taken, [job(1, &s2), job(2, &his), job(3, &s1)], "each once, oldest first, as it was queued");
}

pub(super) async fn a_leased_job_is_free_again_when_its_lease_ends(fixture: Fixture) {
    let store = fixture.store();
    queue(&Writer::new(store.clone()), &[&session_scope("ada", "s1")]).await;
    for (minute, is_free) in [(1, true), (2, false), (10, false), (11, true), (12, false), (21, true)] {
        assert_eq!(lease(&*store, minute).await.is_some(), is_free, "minute {minute}");
    }
}

pub(super) async fn jobs_of_a_session_are_done_in_their_order(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2) = (session_scope("ada", "s1"), session_scope("ada", "s2"));
    queue(&writer, &[&s1, &s1, &s2]).await;
    assert_eq!(lease(&*store, 1).await.map(|job| job.id), Some(job_id(1)));
    assert_eq!(lease(&*store, 1).await.map(|job| job.id), Some(job_id(3)), "another session goes on");
    assert_eq!(lease(&*store, 1).await, None, "the second of a session waits for the first");
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_eq!(lease(&*store, 1).await.map(|job| job.id), Some(job_id(2)));
}

pub(super) async fn a_job_that_waits_for_its_next_attempt_holds_its_session_up(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session, &session]).await;
    lease(&*store, 1).await.unwrap();
    writer.change("ada", fail(1, Some(30))).await.unwrap();
    assert_eq!(lease(&*store, 20).await, None);
    assert_eq!(lease(&*store, 30).await.map(|job| job.id), Some(job_id(1)));
}

pub(super) async fn a_dead_job_holds_nobody_up(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session, &session]).await;
    lease(&*store, 1).await.unwrap();
    writer.change("ada", fail(1, None)).await.unwrap();
    assert_eq!(lease(&*store, 1).await.map(|job| job.id), Some(job_id(2)));
    assert_eq!(lease(&*store, 1_000).await.map(|job| job.id), Some(job_id(2)), "a dead one is never given out again");
    let listed = store.jobs(Some(&session)).await.unwrap();
    assert_eq!((listed[0].state, listed[1].state), (JobState::Dead, JobState::Pending));
}

pub(super) async fn a_job_is_not_leased_before_it_is_due(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    enqueue(&writer, due_at(50, job(1, &session_scope("ada", "s1")))).await;
    enqueue(&writer, job(2, &session_scope("ada", "s2"))).await;
    assert_eq!(lease(&*store, 49).await.map(|job| job.id), Some(job_id(2)));
    assert_eq!(lease(&*store, 49).await, None);
    assert_eq!(lease(&*store, 50).await.map(|job| job.id), Some(job_id(1)));
}

pub(super) async fn a_failed_job_counts_its_attempts_and_is_free(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session]).await;
    for attempts in 1..=3 {
        lease(&*store, attempts).await.expect("a failed job is not held any longer");
        writer.change("ada", fail(1, Some(attempts + 1))).await.unwrap();
        let listed = &store.jobs(Some(&session)).await.unwrap()[0];
        assert_eq!((i64::from(listed.attempts), listed.due_at), (attempts, at(attempts + 1)));
        assert_eq!((listed.last_error.as_deref(), listed.state), (Some("no answer"), JobState::Pending));
    }
}

pub(super) async fn a_completed_job_is_gone_and_completing_it_again_is_a_conflict(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    queue(&writer, &[&session_scope("ada", "s1")]).await;
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_eq!(store.jobs(None).await.unwrap(), []);
    assert_refused(writer.change("ada", Change::CompleteJob(job_id(1))).await, ErrorKind::Conflict);
}

pub(super) async fn failing_an_absent_job_is_a_conflict(fixture: Fixture) {
    let writer = Writer::new(fixture.store());
    for retry_at in [Some(5), None] {
        assert_refused(writer.change("ada", fail(1, retry_at)).await, ErrorKind::Conflict);
    }
}

pub(super) async fn a_lease_can_be_limited_to_a_user_and_a_session(fixture: Fixture) {
    let store = fixture.store();
    let (s1, s2, his) = (session_scope("ada", "s1"), session_scope("ada", "s2"), session_scope("bob", "s1"));
    queue(&Writer::new(store.clone()), &[&his, &s1, &s2]).await;
    for (scope, expected) in [
        (&session_scope("eve", "s1"), None),
        (&session_scope("ada", "s3"), None),
        (&s2, Some(job_id(3))),
        (&user_scope("ada"), Some(job_id(2))),
        (&user_scope("ada"), None),
        (&user_scope("bob"), Some(job_id(1))),
    ] {
        let leased = lease_within(&*store, 1, Some(scope.clone())).await;
        assert_eq!(leased.map(|job| job.id), expected, "{scope:?}");
    }
}

pub(super) async fn jobs_are_listed_oldest_first_for_all_for_a_user_or_a_session(fixture: Fixture) {
    let store = fixture.store();
    let (s1, s2, his) = (session_scope("ada", "s1"), session_scope("ada", "s2"), session_scope("bob", "s1"));
    queue(&Writer::new(store.clone()), &[&s2, &his, &s1]).await;
    lease(&*store, 1).await.unwrap();
    let all = [job(1, &s2), job(2, &his), job(3, &s1)];
    assert_eq!(store.jobs(None).await.unwrap(), all, "also those that a worker holds");
    assert_eq!(store.jobs(Some(&user_scope("ada"))).await.unwrap(), [all[0].clone(), all[2].clone()]);
    assert_eq!(store.jobs(Some(&s1)).await.unwrap(), [all[2].clone()]);
    assert_eq!(store.jobs(Some(&user_scope("eve"))).await.unwrap(), []);
}

pub(super) async fn a_job_of_another_user_cannot_be_finished(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session]).await;
    for change in [Change::CompleteJob(job_id(1)), fail(1, None), fail(1, Some(99))] {
        let kind = writer.change("bob", change).await.expect_err("the job is not Bob's").kind();
        // Not there, as it looks to Bob, or not his, as the store knows.
        assert!(matches!(kind, ErrorKind::Conflict | ErrorKind::InvalidInput), "{kind}");
    }
    assert_eq!(store.jobs(None).await.unwrap(), [job(1, &session)]);
}

pub(super) async fn jobs_to_extract_that_follow_in_the_session_come_along(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2) = (session_scope("ada", "s1"), session_scope("ada", "s2"));
    queue(&writer, &[&s1, &s2, &s1, &s1, &s1]).await;
    enqueue(&writer, due_at(50, job(6, &s1))).await;
    for (minute, max_jobs, expected) in [
        (1, 3, &[1, 3, 4][..]),
        (2, 3, &[2]),
        (3, 3, &[]),
        (11, 10, &[1, 3, 4, 5]),
        (50, 10, &[1, 3, 4, 5, 6]),
        (60, 0, &[1]),
    ] {
        assert_eq!(lease_together(&*store, minute, max_jobs).await, ids(expected), "minute {minute}");
    }
}

pub(super) async fn a_job_that_failed_and_one_of_another_kind_come_alone(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session, &session, &session, &session]).await;
    let mut summary = job(5, &session);
    summary.kind = JobKind::Summarize;
    enqueue(&writer, summary).await;
    enqueue(&writer, job(6, &session)).await;
    assert_eq!(lease_together(&*store, 1, 10).await, ids(&[1, 2, 3, 4]), "up to the one of another kind");
    for failed in [1, 3] {
        writer.change("ada", fail(failed, Some(2))).await.unwrap();
    }
    for (minute, expected) in [(20, &[1][..]), (21, &[2]), (22, &[3]), (23, &[4]), (24, &[5]), (25, &[6])] {
        assert_eq!(lease_together(&*store, minute, 10).await, ids(expected), "minute {minute}");
        for done in expected {
            writer.change("ada", Change::CompleteJob(job_id(*done))).await.unwrap();
        }
    }
}

pub(super) async fn a_postponed_job_keeps_its_attempts(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session]).await;
    writer.change("ada", fail(1, Some(2))).await.unwrap();
    lease(&*store, 2).await.unwrap();
    let postponed = || Change::PostponeJob { id: job_id(1), reason: "nobody answers".into(), until: at(30) };
    writer.change("ada", postponed()).await.unwrap();
    let listed = &store.jobs(Some(&session)).await.unwrap()[0];
    assert_eq!((listed.attempts, listed.due_at, listed.state), (1, at(30), JobState::Pending));
    assert_eq!(listed.last_error.as_deref(), Some("nobody answers"));
    assert_eq!(lease(&*store, 29).await, None);
    assert!(lease(&*store, 30).await.is_some(), "nobody holds it");
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_refused(writer.change("ada", postponed()).await, ErrorKind::Conflict);
}

pub(super) async fn a_worker_that_is_still_busy_holds_its_job(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session]).await;
    let hold = |minute| Change::HoldJob { id: job_id(1), until: at(minute) };
    assert_refused(writer.change("ada", hold(20)).await, ErrorKind::Conflict);
    assert!(lease(&*store, 1).await.is_some(), "until minute 11");
    writer.change("ada", hold(20)).await.unwrap();
    assert!(writer.change("bob", hold(90)).await.is_err(), "the job is not Bob's");
    assert_eq!(lease(&*store, 19).await, None);
    assert!(lease(&*store, 20).await.is_some());
    writer.change("ada", fail(1, Some(25))).await.unwrap();
    assert_refused(writer.change("ada", hold(90)).await, ErrorKind::Conflict);
    assert!(lease(&*store, 25).await.is_some(), "what was given back is not held again");
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_refused(writer.change("ada", hold(90)).await, ErrorKind::Conflict);
}

pub(super) async fn what_is_left_of_a_job_keeps_its_place(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session, &session]).await;
    writer.change("ada", fail(1, Some(2))).await.unwrap();
    lease(&*store, 2).await.unwrap();
    let left = JobKind::Extract { messages: vec![message_id("m3"), message_id("m4")], offset: 70_000 };
    let proceed = || Change::ContinueJob { id: job_id(1), kind: left.clone() };
    writer.change("ada", proceed()).await.unwrap();
    let next = lease(&*store, 3).await.expect("nobody holds it");
    assert_eq!((next.id, next.kind, next.attempts, next.last_error), (job_id(1), left.clone(), 0, None));
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_refused(writer.change("ada", proceed()).await, ErrorKind::Conflict);
    assert_eq!(lease(&*store, 3).await.map(|job| job.id), Some(job_id(2)));
}

pub(super) async fn hastening_makes_due_what_waits_for_more_and_nothing_else(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let (s1, s2, his) = (session_scope("ada", "s1"), session_scope("ada", "s2"), session_scope("bob", "s1"));
    for (n, session) in [(1, &s1), (2, &s1), (3, &s1), (4, &s2), (5, &his)] {
        enqueue(&writer, due_at(50, job(n, session))).await;
    }
    enqueue(&writer, job(6, &s1)).await;
    writer.change("ada", fail(2, Some(60))).await.unwrap();
    let postponed = Change::PostponeJob { id: job_id(3), reason: "nobody answers".into(), until: at(70) };
    writer.change("ada", postponed).await.unwrap();
    let hasten = Change::HastenJobs { session: s1.session_id().unwrap().clone(), at: at(9) };
    writer.change("ada", hasten).await.unwrap();
    let due: Vec<_> = store.jobs(None).await.unwrap().iter().map(|job| job.due_at).collect();
    assert_eq!(due, [at(9), at(60), at(70), at(50), at(50), at(0)], "one that was due before stays so");
    let nowhere = Change::HastenJobs { session: SessionId::new("s9").unwrap(), at: at(9) };
    writer.change("ada", nowhere).await.unwrap();
}

pub(super) async fn a_dead_job_can_be_revived_and_no_other(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    let session = session_scope("ada", "s1");
    queue(&writer, &[&session]).await;
    let revive = || Change::ReviveJob { id: job_id(1), at: at(20) };
    assert_refused(writer.change("ada", revive()).await, ErrorKind::Conflict);
    let raw_reply = Some("[{\"content\": 牙医".to_owned());
    let dead = Change::FailJob { id: job_id(1), error: "no list".into(), raw_reply: raw_reply.clone(), retry_at: None };
    writer.change("ada", dead).await.unwrap();
    assert_eq!(store.jobs(None).await.unwrap()[0].raw_reply, raw_reply);
    assert_eq!(lease(&*store, 20).await, None);
    assert!(writer.change("bob", revive()).await.is_err(), "the job is not Bob's");
    writer.change("ada", revive()).await.unwrap();
    let listed = store.jobs(None).await.unwrap().remove(0);
    assert_eq!((listed.attempts, listed.due_at, listed.state), (0, at(20), JobState::Pending));
    assert_eq!(lease(&*store, 20).await.map(|job| job.id), Some(job_id(1)));
    writer.change("ada", Change::CompleteJob(job_id(1))).await.unwrap();
    assert_refused(writer.change("ada", revive()).await, ErrorKind::Conflict);
}

pub(super) async fn the_queue_counts_what_waits_and_what_is_dead(fixture: Fixture) {
    let store = fixture.store();
    let writer = Writer::new(store.clone());
    assert_eq!(store.queue(None).await.unwrap(), QueueState::default());
    let (s1, s2, his) = (session_scope("ada", "s1"), session_scope("ada", "s2"), session_scope("bob", "s1"));
    for (n, session, due) in [(1, &s1, 40), (2, &s1, 30), (3, &s2, 20), (4, &his, 10)] {
        enqueue(&writer, due_at(due, job(n, session))).await;
    }
    writer.change("ada", fail(3, None)).await.unwrap();
    for (scope, pending, dead, next_due) in [
        (None, 3, 1, Some(10)),
        (Some(user_scope("ada")), 2, 1, Some(30)),
        (Some(s1), 2, 0, Some(30)),
        (Some(s2), 0, 1, None),
        (Some(user_scope("eve")), 0, 0, None),
    ] {
        let state = store.queue(scope.as_ref()).await.unwrap();
        assert_eq!(state, QueueState::new(pending, dead, next_due.map(at)), "{scope:?}");
    }
}
