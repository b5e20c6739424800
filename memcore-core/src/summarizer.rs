//! The trait that condenses text.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{ModelUsage, Result, StoredMessage};

/// A summary, and what it cost.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The words.
    pub text: String,
    /// What language-model calls used.
    pub usage: ModelUsage,
}

impl Summary {
    /// A summary that no model was asked for.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), usage: ModelUsage::default() }
    }

    /// Says what language-model calls used.
    #[must_use]
    pub fn with_usage(mut self, usage: ModelUsage) -> Self {
        self.usage = usage;
        self
    }
}

/// Condenses a conversation into a running summary.
///
/// Contract: keeps facts, preferences, decisions and open questions; the result has at most `max_tokens` tokens by the
/// caller's counter, and states nothing that neither `previous` nor the messages say.
#[async_trait]
pub trait Summarizer: Send + Sync + Debug + 'static {
    /// The name, as in `extractive`.
    fn name(&self) -> &str;

    /// The language model behind it, where there is one.
    fn model(&self) -> Option<&str> {
        None
    }

    /// Merges `messages` into the summary `previous`.
    async fn summarize(&self, previous: Option<&str>, messages: &[StoredMessage], max_tokens: usize)
    -> Result<Summary>;
}
