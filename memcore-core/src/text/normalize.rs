//! The normal form of a text.

/// The form of `text` in which exact duplicates are equal, for comparison and hashing.
pub fn normalize(text: &str) -> String {
    text.trim().to_lowercase()
}
