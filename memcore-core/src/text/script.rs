//! Classes of characters: which scripts write without spaces, what is an emoji, what is invisible.

/// Han, Hiragana, Katakana, Hangul or Bopomofo: what "CJK character" means everywhere in memcore.
pub(super) fn is_cjk(ch: char) -> bool {
    is_han(ch) || is_kana(ch) || is_hangul(ch) || matches!(ch, '\u{3100}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}')
}

/// A Han character, the iteration mark or the zero.
pub(super) fn is_han(ch: char) -> bool {
    matches!(ch,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '々' | '〇')
}

/// A character of the Japanese syllabaries (with the prolonged sound mark).
pub(super) fn is_kana(ch: char) -> bool {
    matches!(ch,
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// A Korean syllable or letter.
pub(super) fn is_hangul(ch: char) -> bool {
    matches!(ch, '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}')
}

/// A character of a script that does not mark words: indexed as unigrams and bigrams. Besides CJK these are Thai,
/// Lao, Tibetan, Myanmar and Khmer, whose words only a dictionary could find.
pub(super) fn is_unspaced(ch: char) -> bool {
    is_cjk(ch)
        || (matches!(ch, '\u{0e00}'..='\u{0fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
            && !ch.is_numeric()
            && (ch.is_alphabetic() || is_mark(ch)))
}

/// A combining mark.
pub(super) fn is_mark(ch: char) -> bool {
    !ch.is_ascii() && unicode_normalization::char::is_combining_mark(ch)
}

/// A pictograph that can stand alone as an emoji.
pub(super) fn is_emoji(ch: char) -> bool {
    matches!(ch,
        '\u{1f000}'..='\u{1f0ff}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1faff}'
        | '\u{2600}'..='\u{27bf}' | '\u{231a}'..='\u{231b}' | '\u{23e9}'..='\u{23fa}' | '\u{2b05}'..='\u{2b07}'
        | '\u{2b1b}'..='\u{2b1c}' | '\u{2b50}' | '\u{2b55}')
}

/// The two halves of a flag.
pub(super) fn is_regional_indicator(ch: char) -> bool {
    matches!(ch, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Joins two pictographs to one emoji.
pub(super) const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// What changes the look of an emoji and not its meaning: variation selectors, skin tones, the keycap, tags.
pub(super) fn is_emoji_modifier(ch: char) -> bool {
    matches!(ch, '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}' | '\u{e0020}'..='\u{e007f}')
}

/// Characters that nobody sees: zero-width spaces and joiners, direction marks, soft hyphens, variation selectors.
pub(super) fn is_invisible(ch: char) -> bool {
    matches!(ch,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether `ch` can be part of a word of a script that separates words.
pub(super) fn is_word_char(ch: char) -> bool {
    if ch.is_ascii() {
        return ch.is_ascii_alphanumeric() || ch == '_';
    }
    ch.is_alphanumeric() && !is_unspaced(ch) && !is_emoji(ch)
}

/// A closing quotation mark or bracket, as it may follow the punctuation that ends a sentence.
pub(super) fn is_closing(ch: char) -> bool {
    matches!(ch, '”' | '’' | '」' | '』' | '）' | ')' | ']' | '】' | '》' | '〉' | '}' | '»')
}

/// An opening quotation mark or bracket.
pub(super) fn is_opening(ch: char) -> bool {
    matches!(ch, '“' | '‘' | '「' | '『' | '（' | '(' | '[' | '【' | '《' | '〈' | '{' | '«')
}
