//! What an extractor proposes, and why a proposal was turned down.

use serde::{Deserialize, Serialize};

use crate::{Confidence, Importance, Kind, Level, MessageId, Quote, Slot, SourceKind, Timestamp};

/// What a candidate asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// A statement to keep.
    Add,
    /// A statement that overturns an earlier one, given in its own words.
    Correct {
        /// The earlier statement, as it was said or stored.
        replaces: String,
    },
    /// The user takes a statement back: what matches is closed, not erased.
    Retract,
    /// The user asks to forget what matches `content`, which is then a query, not a statement.
    Forget,
}

/// One statement that an extractor proposes to keep. It names no id and no user: it can only speak for the scope that
/// was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Candidate {
    /// A statement that can be understood alone (for `Forget`: what to look for).
    pub content: String,
    /// What to do with it.
    pub operation: Operation,
    /// What it is about.
    pub kind: Kind,
    /// How much it matters.
    pub importance: Importance,
    /// How sure the extractor is.
    pub confidence: Confidence,
    /// The question that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<Slot>,
    /// How far it reaches; none leaves it to the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// Whether the user asked for it in so many words ("remember …").
    #[serde(default)]
    pub explicit: bool,
    /// Who said it.
    pub source: SourceKind,
    /// The words that it was taken from. Without a quote it is never a user-stated fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
    /// Since when it is true, where the text says so; by default from when it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it is true; a to-do's due date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl Candidate {
    /// A statement of the user's to add, with the middle importance and full confidence.
    pub fn new(content: impl Into<String>, kind: Kind) -> Self {
        Self {
            content: content.into(),
            operation: Operation::Add,
            kind,
            importance: Importance::DEFAULT,
            confidence: Confidence::FULL,
            slot: None,
            level: None,
            explicit: false,
            source: SourceKind::User,
            quote: None,
            valid_from: None,
            valid_until: None,
            tags: Vec::new(),
        }
    }
}

/// Why something was not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RejectionReason {
    /// A greeting, thanks, or other talk without content.
    Smalltalk,
    /// A question states nothing.
    Question,
    /// Something supposed, wished, or joked.
    Hypothetical,
    /// True today only.
    Transient,
    /// About somebody else, where the user was meant.
    ThirdParty,
    /// Words of others: a quotation, a mail, a document.
    Quoted,
    /// Not said by the user: assistant, tool or system text.
    NotUserStated,
    /// Its quote was not found in any message of the user's.
    Ungrounded,
    /// It cannot be understood alone.
    NotSelfContained,
    /// Our own injected memory, come back in a message.
    Echo,
    /// The redaction policy blocks it.
    Blocked,
    /// The user asked not to keep it.
    Declined,
    /// Under the threshold of importance or confidence.
    BelowThreshold,
    /// Over the limit of statements per window.
    OverLimit,
    /// A request to forget that matches several memories or none: nothing was erased.
    AmbiguousForget,
    /// Empty, too long, or otherwise not storable.
    Invalid,
}

impl RejectionReason {
    /// The reason's name in snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Smalltalk => "smalltalk",
            Self::Question => "question",
            Self::Hypothetical => "hypothetical",
            Self::Transient => "transient",
            Self::ThirdParty => "third_party",
            Self::Quoted => "quoted",
            Self::NotUserStated => "not_user_stated",
            Self::Ungrounded => "ungrounded",
            Self::NotSelfContained => "not_self_contained",
            Self::Echo => "echo",
            Self::Blocked => "blocked",
            Self::Declined => "declined",
            Self::BelowThreshold => "below_threshold",
            Self::OverLimit => "over_limit",
            Self::AmbiguousForget => "ambiguous_forget",
            Self::Invalid => "invalid",
        }
    }
}

/// A piece of text that looked like a memory and was turned down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// The words (redacted).
    pub text: String,
    /// Why.
    pub reason: RejectionReason,
    /// The message that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
}

impl Rejection {
    /// A rejection.
    pub fn new(text: impl Into<String>, reason: RejectionReason, message: Option<MessageId>) -> Self {
        Self { text: text.into(), reason, message }
    }
}
