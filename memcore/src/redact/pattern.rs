//! Compiles the fixed patterns of the rules and reads text around an offset.

use regex::Regex;

/// A pattern of the source code, compiled. The engine runs in time linear in the text.
#[expect(clippy::expect_used, reason = "every pattern is a constant that the tests compile")]
pub(super) fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("invariant: the pattern is a constant that compiles")
}

/// At most `limit` bytes of `text` before `at`, cut at a character boundary.
pub(super) fn before(text: &str, at: usize, limit: usize) -> &str {
    let from = (at.saturating_sub(limit)..=at).find(|&from| text.is_char_boundary(from)).unwrap_or(at);
    text.get(from..at).unwrap_or_default()
}

/// At most `limit` bytes of `text` from `at` on, cut at a character boundary.
pub(super) fn after(text: &str, at: usize, limit: usize) -> &str {
    let to = text.len().min(at.saturating_add(limit));
    let to = (at..=to).rev().find(|&to| text.is_char_boundary(to)).unwrap_or(at);
    text.get(at..to).unwrap_or_default()
}

/// Whether a word may start at `at`: nothing of an identifier stands right before it.
///
/// The escapes `\n`, `\r` and `\t` of a JSON string count as space, though they end in a letter.
pub(super) fn starts_word(text: &str, at: usize) -> bool {
    let head = before(text, at, 4).as_bytes();
    match head {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] => !(last.is_ascii_alphanumeric() || *last == b'_'),
        [] => true,
    }
}

/// Whether a word may end at `at`: nothing of an identifier follows.
pub(super) fn ends_word(text: &str, at: usize) -> bool {
    !text.as_bytes().get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
