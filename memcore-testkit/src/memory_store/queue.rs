//! The queue: leases, order within a session, failures and dead jobs.

use memcore_core::{Change, ErrorKind, Job, JobState, LeaseRequest, MemoryStore, Scope, chrono::Duration};

use super::{Fixture, assert_refused};
use crate::{
    Writer,
    sample::{at, job, job_id, session_scope, user_scope},
};

/// Which job a worker gets that asks at this minute, for any user, for ten minutes.
async fn lease(store: &dyn MemoryStore, minute: i64) -> Option<Job> {
    lease_within(store, minute, None).await
}

async fn lease_within(store: &dyn MemoryStore, minute: i64, scope: Option<Scope>) -> Option<Job> {
    let mut request = LeaseRequest::new(at(minute));
    request.lease_for = Duration::minutes(10);
    request.scope = scope;
    store.lease_job(&request).await.unwrap()
}

/// Queues one job per session, numbered from 1.
async fn queue(writer: &Writer, sessions: &[&Scope]) {
    for (n, session) in (1..).zip(sessions) {
        writer.change(session.user_id().as_str(), Change::Enqueue(job(n, session))).await.unwrap();
    }
}

fn fail(n: u64, retry_at: Option<i64>) -> Change {
    Change::FailJob { id: job_id(n), error: "no answer".into(), retry_at: retry_at.map(at) }
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
    let mut later = job(1, &session_scope("ada", "s1"));
    later.due_at = at(50);
    writer.change("ada", Change::Enqueue(later)).await.unwrap();
    writer.change("ada", Change::Enqueue(job(2, &session_scope("ada", "s2")))).await.unwrap();
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
