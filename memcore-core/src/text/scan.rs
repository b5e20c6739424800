//! Cuts a text into chunks: words (with their compounds), runs of a script without spaces, emoji.
//!
//! The index, the queries and the measures of likeness all read this one segmentation, so that a term of a query is
//! always spelt as the index spells it.

use super::Span;
use super::compound::Compound;
use super::glyphs::{Glyph, glyphs};
use super::script::{
    ZERO_WIDTH_JOINER, is_emoji, is_emoji_modifier, is_mark, is_regional_indicator, is_unspaced, is_word_char,
};

/// One chunk of a text.
#[derive(Debug)]
pub(super) enum Chunk {
    /// A word, number, identifier or other compound.
    Word(Compound),
    /// Adjacent characters of a script without spaces; never empty.
    Run(Vec<Glyph>),
    /// One emoji in its plain form, and where it stands.
    Emoji(String, Span),
}

/// The chunks of `text` in order.
pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let glyphs = glyphs(text);
    let mut chunks = Vec::new();
    let mut at = 0;
    while let Some(glyph) = glyphs.get(at) {
        let rest = &glyphs[at..];
        let length = if is_emoji(glyph.ch) {
            let length = emoji_length(rest);
            if let Some(chunk) = emoji(&rest[..length]) {
                chunks.push(chunk);
            }
            length
        } else if is_unspaced(glyph.ch) && !is_mark(glyph.ch) {
            let length = rest.iter().take_while(|glyph| is_unspaced(glyph.ch)).count();
            chunks.push(Chunk::Run(rest[..length].to_vec()));
            length
        } else if is_word_char(glyph.ch) {
            let length = url_length(rest).unwrap_or_else(|| compound_length(rest));
            chunks.extend(Compound::new(&rest[..length]).map(Chunk::Word));
            length
        } else {
            1
        };
        at += length;
    }
    chunks
}

/// How many glyphs the emoji at the start of `rest` takes, with its modifiers and what is joined to it.
fn emoji_length(rest: &[Glyph]) -> usize {
    let ch = |at: usize| rest.get(at).map(|glyph| glyph.ch);
    let mut length = 1;
    if ch(0).is_some_and(is_regional_indicator) && ch(1).is_some_and(is_regional_indicator) {
        return 2;
    }
    while let Some(next) = ch(length) {
        if is_emoji_modifier(next) {
            length += 1;
        } else if next == ZERO_WIDTH_JOINER && ch(length + 1).is_some_and(is_emoji) {
            length += 2;
        } else {
            break;
        }
    }
    length
}

/// The emoji without skin tones and variation selectors; `None` for a modifier that stands alone.
fn emoji(glyphs: &[Glyph]) -> Option<Chunk> {
    let plain: String = glyphs.iter().map(|glyph| glyph.ch).filter(|&ch| !is_emoji_modifier(ch)).collect();
    let span = Span::new(glyphs.first()?.start, glyphs.last()?.end);
    (!plain.is_empty()).then_some(Chunk::Emoji(plain, span))
}

/// The length of the URL at the start of `rest`, if there is one: a scheme, `://`, and all up to a space, a quotation
/// mark or a CJK character, without the punctuation of the sentence around it.
fn url_length(rest: &[Glyph]) -> Option<usize> {
    const LONGEST_SCHEME: usize = 16;
    let scheme = rest.iter().take(LONGEST_SCHEME).take_while(|glyph| glyph.ch.is_ascii_alphanumeric()).count();
    let marker = rest.get(scheme..scheme + 3)?;
    if !marker.iter().map(|glyph| glyph.ch).eq("://".chars()) {
        return None;
    }
    let ends = |ch: char| ch.is_whitespace() || ch.is_control() || is_unspaced(ch) || "<>\"'`“”|\\^{}".contains(ch);
    let mut length = scheme + 3 + rest[scheme + 3..].iter().take_while(|glyph| !ends(glyph.ch)).count();
    let opens_bracket = rest[..length].iter().any(|glyph| glyph.ch == '(');
    while length > scheme + 3 {
        match rest[length - 1].ch {
            ')' if opens_bracket => break,
            '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '。' | '、' => length -= 1,
            _ => break,
        }
    }
    (length > scheme + 3).then_some(length)
}

/// The length of the compound at the start of `rest`: word characters, joined by the connectors that [`joins`] allows.
fn compound_length(rest: &[Glyph]) -> usize {
    let ch = |at: usize| rest.get(at).map_or(' ', |glyph| glyph.ch);
    let is_inside = |at: usize| is_word_char(ch(at)) || (at > 0 && is_mark(ch(at)));
    let mut length = 0;
    loop {
        while is_inside(length) {
            length += 1;
        }
        let (last, connector) = (ch(length - 1), ch(length));
        if connector == ':' && ch(length + 1) == ':' && is_word_char(ch(length + 2)) {
            length += 2;
        } else if is_word_char(ch(length + 1)) && joins(last, connector, ch(length + 1)) {
            length += 1;
        } else {
            break;
        }
    }
    // `C++`, `C#`, `F#`: a suffix that makes the name.
    let ends_after = |suffix: usize| !is_word_char(ch(length + suffix));
    if ch(length) == '+' && ch(length + 1) == '+' && ends_after(2) {
        length + 2
    } else if ch(length) == '#' && length == 1 && ch(0).is_alphabetic() && ends_after(1) {
        length + 1
    } else {
        length
    }
}

/// Whether `connector` between two word characters holds them together.
fn joins(before: char, connector: char, after: char) -> bool {
    match connector {
        '-' | '\'' | '.' | '/' | '\\' | '@' | '+' => true,
        // The hyphens of typesetting; dashes separate.
        '\u{2010}' | '\u{2011}' => true,
        // Times and ratios, thousands.
        ':' | ',' => before.is_ascii_digit() && after.is_ascii_digit(),
        '&' => before.is_uppercase() && after.is_uppercase(),
        _ => false,
    }
}
