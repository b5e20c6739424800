//! How much a short input says: whether it is worth a search.

use super::quotes::inline_quotations;
use super::scan::{Chunk, chunks};
use super::script::is_cjk;

/// The length of `text` for the gate of short inputs: its CJK characters + 2 x its other words.
///
/// Punctuation and emoji count nothing; a compound (`multi-agent`, a URL) is one word.
///
/// ```
/// use memcore_core::text::input_length;
///
/// assert_eq!(input_length("好的！"), 2);
/// assert_eq!(input_length("ok, thanks 👍"), 4);
/// assert_eq!(input_length("我用 Rust"), 4);
/// ```
pub fn input_length(text: &str) -> usize {
    let lengths = chunks(text).into_iter().map(|chunk| match chunk {
        Chunk::Word(_) => 2,
        Chunk::Run(run) if run.iter().any(|glyph| is_cjk(glyph.ch)) => run.len(),
        // A run of Thai or Khmer is a few words; nobody knows how many.
        Chunk::Run(run) => 2 * run.len().div_ceil(4),
        Chunk::Emoji(..) => 0,
    });
    lengths.sum()
}

/// Whether `text` holds an identifier, a digit or a quoted phrase, so that even a short input asks for one thing.
pub fn has_decisive(text: &str) -> bool {
    text.chars().any(char::is_numeric)
        || !inline_quotations(text).is_empty()
        || chunks(text).iter().any(|chunk| matches!(chunk, Chunk::Word(word) if word.is_exact))
}
