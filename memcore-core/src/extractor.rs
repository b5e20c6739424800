//! The trait that turns what was said into statements worth keeping.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{
    Candidate, Error, MemoryRecord, MessageId, ModelUsage, Rejection, Result, Scope, StoredMessage, Timestamp,
};

/// What an extractor reads.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExtractionRequest {
    /// Whose conversation it is, with project and session.
    pub scope: Scope,
    /// The messages to read, in order, redacted; injected memory has been stripped.
    pub messages: Vec<StoredMessage>,
    /// Bytes at the beginning of the first message's text that were read before. Nothing is extracted from these.
    pub offset: usize,
    /// The messages just before them, for what they refer to. Nothing is extracted from these.
    pub context: Vec<StoredMessage>,
    /// Memories that may be confirmed or overturned.
    pub known: Vec<MemoryRecord>,
    /// The present moment.
    pub now: Timestamp,
}

impl ExtractionRequest {
    /// A request without context.
    #[must_use]
    pub fn new(scope: Scope, messages: Vec<StoredMessage>, now: Timestamp) -> Self {
        Self { scope, messages, offset: 0, context: Vec::new(), known: Vec::new(), now }
    }

    /// Begins in the middle of the first message, at a byte of its text.
    #[must_use]
    pub fn with_offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// Adds the messages before.
    #[must_use]
    pub fn with_context(mut self, context: Vec<StoredMessage>) -> Self {
        self.context = context;
        self
    }

    /// Adds related memories.
    #[must_use]
    pub fn with_known(mut self, known: Vec<MemoryRecord>) -> Self {
        self.known = known;
        self
    }
}

/// What an extractor found. Empty and complete means "nothing to remember"; failure is an error.
#[derive(Debug, Default)]
pub struct Extraction {
    /// What to keep, in the order in which it was said.
    pub candidates: Vec<Candidate>,
    /// What looked like a memory and was turned down, with the reason.
    pub rejected: Vec<Rejection>,
    /// Parts of the messages that could not be read, each with its error. What was found in the others is kept, and
    /// the messages are read again later.
    pub failures: Vec<Error>,
    /// Where the extractor stopped, because there is more to read than one reading should cost; the rest is read next.
    /// None where it got to the end.
    pub unread_from: Option<ReadingPosition>,
    /// What language-model calls used, failed ones included.
    pub usage: ModelUsage,
}

/// A place in the messages of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingPosition {
    /// The message.
    pub message: MessageId,
    /// A byte of its text.
    pub offset: usize,
}

/// Finds the few statements worth keeping.
///
/// Contract:
/// - Statements come only from `messages`; `context` and `known` are for understanding them.
/// - A statement about the user carries a quote with offsets into the text of one of the user's messages; the write
///   stage checks it again and rejects what it cannot find.
/// - The same request gives the same extraction (a language model's temperature aside).
/// - `Ok` with nothing means that there was nothing to remember. An extractor that could not read the messages
///   answers `ExtractFailed` or `Unavailable`; the messages then stay queued.
#[async_trait]
pub trait Extractor: Send + Sync + Debug + 'static {
    /// The name that provenance records, as in `rules`.
    fn name(&self) -> &str;

    /// The language model behind it, where there is one.
    fn model(&self) -> Option<&str> {
        None
    }

    /// Whether it keeps what the assistant says as well: only for extractors that store turns word for word.
    fn reads_all_roles(&self) -> bool {
        false
    }

    /// Reads messages.
    async fn extract(&self, request: &ExtractionRequest) -> Result<Extraction>;
}
