//! Where a memory comes from, and how far it is trusted for that.

use serde::{Deserialize, Serialize};

use crate::{MessageId, ProjectId, SessionId, Timestamp};

/// Who or what said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SourceKind {
    /// The user, in a conversation.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
    /// A document that was shown.
    Document,
    /// A history brought in from elsewhere.
    Import,
    /// A call of the host's, such as `remember`.
    Api,
}

/// How far a memory is believed; follows from its source. Later variants are trusted more, and a lower trust never
/// supersedes a higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// Text of tools and documents.
    External,
    /// Concluded by a model, or said by the assistant.
    Inferred,
    /// Brought in from another system.
    Imported,
    /// Said by the user, or stored by the host in the user's name.
    UserStated,
}

impl SourceKind {
    /// The trust that follows from this source.
    #[must_use]
    pub fn trust(self) -> Trust {
        match self {
            Self::User | Self::Api => Trust::UserStated,
            Self::Import => Trust::Imported,
            Self::Assistant => Trust::Inferred,
            Self::Tool | Self::Document => Trust::External,
        }
    }
}

/// The words in a message from which a memory was taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Quote {
    /// The message that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The words themselves (after redaction).
    pub text: String,
    /// Byte offset of the first byte in the message's text.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
}

/// Where a memory comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// Who said it.
    pub source: SourceKind,
    /// The project in which it was said, whatever the record's level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// The session in which it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Every message that states or confirms it, first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<MessageId>,
    /// The words, first statement first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Quote>,
    /// Which extractor found it (`rules`, `verbatim`, `llm`, …; `api` for a direct call).
    pub extractor: String,
    /// The language model behind the extractor, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it was said.
    pub at: Timestamp,
}

impl Provenance {
    /// A provenance with the required parts.
    pub fn new(source: SourceKind, extractor: impl Into<String>, at: Timestamp) -> Self {
        Self {
            source,
            project: None,
            session: None,
            messages: Vec::new(),
            quotes: Vec::new(),
            extractor: extractor.into(),
            model: None,
            at,
        }
    }
}
