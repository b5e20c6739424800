//! Cutting a text to a number of tokens.

/// `text`, cut to at most `max_tokens` by `count`.
pub fn truncate_at_sentence(text: &str, max_tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    if count(text) <= max_tokens { text.to_owned() } else { String::new() }
}
