//! The trait of language models: one completion, whole or as it comes.

use std::{fmt::Debug, pin::Pin};

use async_trait::async_trait;
use futures_core::Stream;
use serde::{Deserialize, Serialize};
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
    /// A JSON schema that the reply must follow, where the caller wants one: an object whose properties are all
    /// required and which allows no others, as the providers' strict modes ask.
    pub schema: Option<Value>,
    /// Tokens of the reply at the most.
    pub max_tokens: u32,
    /// Sampling temperature, 0 to 2; none leaves it to the model.
    pub temperature: Option<f32>,
}

impl ChatRequest {
    /// A request for free text of at most 1,024 tokens.
    pub fn new(system: impl Into<String>, messages: Vec<Message>) -> Self {
        Self { system: system.into(), messages, schema: None, max_tokens: 1024, temperature: None }
    }

    /// Binds the reply to a JSON schema.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Limits the reply.
    #[must_use]
    pub fn with_max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = max_tokens;
        self
    }

    /// Sets the sampling temperature, 0 to 2.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f32) -> Self {
        self.temperature = Some(temperature);
        self
    }
}

/// What language-model calls used, as the provider counts tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelUsage {
    /// Calls that reached the model.
    pub calls: u64,
    /// Tokens that were sent.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
}

impl ModelUsage {
    /// One call.
    #[must_use]
    pub fn of_call(input_tokens: u64, output_tokens: u64) -> Self {
        Self { calls: 1, input_tokens, output_tokens }
    }

    /// Adds what other calls used.
    pub fn absorb(&mut self, other: Self) {
        self.calls += other.calls;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
    }

    /// Tokens in both directions.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
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
    /// What it used; estimated by the client where the provider does not say.
    pub usage: ModelUsage,
}

impl ChatReply {
    /// A complete reply.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), truncated: false, usage: ModelUsage::of_call(0, 0) }
    }

    /// Says whether the limit of tokens cut it off.
    #[must_use]
    pub fn with_truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }

    /// Says what it used.
    #[must_use]
    pub fn with_usage(mut self, usage: ModelUsage) -> Self {
        self.usage = usage;
        self
    }
}

/// A piece of a completion that is still being made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChatEvent {
    /// More text.
    Text(String),
    /// The end, with the whole reply. A stream that ends without it, or with an error, was cut short.
    End(ChatReply),
}

/// A completion as it comes. Dropping it cancels the request.
pub type ChatStream = Pin<Box<dyn Stream<Item = Result<ChatEvent>> + Send>>;

/// A language model.
///
/// Contract:
/// - An answer is `Ok` only where the model answered. Refusals of the endpoint, time-outs and quota notices are errors:
///   `Unavailable` (the same call may succeed later), `Unauthorized` (the key is refused) or `InvalidInput` (it will not
///   succeed).
/// - A reply that the limit of tokens cut off is `Ok` and says so.
/// - No message of an error holds a key or text of the conversation.
#[async_trait]
pub trait ChatModel: Send + Sync + Debug + 'static {
    /// The model's name.
    fn name(&self) -> &str;

    /// Whether images in messages are understood; else they are replaced by a placeholder.
    fn sees_images(&self) -> bool {
        false
    }

    /// Completes a conversation.
    async fn complete(&self, request: &ChatRequest) -> Result<ChatReply>;

    /// Completes a conversation piece by piece; without an implementation of its own, in one piece.
    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream> {
        let reply = self.complete(request).await?;
        Ok(Box::pin(whole_reply::WholeReply::new(reply)))
    }
}

mod whole_reply {
    //! A finished reply as a stream: its text, then its end.

    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    use futures_core::Stream;

    use super::{ChatEvent, ChatReply};
    use crate::Result;

    pub(super) struct WholeReply {
        text: Option<String>,
        reply: Option<ChatReply>,
    }

    impl WholeReply {
        pub(super) fn new(reply: ChatReply) -> Self {
            Self { text: Some(reply.text.clone()), reply: Some(reply) }
        }
    }

    impl Stream for WholeReply {
        type Item = Result<ChatEvent>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let text = self.text.take().map(ChatEvent::Text);
            Poll::Ready(text.or_else(|| self.reply.take().map(ChatEvent::End)).map(Ok))
        }
    }
}
