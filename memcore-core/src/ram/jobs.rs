//! The queue: which job is next, and who holds it.

use std::collections::BTreeSet;

use super::{state::State, user_memory::UserMemory};
use crate::{Job, JobId, JobKind, JobState, LeaseRequest, QueueState, Scope, SessionId, Timestamp, UserId};

/// A job, and until when a worker holds it.
#[derive(Clone)]
pub(super) struct QueuedJob {
    pub(super) job: Job,
    pub(super) leased_until: Option<Timestamp>,
}

impl QueuedJob {
    fn is_free(&self, now: Timestamp) -> bool {
        self.job.due_at <= now && self.leased_until.is_none_or(|until| until <= now)
    }
}

impl State {
    pub(super) fn lease_jobs(&mut self, request: &LeaseRequest) -> Vec<Job> {
        let asked = |user: &UserId| request.scope.as_ref().is_none_or(|scope| scope.user_id() == user);
        let users = self.users.iter().filter(|(user, _)| asked(user));
        let next = users.filter_map(|(user, memory)| Some((memory.next_job(request)?, user.clone()))).min();
        let Some((first, user)) = next else { return Vec::new() };
        let Some(memory) = self.users.get_mut(&user) else { return Vec::new() };
        let until = request.now.checked_add_signed(request.lease_for).unwrap_or(Timestamp::MAX_UTC);
        let mut leased = Vec::new();
        for id in memory.jobs_from(first, request) {
            if let Some(queued) = memory.jobs.get_mut(&id) {
                queued.leased_until = Some(until);
                leased.push(queued.job.clone());
            }
        }
        leased
    }

    pub(super) fn queue(&self, scope: Option<&Scope>) -> QueueState {
        let mut state = QueueState::default();
        for job in self.jobs(scope) {
            match job.state {
                JobState::Dead => state.dead += 1,
                JobState::Pending => {
                    state.pending += 1;
                    state.next_due = Some(state.next_due.map_or(job.due_at, |due| due.min(job.due_at)));
                }
            }
        }
        state
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
    fn next_job(&self, request: &LeaseRequest) -> Option<JobId> {
        let mut begun: BTreeSet<Option<&SessionId>> = BTreeSet::new();
        self.jobs
            .values()
            .filter(|queued| queued.job.state == JobState::Pending)
            .filter(|queued| begun.insert(queued.job.scope.session_id()))
            .filter(|queued| request.scope.as_ref().is_none_or(|scope| is_within(&queued.job, scope)))
            .find(|queued| queued.is_free(request.now))
            .map(|queued| queued.job.id)
    }

    /// A job, and those that are taken along with it.
    fn jobs_from(&self, first: JobId, request: &LeaseRequest) -> Vec<JobId> {
        let Some(head) = self.jobs.get(&first).map(|queued| &queued.job) else { return Vec::new() };
        let is_alone = |job: &Job| job.attempts > 0 || !matches!(job.kind, JobKind::Extract { .. });
        if is_alone(head) {
            return vec![first];
        }
        self.jobs
            .range(first..)
            .map(|(_, queued)| queued)
            .filter(|queued| queued.job.state == JobState::Pending)
            .filter(|queued| queued.job.scope.session_id() == head.scope.session_id())
            .take_while(|queued| queued.is_free(request.now) && !is_alone(&queued.job))
            .take(request.max_jobs.max(1))
            .map(|queued| queued.job.id)
            .collect()
    }
}

/// Whether a job is of the scope's user, and of its session where it names one.
fn is_within(job: &Job, scope: &Scope) -> bool {
    job.scope.user_id() == scope.user_id()
        && scope.session_id().is_none_or(|session| job.scope.session_id() == Some(session))
}
