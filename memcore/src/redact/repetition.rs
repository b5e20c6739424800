//! Further occurrences of a secret that was found once: a password that is introduced in one sentence and used in another.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};

use super::class;
use super::pattern::{ends_word, starts_word};
use super::span::Span;

/// Shorter secrets are masked again only where they stand alone: `357` is a code, and part of many other numbers.
const MIN_INSIDE_WORDS: usize = 6;

/// Longer ones, such as key blocks, are found by their own marks wherever they occur.
const MAX_REPEATED: usize = 512;

/// Adds the occurrences of the secrets in `spans` that no rule found by itself.
///
/// Private spans are left out: they are prose, whose words may well be said openly elsewhere.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let secrets: BTreeMap<&str, &'static str> = spans
        .iter()
        .filter(|span| span.class != class::PRIVATE && span.end - span.start <= MAX_REPEATED)
        .filter_map(|span| Some((text.get(span.start..span.end)?, span.class)))
        .collect();
    let classes: Vec<&'static str> = secrets.values().copied().collect();
    let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(secrets.keys());
    // Building fails only past billions of states; every secret is masked where it was found all the same.
    let Ok(matcher) = matcher else { return };
    for found in matcher.find_iter(text) {
        let alone = starts_word(text, found.start()) && ends_word(text, found.end());
        if let Some(class) = classes.get(found.pattern().as_usize())
            && (alone || found.len() >= MIN_INSIDE_WORDS)
        {
            spans.push(Span::new(class, found.start(), found.end()));
        }
    }
}
