//! The trait that turns memories into text for a prompt.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::{Hit, Language, MemoryId, MemoryRecord, Timestamp, TokenCounter};

/// What to put into a prompt.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct InjectionRequest<'a> {
    /// The standing memories, most important first.
    pub core: &'a [MemoryRecord],
    /// What this message brought up, best first.
    pub recalled: &'a [Hit],
    /// Tokens for both blocks together, at the most.
    pub budget: usize,
    /// Counts the tokens.
    pub counter: &'a dyn TokenCounter,
    /// The language of the frame around what was recalled: that of the message.
    pub language: Language,
    /// The language of the frame around the standing memories: the same throughout a session.
    pub core_language: Language,
    /// The present moment, for what is overdue.
    pub now: Timestamp,
    /// Whether the model tends to repeat what it is shown: the wording hardens.
    pub forbid_echo: bool,
}

impl<'a> InjectionRequest<'a> {
    /// A request with nothing to inject yet.
    #[must_use]
    pub fn new(counter: &'a dyn TokenCounter, budget: usize, language: Language, now: Timestamp) -> Self {
        Self { core: &[], recalled: &[], budget, counter, language, core_language: language, now, forbid_echo: false }
    }

    /// Sets the standing memories.
    #[must_use]
    pub fn with_core(mut self, core: &'a [MemoryRecord]) -> Self {
        self.core = core;
        self
    }

    /// Frames the standing memories in a language of their own.
    #[must_use]
    pub fn with_core_language(mut self, language: Language) -> Self {
        self.core_language = language;
        self
    }

    /// Sets what was recalled.
    #[must_use]
    pub fn with_recalled(mut self, recalled: &'a [Hit]) -> Self {
        self.recalled = recalled;
        self
    }

    /// Hardens the wording against repetition.
    #[must_use]
    pub fn with_forbid_echo(mut self, forbid: bool) -> Self {
        self.forbid_echo = forbid;
        self
    }
}

/// Why a memory was left out of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OmissionReason {
    /// The budget was used up.
    OverBudget,
    /// The block holds as many as it may.
    OverCount,
    /// It stands in the core block already.
    InCore,
    /// The conversation holds it already.
    InConversation,
    /// Only direct questions bring it up, and this one did not.
    NotRelevant,
    /// Its source is not trusted enough to be shown unasked.
    Untrusted,
}

/// A memory that was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omission {
    /// The record.
    pub id: MemoryId,
    /// Why.
    pub reason: OmissionReason,
}

/// Text for a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Injection {
    /// The core block with its fence, or empty.
    pub core: String,
    /// The recalled block with its fence, or empty.
    pub recalled: String,
    /// Tokens of both together.
    pub tokens: usize,
    /// What is in them, in order.
    pub injected: Vec<MemoryId>,
    /// What is not, and why.
    pub omitted: Vec<Omission>,
}

/// Renders memories for a prompt.
///
/// Contract: pure. The two blocks together never exceed the budget: rather nothing than over it. Each block that is not
/// empty has exactly one opening and one closing fence, whatever the memories contain. The core block depends on `core`,
/// `core_language` and its share of the budget alone, so that equal memories give equal bytes. Every record of the request is
/// either in `injected` or in `omitted`.
pub trait Injector: Send + Sync + Debug + 'static {
    /// Renders both blocks.
    fn inject(&self, request: &InjectionRequest<'_>) -> Injection;
}
