//! The extractor that keeps nothing.

use async_trait::async_trait;
use memcore_core::{Extraction, ExtractionRequest, Extractor, Result};

/// Keeps nothing: for hosts that store memories only by their own calls.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoExtractor;

#[async_trait]
impl Extractor for NoExtractor {
    fn name(&self) -> &str {
        "none"
    }

    async fn extract(&self, _: &ExtractionRequest) -> Result<Extraction> {
        Ok(Extraction::default())
    }
}
