//! Vectors and the identity of the model that made them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Error, ErrorKind, Result};

/// A vector of unit length: never empty, every value finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding(Box<[f32]>);

impl Embedding {
    /// Checks and normalises (L2) raw values.
    ///
    /// # Errors
    /// `NotEmbeddable` where the values are none, not finite, or all (nearly) zero.
    pub fn new(values: impl Into<Vec<f32>>) -> Result<Self> {
        let mut values = values.into();
        let norm = values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        if values.is_empty() || !norm.is_finite() || norm < 1e-30 {
            return Err(Error::new(ErrorKind::NotEmbeddable, "a vector needs finite values and a length above zero"));
        }
        // Bytes that were read back from a store stay as they were written.
        if (norm - 1.0).abs() > 1e-6 {
            for value in &mut values {
                *value = (f64::from(*value) / norm) as f32;
            }
        }
        Ok(Self(values.into()))
    }

    /// The values.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// How many values.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.0.len()
    }

    /// The cosine of the angle to `other`, -1 to 1.
    ///
    /// # Errors
    /// `InvalidInput` where the dimensions differ.
    pub fn cosine(&self, other: &Self) -> Result<f32> {
        if self.dimensions() != other.dimensions() {
            return Err(Error::invalid(format!(
                "vectors of {} and {} dimensions cannot be compared",
                self.dimensions(),
                other.dimensions()
            )));
        }
        let dot = ndarray::ArrayView1::from(self.as_slice()).dot(&ndarray::ArrayView1::from(other.as_slice()));
        Ok(dot.clamp(-1.0, 1.0))
    }
}

/// How token vectors become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// The mean of all tokens that are no padding.
    Mean,
    /// The first token's vector.
    Cls,
}

/// What makes two vectors comparable: all of it must be equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbeddingIdentity {
    /// The model's name, as in `all-MiniLM-L6-v2`.
    pub model: String,
    /// Its revision.
    pub revision: String,
    /// Values per vector.
    pub dimensions: usize,
    /// How token vectors are pooled.
    pub pooling: Pooling,
    /// What is put before a query.
    pub query_prefix: String,
    /// What is put before a passage.
    pub passage_prefix: String,
    /// SHA-256 of the weights, lower-case hexadecimal; empty for a model without weights.
    pub weights_sha256: String,
    /// Tokens per vector; longer texts are split.
    pub max_tokens: usize,
}

impl EmbeddingIdentity {
    /// An identity with mean pooling, no prefixes, no weights hash and 512 tokens.
    pub fn new(model: impl Into<String>, revision: impl Into<String>, dimensions: usize) -> Self {
        Self {
            model: model.into(),
            revision: revision.into(),
            dimensions,
            pooling: Pooling::Mean,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            weights_sha256: String::new(),
            max_tokens: 512,
        }
    }

    /// The short form that stores keep beside each vector.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let digest = Sha256::digest(&json);
        let hex: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Fingerprint(format!("{}-{hex}", self.dimensions))
    }
}

/// The short form of an [`EmbeddingIdentity`]: equal where, and only where, vectors may be compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The text form: dimensions, a hyphen, 16 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes back a text form that a store has kept.
    pub fn from_stored(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_embedding_is_always_finite_and_of_unit_length() {
        for bad in [vec![], vec![0.0; 3], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], vec![1e-38, 0.0]] {
            assert_eq!(Embedding::new(bad).unwrap_err().kind(), ErrorKind::NotEmbeddable);
        }
        for good in [vec![3.0, 4.0], vec![f32::MAX, f32::MAX], vec![1e-20, 0.0]] {
            let embedding = Embedding::new(good).unwrap();
            let norm: f32 = embedding.as_slice().iter().map(|value| value * value).sum();
            assert!((norm - 1.0).abs() < 1e-5, "{norm}");
        }
    }

    #[test]
    fn any_change_of_the_identity_changes_the_fingerprint() {
        let identity = EmbeddingIdentity::new("m", "1", 4);
        let mut others = vec![identity.clone(); 3];
        others[0].query_prefix = "query: ".into();
        others[1].pooling = Pooling::Cls;
        others[2].weights_sha256 = "00".into();
        assert!(others.iter().all(|other| other.fingerprint() != identity.fingerprint()));
    }
}
