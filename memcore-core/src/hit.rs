//! What recall answers: a record, its score, and what the score was made of.

use serde::{Deserialize, Serialize};

use crate::MemoryRecord;

/// The parts of a score, each 0 to 1, and the ranks behind them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoreParts {
    /// Fused relevance of vector, text, slot and surroundings: what the floor is compared with.
    pub similarity: f32,
    /// The cosine to the query, rescaled by the embedding's calibration; none without a vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector: Option<f32>,
    /// Share of the query's weight that the text covers.
    pub text: f32,
    /// Whether the record's slot answers the question.
    #[serde(default)]
    pub slot: f32,
    /// What the turns around an episode add to `similarity`; below 0 where it asks rather than tells.
    #[serde(default)]
    pub surroundings: f32,
    /// The record's importance.
    pub importance: f32,
    /// How lately it was used.
    pub recency: f32,
    /// Place among the vector candidates, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vector_rank: Option<usize>,
    /// Place among the text candidates, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_rank: Option<usize>,
    /// The query terms that the text has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<String>,
}

/// A record that recall found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Hit {
    /// The record.
    pub record: MemoryRecord,
    /// Its final score, 0 to 1; the results are in this order.
    pub score: f32,
    /// What the score was made of.
    pub parts: ScoreParts,
    /// Why it passed, in a few words.
    pub why: String,
}

impl Hit {
    /// A hit.
    pub fn new(record: MemoryRecord, score: f32, parts: ScoreParts, why: impl Into<String>) -> Self {
        Self { record, score, parts, why: why.into() }
    }
}
