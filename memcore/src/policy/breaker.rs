//! When to leave an endpoint alone that does not answer.

use memcore_core::{Timestamp, chrono::Duration};

/// The wait after the first failure.
pub const FIRST_WAIT: Duration = Duration::seconds(1);
/// The longest wait that this side chooses; the endpoint may ask for more.
pub const LONGEST_WAIT: Duration = Duration::minutes(5);
/// The longest wait that an endpoint is granted.
pub const LONGEST_ASKED: Duration = Duration::hours(24);

/// A circuit breaker: each failure in a row doubles the wait before the endpoint is asked again, up to five minutes.
/// While it waits it is open, and nobody asks; then one call may try, and its success closes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breaker {
    failures: u32,
    open_until: Option<Timestamp>,
    reason: String,
}

impl Breaker {
    /// A call failed at `now` because of `reason`. Answers when the next may try: after half to all of the wait, by
    /// `jitter` (0 to 1), and not before the endpoint wants it.
    pub fn fail(&mut self, now: Timestamp, reason: &str, asked: Option<Duration>, jitter: f64) -> Timestamp {
        self.failures = self.failures.saturating_add(1);
        let wait = jittered(exponential(FIRST_WAIT, self.failures), jitter);
        let wait = wait.max(asked.unwrap_or_default().min(LONGEST_ASKED));
        let until = now + wait;
        self.open_until = Some(self.open_until.map_or(until, |before| before.max(until)));
        reason.clone_into(&mut self.reason);
        until
    }

    /// A call succeeded.
    pub fn succeed(&mut self) {
        *self = Self::default();
    }

    /// Until when nobody asks, and why; none where a call may be made.
    #[must_use]
    pub fn open_at(&self, now: Timestamp) -> Option<(Timestamp, &str)> {
        self.open_until.filter(|until| *until > now).map(|until| (until, self.reason.as_str()))
    }

    /// Whether the last call failed, so that one at a time is enough.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.failures > 0
    }
}

/// The wait after failure number `failures` (from 1): doubled each time, up to five minutes.
#[must_use]
pub fn exponential(first: Duration, failures: u32) -> Duration {
    let doubled = 1_i32 << failures.saturating_sub(1).min(20);
    first.checked_mul(doubled).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT)
}

/// Half to all of a wait, so that many who failed together do not come back together.
#[must_use]
pub fn jittered(wait: Duration, jitter: f64) -> Duration {
    let half = wait / 2;
    let spread = half.num_milliseconds() as f64 * jitter.clamp(0.0, 1.0);
    half + Duration::milliseconds(spread as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn each_failure_doubles_the_wait_up_to_five_minutes() {
        let mut breaker = Breaker::default();
        let waits: Vec<i64> = (0..12).map(|_| (breaker.fail(START, "down", None, 1.0) - START).num_seconds()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
        assert_eq!(exponential(FIRST_WAIT, u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn nobody_asks_while_it_is_open_and_a_success_closes_it() {
        let mut breaker = Breaker::default();
        let until = breaker.fail(START, "down", None, 0.5);
        assert_eq!(until - START, Duration::milliseconds(750));
        assert_eq!(breaker.open_at(START), Some((until, "down")));
        assert_eq!(breaker.open_at(until), None);
        assert!(breaker.is_doubtful());
        breaker.succeed();
        assert_eq!((breaker.open_at(START), breaker.is_doubtful()), (None, false));
    }

    #[test]
    fn the_endpoint_may_ask_for_more_time_but_not_for_ever() {
        for (asked, expected) in [(0, 1), (30, 30), (86_400, 86_400), (1_000_000_000, 86_400)] {
            let until = Breaker::default().fail(START, "busy", Some(Duration::seconds(asked)), 1.0);
            assert_eq!((until - START).num_seconds(), expected, "asked for {asked}");
        }
    }

    #[test]
    fn a_shorter_wait_of_a_second_call_does_not_open_it_earlier() {
        let mut breaker = Breaker::default();
        let long = breaker.fail(START, "busy", Some(Duration::seconds(60)), 1.0);
        breaker.fail(START, "down", None, 0.0);
        assert_eq!(breaker.open_at(START).map(|(until, _)| until), Some(long));
    }
}
