//! The trait that condenses text.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{Result, StoredMessage};

/// Condenses a conversation into a running summary.
///
/// Contract: keeps facts, preferences, decisions and open questions; the result has at most `max_tokens` tokens by the
/// caller's counter, and states nothing that neither `previous` nor the messages say.
#[async_trait]
pub trait Summarizer: Send + Sync + Debug + 'static {
    /// Merges `messages` into the summary `previous`.
    async fn summarize(&self, previous: Option<&str>, messages: &[StoredMessage], max_tokens: usize) -> Result<String>;
}
