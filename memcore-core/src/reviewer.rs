//! The trait that checks what is known against what was said lately.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{Error, MemoryId, MemoryRecord, ModelUsage, Quote, Rejection, Result, Scope, StoredMessage, Timestamp};

/// What a reviewer looks at.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReviewRequest {
    /// Whose memories they are.
    pub scope: Scope,
    /// The memories to check, most important first.
    pub memories: Vec<MemoryRecord>,
    /// What was said lately, oldest first, redacted; injected memory has been stripped.
    pub evidence: Vec<StoredMessage>,
    /// The present moment.
    pub now: Timestamp,
}

impl ReviewRequest {
    /// Memories and the messages that may speak for or against them.
    #[must_use]
    pub fn new(scope: Scope, memories: Vec<MemoryRecord>, evidence: Vec<StoredMessage>, now: Timestamp) -> Self {
        Self { scope, memories, evidence, now }
    }
}

/// What a reviewer thinks of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It still holds.
    Confirm,
    /// It holds in another form.
    Revise {
        /// The new statement, which can be understood alone.
        content: String,
    },
    /// It holds no longer.
    Retire,
}

/// A change that a reviewer proposes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReviewProposal {
    /// The memory.
    pub id: MemoryId,
    /// What should become of it.
    pub verdict: Verdict,
    /// Why, in one sentence.
    pub reason: String,
    /// The user's words that show it, with offsets into a message of the evidence.
    pub quote: Quote,
}

impl ReviewProposal {
    /// A verdict and what it rests on.
    pub fn new(id: MemoryId, verdict: Verdict, reason: impl Into<String>, quote: Quote) -> Self {
        Self { id, verdict, reason: reason.into(), quote }
    }
}

/// What a reviewer proposes. Empty and complete means that nothing speaks for or against any memory.
#[derive(Debug, Default)]
pub struct Review {
    /// The proposals, at most one per memory.
    pub proposals: Vec<ReviewProposal>,
    /// Proposals that were turned down, with the reason.
    pub rejected: Vec<Rejection>,
    /// Parts that could not be reviewed, each with its error.
    pub failures: Vec<Error>,
    /// What language-model calls used, failed ones included.
    pub usage: ModelUsage,
}

/// Checks memories against recent messages, and proposes what should become of them.
///
/// Contract:
/// - It only proposes; whoever asked decides, and whatever is applied can be undone.
/// - A proposal is about one of `memories` and rests on a quote with offsets into the text of one of the user's
///   messages of `evidence`; age alone is no reason.
/// - `Ok` with nothing means that there was nothing to propose. A reviewer that could not read the messages answers an
///   error, or says so in `failures`.
#[async_trait]
pub trait Reviewer: Send + Sync + Debug + 'static {
    /// The name that provenance records, as in `llm`.
    fn name(&self) -> &str;

    /// The language model behind it, where there is one.
    fn model(&self) -> Option<&str> {
        None
    }

    /// Reviews memories.
    async fn review(&self, request: &ReviewRequest) -> Result<Review>;
}
