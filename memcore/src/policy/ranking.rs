//! From signals to a score: relevance first; importance and recency reorder what is relevant.

use memcore_core::{ScoreParts, Timestamp};
use serde::{Deserialize, Serialize};

/// Relevance under which a search answers nothing.
pub const SEARCH_FLOOR: f32 = 0.3;
/// Relevance under which nothing is put into a prompt unasked.
pub const INJECTION_FLOOR: f32 = 0.4;
/// How much of full relevance the text alone can give.
const TEXT_WEIGHT: f32 = 0.95;
/// How much of full relevance the slot alone can give.
const SLOT_WEIGHT: f32 = 0.75;
/// The daily rate at which recency falls: half in about 70 days.
const RECENCY_PER_DAY: f64 = 0.01;

/// How relevance, importance and recency make the final score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankingPreset {
    /// 0.5 fixed + 0.3 importance + 0.2 recency, times relevance.
    #[default]
    Balanced,
    /// 0.6 fixed + 0.3 importance + 0.1 recency, times relevance.
    Precise,
    /// 0.7 relevance + 0.3 importance.
    Additive,
}

impl RankingPreset {
    /// The final score, 0 to 1.
    ///
    /// The first two presets multiply: a record with half the relevance needs twice the rest, so that an important
    /// memory never overtakes the one that was asked for. See `docs/decisions/0001-multiplicative-ranking.md`.
    #[must_use]
    pub fn score(self, parts: &ScoreParts) -> f32 {
        match self {
            Self::Balanced => parts.similarity * (0.5 + 0.3 * parts.importance + 0.2 * parts.recency),
            Self::Precise => parts.similarity * (0.6 + 0.3 * parts.importance + 0.1 * parts.recency),
            Self::Additive => 0.7 * parts.similarity + 0.3 * parts.importance,
        }
    }
}

/// Relevance of three independent signals, each 0 to 1: the chance that not all of them are wrong (noisy or). A part
/// that is missing counts nothing; one that is sure decides.
#[must_use]
pub fn fused_relevance(vector: Option<f32>, text: f32, slot: f32) -> f32 {
    let miss = (1.0 - vector.unwrap_or(0.0)) * (1.0 - TEXT_WEIGHT * text) * (1.0 - SLOT_WEIGHT * slot);
    (1.0 - miss).clamp(0.0, 1.0)
}

/// exp(-0.01 · days since `since`), 0 to 1; a moment in the future counts as now.
///
/// Counted from when a memory became true, never from when it was last found: being recalled must not make it win the
/// next question.
#[must_use]
pub fn recency(since: Timestamp, now: Timestamp) -> f32 {
    let days = (now - since).num_seconds().max(0) as f64 / 86_400.0;
    (-RECENCY_PER_DAY * days).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use memcore_core::{Clock, SystemClock, chrono::Duration};

    fn parts(similarity: f32, importance: f32, recency: f32) -> ScoreParts {
        let mut parts = ScoreParts::default();
        (parts.similarity, parts.importance, parts.recency) = (similarity, importance, recency);
        parts
    }

    #[test]
    fn importance_and_recency_never_overtake_twice_the_relevance() {
        for preset in [RankingPreset::Balanced, RankingPreset::Precise] {
            assert!(preset.score(&parts(0.8, 0.1, 0.0)) > preset.score(&parts(0.4, 1.0, 1.0)), "{preset:?}");
            assert!(preset.score(&parts(0.6, 0.9, 0.5)) > preset.score(&parts(0.6, 0.3, 0.5)), "{preset:?}");
            assert_eq!(preset.score(&parts(0.0, 1.0, 1.0)), 0.0);
        }
    }

    #[test]
    fn relevance_grows_with_each_signal_and_stays_in_range() {
        for vector in [None, Some(0.0), Some(0.3), Some(1.0)] {
            for text in [0.0, 0.5, 1.0] {
                for slot in [0.0, 1.0] {
                    let fused = fused_relevance(vector, text, slot);
                    assert!((0.0..=1.0).contains(&fused));
                    assert!(fused_relevance(vector, (text + 0.1_f32).min(1.0), slot) >= fused);
                    assert!(fused >= vector.unwrap_or(0.0));
                }
            }
        }
    }

    #[test]
    fn recency_halves_in_about_seventy_days_and_survives_a_jumping_clock() {
        let now = SystemClock.now();
        assert!((recency(now - Duration::days(70), now) - 0.5).abs() < 0.01);
        assert_eq!(recency(now + Duration::days(36_500), now), 1.0);
    }
}
