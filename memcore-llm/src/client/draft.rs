//! A reply in the making, whole or piece by piece, and the stream that a host sees.

use futures::stream;
use memcore_core::{ChatEvent, ChatReply, ChatRequest, ChatStream, ModelUsage, text::estimate_tokens};

use super::{event_stream::Events, thinking::ThinkingFilter};
use crate::error::LlmError;

/// What is known of a reply so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    text: String,
    thinking: ThinkingFilter,
    /// The model has said why it stopped.
    pub(crate) is_finished: bool,
    pub(crate) is_truncated: bool,
    pub(crate) is_declined: bool,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    estimated_input: u64,
}

impl Draft {
    pub(crate) fn new(request: &ChatRequest) -> Self {
        let texts = request.messages.iter().map(|message| estimate_tokens(&message.text()));
        let estimate = texts.sum::<usize>() + estimate_tokens(&request.system);
        Self { estimated_input: estimate as u64, ..Self::default() }
    }

    /// Adds text; answers with what of it a host may see.
    pub(crate) fn add(&mut self, piece: &str) -> String {
        let shown = self.thinking.push(piece);
        self.text.push_str(&shown);
        shown
    }

    /// What was held back and is part of the reply after all.
    fn rest(&mut self) -> String {
        let rest = self.thinking.finish();
        self.text.push_str(&rest);
        rest
    }

    /// The reply; `raw` is what the endpoint sent, for the error.
    pub(crate) fn into_reply(mut self, raw: impl FnOnce() -> String) -> Result<ChatReply, LlmError> {
        self.rest();
        if self.is_declined {
            return Err(LlmError::Declined);
        }
        if self.text.trim().is_empty() && !self.is_truncated {
            return Err(LlmError::NoText { raw: raw() });
        }
        let input = self.input_tokens.unwrap_or(self.estimated_input);
        let output = self.output_tokens.unwrap_or_else(|| estimate_tokens(&self.text) as u64);
        let usage = ModelUsage::of_call(input, output);
        Ok(ChatReply::new(self.text).with_truncated(self.is_truncated).with_usage(usage))
    }
}

/// What an event of a stream brings.
#[derive(Debug)]
pub(crate) enum Step {
    /// Text for the host, perhaps none.
    Text(String),
    /// The end of the reply.
    End,
}

/// Reads one event of a wire format into the draft.
pub(crate) type ReadEvent = fn(&mut Draft, &str) -> Result<Step, LlmError>;

/// Where a stream is.
enum Place {
    Running(Events, Draft),
    /// All text has been given.
    AtEnd(Draft),
}

/// A reply as a host sees it come.
pub(crate) fn chat_stream(events: Events, draft: Draft, read: ReadEvent) -> ChatStream {
    Box::pin(stream::unfold(Some(Place::Running(events, draft)), move |place| async move {
        let (event, place) = match place? {
            Place::Running(mut events, mut draft) => match advance(&mut events, &mut draft, read).await {
                Ok(Some(text)) => (Ok(ChatEvent::Text(text)), Some(Place::Running(events, draft))),
                Ok(None) => match draft.rest() {
                    rest if rest.is_empty() => (end(draft), None),
                    rest => (Ok(ChatEvent::Text(rest)), Some(Place::AtEnd(draft))),
                },
                Err(error) => (Err(events.scrubbed(error)), None),
            },
            Place::AtEnd(draft) => (end(draft), None),
        };
        Some((event.map_err(Into::into), place))
    }))
}

fn end(draft: Draft) -> Result<ChatEvent, LlmError> {
    draft.into_reply(String::new).map(ChatEvent::End)
}

/// The next text for the host; none at the end of the reply.
async fn advance(events: &mut Events, draft: &mut Draft, read: ReadEvent) -> Result<Option<String>, LlmError> {
    loop {
        match events.next().await {
            Ok(Some(data)) => match read(draft, &data)? {
                Step::Text(text) if text.is_empty() => {}
                Step::Text(text) => return Ok(Some(text)),
                Step::End => return Ok(None),
            },
            // Only the figures of usage could still have come.
            Ok(None) | Err(_) if draft.is_finished => return Ok(None),
            Ok(None) => return Err(LlmError::CutShort),
            Err(error) => return Err(error),
        }
    }
}
