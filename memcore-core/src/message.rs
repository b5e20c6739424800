//! What was said: messages, turns and sessions.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{MessageId, Scope, Timestamp};

/// Who speaks. Comes only from the host's field, never from what a text pretends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
    /// The host's instructions.
    #[serde(alias = "developer")]
    System,
}

impl Role {
    /// The role's name in snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }
}

/// A part of a message. Only text is ever read for memories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ContentBlock {
    /// Text of the speaker.
    Text(TextBlock),
    /// Anything else (images, tool calls and results, thinking): kept as it came, not searched.
    Other(Value),
}

/// A text block: `{"type":"text","text":"…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextBlock {
    #[serde(rename = "type")]
    tag: TextTag,
    /// The text.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum TextTag {
    #[serde(rename = "text", alias = "input_text", alias = "output_text")]
    Text,
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextBlock { tag: TextTag::Text, text: text.into() })
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order. A plain string is accepted as one text block.
    #[serde(deserialize_with = "blocks_or_text")]
    pub content: Vec<ContentBlock>,
    /// When it was said; the clock's time where the host does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The host's id of it: the same id in the same session is the same message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<MessageId>,
}

impl Message {
    /// A message of one text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: vec![ContentBlock::text(text)], at: None, id: None }
    }

    /// What the person said.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// What a tool returned.
    pub fn tool(text: impl Into<String>) -> Self {
        Self::new(Role::Tool, text)
    }

    /// Says when.
    #[must_use]
    pub fn with_at(mut self, at: Timestamp) -> Self {
        self.at = Some(at);
        self
    }

    /// Gives it the host's id.
    #[must_use]
    pub fn with_id(mut self, id: MessageId) -> Self {
        self.id = Some(id);
        self
    }

    /// Its text blocks, joined by line feeds. Quote offsets refer to this text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut joined = String::new();
        for block in &self.content {
            if let ContentBlock::Text(block) = block {
                if !joined.is_empty() {
                    joined.push('\n');
                }
                joined.push_str(&block.text);
            }
        }
        joined
    }
}

/// A user message with all that answered it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// The messages, in order.
    pub messages: Vec<Message>,
}

impl Turn {
    /// A question and its answer.
    pub fn new(user: impl Into<String>, assistant: impl Into<String>) -> Self {
        Self { messages: vec![Message::user(user), Message::assistant(assistant)] }
    }

    /// Messages in the order in which they were said.
    #[must_use]
    pub fn of(messages: Vec<Message>) -> Self {
        Self { messages }
    }
}

/// A message as the transcript keeps it: redacted, placed and numbered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredMessage {
    /// Its id, unique within its session.
    pub id: MessageId,
    /// User, project and session.
    pub scope: Scope,
    /// Who spoke.
    pub role: Role,
    /// What was said.
    pub content: Vec<ContentBlock>,
    /// When.
    pub at: Timestamp,
}

impl StoredMessage {
    /// Its text blocks, joined by line feeds, as [`Message::text`].
    #[must_use]
    pub fn text(&self) -> String {
        Message { role: self.role, content: self.content.clone(), at: None, id: None }.text()
    }
}

/// What is known of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// User, project and session.
    pub scope: Scope,
    /// When its first message was said.
    pub started_at: Timestamp,
    /// When it was finished; none while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// How many messages it has.
    pub messages: u64,
    /// Its summary, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The last message that the summary covers; none where it covers all, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summarized_until: Option<MessageId>,
    /// How many replies repeated an injected memory word for word.
    #[serde(default)]
    pub echoes: u64,
}

impl SessionInfo {
    /// A session of which nothing is known but its beginning.
    #[must_use]
    pub fn new(scope: Scope, started_at: Timestamp) -> Self {
        Self { scope, started_at, ended_at: None, messages: 0, summary: None, summarized_until: None, echoes: 0 }
    }
}

/// What becomes known of a session; what is not given stays as it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SessionAmendment {
    /// User, project and session.
    pub scope: Scope,
    /// When it was finished.
    pub ended_at: Option<Timestamp>,
    /// Its summary, and the last message that it covers.
    pub summary: Option<(String, MessageId)>,
    /// Replies that repeated an injected memory, beside those counted before.
    pub echoes: u64,
}

impl SessionAmendment {
    /// Nothing, for now.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        Self { scope, ended_at: None, summary: None, echoes: 0 }
    }

    /// It has ended.
    #[must_use]
    pub fn with_end(mut self, at: Timestamp) -> Self {
        self.ended_at = Some(at);
        self
    }

    /// It has been summarised up to a message.
    #[must_use]
    pub fn with_summary(mut self, summary: impl Into<String>, until: MessageId) -> Self {
        self.summary = Some((summary.into(), until));
        self
    }

    /// So many more replies repeated an injected memory.
    #[must_use]
    pub fn with_echoes(mut self, echoes: u64) -> Self {
        self.echoes = echoes;
        self
    }
}

fn blocks_or_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<ContentBlock>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum BlocksOrText {
        Text(String),
        Blocks(Vec<ContentBlock>),
    }
    Ok(match BlocksOrText::deserialize(deserializer)? {
        BlocksOrText::Text(text) => vec![ContentBlock::text(text)],
        BlocksOrText::Blocks(blocks) => blocks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_a_string_or_blocks_and_unknown_blocks_survive() {
        let message: Message = serde_json::from_str(r#"{"role":"user","content":"hi"}"#).unwrap();
        assert_eq!(message.text(), "hi");
        let json = r#"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","name":"f","input":{}},{"type":"text","text":"b"}]}"#;
        let message: Message = serde_json::from_str(json).unwrap();
        assert_eq!(message.text(), "a\nb");
        assert_eq!(message.content.len(), 3);
        assert_eq!(serde_json::to_value(&message).unwrap()["content"][1]["name"], "f");
    }
}
