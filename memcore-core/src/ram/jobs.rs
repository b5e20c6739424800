//! The queue: which job is next, and who holds it.

use std::collections::BTreeSet;

use super::{state::State, user_memory::UserMemory};
use crate::{Job, JobState, LeaseRequest, Scope, SessionId, Timestamp, UserId};

/// A job, and until when a worker holds it.
#[derive(Clone)]
pub(super) struct QueuedJob {
    pub(super) job: Job,
    pub(super) leased_until: Option<Timestamp>,
}

impl State {
    pub(super) fn lease_job(&mut self, request: &LeaseRequest) -> Option<Job> {
        let asked = |user: &UserId| request.scope.as_ref().is_none_or(|scope| scope.user_id() == user);
        let users = self.users.iter_mut().filter(|(user, _)| asked(user));
        let next = users.filter_map(|(_, memory)| memory.next_job(request)).min_by_key(|queued| queued.job.id)?;
        let until = request.now.checked_add_signed(request.lease_for).unwrap_or(Timestamp::MAX_UTC);
        next.leased_until = Some(until);
        Some(next.job.clone())
    }

    pub(super) fn jobs(&self, scope: Option<&Scope>) -> Vec<Job> {
        let all = self.users.values().flat_map(|memory| memory.jobs.values()).map(|queued| &queued.job);
        let mut jobs: Vec<_> = all.filter(|job| scope.is_none_or(|scope| is_within(job, scope))).cloned().collect();
        jobs.sort_by_key(|job| job.id);
        jobs
    }
}

impl UserMemory {
    /// The oldest job that can be done now: only the first waiting one of each session comes into question.
    fn next_job(&mut self, request: &LeaseRequest) -> Option<&mut QueuedJob> {
        let mut begun: BTreeSet<Option<SessionId>> = BTreeSet::new();
        self.jobs
            .values_mut()
            .filter(|queued| queued.job.state == JobState::Pending)
            .filter(|queued| begun.insert(queued.job.scope.session_id().cloned()))
            .filter(|queued| request.scope.as_ref().is_none_or(|scope| is_within(&queued.job, scope)))
            .find(|queued| {
                queued.job.due_at <= request.now && queued.leased_until.is_none_or(|until| until <= request.now)
            })
    }
}

/// Whether a job is of the scope's user, and of its session where it names one.
fn is_within(job: &Job, scope: &Scope) -> bool {
    job.scope.user_id() == scope.user_id()
        && scope.session_id().is_none_or(|session| job.scope.session_id() == Some(session))
}
