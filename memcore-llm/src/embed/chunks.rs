//! Texts in pieces that a model takes whole.

use memcore_core::text::{Span, estimate_tokens};

use crate::parts::{longest, parts};

/// Share of a piece that repeats the end of the one before.
const OVERLAP_SHARE: usize = 8;

/// A text in pieces of at most `max_tokens`, each behind the prefix, with its tokens; neighbours overlap.
pub(super) fn chunks(text: &str, prefix: &str, max_tokens: usize) -> Vec<(String, usize)> {
    let budget = max_tokens.saturating_sub(estimate_tokens(prefix) + 2).max(1);
    let with_prefix = |piece: &str| {
        let piece = format!("{prefix}{piece}");
        let tokens = estimate_tokens(&piece);
        (piece, tokens)
    };
    if estimate_tokens(text) <= budget {
        return vec![with_prefix(text)];
    }
    let overlap = budget / OVERLAP_SHARE;
    // Joints cost tokens of their own, most of all in words without end.
    let spans = parts(text, (budget - 2 * overlap).max(1));
    let piece = |span: Span| {
        // More than enough characters for that many tokens.
        let from = text.ceil_char_boundary(span.start.saturating_sub(overlap * 8));
        let before = text.get(from..span.start).unwrap_or_default();
        let with_tail = |tail: &str| text.get(span.start - tail.len()..span.end).unwrap_or_default();
        let fits = |tail: &str| {
            estimate_tokens(tail) < overlap && estimate_tokens(&format!("{prefix}{}", with_tail(tail))) <= max_tokens
        };
        with_tail(longest(before, |end| before.get(before.len() - end..), fits))
    };
    spans.into_iter().map(piece).filter(|piece| !piece.trim().is_empty()).map(with_prefix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fit_cover_everything_and_overlap() {
        for sentence in ["The ledger moved to PostgreSQL last week. ", "账本上周迁到了 PostgreSQL。", "nospace"]
        {
            let text = sentence.repeat(200);
            let pieces = chunks(&text, "passage: ", 64);
            assert!(pieces.len() > 3, "{sentence}");
            let mut covered = 0;
            for (n, (piece, tokens)) in pieces.iter().enumerate() {
                assert!(*tokens <= 64 && *tokens == estimate_tokens(piece), "{tokens} {piece}");
                let piece = piece.strip_prefix("passage: ").unwrap();
                // The first place at which the piece goes on from what is covered.
                let start =
                    (0..=covered).rev().find(|start| text.get(*start..).is_some_and(|rest| rest.starts_with(piece)));
                let start = start.unwrap();
                assert!(n == 0 || start < covered, "no overlap before {piece}");
                covered = covered.max(start + piece.len());
            }
            assert!(text[covered..].trim().is_empty(), "{sentence}");
        }
    }

    #[test]
    fn a_short_text_is_one_piece() {
        assert_eq!(chunks("你好", "query: ", 512), [("query: 你好".to_owned(), estimate_tokens("query: 你好"))]);
    }
}
