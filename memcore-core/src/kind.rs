//! Kinds of memories: each has a life-cycle of its own.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What a memory is about; chooses its life-cycle.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Kind {
    /// Who the user is: name, job, home, family.
    Profile,
    /// What the user likes, dislikes, or wants done in a certain way.
    Preference,
    /// How a project stands: its stack, its versions, its progress.
    ProjectState,
    /// A detail whose wording matters: a number, a name, a place.
    Fact,
    /// Something that was decided.
    Decision,
    /// Something that must or must not be: an allergy, a rule.
    Constraint,
    /// A lasting worry or hope.
    Emotion,
    /// Something to be done; fades when its date has passed.
    Todo,
    /// Something that happened, and its conclusion.
    Event,
    /// A condensed account of a session or of many memories.
    Summary,
    /// A turn, word for word.
    Episode,
    /// A host's own kind: lower-case letters, digits, `_`, `-`; 1 to 64 bytes.
    Custom(String),
}

impl Kind {
    /// All built-in kinds.
    pub const BUILT_IN: [Self; 11] = [
        Self::Profile,
        Self::Preference,
        Self::ProjectState,
        Self::Fact,
        Self::Decision,
        Self::Constraint,
        Self::Emotion,
        Self::Todo,
        Self::Event,
        Self::Summary,
        Self::Episode,
    ];

    /// The kind's name in snake case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Profile => "profile",
            Self::Preference => "preference",
            Self::ProjectState => "project_state",
            Self::Fact => "fact",
            Self::Decision => "decision",
            Self::Constraint => "constraint",
            Self::Emotion => "emotion",
            Self::Todo => "todo",
            Self::Event => "event",
            Self::Summary => "summary",
            Self::Episode => "episode",
            Self::Custom(name) => name,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        if let Some(kind) = Self::BUILT_IN.into_iter().find(|kind| kind.as_str() == name) {
            return Ok(kind);
        }
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(allowed) {
            return Err(Error::invalid("a kind is 1 to 64 lower-case letters, digits, '_' or '-'")
                .with_hint("built-in kinds: profile, preference, project_state, fact, decision, constraint, emotion, todo, event, summary, episode"));
        }
        Ok(Self::Custom(name.to_owned()))
    }
}

impl TryFrom<String> for Kind {
    type Error = Error;
    fn try_from(name: String) -> Result<Self> {
        name.parse()
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        kind.as_str().to_owned()
    }
}
