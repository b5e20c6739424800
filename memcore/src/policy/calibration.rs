//! What a cosine means, per embedding model: scales differ so much that no threshold fits two models.

use memcore_core::EmbeddingIdentity;

/// The scale of one model's cosines.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Calibration {
    /// At and below this cosine two texts have nothing to do with each other: relevance 0.
    pub unrelated: f32,
    /// At and above this cosine a text answers the question: relevance 1.
    pub related: f32,
    /// From this cosine on, two statements may say the same (words, numbers and polarity are compared as well).
    pub duplicate: f32,
}

impl Calibration {
    /// Rescales a cosine (-1 to 1) to a relevance (0 to 1), linearly between the two ends.
    #[must_use]
    pub fn relevance(&self, cosine: f32) -> f32 {
        ((cosine - self.unrelated) / (self.related - self.unrelated)).clamp(0.0, 1.0)
    }

    /// The scale of a model: measured for the models that memcore ships or names, cautious for any other.
    ///
    /// `docs/benchmarks.md` has the measurement behind each row.
    #[must_use]
    pub fn of(identity: &EmbeddingIdentity) -> Self {
        TABLE
            .iter()
            .find(|(name, _)| identity.model.contains(name))
            .map_or(DEFAULT, |(_, calibration)| *calibration)
    }
}

/// For models that nobody has measured: high ends, so that rather nothing is found by vector than anything.
const DEFAULT: Calibration = Calibration {
    unrelated: 0.35,
    related: 0.9,
    duplicate: 0.95,
};

const TABLE: [(&str, Calibration); 4] = [
    (
        "builtin",
        Calibration {
            unrelated: 0.25,
            related: 0.85,
            duplicate: 0.95,
        },
    ),
    (
        "MiniLM",
        Calibration {
            unrelated: 0.2,
            related: 0.8,
            duplicate: 0.92,
        },
    ),
    (
        "multilingual-e5",
        Calibration {
            unrelated: 0.815,
            related: 0.94,
            duplicate: 0.97,
        },
    ),
    (
        "bge",
        Calibration {
            unrelated: 0.45,
            related: 0.85,
            duplicate: 0.95,
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_is_bounded_and_monotone_for_every_model() {
        for (_, calibration) in TABLE.iter().chain([&("", DEFAULT)]) {
            let values: Vec<f32> = (-10..=10)
                .map(|tenth| calibration.relevance(tenth as f32 / 10.0))
                .collect();
            assert!(
                values.is_sorted() && values[0] == 0.0 && values[20] == 1.0,
                "{calibration:?}"
            );
        }
    }
}
