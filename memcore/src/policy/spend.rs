//! What language models may be used for in a day (UTC).

use memcore_core::{ModelUsage, Timestamp, UsageEntry, chrono::Duration, day_of};
use serde::{Deserialize, Serialize};

/// Limits of a day; none is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SpendLimits {
    /// Calls for one user.
    pub user_calls: Option<u64>,
    /// Tokens, in and out, for one user.
    pub user_tokens: Option<u64>,
    /// Calls for all users.
    pub total_calls: Option<u64>,
    /// Tokens, in and out, for all users.
    pub total_tokens: Option<u64>,
}

impl SpendLimits {
    /// Whether nothing is limited, so that nothing needs to be counted.
    #[must_use]
    pub fn are_off(&self) -> bool {
        *self == Self::default()
    }

    /// Which limit is reached, where one is, by what was used today. A call is made while its budget is not used up, so
    /// the last one may exceed the tokens by its own.
    #[must_use]
    pub fn reached(&self, of_user: ModelUsage, of_all: ModelUsage) -> Option<String> {
        [
            ("calls of this user", self.user_calls, of_user.calls),
            ("tokens of this user", self.user_tokens, of_user.tokens()),
            ("calls", self.total_calls, of_all.calls),
            ("tokens", self.total_tokens, of_all.tokens()),
        ]
        .into_iter()
        .find_map(|(what, limit, used)| {
            let limit = limit.filter(|limit| used >= *limit)?;
            Some(format!("today's budget of {limit} {what} is used up"))
        })
    }
}

/// The sum of several entries.
#[must_use]
pub fn total(entries: &[UsageEntry]) -> ModelUsage {
    let mut total = ModelUsage::default();
    entries.iter().for_each(|entry| total.absorb(entry.usage));
    total
}

/// When the next day's budget begins.
#[must_use]
pub fn next_day(now: Timestamp) -> Timestamp {
    day_of(now) + Duration::days(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_reached_when_it_is_used_up() {
        let used = |calls, tokens| {
            let mut usage = ModelUsage::of_call(tokens, 0);
            usage.calls = calls;
            usage
        };
        let limits = |user_calls, user_tokens, total_calls, total_tokens| SpendLimits {
            user_calls,
            user_tokens,
            total_calls,
            total_tokens,
        };
        for (limits, of_user, of_all, is_reached) in [
            (limits(None, None, None, None), used(9, 9), used(99, 99), false),
            (limits(Some(2), None, None, None), used(1, 99), used(99, 99), false),
            (limits(Some(2), None, None, None), used(2, 0), used(2, 0), true),
            (limits(None, Some(100), None, None), used(1, 100), used(1, 100), true),
            (limits(None, None, Some(5), None), used(1, 0), used(5, 0), true),
            (limits(None, None, None, Some(5)), used(1, 0), used(1, 4), false),
            (limits(Some(0), None, None, None), used(0, 0), used(0, 0), true),
        ] {
            assert_eq!(limits.reached(of_user, of_all).is_some(), is_reached, "{limits:?}");
        }
        assert!(SpendLimits::default().are_off());
    }

    #[test]
    fn the_next_budget_begins_at_midnight() {
        let late = Timestamp::UNIX_EPOCH + Duration::hours(23);
        assert_eq!(next_day(late), Timestamp::UNIX_EPOCH + Duration::days(1));
        assert_eq!(next_day(next_day(late)), Timestamp::UNIX_EPOCH + Duration::days(2));
    }
}
