//! Identifiers: newtypes, so that a user's id is never taken for a project's.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Error, Result};

/// The longest user, project, session or message id, in bytes of UTF-8.
pub const MAX_ID_BYTES: usize = 256;

macro_rules! name_id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        ///
        /// An opaque string, compared byte for byte: 1 to [`MAX_ID_BYTES`] bytes, no control characters.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks and wraps an id.
            ///
            /// # Errors
            /// `InvalidInput` where the id is empty, too long, or holds a control character.
            pub fn new(id: impl Into<String>) -> Result<Self> {
                checked(id.into(), $word).map(Self)
            }

            /// The id as it was given.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = Error;
            fn from_str(id: &str) -> Result<Self> {
                Self::new(id)
            }
        }

        impl TryFrom<String> for $name {
            type Error = Error;
            fn try_from(id: String) -> Result<Self> {
                Self::new(id)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID.
            #[must_use]
            pub fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }

            /// The UUID.
            #[must_use]
            pub fn as_uuid(&self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = Error;
            fn from_str(id: &str) -> Result<Self> {
                Uuid::parse_str(id)
                    .map(Self)
                    .map_err(|_| Error::invalid(concat!("a ", $word, " id is a UUID")))
            }
        }
    };
}

name_id!(
    /// Whose memories these are.
    UserId, "user"
);
name_id!(
    /// A project of a user.
    ProjectId, "project"
);
name_id!(
    /// A conversation.
    SessionId, "session"
);
name_id!(
    /// A message within a session.
    MessageId, "message"
);
uuid_id!(
    /// A memory record; time-ordered (UUID version 7) where [`TimeOrderedIds`](crate::TimeOrderedIds) makes it.
    MemoryId, "memory"
);
uuid_id!(
    /// A batch of changes: what `undo` takes back.
    BatchId, "batch"
);
uuid_id!(
    /// A unit of queued work.
    JobId, "job"
);

fn checked(id: String, what: &str) -> Result<String> {
    if id.is_empty() {
        return Err(Error::invalid(format!("a {what} id must not be empty")));
    }
    if id.len() > MAX_ID_BYTES {
        return Err(Error::invalid(format!("a {what} id has at most {MAX_ID_BYTES} bytes, this one has {}", id.len()))
            .with_hint("use a short id, such as a hash of the long one"));
    }
    if id.chars().any(char::is_control) {
        return Err(Error::invalid(format!("a {what} id must not hold control characters")));
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_refuse_what_cannot_name_anything() {
        for bad in ["", "a\0b", "line\nbreak", "\u{7f}", &"x".repeat(10_000)] {
            assert!(UserId::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn ids_are_compared_byte_for_byte() {
        let ids = ["alice", "Alice", "alice ", "a/b", "ａｌｉｃｅ", "%", "_", "爱丽丝"];
        for (i, a) in ids.iter().enumerate() {
            for (j, b) in ids.iter().enumerate() {
                assert_eq!(UserId::new(*a).unwrap() == UserId::new(*b).unwrap(), i == j, "{a} {b}");
            }
        }
    }

    #[test]
    fn deserializing_checks_as_well() {
        assert!(serde_json::from_str::<SessionId>("\"\"").is_err());
        assert_eq!(serde_json::from_str::<SessionId>("\"s1\"").unwrap().as_str(), "s1");
    }
}
