//! The sentences of a text.

use super::Span;
use super::script::{is_closing, is_emoji, is_opening, is_unspaced};
use super::stop_words::is_english_stop_word;

/// Abbreviations (small letters, without the last dot) that no sentence ends with.
const TITLES: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "rev", "gen", "sen", "rep", "capt", "lt", "col", "st", "mt", "vs", "cf", "al",
    "fig", "no", "nos", "vol", "ch", "sec", "eq", "pp", "approx", "ca", "dept", "est", "gov", "hon", "messrs", "resp",
    "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

/// Dotted abbreviations that often end a sentence: a capital after them begins a new one.
const MAY_END: &[&str] = &["a.m", "p.m"];

/// The sentences of `text` in order, each trimmed and with the punctuation that ends it; none is empty.
///
/// A sentence ends at 。！？；!?; and at each line break, and at a full stop before a space (or a CJK character) where
/// the next letter is a capital, a CJK character or a digit; in a text without any capital, also where it is a small
/// letter. It does not end at an abbreviation (Dr., e.g.), inside a number, a version or a URL, or at the number of a
/// list item. Closing quotation marks and brackets belong to the sentence before them.
///
/// ```
/// use memcore_core::text::sentences;
///
/// let text = "I met Dr. Li. 她住在上海！v2.5 is out";
/// let found: Vec<_> = sentences(text).iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["I met Dr. Li.", "她住在上海！", "v2.5 is out"]);
/// ```
pub fn sentences(text: &str) -> Vec<Span> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let reader = Reader { text, chars: &chars, has_capitals: text.chars().any(char::is_uppercase) };
    let mut found = Vec::new();
    let mut start = 0;
    let mut open_quote = false;
    let mut at = 0;
    while let Some(ch) = reader.at(at) {
        open_quote = match ch {
            '"' => !open_quote,
            '\n' => false,
            _ => open_quote,
        };
        if at == start && ch.is_whitespace() {
            // A sentence starts with its first letter: looking back for it must not pass over white space again.
            start += 1;
        }
        at += 1;
        if start < at && reader.ends_sentence(start, at - 1) {
            at = reader.after_closing(at, &mut open_quote);
            reader.push(start, at, &mut found);
            start = at;
        }
    }
    reader.push(start, at, &mut found);
    found
}

struct Reader<'a> {
    text: &'a str,
    chars: &'a [(usize, char)],
    has_capitals: bool,
}

