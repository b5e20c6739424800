//! Which of the languages that memcore has words for a text is in.

use serde::{Deserialize, Serialize};

/// The language of a text, as far as memcore has rules and templates for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Chinese, also with English terms in it.
    Zh,
    /// English.
    En,
    /// Any other language, or no words at all.
    Other,
}

/// The language of `text`.
pub fn language(text: &str) -> Language {
    if text.chars().any(|ch| ('\u{4e00}'..='\u{9fff}').contains(&ch)) { Language::Zh } else { Language::En }
}
