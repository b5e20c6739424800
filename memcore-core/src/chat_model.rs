//! The trait of language models: one completion.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::Value;

use crate::{Message, Result};

/// What to complete.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The instructions.
    pub system: String,
    /// The conversation, in order.
    pub messages: Vec<Message>,
    /// A JSON schema that the reply must follow, where the caller wants one.
    pub schema: Option<Value>,
    /// Tokens of the reply at the most.
    pub max_tokens: u32,
}

impl ChatRequest {
    /// A request for free text of at most 1,024 tokens.
    pub fn new(system: impl Into<String>, messages: Vec<Message>) -> Self {
        Self { system: system.into(), messages, schema: None, max_tokens: 1024 }
    }

    /// Binds the reply to a JSON schema.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }
}

/// A finished completion.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChatReply {
    /// The text.
    pub text: String,
    /// Whether the limit of tokens cut it off.
    pub truncated: bool,
}

impl ChatReply {
    /// A complete reply.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), truncated: false }
    }
}

/// A language model.
///
/// Contract: an answer is `Ok` only where the model answered; refusals of the endpoint, time-outs and quota notices are
/// errors of kind `Unavailable` (retry) or `InvalidInput` (do not).
#[async_trait]
pub trait ChatModel: Send + Sync + Debug + 'static {
    /// The model's name.
    fn name(&self) -> &str;

    /// Completes a conversation.
    async fn complete(&self, request: &ChatRequest) -> Result<ChatReply>;
}
