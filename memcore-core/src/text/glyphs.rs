//! The characters that the index sees: NFKC, accents and traditional Chinese folded, invisible ones left out, each
//! with the place it came from. Case is kept, since identifiers and names need it.

use std::collections::HashMap;
use std::sync::LazyLock;

use hanconv::RawDictionary;
use unicode_normalization::UnicodeNormalization;

use super::script::{ZERO_WIDTH_JOINER, is_han, is_invisible, is_mark};

/// One folded character and the byte range of the original text that it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) ch: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The folded characters of `text` in order.
pub(super) fn glyphs(text: &str) -> Vec<Glyph> {
    let mut glyphs = Vec::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        while let Some(&(at, ch)) = chars.peek() {
            if !joins_previous(ch) {
                break;
            }
            end = at + ch.len_utf8();
            chars.next();
        }
        if end - start == 1 {
            glyphs.push(Glyph { ch: first, start, end });
        } else {
            fold_cluster(&text[start..end], |ch| glyphs.push(Glyph { ch, start, end }));
        }
    }
    glyphs
}

/// Whether normalisation may merge `ch` into the character before it.
fn joins_previous(ch: char) -> bool {
    is_mark(ch) || matches!(ch, '\u{ff9e}' | '\u{ff9f}' | '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7ff}')
}

/// Calls `push` with each folded character of `cluster`, a character with its combining marks.
fn fold_cluster(cluster: &str, mut push: impl FnMut(char)) {
    let mut drops_marks = false;
    for ch in cluster.nfkc() {
        if matches!(ch, '™' | '℠') || (is_invisible(ch) && ch != ZERO_WIDTH_JOINER) {
            continue;
        }
        if is_mark(ch) {
            if !drops_marks {
                push(ch);
            }
            continue;
        }
        drops_marks = has_optional_marks(ch);
        if let Some(plain) = plain_letters(ch) {
            plain.chars().for_each(&mut push);
        } else if has_accents(ch) {
            std::iter::once(ch).nfd().filter(|&ch| !is_mark(ch)).for_each(&mut push);
        } else {
            push(simplified(ch));
        }
    }
}

/// Scripts whose readers leave combining marks out when they type a query.
fn has_optional_marks(ch: char) -> bool {
    ch <= '\u{06ff}' || matches!(ch, '\u{1e00}'..='\u{1fff}')
}

/// Latin and Greek, whose accented letters are variants of the plain ones. (In Cyrillic `й` is a letter of its own.)
fn has_accents(ch: char) -> bool {
    matches!(ch, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}')
}

/// Letters with a stroke or a ligature, which have no decomposition in Unicode.
fn plain_letters(ch: char) -> Option<&'static str> {
    Some(match ch {
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'þ' => "th",
        'Þ' => "Th",
        'ħ' => "h",
        'Ħ' => "H",
        'ı' => "i",
        'ς' => "σ",
        '’' | 'ʼ' => "'",
        _ => return None,
    })
}

/// The simplified form of a traditional Chinese character, else `ch`.
///
/// One character to one character, on index and query alike: 乾坤 becomes 干坤 on both sides, so that they still meet,
/// and no dictionary of phrases is needed. Regional vocabulary (軟體 and 软件) stays apart.
fn simplified(ch: char) -> char {
    // `text` is a const function: evaluated here, it leaves the other dictionaries of the crate out of the program.
    const TABLE: &str = RawDictionary::TSCharacters.text();
    static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let pairs = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let mut columns = line.split_whitespace().map(|column| column.chars().next());
            Some((columns.next()??, columns.next()??))
        });
        pairs.collect()
    });
    if is_han(ch) { SIMPLIFIED.get(&ch).copied().unwrap_or(ch) } else { ch }
}
