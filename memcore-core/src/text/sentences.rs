//! The sentences of a text.

use super::Span;

/// The sentences of `text`.
pub fn sentences(text: &str) -> Vec<Span> {
    Span::new(0, text.len()).trimmed(text).into_iter().collect()
}
