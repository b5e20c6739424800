//! What language models were used for, by day: the ground of budgets and statistics.

use serde::{Deserialize, Serialize};

use crate::{ModelUsage, Timestamp};

/// Language-model calls of one user, day, purpose and model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UsageEntry {
    /// Midnight (UTC) at which the day began; a store rounds any moment down to it.
    pub day: Timestamp,
    /// What for, as in `extract`, `summarize`, `review`.
    pub purpose: String,
    /// The model's name.
    pub model: String,
    /// How much.
    pub usage: ModelUsage,
}

impl UsageEntry {
    /// Calls at a moment.
    pub fn new(at: Timestamp, purpose: impl Into<String>, model: impl Into<String>, usage: ModelUsage) -> Self {
        Self { day: day_of(at), purpose: purpose.into(), model: model.into(), usage }
    }
}

/// Midnight (UTC) at which the day of a moment began.
#[must_use]
pub fn day_of(at: Timestamp) -> Timestamp {
    at.date_naive().and_time(chrono::NaiveTime::MIN).and_utc()
}
