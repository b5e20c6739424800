//! A text in the form in which quotes are looked for, and the way back to its bytes.

use memcore_core::text::Span;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text without differences of case, width, spacing and quotation marks; each character knows the bytes that it
/// stands for.
#[derive(Debug)]
pub(crate) struct Folded {
    text: String,
    /// The original bytes of the character that begins at each byte of `text`.
    spans: Vec<Span>,
}

impl Folded {
    pub(crate) fn of(original: &str) -> Self {
        let mut folded =
            Self { text: String::with_capacity(original.len()), spans: Vec::with_capacity(original.len()) };
        let mut space = None;
        for piece in pieces(original) {
            let mut is_blank = true;
            for ch in piece.of(original).nfkc().flat_map(char::to_lowercase) {
                if ch.is_whitespace() || is_invisible(ch) {
                    continue;
                }
                is_blank = false;
                let ch = plain_mark(ch);
                // Space between two words counts; around Chinese characters and marks it is a matter of taste.
                if let Some(space) = space.take()
                    && folded.text.chars().next_back().is_some_and(is_spaced)
                    && is_spaced(ch)
                {
                    folded.push(' ', space);
                }
                folded.push(ch, piece);
            }
            if is_blank && piece.of(original).chars().all(char::is_whitespace) {
                space.get_or_insert(piece);
            }
        }
        folded
    }

    fn push(&mut self, ch: char, span: Span) {
        self.text.push(ch);
        self.spans.extend(std::iter::repeat_n(span, ch.len_utf8()));
    }

    /// Where `quote` stands in the original text: the first place from `from` on (bytes of the original). Marks at the
    /// ends of the quote need not be there. A word is found only whole.
    pub(crate) fn find(&self, quote: &Self, from: usize) -> Option<Span> {
        let wanted = quote.text.trim_matches(|ch: char| !ch.is_alphanumeric() && !matches!(ch, '+' | '#' | '%' | '$'));
        if wanted.is_empty() {
            return None;
        }
        let first = self.spans.partition_point(|span| span.start < from);
        let rest = self.text.get(first..)?;
        rest.match_indices(wanted).map(|(at, _)| (first + at, first + at + wanted.len())).find_map(|(start, end)| {
            let inside = |before: Option<char>, behind: Option<char>| {
                before.zip(behind).is_some_and(|(a, b)| is_latin(a) && is_latin(b))
            };
            let ends_of = |at: usize| {
                let (before, behind) = self.text.split_at(at);
                inside(before.chars().next_back(), behind.chars().next())
            };
            let is_whole = !ends_of(start) && !ends_of(end);
            is_whole.then(|| Some(Span::new(self.spans.get(start)?.start, self.spans.get(end - 1)?.end)))?
        })
    }
}

/// Characters with the combining marks behind them.
fn pieces(text: &str) -> impl Iterator<Item = Span> + '_ {
    let is_continuing = |ch: char| is_combining_mark(ch) || matches!(ch, '\u{1161}'..='\u{11ff}' | 'ﾞ' | 'ﾟ');
    let mut starts =
        text.char_indices().filter(move |(at, ch)| *at == 0 || !is_continuing(*ch)).map(|(at, _)| at).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(Span::new(start, starts.peek().copied().unwrap_or(text.len())))
    })
}

fn is_latin(ch: char) -> bool {
    ch.is_alphanumeric() && ch < '\u{2e80}'
}

/// Whether spaces around a character tell words apart.
fn is_spaced(ch: char) -> bool {
    is_latin(ch)
}

fn is_invisible(ch: char) -> bool {
    matches!(ch, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
        || ch.is_control()
}

/// One mark for all that mean the same.
fn plain_mark(ch: char) -> char {
    match ch {
        '“' | '”' | '„' | '‟' | '"' | '«' | '»' | '「' | '」' | '『' | '』' | '`' => '"',
        '‘' | '’' | '‚' | '‛' | '\'' | '´' => '\'',
        '。' | '｡' => '.',
        '、' | '､' => ',',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        _ => ch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'a>(text: &'a str, quote: &str) -> Option<&'a str> {
        Folded::of(text).find(&Folded::of(quote), 0).map(|span| span.of(text))
    }

    #[test]
    fn quotes_are_found_whatever_their_spelling_and_nothing_else_is() {
        for (text, quote, expected) in [
            ("Well, I live in  Oslo.", "i LIVE in oslo", Some("I live in  Oslo")),
            ("我 在用Rust，版本 1.95。", "我在用 Rust,版本1.95", Some("我 在用Rust，版本 1.95")),
            ("我住在　上海！", "我住在上海。", Some("我住在　上海")),
            ("ＡＢＣ１２３ is my code", "abc123 is my code", Some("ＡＢＣ１２３ is my code")),
            ("she calls me “Bo”", "she calls me \"Bo\"", Some("she calls me “Bo”")),
            ("It’s me — Ann", "it's me - ann", Some("It’s me — Ann")),
            ("caf\u{65}\u{301} owner", "café owner", Some("caf\u{65}\u{301} owner")),
            ("I\u{200b} like\ntea", "I like tea", Some("I\u{200b} like\ntea")),
            ("我的语言是 C++", "c++", Some("C++")),
            ("I live in Oslo.", "I live in Rome", None),
            ("I am a therapist", "the rapist", None),
            ("I am a therapist", "a therapi", None),
            ("I was in carpark", "car", None),
            ("anything", "...", None),
            ("anything", "", None),
            ("", "I", None),
        ] {
            let expected = expected.map(|expected| expected.trim_end_matches('”'));
            assert_eq!(found(text, quote).map(|found| found.trim_end_matches('”')), expected, "{quote} in {text}");
        }
    }

    proptest! {
        #[test]
        fn any_piece_of_a_text_is_found_on_character_boundaries(text in any::<String>(), a in 0.0..1.0f64, b in 0.0..1.0f64) {
            let at = |share: f64| text.floor_char_boundary((text.len() as f64 * share) as usize);
            let piece = &text[at(a.min(b))..at(a.max(b))];
            let folded = Folded::of(&text);
            if let Some(span) = folded.find(&Folded::of(piece), 0) {
                prop_assert!(text.get(span.start..span.end).is_some_and(|found| !found.is_empty()));
            }
        }
    }
}
