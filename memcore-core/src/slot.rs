//! Slots: the question that a memory answers, so that a newer answer replaces an older one.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Error, Result, text};

/// Subject and attribute (`user` / `location`): at most one record per slot is current in a scope.
///
/// Both parts are stored normalised (see [`text::normalize`]), 1 to 128 bytes each. What can have many values at once
/// carries the value's topic in its attribute (`user` / `taste:sichuan food`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slot {
    subject: String,
    attribute: String,
}

impl Slot {
    /// Normalises and checks both parts.
    ///
    /// # Errors
    /// `InvalidInput` where a part is empty, or longer than 128 bytes, after normalisation.
    pub fn new(subject: impl AsRef<str>, attribute: impl AsRef<str>) -> Result<Self> {
        let part = |part: &str, what: &str| {
            let part = text::normalize(part).replace('.', "·");
            if part.is_empty() || part.len() > 128 || part.chars().any(char::is_control) {
                return Err(Error::invalid(format!(
                    "the {what} of a slot has 1 to 128 bytes and no control characters"
                )));
            }
            Ok(part)
        };
        Ok(Self { subject: part(subject.as_ref(), "subject")?, attribute: part(attribute.as_ref(), "attribute")? })
    }

    /// Whom or what it is about.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Which property of the subject.
    #[must_use]
    pub fn attribute(&self) -> &str {
        &self.attribute
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.subject, self.attribute)
    }
}

impl FromStr for Slot {
    type Err = Error;

    fn from_str(slot: &str) -> Result<Self> {
        let (subject, attribute) = slot
            .split_once('.')
            .ok_or_else(|| Error::invalid("a slot is written SUBJECT.ATTRIBUTE, as in user.location"))?;
        Self::new(subject, attribute)
    }
}

impl TryFrom<String> for Slot {
    type Error = Error;
    fn try_from(slot: String) -> Result<Self> {
        slot.parse()
    }
}

impl From<Slot> for String {
    fn from(slot: Slot) -> Self {
        slot.to_string()
    }
}
