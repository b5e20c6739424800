//! Cutting a text to a number of tokens, at the best place there is.

use super::script::{ZERO_WIDTH_JOINER, is_emoji_modifier, is_mark};
use super::{clauses, sentences};

/// What stands for the part that was cut off.
const ELLIPSIS: char = '…';

/// `text` where it costs at most `max_tokens` by `count`, else its beginning with an ellipsis, which costs at most that.
///
/// The cut is behind the last whole sentence that fits, else behind the last whole clause, else behind the last word
/// or character. Where not even one character and the ellipsis fit, the result is empty. `count` is asked for
/// O(log n) beginnings of the text; it should not fall as a text grows.
///
/// ```
/// use memcore_core::text::truncate_at_sentence;
///
/// let words = |text: &str| text.split_whitespace().count();
/// assert_eq!(truncate_at_sentence("I like tea. I hate coffee.", 4, &words), "I like tea.…");
/// ```
pub fn truncate_at_sentence(text: &str, max_tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    if count(text) <= max_tokens {
        return text.to_owned();
    }
    let cut = |end: usize| format!("{}{ELLIPSIS}", text[..end].trim_end());
    let longest = |ends: &[usize]| {
        let fitting = ends.partition_point(|&end| count(&cut(end)) <= max_tokens);
        // A count that falls as the text grows could mislead the search: what is returned has been counted.
        let fitting = fitting.checked_sub(1).map(|last| cut(ends[last]));
        fitting.filter(|piece| count(piece) <= max_tokens)
    };
    let sentences = sentences(text);
    let sentence_ends: Vec<usize> = sentences.iter().map(|sentence| sentence.end).collect();
    longest(&sentence_ends)
        .or_else(|| {
            let first = *sentences.first()?;
            let ends: Vec<usize> = clauses(first.of(text)).iter().map(|clause| first.start + clause.end).collect();
            longest(&ends)
        })
        .or_else(|| longest(&word_ends(text)).or_else(|| longest(&character_ends(text))))
        .unwrap_or_default()
}

/// Where a word of Latin letters, a CJK character or a mark ends.
fn word_ends(text: &str) -> Vec<usize> {
    let is_latin = |ch: char| ch.is_alphanumeric() && ch < '\u{250}';
    let ends = character_ends(text);
    let is_word_end = |&end: &usize| {
        let before = text[..end].chars().next_back();
        let after = text[end..].chars().next();
        !(before.is_some_and(is_latin) && after.is_some_and(is_latin)) && before.is_some_and(|ch| !ch.is_whitespace())
    };
    ends.into_iter().filter(is_word_end).collect()
}

/// Where a character ends together with its combining marks, modifiers and joined emoji.
fn character_ends(text: &str) -> Vec<usize> {
    let continues = |ch: char| is_mark(ch) || is_emoji_modifier(ch) || ch == ZERO_WIDTH_JOINER;
    let mut before = None;
    let mut ends: Vec<usize> = Vec::new();
    for (at, ch) in text.char_indices() {
        if at > 0 && !continues(ch) && before != Some(ZERO_WIDTH_JOINER) {
            ends.push(at);
        }
        before = Some(ch);
    }
    ends
}
