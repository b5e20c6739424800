//! A host's own client as a chat model.

use std::{fmt, pin::Pin};

use async_trait::async_trait;
use memcore_core::{ChatModel, ChatReply, ChatRequest, Result};

type Reply = Pin<Box<dyn Future<Output = Result<ChatReply>> + Send>>;

/// A chat model made of a closure: for a host that has a client of its own, and for tests.
///
/// ```
/// use memcore_core::{ChatModel, ChatReply, ChatRequest, Error, Message};
/// use memcore_llm::FnChatModel;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> memcore_core::Result<()> {
/// let model = FnChatModel::new("my-model", |request: ChatRequest| async move {
///     let question = request.messages.last().ok_or_else(|| Error::invalid("nothing was asked"))?.text();
///     // Here the host's client is called; its errors become `Unavailable`, `Unauthorized` or `InvalidInput`.
///     Ok(ChatReply::new(format!("You asked: {question}")))
/// });
/// let reply = model.complete(&ChatRequest::new("", vec![Message::user("Why?")])).await?;
/// assert_eq!(reply.text, "You asked: Why?");
/// # Ok(())
/// # }
/// ```
pub struct FnChatModel {
    name: String,
    call: Box<dyn Fn(ChatRequest) -> Reply + Send + Sync>,
    sees_images: bool,
}

impl FnChatModel {
    /// A model that answers with what `call` does.
    pub fn new<C, F>(name: impl Into<String>, call: C) -> Self
    where
        C: Fn(ChatRequest) -> F + Send + Sync + 'static,
        F: Future<Output = Result<ChatReply>> + Send + 'static,
    {
        Self { name: name.into(), call: Box::new(move |request| Box::pin(call(request))), sees_images: false }
    }

    /// Says that it understands images.
    #[must_use]
    pub fn with_images(mut self) -> Self {
        self.sees_images = true;
        self
    }
}

impl fmt::Debug for FnChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnChatModel").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl ChatModel for FnChatModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn sees_images(&self) -> bool {
        self.sees_images
    }

    async fn complete(&self, request: &ChatRequest) -> Result<ChatReply> {
        (self.call)(request.clone()).await
    }
}
