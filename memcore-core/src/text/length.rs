//! How much a short input says.

/// The length of `text` for the short-input gate: CJK characters + 2 x other words.
pub fn input_length(text: &str) -> usize {
    2 * text.split_whitespace().count()
}

/// Whether `text` holds an identifier, a digit or a quoted phrase.
pub fn has_decisive(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}
