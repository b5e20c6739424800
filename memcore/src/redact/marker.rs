//! The text that stands for a secret, and the masked copy of a text with its way back.

use std::sync::LazyLock;

use regex::Regex;

use super::class;
use super::offsets::OffsetMap;
use super::pattern::compiled;
use super::span::Span;

/// How a marker of [`class`] other than [`class::PRIVATE`] starts.
const OPENING: &str = "[redacted:";
/// What stands for a span that the user declared private.
const PRIVATE: &str = "[private]";

/// Whether `text` starts with a marker, which is therefore nothing to mask again.
pub(super) fn starts_with_marker(text: &str) -> bool {
    text.starts_with(OPENING) || text.starts_with(PRIVATE)
}

/// Copy of `text` with a marker in place of each span. Spans are sorted and do not overlap.
pub(super) fn masked(text: &str, spans: &[Span]) -> (String, OffsetMap) {
    let mut result = String::with_capacity(text.len());
    let mut offsets = OffsetMap::default();
    let mut done = 0;
    for span in spans {
        offsets.copied(result.len(), done);
        result.push_str(text.get(done..span.start).unwrap_or_default());
        offsets.replaced(result.len(), span.start, span.end);
        push_marker(&mut result, span.class);
        done = span.end;
    }
    offsets.copied(result.len(), done);
    result.push_str(text.get(done..).unwrap_or_default());
    (result, offsets)
}

fn push_marker(text: &mut String, name: &str) {
    if name == class::PRIVATE {
        text.push_str(PRIVATE);
    } else {
        text.push_str(OPENING);
        text.push_str(name);
        text.push(']');
    }
}

/// The markers that `text` holds already.
pub(super) fn existing(text: &str) -> Vec<std::ops::Range<usize>> {
    static MARKER: LazyLock<Regex> = LazyLock::new(|| compiled(r"\[redacted:[a-z-]{1,32}\]|\[private\]"));
    MARKER.find_iter(text).map(|found| found.range()).collect()
}
