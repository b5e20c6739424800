//! A deterministic embedder without a model: texts that share index terms are near each other.

use async_trait::async_trait;
use memcore_core::{
    EmbedRole, Embedder, Embedding, EmbeddingIdentity, Error, ErrorKind, Result, TextEmbedding, text::index_terms,
};

/// Index terms per vector; a longer text has several, each of which begins in the middle of the one before.
const WINDOW: usize = 256;

/// Counts a text's index terms into as many buckets as the vector has values. No model, no meaning: only shared terms
/// make texts similar.
#[derive(Debug, Clone)]
pub struct HashEmbedder(EmbeddingIdentity);

impl HashEmbedder {
    /// An embedder of this many dimensions, at least one; 64 and more keep different texts apart.
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self::named("hash-of-terms", dimensions)
    }

    /// The same under another name, for tests in which the model changes.
    #[must_use]
    pub fn named(model: &str, dimensions: usize) -> Self {
        let mut identity = EmbeddingIdentity::new(model, "1", dimensions.max(1));
        identity.max_tokens = WINDOW;
        Self(identity)
    }

    fn embed_one(&self, text: &str) -> Result<TextEmbedding> {
        let terms: Vec<String> = index_terms(text).into_iter().map(|term| term.text).collect();
        if terms.is_empty() {
            return Err(Error::new(ErrorKind::NotEmbeddable, "the text has no terms"));
        }
        let starts = (0..terms.len()).step_by(WINDOW / 2);
        // A window that begins in the last half of the one before adds nothing.
        let starts = starts.filter(|start| *start == 0 || start + WINDOW / 2 < terms.len());
        let windows = starts.map(|start| &terms[start..terms.len().min(start + WINDOW)]);
        TextEmbedding::chunked(windows.map(|window| self.count(window)).collect::<Result<_>>()?)
    }

    fn count(&self, terms: &[String]) -> Result<Embedding> {
        let mut counts = vec![0.0; self.0.dimensions];
        let buckets = counts.len() as u64;
        for term in terms {
            counts[usize::try_from(fnv1a(term) % buckets).unwrap()] += 1.0;
        }
        Embedding::new(counts)
    }
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn identity(&self) -> &EmbeddingIdentity {
        &self.0
    }

    async fn embed(&self, texts: &[String], _role: EmbedRole) -> Vec<Result<TextEmbedding>> {
        texts.iter().map(|text| self.embed_one(text)).collect()
    }
}

/// FNV-1a, 64 bits: the same on every machine and with every compiler, unlike the standard library's hashers.
fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
