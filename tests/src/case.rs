//! The conversations of `cases/extraction.jsonl`.

use memcore::{Message, core::Role};
use serde::Deserialize;

/// A conversation, what a model may reply to it, and what must come of it; `cases/README.md` explains the fields.
#[derive(Debug, Clone, Deserialize)]
pub struct Case {
    /// Its name, unique.
    pub name: String,
    /// `zh` or `en`.
    pub language: String,
    /// The kind of difficulty.
    pub category: String,
    /// Memories that are there before.
    #[serde(default)]
    pub known: Vec<String>,
    /// Who says what: the user, but for lines such as `assistant> Hello`.
    pub messages: Vec<String>,
    /// Recorded replies, one a call.
    pub replies: Vec<String>,
    /// Words of every memory that is active afterwards.
    pub stored: Vec<Vec<String>>,
    /// Words of memories that are closed afterwards.
    #[serde(default)]
    pub gone: Vec<Vec<String>>,
    /// Why entries of the replies are turned down.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// Whether the replies are of no use.
    #[serde(default)]
    pub failed: bool,
    /// What a good model finds.
    pub gold: Vec<Gold>,
}

/// A statement that a good model finds.
#[derive(Debug, Clone, Deserialize)]
pub struct Gold {
    /// Words that it holds.
    pub has: Vec<String>,
    /// Its kind.
    pub kind: String,
}

impl Case {
    /// The whole set.
    ///
    /// # Errors
    /// Where a line is not what it should be.
    pub fn all() -> Result<Vec<Self>, serde_json::Error> {
        include_str!("../cases/extraction.jsonl").lines().map(serde_json::from_str).collect()
    }

    /// The messages, in order.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let message = |line: &String| match line.split_once("> ") {
            Some(("assistant", words)) => Message::assistant(words),
            Some(("tool", words)) => Message::new(Role::Tool, words),
            Some(("system", words)) => Message::new(Role::System, words),
            _ => Message::user(line),
        };
        self.messages.iter().map(message).collect()
    }

    /// What the user says, in one text.
    #[must_use]
    pub fn words_of_the_user(&self) -> String {
        let messages = self.messages();
        let said: Vec<String> = messages.iter().filter(|said| said.role == Role::User).map(Message::text).collect();
        said.join(" ")
    }
}