impl Reader<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|&(_, ch)| ch)
    }

    fn offset(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.text.len(), |&(offset, _)| offset)
    }

    fn push(&self, start: usize, end: usize, found: &mut Vec<Span>) {
        found.extend(Span::new(self.offset(start), self.offset(end)).trimmed(self.text));
    }

    /// Whether the character at `at` ends the sentence that began at `start`.
    fn ends_sentence(&self, start: usize, at: usize) -> bool {
        match self.at(at) {
            Some('。' | '！' | '？' | '；' | '｡' | '\n' | '\r' | '\u{2028}' | '\u{2029}') => true,
            // `?` and `;` also stand inside URLs and code.
            Some('!' | '?' | ';') => self.at(at + 1).is_none_or(|next| {
                !(next.is_ascii_alphanumeric() || matches!(next, '=' | '&' | '/' | '#' | '_' | '-' | '%'))
            }),
            Some('.') => self.stop_ends_sentence(start, at),
            _ => false,
        }
    }

    fn stop_ends_sentence(&self, start: usize, at: usize) -> bool {
        if self.at(at + 1) == Some('.') {
            return false;
        }
        let mut next = at + 1;
        while self.at(next).is_some_and(|ch| is_closing(ch) || ch == '"' || ch == '\'') {
            next += 1;
        }
        let Some(after) = self.at(next) else { return true };
        let before = at.checked_sub(1).and_then(|before| self.at(before));
        if is_unspaced(after) || (is_opening(after) && self.at(next + 1).is_some_and(is_unspaced)) {
            return before.is_some_and(|ch| ch.is_alphabetic() || is_closing(ch)) && !self.is_abbreviation(start, at);
        }
        if !after.is_whitespace() {
            return is_emoji(after);
        }
        // The first character of the next sentence, behind quotation marks, brackets and bullets.
        let first = self.chars[next..].iter().map(|&(_, ch)| ch);
        let mut first = first.skip_while(|ch| ch.is_whitespace() && *ch != '\n').take(MOST_LEADING_MARKS);
        let first = first.find(|ch| ch.is_alphanumeric() || is_emoji(*ch) || *ch == '\n');
        let may_begin = first.is_none_or(|ch| {
            ch.is_uppercase()
                || ch.is_numeric()
                || ch == '\n'
                || is_emoji(ch)
                || (ch.is_alphabetic() && (!ch.is_lowercase() || !self.has_capitals))
        });
        may_begin && !self.is_abbreviation(start, at)
    }

    /// Whether a capitalised function word follows (`in the U.S. They ...`): no name goes on with that.
    fn begins_with_function_word(&self, at: usize) -> bool {
        let behind = self.chars[at..].iter().map(|&(_, ch)| ch).skip_while(|ch| ch.is_whitespace());
        let word: String = behind.take(LONGEST_ABBREVIATION).take_while(|ch| ch.is_alphabetic()).collect();
        word.starts_with(char::is_uppercase) && word != "I" && is_english_stop_word(&word.to_lowercase())
    }

    /// Whether the full stop at `at` belongs to the word before it, or to the number of a list item.
    fn is_abbreviation(&self, start: usize, at: usize) -> bool {
        let is_inside = |ch: char| ch.is_alphanumeric() && !is_unspaced(ch) || ch == '.';
        let behind = self.chars[start..at].iter().rev().take(LONGEST_ABBREVIATION);
        let length = behind.take_while(|(_, ch)| is_inside(*ch)).count();
        let word: String = self.chars[at - length..at].iter().map(|(_, ch)| *ch).collect();
        let lower = word.to_lowercase();
        let is_first = at - length == start;
        if MAY_END.contains(&lower.as_str()) {
            return false;
        }
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            // `1. Buy milk`, `a. Buy milk`
            (Some(_), None) if is_first => true,
            // `J. Smith`; but `So do I.`, `vitamin C.`
            (Some(letter), None) if letter.is_uppercase() && letter != 'I' => {
                self.follows_name(start, at - length) && !self.begins_with_function_word(at + 1)
            }
            (Some(first), _) if is_first && first.is_ascii_digit() => word.chars().all(|ch| ch.is_ascii_digit()),
            _ => {
                let dotted = word.contains('.') && word.split('.').all(|part| part.chars().count() == 1);
                dotted && !self.begins_with_function_word(at + 1) || TITLES.contains(&lower.as_str())
            }
        }
    }

    /// Whether the word before `at` is capitalised, or a title with its dot.
    fn follows_name(&self, start: usize, at: usize) -> bool {
        let before = self.chars[start..at].iter().rev().map(|(_, ch)| *ch).skip_while(|ch| ch.is_whitespace());
        before
            .take(LONGEST_ABBREVIATION)
            .take_while(|ch| ch.is_alphabetic() || *ch == '.')
            .last()
            .is_some_and(char::is_uppercase)
    }

    /// The index behind the marks that still belong to a sentence whose end mark stands before `at`.
    fn after_closing(&self, mut at: usize, open_quote: &mut bool) -> usize {
        if matches!(self.at(at - 1), Some('\n')) {
            return at;
        }
        while let Some(ch) = self.at(at) {
            match ch {
                '"' if *open_quote => *open_quote = false,
                '。' | '！' | '？' | '；' | '!' | '?' | '…' | '.' | '~' | '～' => {}
                ch if is_closing(ch) => {}
                _ => break,
            }
            at += 1;
        }
        at
    }
}

/// The longest word, in characters, that is looked up as an abbreviation.
const LONGEST_ABBREVIATION: usize = 12;

/// How many marks may stand before the first letter of a sentence.
const MOST_LEADING_MARKS: usize = 8;
