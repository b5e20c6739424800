//! The trait that counts tokens, for budgets.

use std::fmt::Debug;

use crate::text;

/// Counts the tokens of a text as the host's model would.
///
/// Contract: never counts too few; the count of two texts joined is at most the sum of their counts plus one.
pub trait TokenCounter: Send + Sync + Debug + 'static {
    /// The number of tokens.
    fn count(&self, text: &str) -> usize;
}

/// A conservative estimate that needs no vocabulary: see [`text::estimate_tokens`].
#[derive(Debug, Clone, Copy, Default)]
pub struct EstimatedTokens;

impl TokenCounter for EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        text::estimate_tokens(text)
    }
}
