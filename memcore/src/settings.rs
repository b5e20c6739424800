//! Everything that a host may set about behaviour, with the defaults of `policy/`.

use memcore_core::{Importance, chrono::Duration};
use serde::{Deserialize, Serialize};

use crate::policy::{budget, core_block, gate, ranking};

/// How memories are found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RecallSettings {
    /// Results for a prompt.
    pub results: usize,
    /// Results for a person who searches.
    pub search_results: usize,
    /// Relevance (0 to 1) under which a search answers nothing.
    pub search_floor: f32,
    /// Relevance (0 to 1) under which nothing is injected.
    pub injection_floor: f32,
    /// How the score is made.
    pub preset: ranking::RankingPreset,
    /// Candidates from each arm: at least 4 × the results.
    pub candidates: usize,
}

impl Default for RecallSettings {
    fn default() -> Self {
        Self {
            results: gate::DEFAULT_RESULTS,
            search_results: gate::SEARCH_RESULTS,
            search_floor: ranking::SEARCH_FLOOR,
            injection_floor: ranking::INJECTION_FLOOR,
            preset: ranking::RankingPreset::default(),
            candidates: 40,
        }
    }
}

/// How memories are put into a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct InjectionSettings {
    /// Tokens for memories.
    pub budget: usize,
    /// The model's context window in tokens, where the host knows it: memories take at most 8 % of it.
    pub window: Option<usize>,
    /// Memories in the core block.
    pub core_count: usize,
}

impl Default for InjectionSettings {
    fn default() -> Self {
        Self { budget: budget::DEFAULT_BUDGET, window: None, core_count: core_block::CORE_COUNT }
    }
}

/// How conversations are read for memories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct CaptureSettings {
    /// Messages before the new ones that an extractor may look at to understand them.
    pub context_messages: usize,
    /// Confidence (0 to 1) under which a candidate is not kept.
    pub min_confidence: f32,
    /// Importance under which a candidate is not kept.
    pub min_importance: Importance,
    /// Attempts before a job is given up.
    pub max_attempts: u32,
    /// Seconds before the second attempt; doubles with each, up to five minutes.
    pub retry_after_seconds: u32,
    /// Whether `observe` starts the extraction behind the reply. Off, it waits for `finish` or `flush`.
    pub in_background: bool,
}

impl Default for CaptureSettings {
    fn default() -> Self {
        Self {
            context_messages: 10,
            min_confidence: 0.3,
            min_importance: Importance::clamped(1),
            max_attempts: 5,
            retry_after_seconds: 1,
            in_background: true,
        }
    }
}

impl CaptureSettings {
    /// How long after failed attempt number `attempts` (from 1) the next one waits.
    #[must_use]
    pub fn backoff(&self, attempts: u32) -> Duration {
        let seconds = i64::from(self.retry_after_seconds).saturating_mul(1_i64 << attempts.saturating_sub(1).min(20));
        Duration::seconds(seconds.min(300))
    }
}

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Settings {
    /// How memories are found.
    pub recall: RecallSettings,
    /// How they are put into a prompt.
    pub injection: InjectionSettings,
    /// How conversations are read.
    pub capture: CaptureSettings,
}
