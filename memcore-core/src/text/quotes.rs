//! The quotes of a text.

use super::Span;

/// The quotes of `text`.
pub fn quoted_spans(text: &str) -> Vec<Span> {
    Span::new(0, text.len()).trimmed(text).into_iter().collect()
}
