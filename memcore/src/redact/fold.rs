//! The copy of a text that rules match on: full-width and styled characters become plain ones, invisible ones go.
//!
//! Sentence punctuation of Chinese stays as it is, so that it ends a value: a password is read up to `，` or `。`.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::offsets::OffsetMap;

/// A folded text and the way back to the offsets of the text it was made from.
#[derive(Debug)]
pub(super) struct Folded<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) offsets: OffsetMap,
}

/// Longest terminal escape sequence that is dropped, in bytes.
const MAX_ESCAPE: usize = 32;

enum Fold {
    Keep,
    Drop,
    To(char),
}

pub(super) fn fold(text: &str) -> Folded<'_> {
    if !text.chars().any(|c| !matches!(fold_char(c), Fold::Keep)) {
        return Folded { text: Cow::Borrowed(text), offsets: OffsetMap::default() };
    }
    let mut folded = String::with_capacity(text.len());
    let mut offsets = OffsetMap::default();
    let mut copying = false;
    let mut skip_until = 0;
    for (at, c) in text.char_indices() {
        if at < skip_until {
            continue;
        }
        match fold_char(c) {
            Fold::Keep => {
                if !copying {
                    offsets.copied(folded.len(), at);
                    copying = true;
                }
                folded.push(c);
            }
            Fold::Drop => {
                copying = false;
                skip_until = at + text.get(at..).map_or(0, escape_sequence_len);
            }
            Fold::To(plain) => {
                copying = false;
                offsets.replaced(folded.len(), at, at + c.len_utf8());
                folded.push(plain);
            }
        }
    }
    Folded { text: Cow::Owned(folded), offsets }
}

fn fold_char(c: char) -> Fold {
    match c {
        '\u{1b}' => Fold::Drop,
        c if c.is_ascii() => Fold::Keep,
        // Soft hyphen, joiners, marks of direction, word joiners, variation selectors, byte-order mark, tags.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' => Fold::Drop,
        '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => Fold::Drop,
        '\u{e0000}'..='\u{e0fff}' => Fold::Drop,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Fold::To(' '),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => Fold::To('-'),
        '“' | '”' | '„' | '‟' => Fold::To('"'),
        '‘' | '’' | '‚' | '‛' => Fold::To('\''),
        '！' | '，' | '；' | '？' | '（' | '）' => Fold::Keep,
        // The full-width forms are ASCII shifted by a constant.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).map_or(Fold::Keep, Fold::To),
        // Mathematical letters and digits (bold, monospace, …).
        '\u{1d400}'..='\u{1d7ff}' => std::iter::once(c).nfkc().next().map_or(Fold::Keep, Fold::To),
        '\u{660}'..='\u{669}' => digit(c as u32 - 0x660),
        '\u{6f0}'..='\u{6f9}' => digit(c as u32 - 0x6f0),
        _ => Fold::Keep,
    }
}

fn digit(value: u32) -> Fold {
    char::from_digit(value, 10).map_or(Fold::Keep, Fold::To)
}

/// Length of the colour or cursor sequence that `tail` starts with: `ESC [ parameters final`; 0 when there is none.
fn escape_sequence_len(tail: &str) -> usize {
    let Some(parameters) = tail.strip_prefix("\u{1b}[") else { return 0 };
    let terminator = parameters.bytes().take(MAX_ESCAPE).position(|byte| (0x40..=0x7e).contains(&byte));
    terminator.map_or(0, |position| position + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(fold(text).text, expected);
    }

    #[test]
    fn full_width_styled_and_invisible_characters_fold_to_plain_text() {
        check("１３８－００１３", "138-0013");
        check("ｓｋ－ａｂ", "sk-ab");
        check("𝟙𝟚𝟛 𝐀𝐛", "123 Ab");
        check("a\u{200b}b\u{feff}c", "abc");
        check("\u{1b}[32mgreen\u{1b}[0m", "green");
        check("密码：x，好。", "密码:x，好。");
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(fold("plain 中文。").text, Cow::Borrowed(_)));
    }

    #[test]
    fn offsets_lead_back_to_the_original() {
        let text = "卡１２\u{200b}３ ok";
        let folded = fold(text);
        let at = folded.text.find("123").unwrap();
        let found = &text[folded.offsets.start(at)..folded.offsets.end(at + 3)];
        assert_eq!(found, "１２\u{200b}３");
        let at = folded.text.find("ok").unwrap();
        assert_eq!(&text[folded.offsets.start(at)..folded.offsets.end(at + 2)], "ok");
    }
}
