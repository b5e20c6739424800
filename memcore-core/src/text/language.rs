//! Which of the languages that memcore has words for a text is in.

use serde::{Deserialize, Serialize};

use super::scan::{Chunk, chunks};
use super::script::{is_cjk, is_han, is_hangul, is_kana};
use super::stop_words::is_english_stop_word;

/// The language of a text, as far as memcore has rules and templates for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// Chinese, also with English terms in it.
    Zh,
    /// English.
    En,
    /// Any other language, or no words at all.
    Other,
}

/// The language of `text`, by its scripts and, where Chinese and English are mixed, by English function words.
///
/// A Chinese sentence with English terms is Chinese, an English one with a Chinese name or word is English. Japanese
/// and Korean are recognised by their own scripts. Another language in Latin letters is told from English only where
/// it has accented letters and no English function word; else it counts as English.
pub fn language(text: &str) -> Language {
    let counts = Counts::of(text);
    let cjk = counts.han + counts.kana + counts.hangul;
    if cjk > 0 && (cjk >= counts.latin || (2 * cjk >= counts.latin && counts.function_words == 0)) {
        let is_japanese_or_korean = 4 * counts.kana >= cjk || 4 * counts.hangul >= cjk;
        return if is_japanese_or_korean || counts.other > cjk { Language::Other } else { Language::Zh };
    }
    let is_foreign = counts.accented > 0 && counts.function_words == 0;
    if counts.latin > counts.other && !is_foreign { Language::En } else { Language::Other }
}

/// Characters of the CJK scripts, and words of the others.
#[derive(Debug, Default)]
struct Counts {
    han: usize,
    kana: usize,
    hangul: usize,
    latin: usize,
    accented: usize,
    function_words: usize,
    other: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        for chunk in chunks(text) {
            match chunk {
                Chunk::Run(run) => {
                    for glyph in run {
                        let ch = glyph.ch;
                        counts.han += usize::from(is_han(ch));
                        counts.kana += usize::from(is_kana(ch));
                        counts.hangul += usize::from(is_hangul(ch));
                        counts.other += usize::from(!is_cjk(ch));
                    }
                }
                Chunk::Word(word) if word.surface.chars().any(|ch| ch.is_ascii_alphabetic()) => {
                    counts.latin += 1;
                    counts.accented += usize::from(!word.span.of(text).chars().all(|ch| ch.is_ascii() || ch == '’'));
                    counts.function_words += usize::from(is_english_stop_word(&word.surface));
                }
                Chunk::Word(word) => counts.other += usize::from(word.surface.chars().any(char::is_alphabetic)),
                Chunk::Emoji(..) => {}
            }
        }
        counts
    }
}
