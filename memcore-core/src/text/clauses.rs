//! The clauses of a text.

use super::Span;

/// The clauses of `sentence`.
pub fn clauses(sentence: &str) -> Vec<Span> {
    Span::new(0, sentence.len()).trimmed(sentence).into_iter().collect()
}
