//! The rule extractor: finds statements worth keeping without a language model, in Chinese and English.
//!
//! A message goes through the files here in this order: `prose` (what the user says, not quotes), `sentence` (sentences
//! and clauses), `mood` (what states nothing), then the cues and patterns of its language (`zh`, `en`, data only),
//! and `draft` turns what they found into candidates.

mod correction;
mod draft;
mod en;
mod fold;
mod grammar;
mod message;
mod mood;
mod pattern;
mod prose;
mod reading;
mod sentence;
mod statement;
mod value;
mod zh;

#[cfg(test)]
mod tests;

use async_trait::async_trait;
use memcore_core::{Extraction, ExtractionRequest, Extractor, Result};

/// Finds explicit requests to remember, standing instructions, what users say about themselves, their team and their
/// project, decisions, rules, to-dos, corrections, and requests to forget, in Chinese and English.
///
/// It prefers missing a statement to inventing one: greetings, questions, suppositions, wishes, trifles, other
/// people's affairs and quoted text give nothing. Only messages of the user are read. The same messages give the same
/// candidates, in linear time, at most 32 a message.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleExtractor;

impl RuleExtractor {
    /// The rule extractor; it has no settings.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Extractor for RuleExtractor {
    fn name(&self) -> &str {
        "rules"
    }

    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction> {
        Ok(reading::read(request))
    }
}
