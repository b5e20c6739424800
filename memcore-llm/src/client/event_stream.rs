//! Server-sent events of a reply, within its limits.

use std::pin::Pin;

use futures::{Stream, StreamExt, stream};
use reqwest::Response;
use sse_stream::{Sse, SseByteStream};
use tokio::time::{Instant, timeout_at};

use super::{ApiKey, Timeouts};
use crate::error::LlmError;

/// What a reply may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// When the whole reply must be there.
    pub(crate) deadline: Instant,
    pub(crate) timeouts: Timeouts,
    pub(crate) max_bytes: usize,
}

/// The events of a reply; dropping it closes the connection.
pub(crate) struct Events {
    stream: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    key: Option<ApiKey>,
}

impl Events {
    pub(crate) fn new(response: Response, limits: Limits, key: Option<ApiKey>) -> Self {
        let bytes = stream::try_unfold((response, 0), move |(mut response, received)| async move {
            let (until, late) = limits.next_piece();
            let chunk = timeout_at(until, response.chunk()).await.map_err(|_| late)?;
            let Some(chunk) = chunk.map_err(|error| LlmError::BrokenOff(error.without_url()))? else {
                return Ok(None);
            };
            let received = received + chunk.len();
            if received > limits.max_bytes {
                return Err(LlmError::TooLarge(limits.max_bytes));
            }
            Ok(Some((chunk, (response, received))))
        });
        Self { stream: Box::pin(SseByteStream::new(Box::pin(bytes))), key }
    }

    /// The data of the next event that has some; none at the end of the connection.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, LlmError> {
        while let Some(event) = self.stream.next().await {
            if let Some(data) = event.map_err(cause)?.data.filter(|data| !data.trim().is_empty()) {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// An error without the key in what the endpoint said.
    pub(crate) fn scrubbed(&self, error: LlmError) -> LlmError {
        error.without(self.key.as_ref())
    }
}

impl Limits {
    /// When the next piece must be there, and what it means where it is not.
    fn next_piece(&self) -> (Instant, LlmError) {
        let Timeouts { idle, call, .. } = self.timeouts;
        match Instant::now().checked_add(idle) {
            Some(patience) if patience < self.deadline => (patience, LlmError::IdleTimeout(idle)),
            _ => (self.deadline, LlmError::CallTimeout(call)),
        }
    }
}

/// Our own error, where it was one.
fn cause(error: sse_stream::Error) -> LlmError {
    match error {
        sse_stream::Error::Body(source) => match source.downcast::<LlmError>() {
            Ok(ours) => *ours,
            Err(_) => LlmError::CutShort,
        },
        _ => LlmError::Unexpected { what: "bytes that are no UTF-8", raw: String::new() },
    }
}
