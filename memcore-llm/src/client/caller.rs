//! A chat call from the request to the reply, the same for every wire format.

use memcore_core::{ChatEvent, ChatReply, ChatRequest, ChatStream};
use serde_json::Value;

use super::{
    SchemaMode,
    content::Conversation,
    dialect::{Dialect, Negotiation},
    draft::{Draft, ReadEvent, chat_stream},
    transport::{Streamed, Transport},
};
use crate::error::LlmError;

/// A model at an endpoint, in some wire format.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) name: String,
    pub(crate) transport: Transport,
    pub(crate) negotiation: Negotiation,
    pub(crate) format: Format,
    pub(crate) sees_images: bool,
}

/// What differs between wire formats: three functions of data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    /// The body of a request.
    pub(crate) body: fn(&Asked<'_>, Dialect) -> Value,
    /// Reads a whole reply.
    pub(crate) read_reply: fn(Draft, &Value) -> Result<ChatReply, LlmError>,
    /// Reads one event of a stream.
    pub(crate) read_event: ReadEvent,
}

/// What a body is made of.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) model: &'a str,
    pub(crate) request: &'a ChatRequest,
    pub(crate) conversation: Conversation,
    pub(crate) streams: bool,
}

impl Asked<'_> {
    /// The instructions, with the schema where it goes there.
    pub(crate) fn instructions(&self, dialect: Dialect) -> String {
        dialect.schema.instructions(&self.conversation.system, self.request)
    }
}

impl Caller {
    pub(crate) fn set_schema_mode(&self, mode: SchemaMode) {
        self.negotiation.adjust(|dialect| dialect.schema = mode);
    }

    pub(crate) async fn complete(&self, request: &ChatRequest) -> Result<ChatReply, LlmError> {
        let asked = self.asked(request, false)?;
        let post = |body: Value| async move { self.transport.post(&body).await };
        let reply = self.negotiation.call(request, |dialect| post((self.format.body)(&asked, dialect))).await?;
        self.read(request, &reply)
    }

    pub(crate) async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, LlmError> {
        let asked = self.asked(request, true)?;
        let post = |body: Value| async move { self.transport.post_streaming(&body).await };
        match self.negotiation.call(request, |dialect| post((self.format.body)(&asked, dialect))).await? {
            Streamed::Events(events) => Ok(chat_stream(events, Draft::new(request), self.format.read_event)),
            Streamed::Whole(reply) => {
                let reply = self.read(request, &reply)?;
                let events = [ChatEvent::Text(reply.text.clone()), ChatEvent::End(reply)];
                Ok(Box::pin(futures::stream::iter(events.map(Ok))))
            }
        }
    }

    fn asked<'a>(&'a self, request: &'a ChatRequest, streams: bool) -> Result<Asked<'a>, LlmError> {
        let conversation = Conversation::of(request, self.sees_images)?;
        Ok(Asked { model: &self.name, request, conversation, streams })
    }

    fn read(&self, request: &ChatRequest, reply: &Value) -> Result<ChatReply, LlmError> {
        (self.format.read_reply)(Draft::new(request), reply).map_err(|error| self.transport.scrubbed(error))
    }
}

/// Refuses a blank name.
pub(crate) fn checked_name(name: impl Into<String>) -> Result<String, LlmError> {
    let name = name.into();
    if name.trim().is_empty() {
        return Err(LlmError::setting("the model has no name", "give the name by which the endpoint knows it"));
    }
    Ok(name)
}
