//! The terms of a text for the index: the one segmentation that every backend stores.

use super::compound::Compound;
use super::folding::bounded;
use super::glyphs::Glyph;
use super::scan::{Chunk, chunks};

/// One term of a text, as the text index stores it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The term: folded, without white space, 1 to 64 characters.
    pub text: String,
    /// What sort of term it is.
    pub kind: TermKind,
    /// Byte offset in the original text of the first byte that it was made from.
    ///
    /// The parts of a compound have the offsets of the whole compound.
    pub start: usize,
    /// Byte offset in the original text after the last byte that it was made from.
    pub end: usize,
}

/// What sort of term a [`Term`] or a [`QueryTerm`](super::QueryTerm) is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// A word of a script that separates words (stemmed where English), or an emoji.
    Word,
    /// One character of a script without spaces.
    Unigram,
    /// Two adjacent characters of a script without spaces.
    Bigram,
    /// A compound kept whole: a code, a version, a path, an address, a name of program text, words with hyphens.
    Identifier,
    /// A whole or decimal number, without thousands separators.
    Number,
}

/// The terms of `text` in its order: what an index stores, and what its queries are matched with.
///
/// - All text is folded first: NFKC, small letters, accents of Latin and Greek, traditional Chinese to simplified
///   (character by character), invisible characters.
/// - Words of scripts with spaces are one term each, English ones by their Snowball stem, without `'s`, acronyms
///   without the `s` of their plural.
/// - Runs of Han, Kana, Hangul (and of Thai, Lao, Tibetan, Myanmar, Khmer) give each character and each pair of
///   neighbours.
/// - Compounds give the whole and, behind it, their parts: `CN-A10293` gives `cn-a10293`, `cn`, `a10293` and `10293`;
///   `src/main.rs` gives `src/main.rs`, `src`, `main.rs`, `main` and `rs`; `v2.5.1` gives `v2.5.1`, `2.5.1` and `2.5`.
/// - An emoji is a term, without skin tone.
/// - A term of more than 64 characters is its first 47, `~`, and 16 hexadecimal digits of a digest of the whole.
///
/// A term that occurs again is listed again.
///
/// ```
/// use memcore_core::text::index_terms;
///
/// let terms: Vec<_> = index_terms("喝咖啡 in CN-A1").into_iter().map(|term| term.text).collect();
/// assert_eq!(terms, ["喝", "喝咖", "咖", "咖啡", "啡", "in", "cn-a1", "cn", "a1"]);
/// ```
pub fn index_terms(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for chunk in chunks(text) {
        match chunk {
            Chunk::Word(compound) => push_compound(compound, &mut terms),
            Chunk::Run(glyphs) => push_run(&glyphs, &mut terms),
            Chunk::Emoji(emoji, span) => {
                terms.push(Term { text: bounded(emoji), kind: TermKind::Word, start: span.start, end: span.end });
            }
        }
    }
    terms
}

/// The terms of [`index_terms`], joined by one space, for a full-text engine that splits at white space.
pub fn joined_index_text(text: &str) -> String {
    let mut joined = String::with_capacity(text.len() * 2);
    for term in index_terms(text) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&term.text);
    }
    joined
}

fn push_compound(compound: Compound, terms: &mut Vec<Term>) {
    let span = compound.span;
    let all = std::iter::once(compound.whole).chain(compound.parts);
    terms.extend(all.map(|(text, kind)| Term { text, kind, start: span.start, end: span.end }));
}

fn push_run(run: &[Glyph], terms: &mut Vec<Term>) {
    for (at, glyph) in run.iter().enumerate() {
        let text = String::from(glyph.ch);
        terms.push(Term { text, kind: TermKind::Unigram, start: glyph.start, end: glyph.end });
        if let Some(next) = run.get(at + 1) {
            let text = String::from_iter([glyph.ch, next.ch]);
            terms.push(Term { text, kind: TermKind::Bigram, start: glyph.start, end: next.end });
        }
    }
}
