//! Long texts in parts that fit, cut where a reader would.

use memcore_core::text::{self, Span, estimate_tokens};

/// A text in parts of at most `budget` tokens, cut behind sentences where there are any.
pub(crate) fn parts(text: &str, budget: usize) -> Vec<Span> {
    if estimate_tokens(text) <= budget {
        return vec![Span::new(0, text.len())];
    }
    let mut parts: Vec<Span> = Vec::new();
    let mut tokens = 0;
    let mut start = 0;
    let ends = text::sentences(text).into_iter().map(|sentence| sentence.end);
    for end in ends.chain([text.len()]) {
        for bit in bits(text, start, end, budget) {
            // The joint may cost one more.
            let cost = estimate_tokens(bit.of(text)) + 1;
            match parts.last_mut() {
                Some(part) if tokens + cost <= budget => {
                    part.end = bit.end;
                    tokens += cost;
                }
                _ => {
                    parts.push(bit);
                    tokens = cost;
                }
            }
        }
        start = end;
    }
    parts
}

/// A sentence as it is, or in bits of so few characters that each fits.
fn bits(text: &str, start: usize, end: usize, budget: usize) -> Vec<Span> {
    let whole = Span::new(start, end);
    if whole.is_empty() {
        return Vec::new();
    }
    if estimate_tokens(whole.of(text)) < budget {
        return vec![whole];
    }
    // No character costs more than four tokens and a little.
    let most = (budget / 5).max(1);
    let mut bits = Vec::new();
    let mut from = start;
    for (count, (at, _)) in whole.of(text).char_indices().enumerate() {
        if count > 0 && count % most == 0 {
            bits.push(Span::new(from, start + at));
            from = start + at;
        }
    }
    bits.push(Span::new(from, end));
    bits
}

/// The longest piece that fits, by halving.
pub(crate) fn longest<'a>(
    text: &'a str,
    piece: impl Fn(usize) -> Option<&'a str>,
    fits: impl Fn(&str) -> bool,
) -> &'a str {
    let (mut low, mut high) = (0, text.len() + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        // A cut within a character is moved to the next smaller piece.
        let candidate = (0..4).find_map(|back| piece(middle.saturating_sub(back)));
        if candidate.is_some_and(&fits) { low = middle } else { high = middle }
    }
    (0..4).find_map(|back| piece(low.saturating_sub(back))).unwrap_or_default()
}
