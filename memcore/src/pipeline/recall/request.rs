//! What is asked, and what is answered.

use memcore_core::{Hit, Kind, Status, Timestamp};
use serde::{Deserialize, Serialize};

/// A question to the memory.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RecallRequest {
    /// The question, in the user's words.
    pub query: String,
    /// Results at the most; none takes the default of the purpose, adapted to the query.
    pub limit: Option<usize>,
    /// Only these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Statuses beside `Active`, for explicit search.
    pub include: Vec<Status>,
    /// What was true at that moment, instead of now.
    pub as_of: Option<Timestamp>,
    /// What the answer is for.
    pub purpose: Purpose,
    /// Whether the hits count as used.
    pub touch: bool,
}

/// What an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A person or a host asked: the floor is low.
    Search,
    /// A prompt, unasked: the floor is high, and what is not trusted or overdue stays out.
    Prompt,
    /// Whoever reads the answer judges it, as a model does that looks for what a conversation overturns: no floor.
    Reader,
}

impl RecallRequest {
    /// A search.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: None,
            kinds: Vec::new(),
            include: Vec::new(),
            as_of: None,
            purpose: Purpose::Search,
            touch: true,
        }
    }

    /// For a prompt.
    #[must_use]
    pub fn for_prompt(mut self) -> Self {
        self.purpose = Purpose::Prompt;
        self
    }

    /// For a reader who judges the answer.
    #[must_use]
    pub fn for_reader(mut self) -> Self {
        self.purpose = Purpose::Reader;
        self
    }

    /// At most so many results.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Only these kinds.
    #[must_use]
    pub fn with_kinds(mut self, kinds: Vec<Kind>) -> Self {
        self.kinds = kinds;
        self
    }

    /// Other statuses as well.
    #[must_use]
    pub fn with_include(mut self, include: Vec<Status>) -> Self {
        self.include = include;
        self
    }

    /// What was true then.
    #[must_use]
    pub fn with_as_of(mut self, as_of: Timestamp) -> Self {
        self.as_of = Some(as_of);
        self
    }

    /// The hits do not count as used.
    #[must_use]
    pub fn without_touch(mut self) -> Self {
        self.touch = false;
        self
    }
}

/// What is remembered about a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Recall {
    /// The question.
    pub query: String,
    /// Whether nothing passed: "nothing" is an answer.
    pub abstained: bool,
    /// The best that did not pass, where nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Hit>,
    /// Which part is missing, where one is; the answer is made without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// What passed, best first.
    pub hits: Vec<Hit>,
}
