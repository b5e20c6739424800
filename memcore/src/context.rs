//! What goes into a prompt: the blocks, and where they stand.

use memcore_core::{ContentBlock, Injection, Message, Role, StoredMessage};
use serde::{Deserialize, Serialize};

use crate::pipeline::recall::Recall;

/// Where recalled memories stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// In a block of their own at the end of the newest user message: the prompt cache is never broken.
    #[default]
    User,
    /// In the system prompt, behind the core block: for hosts without a prompt cache.
    System,
}

/// What is wanted for a prompt.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ContextRequest {
    /// The user's message.
    pub query: String,
    /// Tokens for memories at the most; the settings' limits hold as well.
    pub budget: Option<usize>,
    /// Tokens for summary, recent turns and memories together; none takes the settings' limit.
    pub total: Option<usize>,
    /// The model's window in tokens, where it differs from the settings'.
    pub window: Option<usize>,
    /// Where recalled memories stand.
    pub placement: Placement,
    /// Whether what is injected counts as used.
    pub touch: bool,
}

impl ContextRequest {
    /// For a message, with the settings' limits.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), touch: true, ..Self::default() }
    }

    /// With the caller's own limit in tokens.
    #[must_use]
    pub fn with_budget(mut self, budget: usize) -> Self {
        self.budget = Some(budget);
        self
    }

    /// With this limit in tokens for summary, recent turns and memories together.
    #[must_use]
    pub fn with_total(mut self, total: usize) -> Self {
        self.total = Some(total);
        self
    }

    /// For a model with this window in tokens.
    #[must_use]
    pub fn with_window(mut self, window: usize) -> Self {
        self.window = Some(window);
        self
    }

    /// With recalled memories in this place.
    #[must_use]
    pub fn with_placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// What is injected does not count as used.
    #[must_use]
    pub fn without_touch(mut self) -> Self {
        self.touch = false;
        self
    }
}

/// Memories for one message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Context {
    /// Both blocks, their tokens, and what was left out.
    pub injection: Injection,
    /// What the message brought up, and why.
    pub recall: Recall,
    /// The fenced summary of what was said before the recent turns; empty outside of a session, and where nothing was.
    pub summary: String,
    /// The last whole turns of the session.
    pub recent: Vec<StoredMessage>,
    /// Tokens of all three together: memories, summary and recent turns.
    pub tokens: usize,
    pub(crate) placement: Placement,
}

impl Context {
    /// The host's instructions with the core block behind them (and the recalled one, with [`Placement::System`]). It
    /// stays byte for byte the same throughout a session, so that a prompt cache holds.
    #[must_use]
    pub fn system_prompt(&self, instructions: &str) -> String {
        let mut prompt = instructions.to_owned();
        let recalled = if self.placement == Placement::System { self.injection.recalled.as_str() } else { "" };
        for block in [self.injection.core.as_str(), recalled] {
            if !block.is_empty() {
                if !prompt.is_empty() {
                    prompt.push_str("\n\n");
                }
                prompt.push_str(block);
            }
        }
        prompt
    }

    /// The conversation so far, oldest first: the last whole turns, with the summary of what came before as a block of
    /// its own at the beginning of the first user's message.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::with_capacity(self.recent.len());
        for stored in &self.recent {
            let mut message = Message::new(stored.role, "");
            message.content.clone_from(&stored.content);
            messages.push(message);
        }
        if !self.summary.is_empty()
            && let Some(first) = messages.iter_mut().find(|message| message.role == Role::User)
        {
            first.content.insert(0, ContentBlock::text(self.summary.clone()));
        }
        messages
    }

    /// The user's message with the recalled block behind it, as two text blocks; only the message with
    /// [`Placement::System`], or where nothing was recalled. (The summary stands before it where no recent turn has
    /// room.)
    #[must_use]
    pub fn user_message(&self, text: &str) -> Message {
        let mut message = Message::user(text);
        if !self.summary.is_empty() && self.recent.iter().all(|message| message.role != Role::User) {
            message.content.insert(0, ContentBlock::text(self.summary.clone()));
        }
        if self.placement == Placement::User && !self.injection.recalled.is_empty() {
            message.content.push(ContentBlock::text(self.injection.recalled.clone()));
        }
        message
    }
}
