//! What an endpoint is known to accept. "Compatible" servers refuse one optional field or another; what they refuse is
//! left out, and stays so.

use std::sync::{Mutex, MutexGuard, PoisonError};

use memcore_core::ChatRequest;

use super::SchemaMode;
use crate::error::{LlmError, Refusal, RefusalClass};

/// The choices among a wire format's optional fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) schema: SchemaMode,
    pub(crate) has_temperature: bool,
    /// `stream_options: {"include_usage": true}`.
    pub(crate) has_stream_options: bool,
    /// `max_completion_tokens` in place of `max_tokens`.
    pub(crate) has_max_completion_tokens: bool,
}

impl Dialect {
    pub(crate) fn new(schema: SchemaMode) -> Self {
        Self { schema, has_temperature: true, has_stream_options: true, has_max_completion_tokens: false }
    }
}

/// Finds out which dialect an endpoint speaks.
#[derive(Debug)]
pub(crate) struct Negotiation {
    known: Mutex<Dialect>,
    /// The schema mode to try after one that was refused.
    next_mode: fn(SchemaMode) -> Option<SchemaMode>,
}

impl Negotiation {
    pub(crate) fn new(first: Dialect, next_mode: fn(SchemaMode) -> Option<SchemaMode>) -> Self {
        Self { known: Mutex::new(first), next_mode }
    }

    pub(crate) fn adjust(&self, change: impl FnOnce(&mut Dialect)) {
        change(&mut self.lock());
    }

    /// Calls until the endpoint accepts the request or there is nothing left to leave out; then the first refusal
    /// counts, and nothing is remembered. Every call but the last was refused unread: it costs a round trip.
    pub(crate) async fn call<T, F: Future<Output = Result<T, LlmError>>>(
        &self,
        request: &ChatRequest,
        mut call: impl FnMut(Dialect) -> F,
    ) -> Result<T, LlmError> {
        let started_with = *self.lock();
        let mut dialect = started_with;
        let mut first_refusal = None;
        loop {
            match call(dialect).await {
                Ok(answer) => {
                    if dialect != started_with {
                        *self.lock() = dialect;
                    }
                    return Ok(answer);
                }
                Err(LlmError::Refused(refusal)) => {
                    let next = self.without_the_refused(dialect, &refusal, request);
                    let refusal = first_refusal.get_or_insert(refusal);
                    match next {
                        Some(next) => dialect = next,
                        None => return Err(LlmError::Refused(refusal.clone())),
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The dialect without what a refusal is about. Each step takes something away, so that they come to an end.
    fn without_the_refused(&self, tried: Dialect, refusal: &Refusal, request: &ChatRequest) -> Option<Dialect> {
        let is_about_fields = refusal.class == RefusalClass::Request && matches!(refusal.status, Some(400 | 422))
            || refusal.status == Some(501);
        if !is_about_fields || refusal.detail.contains("context_length") || refusal.detail.contains("context size") {
            return None;
        }
        let names = |field: &str| refusal.detail.contains(field);
        if tried.has_stream_options && names("stream_options") {
            return Some(Dialect { has_stream_options: false, ..tried });
        }
        if !tried.has_max_completion_tokens && names("max_completion_tokens") {
            return Some(Dialect { has_max_completion_tokens: true, ..tried });
        }
        if tried.has_temperature && request.temperature.is_some() && names("temperature") {
            return Some(Dialect { has_temperature: false, ..tried });
        }
        let schema = request.schema.as_ref().and_then(|_| (self.next_mode)(tried.schema))?;
        Some(Dialect { schema, ..tried })
    }

    fn lock(&self) -> MutexGuard<'_, Dialect> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
