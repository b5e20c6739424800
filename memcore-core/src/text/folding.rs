//! The spelling of single words in the index: small letters, stems, a bounded length.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use sha2::{Digest, Sha256};

/// The longest term, in characters.
pub(super) const MAX_TERM_CHARS: usize = 64;

/// `written` in small letters; both small sigmas are one.
pub(super) fn lowercase(written: &[char]) -> String {
    // Lower case of one capital can be a letter and a mark (İ): only the letter counts, as for every accent.
    written.iter().map(|ch| ch.to_lowercase().next().unwrap_or(*ch)).collect()
}

/// The Snowball stem of an English word in small letters; any other word as it is.
pub(super) fn stem(word: &str) -> String {
    static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));
    let is_english = word.len() <= MAX_TERM_CHARS && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_english { ENGLISH.stem(word).into_owned() } else { word.to_owned() }
}

/// `term` itself, or where it has more than [`MAX_TERM_CHARS`] characters, its beginning and a digest of the whole:
/// equal long terms stay equal, different ones stay different.
pub(super) fn bounded(term: String) -> String {
    const DIGEST_BYTES: usize = 8;
    if term.len() <= MAX_TERM_CHARS || term.chars().count() <= MAX_TERM_CHARS {
        return term;
    }
    let kept = MAX_TERM_CHARS - 1 - 2 * DIGEST_BYTES;
    let mut short: String = term.chars().take(kept).collect();
    short.push('~');
    for byte in Sha256::digest(term.as_bytes()).iter().take(DIGEST_BYTES) {
        short.push_str(&format!("{byte:02x}"));
    }
    short
}
