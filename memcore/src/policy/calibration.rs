//! What a cosine means, per embedding model and language: scales differ so much that no threshold fits two of them.

use memcore_core::{EmbeddingIdentity, Language};

/// The ends of a scale of cosines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// At and below this cosine two texts have nothing to do with each other: relevance 0.
    pub unrelated: f32,
    /// At and above this cosine a text answers the question: relevance 1.
    pub related: f32,
}

impl Scale {
    /// A scale; `unrelated` lies below `related`.
    #[must_use]
    pub const fn new(unrelated: f32, related: f32) -> Self {
        Self { unrelated, related }
    }

    /// Rescales a cosine (-1 to 1) to a relevance (0 to 1), linearly between the two ends.
    #[must_use]
    pub fn relevance(&self, cosine: f32) -> f32 {
        ((cosine - self.unrelated) / (self.related - self.unrelated)).clamp(0.0, 1.0)
    }
}

/// The scales of one model's cosines: Chinese texts lie closer together than English ones, and two languages further
/// apart, whatever they say.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// Both texts are English (or of a language without a scale of its own).
    pub english: Scale,
    /// Both texts are Chinese.
    pub chinese: Scale,
    /// The texts are of two languages.
    pub across: Scale,
    /// From this cosine on, two statements may say the same (words, numbers and polarity are compared as well).
    pub duplicate: f32,
}

impl Calibration {
    /// One scale for every language.
    #[must_use]
    pub const fn uniform(scale: Scale, duplicate: f32) -> Self {
        Self { english: scale, chinese: scale, across: scale, duplicate }
    }

    /// The relevance (0 to 1) of a memory in one language to a question in another, or the same.
    #[must_use]
    pub fn relevance(&self, cosine: f32, question: Language, memory: Language) -> f32 {
        let scale = match (question == Language::Zh, memory == Language::Zh) {
            (true, true) => self.chinese,
            (false, false) => self.english,
            _ => self.across,
        };
        scale.relevance(cosine)
    }

    /// The scales of a model: measured for the models that memcore ships or names, cautious for any other.
    ///
    /// Each end is read off the quantiles that `memcore-benches --bin calibrate` prints: `unrelated` near the upper
    /// quarter of questions against wrong memories, `related` so that the floors fall where few wrong ones are left. See
    /// `docs/benchmarks.md`.
    #[must_use]
    pub fn of(identity: &EmbeddingIdentity) -> Self {
        TABLE.iter().find(|(name, _)| identity.model.contains(name)).map_or(DEFAULT, |(_, calibration)| *calibration)
    }
}

/// For models that nobody has measured: high ends, so that rather nothing is found by vector than anything.
const DEFAULT: Calibration = Calibration::uniform(Scale::new(0.35, 0.9), 0.95);

const TABLE: [(&str, Calibration); 4] = [
    (
        "builtin",
        Calibration {
            english: Scale::new(0.36, 0.78),
            chinese: Scale::new(0.28, 0.62),
            across: Scale::new(0.05, 0.40),
            duplicate: 0.95,
        },
    ),
    (
        // Two thirds of Chinese tokens are unknown to it: near there means little, so only the nearest counts.
        "MiniLM",
        Calibration {
            english: Scale::new(0.22, 0.72),
            chinese: Scale::new(0.80, 0.99),
            across: Scale::new(0.30, 0.90),
            duplicate: 0.92,
        },
    ),
    (
        "multilingual-e5",
        Calibration {
            english: Scale::new(0.800, 0.900),
            chinese: Scale::new(0.842, 0.920),
            across: Scale::new(0.790, 0.872),
            duplicate: 0.97,
        },
    ),
    ("bge", Calibration::uniform(Scale::new(0.45, 0.85), 0.95)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_is_bounded_and_monotone_for_every_model_and_language() {
        for (_, calibration) in TABLE.iter().chain([&("", DEFAULT)]) {
            for scale in [calibration.english, calibration.chinese, calibration.across] {
                let values: Vec<f32> = (-10..=10).map(|tenth| scale.relevance(tenth as f32 / 10.0)).collect();
                assert!(values.is_sorted() && values[0] == 0.0 && values[20] == 1.0, "{scale:?}");
            }
        }
    }

    #[test]
    fn the_shipped_models_are_in_the_table() {
        for name in ["memcore-builtin-e5s-static", "all-MiniLM-L6-v2", "multilingual-e5-small"] {
            let calibration = Calibration::of(&EmbeddingIdentity::new(name, "1", 8));
            assert_ne!(calibration, DEFAULT, "{name}");
        }
    }
}
