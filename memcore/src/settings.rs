//! Everything that a host may set about behaviour, with the defaults of `policy/`.

use memcore_core::Importance;
use serde::{Deserialize, Serialize};

use crate::policy::{budget, core_block, gate, ranking, spend::SpendLimits};

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
    /// Whether a reply that repeats an injected memory word for word makes the rest of the session more careful.
    pub echo_guard: bool,
    /// Recalled memories at the most in a session with such a reply.
    pub echo_results: usize,
}

impl Default for InjectionSettings {
    fn default() -> Self {
        Self {
            budget: budget::DEFAULT_BUDGET,
            window: None,
            core_count: core_block::CORE_COUNT,
            echo_guard: true,
            echo_results: gate::FEW_RESULTS,
        }
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
    /// Seconds before the second attempt; doubles with each, up to five minutes, and comes up to half of it earlier.
    pub retry_after_seconds: u32,
    /// Whether `observe` starts the extraction behind the reply. Off, it waits for `finish`, `flush` or a worker.
    pub in_background: bool,
    /// Turns that a language model reads in one call, unless something asks for it at once. Rules read every turn.
    pub turns_per_call: usize,
    /// Seconds without a new turn after which a language model reads those that wait.
    pub idle_seconds: u32,
    /// Related memories that a language model is shown, so that it can confirm or overturn them.
    pub related_memories: usize,
    /// Sessions that are read side by side.
    pub sessions_at_once: usize,
    /// Seconds for which a reading holds its session, so that no other process reads it too. What a killed process held
    /// is free afterwards.
    pub lease_seconds: u32,
    /// Jobs that may wait in the whole store; beyond about that, `observe` answers `Busy`.
    pub max_pending: u64,
    /// What language models may be used for in a day (UTC).
    pub daily: SpendLimits,
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
            turns_per_call: 5,
            idle_seconds: 600,
            related_memories: 10,
            sessions_at_once: 4,
            lease_seconds: 300,
            max_pending: 100_000,
            daily: SpendLimits::default(),
        }
    }
}

/// What of a conversation stands in the prompt beside the memories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ConversationSettings {
    /// Whole turns that always stay in the short-term window. When there are twice as many, the older ones are folded
    /// into the summary, all at once: the prompt's beginning changes seldom, and its cache holds.
    pub window_turns: usize,
    /// Tokens of the rolling summary at the most.
    pub summary_tokens: usize,
    /// Tokens of summary, recent turns and memories together.
    pub budget: usize,
}

impl Default for ConversationSettings {
    fn default() -> Self {
        Self { window_turns: 5, summary_tokens: 400, budget: 4_500 }
    }
}

/// How memories are checked against recent conversations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReviewSettings {
    /// Memories that a reviewer is shown, most important first.
    pub memories: usize,
    /// The newest sessions that are looked at, each in a call of its own.
    pub sessions: usize,
    /// The last messages of each.
    pub messages: usize,
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self { memories: 20, sessions: 3, messages: 60 }
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
    /// What of a conversation stands in the prompt.
    pub conversation: ConversationSettings,
    /// How memories are checked against recent conversations.
    pub review: ReviewSettings,
}
